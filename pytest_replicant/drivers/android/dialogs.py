"""How Android's own dialogs look, from Android 6 on. Data.

The permission dialog is an app of its own. Makers and Google ship it under other package names, the ids of its
buttons stay those of the original.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...model import Selector
from ..base import PermissionAnswer, SystemDialogs

_NEW = "com.android.permissioncontroller"  # Android 10 and newer
_OLD = "com.android.packageinstaller"  # Android 6 to 9
_PERMISSION_PACKAGES = frozenset(
    {_NEW, _OLD, "com.google.android.permissioncontroller", "com.google.android.packageinstaller"}
)
_BUTTONS: Mapping[PermissionAnswer, tuple[str, ...]] = {
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

SYSTEM_DIALOGS = SystemDialogs(
    permission_packages=_PERMISSION_PACKAGES,
    permission_buttons={
        answer: tuple(Selector(resource_id=f"{package}:id/{name}") for name in names for package in (_NEW, _OLD))
        for answer, names in _BUTTONS.items()
    },
    wait_buttons=(Selector(resource_id="android:id/aerr_wait"),),
    close_buttons=(Selector(resource_id="android:id/aerr_close"),),
    packages=_PERMISSION_PACKAGES | {"android", "com.android.systemui"},
)
