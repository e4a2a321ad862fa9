"""Alerts as UIAlertController lays them out, of apps and of SpringBoard; and its menus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...app_kit.containers import Column, RecyclerList, Row, Scroll, Stack
from ...app_kit.dialog import Dialog, DialogButton
from ...app_kit.labels import Button, Divider, Text
from ...app_kit.metrics import text_width
from ...app_kit.running import Choices, RunningApp
from ...app_kit.widget import Callback, Sizing, Widget
from ...ui import Look
from ..system_dialog import SystemDialog
from .measures import ALERT_BUTTON, ALERT_WIDTH, SPRINGBOARD, TINT

OTHER = "XCUIElementTypeOther"
BESIDE = ALERT_WIDTH // 2 - 16  # points that a label has where two buttons share the width


@dataclass(frozen=True)
class Action:
    """A button of an alert; ``cancels`` is the one that leaves all as it is."""

    label: str
    act: Callback
    id: str = ""
    enabled: bool = True
    cancels: bool = False


def alert(
    title: str,
    message: str,
    actions: Sequence[Action],
    tint: str = TINT,
    content: Widget | None = None,
) -> Widget:
    """Two buttons lie side by side, the one that cancels at the left; more, and two whose labels
    are long, lie below one another, in the order given, that one last."""
    words: list[Widget] = [_words(title, 17, bold=True)] if title else []
    if message:
        words.append(_words(message, 13, bold=not title))
    rows: list[Widget] = []
    if words:
        rows.append(Scroll(words, key="words", height="wrap", weight=1, padding=(16, 19)))
    if content is not None:
        rows.append(Stack([content], key="content", width="fill", padding=(16, 0, 16, 16)))
    last = [action for action in actions if action.cancels]
    others = [action for action in actions if not action.cancels]
    if len(actions) == 2 and all(text_width(action.label, 17) <= BESIDE for action in actions):
        rows += _side_by_side(
            *(_button(action, tint, bold=action.cancels) for action in [*last, *others])
        )
    else:
        for action in [*others, *last]:
            rows += [Divider(class_name=OTHER), _button(action, tint)]
    card = Column(rows, key="alert", class_name="XCUIElementTypeAlert", shape="dialog", radius=14)
    card.description = title or message
    return card


def app_alert(app: RunningApp[Any], dialog: Dialog) -> Widget:
    """The second of an app's buttons is the one that cancels."""

    def press(button: DialogButton) -> Callable[[], None]:
        def pressed() -> None:
            app.dismiss()
            if button.on_click is not None:
                button.on_click()

        return pressed

    actions = [
        Action(button.label, press(button), button.id, button.enabled, cancels=index == 1)
        for index, button in enumerate(dialog.buttons)
    ]
    content = dialog.content() if dialog.content is not None else None
    return alert(dialog.title, dialog.message, actions, app.theme.primary, content)


def notice(
    title: str, message: str, buttons: Sequence[DialogButton], close: Callable[[], object]
) -> SystemDialog:
    """An alert that only its buttons close; one declared without a button has a default one."""
    made = [
        Action(button.label, button.on_click or close, cancels=index == 1)
        for index, button in enumerate(buttons)
    ]
    actions = made or [Action("OK", close)]
    return SystemDialog(SPRINGBOARD, title or message, lambda: alert(title, message, actions))


def menu(app: RunningApp[Any], choices: Choices) -> Widget:
    """What a pop-up button opens."""

    def choose(index: int) -> Callable[[], None]:
        def chosen() -> None:
            app.dismiss()
            choices.on_choose(index)

        return chosen

    cells = [
        Stack(
            [MenuItem(label, selected=index == choices.chosen, on_click=choose(index))],
            key=f"choice{index}",
            width="fill",
            class_name="XCUIElementTypeCell",
        )
        for index, label in enumerate(choices.labels)
    ]
    return RecyclerList(
        cells,
        key="menu",
        height="wrap",
        class_name="XCUIElementTypeCollectionView",
        shape="menu",
        radius=13,
    )


@dataclass(kw_only=True, eq=False)
class MenuItem(Button):
    """A line of a menu, with a mark before the chosen one."""

    size: int = 17
    bold: bool = False
    class_name: str = "XCUIElementTypeButton"

    def __post_init__(self) -> None:
        self.width, self.min_height, self.padding, self.align = "fill", 44, (36, 8, 16, 8), "left"

    def look(self, sizing: Sizing) -> Look:
        look = Text.look(self, sizing)
        look.shape = "menu_item"
        return look


def _words(text: str, size: int, *, bold: bool) -> Text:
    return Text(
        text,
        class_name="XCUIElementTypeStaticText",
        size=size,
        bold=bold,
        width="fill",
        align="center",
        margin=(0, 1, 0, 2),
    )


def _button(action: Action, tint: str, *, bold: bool = False) -> Button:
    return Button(
        action.label,
        id=action.id,
        class_name="XCUIElementTypeButton",
        flat=True,
        size=17,
        bold=bold,
        width="fill",
        height=ALERT_BUTTON,
        padding=(8, 4),
        foreground=tint,
        enabled=action.enabled,
        on_click=action.act,
    )


def _side_by_side(*buttons: Widget) -> list[Widget]:
    first, second = buttons
    first.weight = second.weight = 1
    between = Divider(class_name=OTHER, width=1, height="fill")
    return [
        Divider(class_name=OTHER),
        Row([first, between, second], class_name=OTHER, height=ALERT_BUTTON),
    ]
