"""Runtime permissions, and the system's own dialogs from Android 6 on."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Mapping, Sequence
from functools import partial

from ...errors import ProtocolError, UsageError
from ...model import Selector
from ..base import PermissionAnswer, SystemDialogs
from .apps import AndroidApps, checked_name
from .link import Link

_NEW = "com.android.permissioncontroller"  # Android 10 and newer
_OLD = "com.android.packageinstaller"  # Android 6 to 9
_PERMISSION_PACKAGES = frozenset(
    {_NEW, _OLD, "com.google.android.permissioncontroller", "com.google.android.packageinstaller"}
)
_ANSWERS: Mapping[PermissionAnswer, tuple[str, ...]] = {
    "allow": (
        "permission_allow_button",
        "permission_allow_foreground_only_button",  # "While using the app": location, camera, microphone
        "permission_allow_all_button",  # photos, from Android 14 on
        "permission_allow_always_button",  # location in the background, Android 10
    ),
    "allow_once": ("permission_allow_one_time_button",),
    "deny": (
        "permission_deny_button",
        "permission_deny_and_dont_ask_again_button",  # the second time that an app asks
        "permission_no_upgrade_button",  # "Keep while the app is in use"
        "permission_no_upgrade_and_dont_ask_again_button",
    ),
}

ANDROID_DIALOGS = SystemDialogs(
    permission_packages=_PERMISSION_PACKAGES,
    permission_buttons={
        answer: tuple(Selector(resource_id=f"{package}:id/{name}") for name in names for package in (_NEW, _OLD))
        for answer, names in _ANSWERS.items()
    },
    wait_buttons=(Selector(resource_id="android:id/aerr_wait"),),
    close_buttons=(Selector(resource_id="android:id/aerr_close"),),
    packages=_PERMISSION_PACKAGES | {"android", "com.android.systemui"},
)


GRANT_SECONDS = 30.0
_PREFIX = "android.permission."
# Several, where Android split one question into several permissions over the years: those are set that the app
# asks for and that this phone lets anybody set.
SHORT_NAMES: Mapping[str, tuple[str, ...]] = {
    "activity": ("ACTIVITY_RECOGNITION",),
    "background_location": ("ACCESS_BACKGROUND_LOCATION",),
    "bluetooth": ("BLUETOOTH_CONNECT", "BLUETOOTH_SCAN", "BLUETOOTH_ADVERTISE"),
    "body_sensors": ("BODY_SENSORS",),
    "calendar": ("READ_CALENDAR", "WRITE_CALENDAR"),
    "call_log": ("READ_CALL_LOG", "WRITE_CALL_LOG"),
    "camera": ("CAMERA",),
    "contacts": ("READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS"),
    "location": ("ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION"),
    "microphone": ("RECORD_AUDIO",),
    "music": ("READ_MEDIA_AUDIO",),
    "nearby_devices": ("BLUETOOTH_CONNECT", "BLUETOOTH_SCAN", "BLUETOOTH_ADVERTISE", "NEARBY_WIFI_DEVICES"),
    "notifications": ("POST_NOTIFICATIONS",),
    "phone": ("READ_PHONE_STATE", "CALL_PHONE", "READ_PHONE_NUMBERS", "ANSWER_PHONE_CALLS"),
    "photos": ("READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO", "READ_MEDIA_VISUAL_USER_SELECTED"),
    "sms": ("SEND_SMS", "RECEIVE_SMS", "READ_SMS"),
    "storage": ("READ_EXTERNAL_STORAGE", "WRITE_EXTERNAL_STORAGE"),
}
_CONSTANTS = frozenset(name for names in SHORT_NAMES.values() for name in names)
_NAME = re.compile(r"[A-Za-z]\w*(\.\w+)+", re.ASCII)
_ENTRY = "  Package [{}]"
_SECTION = r"^ +{}:\n((?: +[\w.]+(?:[:,] .*)?\n)+)"
_REQUESTED, _INSTALLED, _RUNTIME = (
    re.compile(_SECTION.format(f"{kind} permissions"), re.MULTILINE)
    for kind in ("requested", "install", "runtime")
)
# What every app gets that asks for it, and what this phone's Android does not know.
_NOBODYS = re.compile(r"^.*(?:not a changeable permission type|Unknown permission).*", re.MULTILINE)
_HEADING = re.compile(r"^Exception occurred while executing.*", re.MULTILINE)
_PROBLEM = re.compile(r"^(?:[\w.]*Exception|Error|Operation not allowed|Unknown)\b.*", re.MULTILINE)


class AndroidPermissions(AndroidApps):
    def __init__(self, link: Link) -> None:
        super().__init__(link)
        self._kept_granted: dict[str, tuple[str, ...]] = {}

    def set_permission(self, app: str, permission: str, granted: bool) -> None:
        """Sets a permission, by a short name (``SHORT_NAMES``) or Android's own, with or without
        ``android.permission.``. Revoking one ends the app, as it does where its user revokes one."""
        checked_name(app)
        wanted = full_names(permission)
        requested, held = self._asked_for(app)
        names = [name for name in wanted if name in requested]
        if not names:
            raise _not_asked_for(app, permission, wanted, requested, self._link.serial)
        refusals = [self._decide(app, name, granted, held.get(name)) for name in names]
        if all(refusals):
            raise UsageError(
                f"set_permission {permission} on {self._link.serial}: it cannot be given or taken there: "
                f"{refusals[0][:300]}. Nothing was changed."
            )

    def keep_granted(self, app: str) -> None:
        """Grants all runtime permissions, now and whenever its data are cleared, which revokes them. They are not
        restored, as those that a test sets are."""
        held = self._asked_for(checked_name(app))[1]
        self._kept_granted[app] = tuple(held)
        self._grant(app, [name for name in held if not held[name]])

    def clear_data(self, app: str) -> None:
        """Clears its data; what ``keep_granted`` is to keep is granted again."""
        super().clear_data(app)
        self._grant_again(app)

    def _grant_again(self, app: str) -> None:
        self._grant(app, self._kept_granted.get(app, ()))

    def _grant(self, app: str, names: Sequence[str]) -> None:
        """Grants them in one command. One that cannot be granted stays as it is; where none can, the phone is in
        trouble."""
        if not names:
            return
        commands = (shlex.join(["pm", "grant", app, name]) for name in names)
        said = self._link.run("; ".join(commands), GRANT_SECONDS).words
        problems = _PROBLEM.findall(_NOBODYS.sub("", _HEADING.sub("", said)))
        if len(problems) >= len(names):
            raise ProtocolError(
                f"granting the permissions of {app} on {self._link.serial}: {problems[0][:300]}. Next: some "
                "phones want 'USB debugging (Security settings)' in their developer options; or set "
                "replicant_prepare = animations",
                exchange=said[:2000],
                device=self._link.serial,
            )

    def permissions(self, app: str) -> Mapping[str, bool]:
        """Requested and decided permissions. Raises ``UsageError`` where the app is not installed."""
        return self._asked_for(checked_name(app))[1]

    def _asked_for(self, app: str) -> tuple[frozenset[str], dict[str, bool]]:
        said = self._link.run(["dumpsys", "package", app]).text
        if _ENTRY.format(app) not in said:
            self._must_be_installed(app)
            raise ProtocolError(
                f"permissions of {app} on {self._link.serial}: it is installed, but `dumpsys package` "
                "says nothing of it.",
                exchange=said[:2000],
                device=self._link.serial,
            )
        return read_permissions(app, said)

    def _decide(self, app: str, name: str, granted: bool, before: bool | None) -> str:
        """Reason why it cannot be decided; "" where it was decided."""
        said = self._link.run(["pm", "grant" if granted else "revoke", app, name]).words
        nobodys = _NOBODYS.search(said)
        if nobodys:
            return nobodys[0].strip()
        problem = _PROBLEM.search(said)
        if problem:
            raise ProtocolError(
                f"set_permission {name} of {app} on {self._link.serial}: {problem[0][:300]}",
                exchange=said[:2000],
                device=self._link.serial,
            )
        if before is not None and before is not granted:
            self._changes.remember(f"{app} {name}", partial(self._put_permission_back, app, name, before))
        return ""

    def _put_permission_back(self, app: str, name: str, granted: bool) -> None:
        self._must_be_installed(app)
        self._decide(app, name, granted, None)


def read_permissions(app: str, said: str) -> tuple[frozenset[str], dict[str, bool]]:
    """Permissions in ``dumpsys package``: those that the app requests, and those that its user may decide, with
    their state. Android 9 and older leave out undecided ones."""
    entry = said.partition(_ENTRY.format(app))[2].partition("\n  Package [")[0]
    requested, given, decided = (_section(pattern, entry) for pattern in (_REQUESTED, _INSTALLED, _RUNTIME))
    held = {name: "granted=true" in state for name, state in decided.items()}
    for name in requested:
        if name.removeprefix(_PREFIX) in _CONSTANTS and name not in given:
            held.setdefault(name, False)
    return frozenset(requested), held


def _section(pattern: re.Pattern[str], entry: str) -> dict[str, str]:
    found = pattern.search(entry)
    parts = (line.strip().partition(":") for line in (found[1].splitlines() if found else ()))
    return {name: state for name, _, state in parts}


def full_names(permission: str) -> tuple[str, ...]:
    """Android's names of a permission. Raises ``UsageError`` for an unknown name, with near ones."""
    plain = permission.strip().lower().replace(" ", "_").replace("-", "_")
    if plain in SHORT_NAMES:
        return tuple(_PREFIX + name for name in SHORT_NAMES[plain])
    if _NAME.fullmatch(permission):
        return (permission,)
    if permission in _CONSTANTS:
        return (_PREFIX + permission,)
    near = difflib.get_close_matches(plain, SHORT_NAMES) + difflib.get_close_matches(
        permission.upper(), _CONSTANTS
    )
    hint = f"Near ones: {', '.join(near)}." if near else f"There are: {', '.join(SHORT_NAMES)}."
    raise UsageError(
        f'set_permission: {permission!r} names no permission. {hint} Or give the whole name, such as "'
        f'{_PREFIX}CAMERA". Nothing was changed.'
    )


def _not_asked_for(
    app: str, permission: str, wanted: Sequence[str], requested: frozenset[str], serial: str
) -> UsageError:
    asked = sorted(name.removeprefix(_PREFIX) for name in requested)
    known = (
        f"It asks for: {', '.join(asked[:20])}{', …' if len(asked) > 20 else ''}."
        if asked
        else "It asks for none."
    )
    names = " or ".join(wanted)
    return UsageError(
        f"set_permission {permission} on {serial}: {app} does not ask for {names} in its manifest, so that it "
        f"cannot be given or taken. {known} Nothing was changed."
    )
