"""What Android asks the user for, and the dialog of its permission controller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...app_kit.containers import Column
from ...app_kit.labels import Button, Text
from ...app_kit.running import RunningApp
from ...app_kit.widget import Widget
from ..design import Answer
from ..system_dialog import SystemDialog
from .alerts import framed

CONTROLLER = "com.google.android.permissioncontroller"
ACTIVITY = "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity"
IDS = "com.android.permissioncontroller:id/"

_WORDING = {  # Android 14's, by permission group
    "send you notifications": ("POST_NOTIFICATIONS",),
    "access this device\u2019s location": (
        "ACCESS_FINE_LOCATION",
        "ACCESS_COARSE_LOCATION",
        "ACCESS_BACKGROUND_LOCATION",
    ),
    "take pictures and record video": ("CAMERA",),
    "record audio": ("RECORD_AUDIO",),
    "access your contacts": ("READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS"),
    "access your calendar": ("READ_CALENDAR", "WRITE_CALENDAR"),
    "send and view SMS messages": ("SEND_SMS", "RECEIVE_SMS", "READ_SMS", "RECEIVE_MMS", "RECEIVE_WAP_PUSH"),
    "access your phone call logs": ("READ_CALL_LOG", "WRITE_CALL_LOG", "PROCESS_OUTGOING_CALLS"),
    "make and manage phone calls": ("READ_PHONE_STATE", "READ_PHONE_NUMBERS", "CALL_PHONE", "ANSWER_PHONE_CALLS"),
    "access photos and videos on this device": (
        "READ_MEDIA_IMAGES",
        "READ_MEDIA_VIDEO",
        "READ_MEDIA_VISUAL_USER_SELECTED",
    ),
    "access music and audio on this device": ("READ_MEDIA_AUDIO",),
    "access photos, media, and files on your device": ("READ_EXTERNAL_STORAGE", "WRITE_EXTERNAL_STORAGE"),
    "access your physical activity": ("ACTIVITY_RECOGNITION",),
    "access sensor data about your vital signs": ("BODY_SENSORS", "BODY_SENSORS_BACKGROUND"),
    "find, connect to, and determine the relative position of nearby devices": (
        "BLUETOOTH_SCAN",
        "BLUETOOTH_CONNECT",
        "BLUETOOTH_ADVERTISE",
        "NEARBY_WIFI_DEVICES",
        "UWB_RANGING",
    ),
}
RUNTIME = {f"android.permission.{name}": wording for wording, names in _WORDING.items() for name in names}
"""What Android asks the user for; any other permission comes with the installation."""

WHILE_IN_USE = frozenset(
    f"android.permission.{name}"
    for name in ("ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION", "CAMERA", "RECORD_AUDIO")
)
"""Those that can be given for as long as the app is in use, or once."""

_LABELS: dict[Answer, str] = {
    "allow": "Allow",
    "foreground_only": "While using the app",
    "one_time": "Only this time",
    "deny": "Don\u2019t allow",
    "deny_and_dont_ask_again": "Don\u2019t allow",
}
_BUTTONS: dict[Answer, str] = {
    "allow": "permission_allow_button",
    "foreground_only": "permission_allow_foreground_only_button",
    "one_time": "permission_allow_one_time_button",
    "deny": "permission_deny_button",
    "deny_and_dont_ask_again": "permission_deny_and_dont_ask_again_button",
}


def question(
    app: RunningApp[Any], permission: str, again: bool, answer: Callable[[Answer | None], object]
) -> SystemDialog:
    answers = answers_to(permission, again)
    return SystemDialog(
        CONTROLLER,
        f"{CONTROLLER}/{ACTIVITY}",
        lambda: grant_dialog(app.app.label, RUNTIME[permission], answers, answer),
        owner=app,
        follows=True,
        activity=ACTIVITY,
        back=lambda: answer(None),
    )


def answers_to(permission: str, again: bool) -> Sequence[Answer]:
    """The buttons of the dialog; who refused before refuses for good."""
    refusal: Answer = "deny_and_dont_ask_again" if again else "deny"
    if permission in WHILE_IN_USE:
        return ("foreground_only", "one_time", refusal)
    return ("allow", refusal)


def grant_dialog(
    label: str, wording: str, answers: Sequence[Answer], answer: Callable[[Answer], object]
) -> Widget:
    """As the permission controller lays it out: the question in the middle, the answers below one another."""

    def press(given: Answer) -> Callable[[], object]:
        return lambda: answer(given)

    message = Text(
        f"Allow {label} to {wording}?", id=f"{IDS}permission_message", size=20, width="fill", align="center"
    )
    buttons = [
        Button(_LABELS[given], id=f"{IDS}{_BUTTONS[given]}", width="fill", margin=(0, 2), on_click=press(given))
        for given in answers
    ]
    rows = [
        Column([message], id=f"{IDS}content_container", padding=(24, 20, 24, 16)),
        Column(buttons, padding=(24, 0, 24, 20)),
    ]
    return framed(Column(rows, id=f"{IDS}grant_dialog"))
