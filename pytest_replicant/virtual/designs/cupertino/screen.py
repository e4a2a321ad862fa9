"""An app's screen on iOS: a navigation bar over the content, and what the app says over both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...app_kit.containers import Column, Row, Stack
from ...app_kit.labels import Button, Text
from ...app_kit.running import RunningApp
from ...app_kit.snackbar import Snackbar
from ...app_kit.widget import Widget
from .measures import HOME_INDICATOR, HOME_INDICATOR_ACROSS, STATUS_BAR
from .navigation_bar import navigation_bar

OTHER = "XCUIElementTypeOther"
TOAST_SIDE, TOAST_TOP = 64, 11  # points, past clock and battery


def screen_widgets(app: RunningApp[Any], keyboard: float, toast: str) -> Widget:
    """``keyboard`` is points of room to leave below."""
    bar, snackbar = navigation_bar(app), app.entry.snackbar
    content = app.screen.build(app)
    content.weight = content.weight or 1
    parts: list[Widget] = [Column([bar, content] if bar else [content], height="fill", key="screen")]
    if snackbar is not None:
        parts.append(snackbar_widget(snackbar, lambda: app.close_snackbar(snackbar)))
    above = 0 if app.landscape else STATUS_BAR
    below = max(HOME_INDICATOR_ACROSS if app.landscape else HOME_INDICATOR, int(keyboard))
    safe_area = Stack(parts, key="safe_area", width="fill", height="fill")
    around = Column([safe_area], height="fill", padding=(0, above, 0, below))
    shape = "wallpaper" if app.app.system else ""
    over = [toast_widget(toast)] if toast else []
    return Stack([around, *over], width="fill", height="fill", background=app.theme.background, shape=shape)


def toast_widget(text: str) -> Widget:
    """iOS has no toasts: an app draws a label over its screen, here around the camera at the top, where it is in
    nobody's way; touches go through it."""
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


def snackbar_widget(bar: Snackbar, close: Callable[[], object]) -> Widget:
    """A banner at the lower end of a screen: in the way of whatever is below it."""

    def act() -> None:
        close()
        if bar.on_action is not None:
            bar.on_action()

    words: list[Widget] = [Text(bar.text, id="snackbar_text", size=15, weight=1, foreground="#ffffff")]
    if bar.action:
        words.append(Button(bar.action, id="snackbar_action", flat=True, foreground="#0a84ff", on_click=act))
    return Row(
        words,
        key="snackbar",
        class_name=OTHER,
        gravity="end",
        height="wrap",
        min_height=56,
        margin=(8, 8),
        padding=(16, 4),
        background="#2c2c2e",
        radius=14,
        on_click=lambda: None,  # it takes the touches that are meant for what it covers
    )
