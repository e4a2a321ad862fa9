"""What iOS asks the user for, in Apple's words. Apps declare Android's permissions, and each stands
for what iOS has in its place; what iOS has not comes with the installation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...app_kit.running import RunningApp
from ..design import Answer
from ..system_dialog import SystemDialog
from .alerts import Action, alert
from .measures import SPRINGBOARD

FIRST_WITH_ALLOW = 17  # the release from which on the answer is "Allow" and not "OK"
REFUSE = "Don\u2019t Allow"

_NAMES = {
    "notifications": ("POST_NOTIFICATIONS",),
    "location": ("ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION", "ACCESS_BACKGROUND_LOCATION"),
    "camera": ("CAMERA",),
    "microphone": ("RECORD_AUDIO",),
    "contacts": ("READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS"),
    "calendar": ("READ_CALENDAR", "WRITE_CALENDAR"),
    "photos": ("READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO", "READ_MEDIA_VISUAL_USER_SELECTED"),
    "motion": ("ACTIVITY_RECOGNITION",),
    "bluetooth": ("BLUETOOTH_SCAN", "BLUETOOTH_CONNECT", "BLUETOOTH_ADVERTISE"),
}
SERVICES = {
    f"android.permission.{name}": service for service, names in _NAMES.items() for name in names
}
_WISHES = {
    "notifications": "Would Like to Send You Notifications",
    "camera": "Would Like to Access the Camera",
    "microphone": "Would Like to Access the Microphone",
    "contacts": "Would Like to Access Your Contacts",
    "calendar": "Would Like to Access Your Calendar",
    "photos": "Would Like to Access Your Photo Library",
    "motion": "Would Like to Access Your Motion & Fitness Activity",
    "bluetooth": "Would Like to Use Bluetooth",
}
_ABOUT_NOTIFICATIONS = (
    "Notifications may include alerts, sounds, and icon badges. These can be configured in "
    "Settings."
)


def asks_for(permission: str) -> bool:
    return permission in SERVICES


def question(
    app: RunningApp[Any], permission: str, release: str, answer: Callable[[Answer | None], object]
) -> SystemDialog:
    service = SERVICES[permission]
    name = f"\u201c{app.app.label}\u201d"
    title = (
        f"Allow {name} to use your location?"
        if service == "location"
        else f"{name} {_WISHES[service]}"
    )
    message = (
        _ABOUT_NOTIFICATIONS
        if service == "notifications"
        else f"{app.app.label} uses it only while you do."
    )
    actions = _answers(service, release, answer)
    return SystemDialog(
        SPRINGBOARD, title, lambda: alert(title, message, actions), owner=app, follows=True
    )


def _answers(service: str, release: str, answer: Callable[[Answer | None], object]) -> list[Action]:
    refuse = Action(REFUSE, lambda: answer("deny"), cancels=True)
    if service == "location":
        once = Action("Allow Once", lambda: answer("one_time"))
        return [once, Action("Allow While Using App", lambda: answer("foreground_only")), refuse]
    major = release.partition(".")[0]
    newer = not major.isdecimal() or int(major) >= FIRST_WITH_ALLOW
    label = "Allow" if newer or service == "notifications" else "OK"
    return [refuse, Action(label, lambda: answer("allow"))]
