"""Who asks for a permission, by maker: packages, ids and words as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..design import Answer

_AOSP = "com.android.permissioncontroller"
_ACTIVITY = f"{_AOSP}.permission.ui.GrantPermissionsActivity"
_OLD = "com.android.packageinstaller"
_OLD_ACTIVITY = f"{_OLD}.permission.ui.GrantPermissionsActivity"
_MIUI = "com.lbe.security.miui"

_IDS: Mapping[Answer, str] = {
    "allow": "permission_allow_button",
    "foreground_only": "permission_allow_foreground_only_button",
    "one_time": "permission_allow_one_time_button",
    "deny": "permission_deny_button",
    "deny_and_dont_ask_again": "permission_deny_and_dont_ask_again_button",
}
_WORDS: Mapping[Answer, str] = {
    "allow": "Allow",
    "foreground_only": "While using the app",
    "one_time": "Only this time",
    "deny": "Don\u2019t allow",
    "deny_and_dont_ask_again": "Don\u2019t allow",
}
_MIUI_IDS: Mapping[Answer, str] = {**_IDS, "one_time": "permission_allow_onetime_button"}


@dataclass(frozen=True)
class Asker:
    """The dialog of one maker. ``ids`` is what its ids begin with, ``question`` has the app's name
    and what it wants. ``once`` says whether there is an answer for this time only; ``checkbox`` is
    the id of one that makes a refusal last, "" if the second refusal does. ``of_two`` ends the ids
    of two buttons alone, ``widget`` is the buttons' class."""

    package: str
    ids: str
    activity: str = _ACTIVITY
    buttons: Mapping[Answer, str] = field(default_factory=lambda: _IDS)
    words: Mapping[Answer, str] = field(default_factory=lambda: _WORDS)
    question: str = "Allow {app} to {what}?"
    says: Mapping[str, str] = field(
        default_factory=dict
    )  # what it wants, by permission, else in English
    message: str = "permission_message"
    panel: str = "grant_dialog"
    once: bool = True
    checkbox: str = ""
    of_two: str = ""
    widget: str = "android.widget.Button"
    side_by_side: bool = False


def _framework(package: str, question: str, allow: str, deny: str) -> Asker:
    """A dialog in the framework's own look: its ids say nothing."""
    buttons: Mapping[Answer, str] = {
        "allow": "android:id/button1",
        "deny": "android:id/button2",
        "deny_and_dont_ask_again": "android:id/button2",
    }
    words: Mapping[Answer, str] = {"allow": allow, "deny": deny, "deny_and_dont_ask_again": deny}
    return Asker(
        package,
        f"{package}:id/",
        f"{package}.PermissionDialog",
        buttons,
        words,
        question,
        message="alertTitle",
        panel="parentPanel",
        once=False,
        side_by_side=True,
    )


# AOSP's PermissionController, res/values-zh-rCN
_CHINESE = {
    **dict.fromkeys(
        ("android.permission.ACCESS_FINE_LOCATION", "android.permission.ACCESS_COARSE_LOCATION"),
        "获取此设备的位置信息",
    ),
    "android.permission.POST_NOTIFICATIONS": "向您发送通知",
    "android.permission.CAMERA": "拍摄照片和录制视频",
    "android.permission.RECORD_AUDIO": "录音",
    "android.permission.READ_CONTACTS": "访问您的通讯录",
}
_UPPER: Mapping[Answer, str] = {"allow": "ALLOW", "deny": "DENY", "deny_and_dont_ask_again": "DENY"}

ASKERS: Mapping[str, Asker] = {
    # leancodepl/patrol#231 recorded a Samsung tablet and emulators: the same
    "google": Asker("com.google.android.permissioncontroller", f"{_AOSP}:id/"),
    "aosp": Asker(_AOSP, f"{_AOSP}:id/"),
    # AOSP 7's PackageInstaller; hierarchies in scripts of that time have a check box and words in
    # capitals
    "packageinstaller": Asker(
        _OLD,
        f"{_OLD}:id/",
        _OLD_ACTIVITY,
        {**_IDS, "deny_and_dont_ask_again": "permission_deny_button"},
        _UPPER,
        panel="dialog_container",
        once=False,
        checkbox="do_not_ask_checkbox",
        side_by_side=True,
    ),
    "samsung": Asker(
        "com.samsung.android.permissioncontroller", "com.samsung.android.permissioncontroller:id/"
    ),
    # gkd-kit's recorded hierarchies: permission_with_three and permission_with_two, whose buttons
    # are text views
    "miui": Asker(
        _MIUI,
        f"{_MIUI}:id/",
        _OLD_ACTIVITY,
        _MIUI_IDS,
        {**_WORDS, "deny": "Deny", "deny_and_dont_ask_again": "Deny"},
        panel="parentPanel",
        of_two="_1",
        widget="android.widget.TextView",
    ),
    "miui-cn": Asker(
        _MIUI,
        f"{_MIUI}:id/",
        _OLD_ACTIVITY,
        _MIUI_IDS,
        {
            "allow": "始终允许",
            "foreground_only": "仅在使用中允许",
            "one_time": "本次运行允许",
            "deny": "拒绝",
            "deny_and_dont_ask_again": "拒绝",
        },
        question="要允许“{app}”{what}吗？",
        says=_CHINESE,
        panel="parentPanel",
        of_two="_1",
        widget="android.widget.TextView",
    ),
    # recorded: a title "… requires permission: Read your app list."
    "oppo": _framework(
        "com.oplus.securitypermission",
        "\u201c{app}\u201d requires permission: {what}.",
        "Allow",
        "Deny",
    ),
    "vivo": _framework("com.vivo.permissionmanager", "{app}: {what}", "允许", "禁止"),
    "huawei": Asker(
        "com.huawei.systemmanager",
        "com.huawei.systemmanager:id/",
        "com.huawei.systemmanager.PermissionDialog",
        {"allow": "btn_allow", "deny": "btn_forbbid", "deny_and_dont_ask_again": "btn_forbbid"},
        {"allow": "允许", "deny": "禁止", "deny_and_dont_ask_again": "禁止"},
        question="{app}: {what}",
        once=False,
        side_by_side=True,
    ),
}


def asker_of(package: str, locale: str) -> str:
    """The name of the dialog of this package, on a phone of this language; "" for one that there is
    not."""
    names = [name for name, asker in ASKERS.items() if asker.package == package]
    return names[-1 if locale.startswith("zh") else 0] if names else ""
