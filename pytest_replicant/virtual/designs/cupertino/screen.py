"""An app's screen on iOS: a navigation bar over the content, and what the app says over both."""

from __future__ import annotations

from typing import Any

from ...app_kit.containers import Column, Row, Stack
from ...app_kit.labels import Text
from ...app_kit.running import RunningApp
from ...app_kit.widget import Widget
from ..snackbar_widget import SnackbarLook, snackbar_widget
from .measures import HOME_INDICATOR, HOME_INDICATOR_ACROSS, SPRINGBOARD, STATUS_BAR
from .navigation_bar import navigation_bar

OTHER = "XCUIElementTypeOther"
TOAST_SIDE, TOAST_TOP = 64, 11  # points, past clock and battery
BANNER = SnackbarLook(
    class_name=OTHER, size=15, min_height=56, radius=14, words="#ffffff", action="#0a84ff", background="#2c2c2e"
)


def screen_widgets(app: RunningApp[Any], keyboard: float, toast: str) -> Widget:
    """``keyboard`` is points of room to leave below."""
    bar, snackbar = navigation_bar(app), app.entry.snackbar
    content = app.screen.build(app)
    content.weight = content.weight or 1
    parts: list[Widget] = [Column([bar, content] if bar else [content], height="fill", key="screen")]
    if snackbar is not None:
        parts.append(snackbar_widget(snackbar, lambda: app.close_snackbar(snackbar), BANNER))
    above = 0 if app.landscape else STATUS_BAR
    below = max(HOME_INDICATOR_ACROSS if app.landscape else HOME_INDICATOR, int(keyboard))
    safe_area = Stack(parts, key="safe_area", width="fill", height="fill")
    around = Column([safe_area], height="fill", padding=(0, above, 0, below))
    shape = "wallpaper" if app.package == SPRINGBOARD else ""
    over = [toast_widget(toast)] if toast else []
    return Stack([around, *over], width="fill", height="fill", background=app.theme.background, shape=shape)


def toast_widget(text: str) -> Widget:
    """iOS has no toasts: an app draws a label over its screen, here around the camera at the top, where it is in
    no one's way; touches go through it."""
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
