"""Windows over an app's screen on Android: its alerts, and the list that hangs from a spinner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...app_kit.containers import Column, RecyclerList, Row, Scroll, Stack
from ...app_kit.dialog import Dialog
from ...app_kit.labels import Button, Space, Text
from ...app_kit.running import Choices, RunningApp
from ...app_kit.widget import Sizing, Widget
from ...ui import UiNode


def dialog_widgets(app: RunningApp[Any], dialog: Dialog) -> Widget:
    """As Android's AlertDialog lays itself out."""
    rows: list[Widget] = []
    if dialog.title:
        title = Text(dialog.title, id="android:id/alertTitle", size=20, bold=True, width="fill")
        rows.append(Column([title], id="topPanel", padding=(24, 18, 24, 8)))
    if dialog.message:
        message = Text(dialog.message, id="android:id/message", width="fill")
        rows.append(Scroll([message], id="contentPanel", height="wrap", weight=1, padding=(24, 8)))
    if dialog.content is not None:
        rows.append(Stack([dialog.content()], id="customPanel", width="fill", padding=(24, 8)))
    if dialog.buttons:
        buttons = [_dialog_button(app, dialog, index) for index in range(len(dialog.buttons))]
        order = [*buttons[2:], Space(width=0, weight=1), *buttons[1:2], *buttons[:1]]  # positive rightmost
        rows.append(Row(order, id="buttonPanel", padding=(12, 8), height="wrap"))
    panel = Column(rows, id="parentPanel", class_name="androidx.appcompat.widget.LinearLayoutCompat")
    content = Stack([panel], id="android:id/content", width="fill")
    return Stack([content], width="fill")


def _dialog_button(app: RunningApp[Any], dialog: Dialog, index: int) -> Widget:
    button = dialog.buttons[index]

    def pressed() -> None:
        app.dismiss()
        if button.on_click is not None:
            button.on_click()

    id = button.id or f"android:id/button{index + 1}"
    return Button(button.label, id=id, flat=True, on_click=pressed, enabled=button.enabled)


def choices_widgets(app: RunningApp[Any], choices: Choices) -> Widget:
    """The list that hangs from a spinner."""

    def choose(index: int) -> Callable[[], None]:
        def chosen() -> None:
            app.dismiss()
            choices.on_choose(index)

        return chosen

    rows = [
        Choice(
            label,
            id="android:id/text1",
            key=f"choice{index}",
            width="fill",
            padding=(16, 14),
            on_click=choose(index),
            chosen=index == choices.chosen,
        )
        for index, label in enumerate(choices.labels)
    ]
    rows_list = RecyclerList(rows, class_name="android.widget.ListView", height="wrap")
    return Stack([rows_list], width="fill")


@dataclass(kw_only=True, eq=False)
class Choice(Text):
    """A row of a list of choices."""

    chosen: bool = False
    class_name: str = "android.widget.CheckedTextView"

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        Text.describe(self, node, sizing)
        node.checkable = True
        node.checked = self.chosen
