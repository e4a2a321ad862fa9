"""Windows over an app's screen on Android: its alerts, and the list that hangs from a spinner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...app_kit.containers import Column, RecyclerList, Stack
from ...app_kit.dialog import Dialog
from ...app_kit.labels import Button, Text
from ...app_kit.running import Choices, RunningApp
from ...app_kit.widget import Sizing, Widget
from ...ui import UiNode
from .alerts import alert_rows, framed


def dialog_widgets(app: RunningApp[Any], dialog: Dialog) -> Widget:
    """As Android's AlertDialog lays itself out."""
    content = dialog.content() if dialog.content is not None else None
    buttons = [_dialog_button(app, dialog, index) for index in range(len(dialog.buttons))]
    rows = alert_rows(dialog.title, dialog.message, content, buttons)
    return framed(
        Column(rows, id="parentPanel", class_name="androidx.appcompat.widget.LinearLayoutCompat")
    )


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
