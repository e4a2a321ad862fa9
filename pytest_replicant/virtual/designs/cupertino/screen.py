"""An app's screen on iOS: a navigation bar over the content, and what the app says over both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...app_kit.containers import Column, Row, Stack
from ...app_kit.labels import Button, IconButton, Space, Text
from ...app_kit.metrics import text_width
from ...app_kit.running import RunningApp
from ...app_kit.widget import Extent, Sizing, Widget
from ...ui import Look
from ..snackbar_widget import SnackbarLook, snackbar_widget
from .measures import HOME_INDICATOR, HOME_INDICATOR_ACROSS, NAVIGATION_BAR, SPRINGBOARD, STATUS_BAR

TITLE_SIZE = 17
CHEVRON = 24  # points, with the gap next to it
WIDEST_LABEL = 110  # points; a longer title is not what a way back is called
NARROWEST_SCREEN = 375


@dataclass(kw_only=True, eq=False)
class BackButton(Widget):
    """A chevron and where it leads."""

    height: Extent = NAVIGATION_BAR
    class_name: str = "XCUIElementTypeButton"

    def content_size(self, sizing: Sizing, width: int, height: int) -> tuple[int, int]:
        wanted = text_width(self.description, sizing.metrics.px(TITLE_SIZE)) + sizing.metrics.px(
            CHEVRON
        )
        return min(wanted, width), height

    def look(self, sizing: Sizing) -> Look:
        size = sizing.metrics.px(TITLE_SIZE)
        return Look(shape="back_button", foreground=self.foreground, text_size=size)


def navigation_bar(app: RunningApp[Any]) -> Widget | None:
    """None for a screen without a title."""
    title = app.screen.title_for(app)
    if not title:
        return None
    back, actions = _back(app), _actions(app)
    left, right = _width(back), _width(actions)
    label = Text(
        title, size=TITLE_SIZE, bold=True, lines=1, align="center", foreground=app.theme.text
    )
    label.class_name = "XCUIElementTypeStaticText"
    middle: list[Widget] = [label]
    if text_width(title, TITLE_SIZE) + 2 * max(left, right) <= NARROWEST_SCREEN:
        middle = [Space(width=0, weight=1), label, Space(width=0, weight=1)]
    else:
        label.weight = 1
    before, after = Space(width=max(right - left, 0)), Space(width=max(left - right, 0))
    return Row(
        [*back, before, *middle, after, *actions],
        raw_id=title,
        key="navigation_bar",
        class_name="XCUIElementTypeNavigationBar",
        height=NAVIGATION_BAR,
        background=app.theme.background,
        shape="toolbar",
    )


def _back(app: RunningApp[Any]) -> list[Widget]:
    """There is one whenever a screen lies below; what the screen does about going back is asked of
    it first."""
    if len(app.entries) < 2:
        return []

    def tapped() -> None:
        if not app.screen.back(app):
            app.back()

    title = app.entries[-2].screen.title_for(app)
    label = title if title and text_width(title, TITLE_SIZE) <= WIDEST_LABEL else "Back"
    button = BackButton(
        raw_id="BackButton", description=label, foreground=app.theme.primary, on_click=tapped
    )
    button.margin = (8, 0, 0, 0)
    return [button]


def _actions(app: RunningApp[Any]) -> list[Widget]:
    """As the app declares them, in the colour of what can be tapped on a light bar."""
    actions = list(app.screen.actions(app))
    for action in actions:
        if isinstance(action, (IconButton, Button)) and action.foreground in (
            "",
            app.theme.on_primary,
        ):
            action.foreground = app.theme.primary
        if isinstance(action, Button):
            action.flat, action.min_height = True, NAVIGATION_BAR
        if isinstance(action, IconButton):
            action.height = NAVIGATION_BAR
    return actions


def _width(parts: Sequence[Widget]) -> int:
    """In points, as good as is needed to have the title in the middle."""
    return sum(_width_of(part) for part in parts)


def _width_of(part: Widget) -> int:
    if isinstance(part.width, int):
        return part.width
    if isinstance(part, BackButton):
        return text_width(part.description, TITLE_SIZE) + CHEVRON + 8
    return text_width(part.text, part.size) + 32 if isinstance(part, Text) else 48


OTHER = "XCUIElementTypeOther"
TOAST_SIDE, TOAST_TOP = 64, 11  # points, past clock and battery
BANNER = SnackbarLook(
    class_name=OTHER,
    size=15,
    min_height=56,
    radius=14,
    words="#ffffff",
    action="#0a84ff",
    background="#2c2c2e",
)


def screen_widgets(app: RunningApp[Any], keyboard: float, toast: str) -> Widget:
    """``keyboard`` is points of room to leave below."""
    bar, snackbar = navigation_bar(app), app.entry.snackbar
    content = app.screen.build(app)
    content.weight = content.weight or 1
    parts: list[Widget] = [
        Column([bar, content] if bar else [content], height="fill", key="screen")
    ]
    if snackbar is not None:
        parts.append(snackbar_widget(snackbar, lambda: app.close_snackbar(snackbar), BANNER))
    above = 0 if app.landscape else STATUS_BAR
    below = max(HOME_INDICATOR_ACROSS if app.landscape else HOME_INDICATOR, int(keyboard))
    safe_area = Stack(parts, key="safe_area", width="fill", height="fill")
    around = Column([safe_area], height="fill", padding=(0, above, 0, below))
    shape = "wallpaper" if app.package == SPRINGBOARD else ""
    over = [toast_widget(toast)] if toast else []
    return Stack(
        [around, *over], width="fill", height="fill", background=app.theme.background, shape=shape
    )


def toast_widget(text: str) -> Widget:
    """iOS has no toasts: an app draws a label over its screen, here around the camera at the top,
    where it is in no one's way; touches go through it."""
    words = Text(
        text,
        class_name="XCUIElementTypeStaticText",
        size=14,
        align="center",
        padding=(20, 9),
        foreground="#ffffff",
        background="#000000",
        shape="toast",
    )
    row = Row([words], key="toast", class_name=OTHER, spread="center", height="wrap")
    row.margin, row.lets_touches_through = (TOAST_SIDE, TOAST_TOP), True
    return row
