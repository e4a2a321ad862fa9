"""An app's screen on Android: the views of AppCompat around it, and the snackbar over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...app_kit.containers import Column, Row, Stack
from ...app_kit.labels import Button, Text
from ...app_kit.running import RunningApp
from ...app_kit.snackbar import Snackbar
from ...app_kit.widget import Widget
from .system_ui import NAVIGATION_BAR_DP, STATUS_BAR_DP
from .toolbar import with_toolbar


def screen_widgets(app: RunningApp[Any], keyboard_dp: float) -> Widget:
    """A screen in the views that every window of AppCompat has around it; ``keyboard_dp`` is room to leave."""
    bar = app.entry.snackbar
    over = [snackbar_widget(bar, lambda: app.close_snackbar(bar))] if bar is not None else []
    screen = [with_toolbar(app.screen, app), *over]
    content = Stack(screen, id="android:id/content", width="fill", height="fill")
    bar_root = Stack([content], id="action_bar_root", width="fill", height="fill")
    fitted = Stack([bar_root], width="fill", height="fill", padding=(0, STATUS_BAR_DP, 0, 0))
    below = max(NAVIGATION_BAR_DP, int(keyboard_dp))
    decor = Column([fitted], height="fill", padding=(0, 0, 0, below))
    bars = [
        Widget(id="android:id/statusBarBackground", width="fill", height=STATUS_BAR_DP),
        Widget(id="android:id/navigationBarBackground", width="fill", height=NAVIGATION_BAR_DP, gravity="end"),
    ]
    return Stack([decor, *bars], width="fill", height="fill", background=app.theme.background)


def snackbar_widget(bar: Snackbar, close: Callable[[], object]) -> Widget:
    """What lies over a screen: in the same window, in the way of whatever is below it."""

    def act() -> None:
        close()
        if bar.on_action is not None:
            bar.on_action()

    words: list[Widget] = [Text(bar.text, id="snackbar_text", size=14, weight=1, foreground="#f5f5f5")]
    if bar.action:
        words.append(Button(bar.action, id="snackbar_action", flat=True, foreground="#b3c1ff", on_click=act))
    return Row(
        words,
        key="snackbar",
        class_name="com.google.android.material.snackbar.Snackbar$SnackbarLayout",
        gravity="end",
        height="wrap",
        min_height=64,
        margin=(8, 8),
        padding=(16, 4),
        background="#323232",
        radius=4,
        elevation=6,
        on_click=lambda: None,  # it takes the touches that are meant for what it covers
    )
