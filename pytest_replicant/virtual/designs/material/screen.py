"""An app's screen on Android: the views of AppCompat around it, and the snackbar over it."""

from __future__ import annotations

from typing import Any

from ...app_kit.containers import Column, Stack
from ...app_kit.running import RunningApp
from ...app_kit.widget import Widget
from ..snackbar_widget import SnackbarLook, snackbar_widget
from .system_ui import NAVIGATION_BAR_DP
from .toolbar import with_toolbar

SNACKBAR = SnackbarLook(
    class_name="com.google.android.material.snackbar.Snackbar$SnackbarLayout",
    size=14,
    min_height=64,
    radius=4,
    words="#f5f5f5",
    action="#b3c1ff",
    background="#323232",
    elevation=6,
)


def screen_widgets(app: RunningApp[Any], keyboard_dp: float, top: int) -> Widget:
    """A screen in the views that every window of AppCompat has around it. ``keyboard_dp`` is room to leave at the
    lower end, ``top`` at the upper one."""
    bar = app.entry.snackbar
    over = [snackbar_widget(bar, lambda: app.close_snackbar(bar), SNACKBAR)] if bar is not None else []
    screen = [with_toolbar(app.screen, app), *over]
    content = Stack(screen, id="android:id/content", width="fill", height="fill")
    bar_root = Stack([content], id="action_bar_root", width="fill", height="fill")
    fitted = Stack([bar_root], width="fill", height="fill", padding=(0, top, 0, 0))
    below = max(NAVIGATION_BAR_DP, int(keyboard_dp))
    decor = Column([fitted], height="fill", padding=(0, 0, 0, below))
    bars = [
        Widget(id="android:id/statusBarBackground", width="fill", height=top),
        Widget(id="android:id/navigationBarBackground", width="fill", height=NAVIGATION_BAR_DP, gravity="end"),
    ]
    return Stack([decor, *bars], width="fill", height="fill", background=app.theme.background)
