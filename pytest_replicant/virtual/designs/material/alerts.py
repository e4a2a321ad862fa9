"""Alerts of the system as Android's framework lays them out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...app_kit.containers import Column, Row, Scroll, Stack
from ...app_kit.labels import Button, Space, Text
from ...app_kit.widget import Widget

ANDROID = "android"


@dataclass(frozen=True)
class DialogAction:
    """A button of a system dialog: its full id, its label, what it does once the dialog is
    closed."""

    id: str
    label: str
    act: Callable[[], object]


def alert(title: str, message: str, actions: Sequence[DialogAction]) -> Widget:
    """As the framework's own AlertDialog."""
    buttons = [_button(action) for action in actions]
    return framed(
        Column(
            alert_rows(title, message, None, buttons, "android:id/"), id="android:id/parentPanel"
        )
    )


def alert_rows(
    title: str, message: str, content: Widget | None, buttons: Sequence[Widget], ids: str = ""
) -> list[Widget]:
    """Title, message, what an app has put in, and the buttons, the first one rightmost. ``ids`` is
    what the ids of the panels begin with."""
    rows: list[Widget] = [_title(title, ids)] if title else []
    if message:
        text = Text(message, id="android:id/message", width="fill")
        rows.append(
            Scroll([text], id=f"{ids}contentPanel", height="wrap", weight=1, padding=(24, 8))
        )
    if content is not None:
        rows.append(Stack([content], id=f"{ids}customPanel", width="fill", padding=(24, 8)))
    if buttons:
        order = [*buttons[2:], Space(width=0, weight=1), *buttons[1:2], *buttons[:1]]
        rows.append(Row(order, id=f"{ids}buttonPanel", padding=(12, 8), height="wrap"))
    return rows


def list_alert(title: str, actions: Sequence[DialogAction]) -> Widget:
    """A title and a row for each answer, as what the system shows of an app that hangs or
    crashes."""
    buttons = [_row(action) for action in actions]
    panel = Column(buttons, id="android:id/customPanel", padding=(8, 0, 8, 12))
    return framed(Column([_title(title, "android:id/"), panel], id="android:id/parentPanel"))


def framed(panel: Widget) -> Widget:
    return Stack([Stack([panel], id="android:id/content", width="fill")], width="fill")


def _title(title: str, ids: str) -> Widget:
    text = Text(title, id="android:id/alertTitle", size=20, bold=True, width="fill")
    return Column([text], id=f"{ids}topPanel", padding=(24, 18, 24, 8))


def _button(action: DialogAction) -> Button:
    return Button(action.label, id=action.id, flat=True, on_click=action.act)


def _row(action: DialogAction) -> Button:
    row = _button(action)
    row.width, row.align, row.padding = "fill", "left", (16, 12)
    return row
