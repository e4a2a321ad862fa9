"""What Android asks the user for, and the dialog that does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...app_kit.choices import CheckBox
from ...app_kit.containers import Column, Row
from ...app_kit.labels import Button, Space, Text
from ...app_kit.running import RunningApp
from ...app_kit.widget import Widget
from ..design import Answer
from ..system_dialog import SystemDialog
from .alerts import framed
from .askers import Asker

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
    "send and view SMS messages": (
        "SEND_SMS",
        "RECEIVE_SMS",
        "READ_SMS",
        "RECEIVE_MMS",
        "RECEIVE_WAP_PUSH",
    ),
    "access your phone call logs": ("READ_CALL_LOG", "WRITE_CALL_LOG", "PROCESS_OUTGOING_CALLS"),
    "make and manage phone calls": (
        "READ_PHONE_STATE",
        "READ_PHONE_NUMBERS",
        "CALL_PHONE",
        "ANSWER_PHONE_CALLS",
    ),
    "access photos and videos on this device": (
        "READ_MEDIA_IMAGES",
        "READ_MEDIA_VIDEO",
        "READ_MEDIA_VISUAL_USER_SELECTED",
    ),
    "access music and audio on this device": ("READ_MEDIA_AUDIO",),
    "access photos, media, and files on your device": (
        "READ_EXTERNAL_STORAGE",
        "WRITE_EXTERNAL_STORAGE",
    ),
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
RUNTIME = {
    f"android.permission.{name}": wording for wording, names in _WORDING.items() for name in names
}
"""What Android asks the user for; any other permission comes with the installation."""

REQUEST = "android.content.pm.action.REQUEST_PERMISSIONS"
"""The intent of a question."""
USER_ID = 10_049  # of whoever asks

WHILE_IN_USE = frozenset(
    f"android.permission.{name}"
    for name in ("ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION", "CAMERA", "RECORD_AUDIO")
)
"""Those that can be given for as long as the app is in use, or once."""

SINCE = {
    "POST_NOTIFICATIONS": 33,
    "BLUETOOTH_SCAN": 31,
    "BLUETOOTH_CONNECT": 31,
    "ACTIVITY_RECOGNITION": 29,
}
"""The first version of Android (its SDK) that asks for a permission which is younger than Android
6."""


def is_asked_for(permission: str, sdk: int) -> bool:
    return permission in RUNTIME and sdk >= SINCE.get(permission.rpartition(".")[2], 0)


def question(
    asker: Asker,
    app: RunningApp[Any],
    permission: str,
    again: bool,
    answer: Callable[[Answer | None], object],
) -> SystemDialog:
    answers = answers_to(asker, permission, again)
    for_good = again and asker.checkbox != ""
    return SystemDialog(
        asker.package,
        f"{asker.package}/{asker.activity}",
        GrantDialog(asker, app.app.label, permission, answers, answer, for_good).build,
        owner=app,
        follows=True,
        activity=asker.activity,
        back=lambda: answer(None),
    )


def answers_to(asker: Asker, permission: str, again: bool) -> Sequence[Answer]:
    """The buttons of the dialog; who refused before refuses for good, or says so with a check
    box."""
    refusal: Answer = "deny_and_dont_ask_again" if again and not asker.checkbox else "deny"
    if permission in WHILE_IN_USE and asker.once:
        return ("foreground_only", "one_time", refusal)
    return ("allow", refusal)


class GrantDialog:
    """The question and its answers, as a permission controller lays them out."""

    def __init__(
        self,
        asker: Asker,
        label: str,
        permission: str,
        answers: Sequence[Answer],
        answer: Callable[[Answer], object],
        has_checkbox: bool,
    ) -> None:
        self._asker = asker
        self._question = asker.question.format(
            app=label, what=asker.says.get(permission) or RUNTIME[permission]
        )
        self._answers = answers
        self._answer = answer
        self._has_checkbox = has_checkbox
        self._for_good = False

    def build(self) -> Widget:
        """The question in the middle, the answers below one another, or side by side."""
        asker = self._asker
        message = Text(
            self._question, id=_full(asker, asker.message), size=20, width="fill", align="center"
        )
        box = CheckBox(
            "Don't ask again",
            id=_full(asker, asker.checkbox),
            checked=self._for_good,
            on_change=self._check,
        )
        buttons = [self._button(given) for given in self._answers]
        if asker.side_by_side:
            answers: Widget = Row(
                [Space(width=0, weight=1), *reversed(buttons)], padding=(12, 8), height="wrap"
            )
        else:
            answers = Column(buttons, padding=(24, 0, 24, 20))
        above: list[Widget] = [message, *([box] if self._has_checkbox else ())]
        rows: list[Widget] = [
            Column(above, id=_full(asker, "content_container"), padding=(24, 20, 24, 16)),
            answers,
        ]
        return framed(Column(rows, id=_full(asker, asker.panel)))

    def _check(self, checked: bool) -> None:
        self._for_good = checked

    def _button(self, given: Answer) -> Widget:
        asker, name = self._asker, self._asker.buttons[given]

        def press() -> None:
            self._answer("deny_and_dont_ask_again" if self._for_good and given == "deny" else given)

        if len(self._answers) == 2 and given in ("allow", "deny"):
            name += asker.of_two
        return Button(
            asker.words[given],
            id=_full(asker, name),
            class_name=asker.widget,
            flat=asker.side_by_side,
            width="wrap" if asker.side_by_side else "fill",
            margin=(0, 2),
            on_click=press,
        )


def _full(asker: Asker, name: str) -> str:
    return name if ":" in name else asker.ids + name
