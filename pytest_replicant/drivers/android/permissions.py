"""Permissions: Android's names, short ones for those that people know, and what an app asks for."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from functools import partial

from ...errors import ProtocolError, UsageError, is_told
from .installing import AndroidPackages
from .packages import checked_name

__tracebackhide__ = is_told

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
_NAME = re.compile(r"[A-Za-z]\w*(\.\w+)+", re.ASCII)
_REQUESTED = re.compile(r"^ +requested permissions:\n((?: +[\w.]+(?:: .*)?\n)+)", re.MULTILINE)
_RUNTIME = re.compile(r"^ +([\w.]+): granted=(true|false)", re.MULTILINE)
_FIXED = "not a changeable permission type"
_PROBLEM = re.compile(r"^(?:[\w.]*Exception|Error|Operation not allowed|Unknown)\b.*", re.MULTILINE)


class AndroidPermissions(AndroidPackages):
    def set_permission(self, app: str, permission: str, granted: bool) -> None:
        """By a short name (``SHORT_NAMES``) or Android's own, with or without ``android.permission.``. Taking
        one away ends the app, as Android does where its user takes one away."""
        checked_name(app)
        wanted = full_names(permission)
        requested, held = self._asked_for(app)
        names = [name for name in wanted if name in requested]
        if not names:
            raise _not_asked_for(app, permission, wanted, requested, self._link.serial)
        done = [name for name in names if self._decide(app, name, granted, held.get(name))]
        if not done:
            raise UsageError(
                f"set_permission {permission} on {self._link.serial}: {', '.join(names)} is given to every "
                "app that asks for it when it is installed; nobody can give or take it. Nothing was changed."
            )

    def _asked_for(self, app: str) -> tuple[set[str], dict[str, bool]]:
        """What the app asks for, and those of them that its user may decide, with what they are now."""
        self._must_be_installed(app)
        said = self._link.run(["dumpsys", "package", app]).text
        found = _REQUESTED.search(said)
        lines = found[1].split("\n") if found else []
        requested = {line.strip().partition(":")[0] for line in lines} - {""}
        held = {name: value == "true" for name, value in _RUNTIME.findall(said[found.end() if found else 0 :])}
        return requested, held

    def _decide(self, app: str, name: str, granted: bool, before: bool | None) -> bool:
        """False where no user may decide about it."""
        said = self._link.run(["pm", "grant" if granted else "revoke", app, name]).words
        if _FIXED in said:
            return False
        problem = _PROBLEM.search(said)
        if problem:
            raise ProtocolError(
                f"set_permission {name} of {app} on {self._link.serial}: {problem[0][:300]}",
                exchange=said[:2000],
                device=self._link.serial,
            )
        if before is not None and before is not granted:
            self._changes.remember(f"{app} {name}", partial(self._put_permission_back, app, name, before))
        return True

    def _put_permission_back(self, app: str, name: str, granted: bool) -> None:
        self._must_be_installed(app)
        self._decide(app, name, granted, None)


def full_names(permission: str) -> tuple[str, ...]:
    """Android's names of a permission. Raises ``UsageError`` for what is no name, with those that are near."""
    plain = permission.strip().lower().replace(" ", "_").replace("-", "_")
    if plain in SHORT_NAMES:
        return tuple(_PREFIX + name for name in SHORT_NAMES[plain])
    if _NAME.fullmatch(permission):
        return (permission,)
    constants = sorted({name for names in SHORT_NAMES.values() for name in names})
    if permission.isupper() and permission in constants:
        return (_PREFIX + permission,)
    near = difflib.get_close_matches(plain, SHORT_NAMES) + difflib.get_close_matches(permission, constants)
    hint = f"Near ones: {', '.join(near)}." if near else f"There are: {', '.join(SHORT_NAMES)}."
    raise UsageError(
        f'set_permission: {permission!r} names no permission. {hint} Or give the whole name, such as "'
        f'{_PREFIX}CAMERA". Nothing was changed.'
    )


def _not_asked_for(
    app: str, permission: str, wanted: Sequence[str], requested: set[str], serial: str
) -> UsageError:
    asked = sorted(name.removeprefix(_PREFIX) for name in requested)
    known = (
        f"It asks for: {', '.join(asked[:20])}{', …' if len(asked) > 20 else ''}."
        if asked
        else "It asks for none."
    )
    names = " or ".join(wanted)
    return UsageError(
        f"set_permission {permission} on {serial}: {app} does not ask for {names} in its manifest, so that nobody "
        f"can give or take it. {known} Nothing was changed."
    )
