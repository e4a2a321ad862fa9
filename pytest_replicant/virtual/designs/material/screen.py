"""An app's screen on Android: the views of AppCompat around it, and the snackbar over it."""

from __future__ import annotations

from typing import Any

from ...app_kit.containers import Column, Row, Stack
from ...app_kit.declared import Page
from ...app_kit.labels import IconButton, Text
from ...app_kit.running import RunningApp
from ...app_kit.widget import Widget
from ..snackbar_widget import SnackbarLook, snackbar_widget
from .system_ui import NAVIGATION_BAR_DP


def toolbar(screen: Page, app: RunningApp[Any]) -> Widget | None:
    """As AppCompat lays it out; None for a screen without a title."""
    title = screen.title_for(app)
    if not title:
        return None
    margin = (0 if screen.up else 16, 0)
    ink = app.theme.on_primary
    label = Text(title, size=20, bold=True, lines=1, margin=margin, foreground=ink)
    room = Row(weight=1, class_name="")
    return Row(
        [*_arrow(screen, app), label, room, *_actions(screen, app)],
        id="toolbar",
        class_name="android.view.ViewGroup",
        height=56,
        background=app.theme.primary,
        elevation=4,
        shape="toolbar",
    )


def _arrow(screen: Page, app: RunningApp[Any]) -> list[Widget]:
    if not screen.up:
        return []
    ink = app.theme.on_primary
    button = IconButton(icon="back", description="Navigate up", foreground=ink, on_click=app.back)
    button.width = button.height = 56
    return [button]


def _actions(screen: Page, app: RunningApp[Any]) -> list[Widget]:
    actions = list(screen.actions(app))
    for action in actions:
        if isinstance(action, IconButton):
            action.foreground = action.foreground or app.theme.on_primary
    view = "androidx.appcompat.widget.LinearLayoutCompat"
    return [Row(actions, width="wrap", height="fill", class_name=view)] if actions else []


def with_toolbar(screen: Page, app: RunningApp[Any]) -> Widget:
    """The whole of a screen."""
    bar = toolbar(screen, app)
    content = screen.build(app)
    content.weight = content.weight or 1
    return Column([bar, content] if bar else [content], height="fill", key="screen")


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
    """A screen in the views that every window of AppCompat has around it. ``keyboard_dp`` is room
    to leave at the lower end, ``top`` at the upper one."""
    bar = app.entry.snackbar
    over = (
        [snackbar_widget(bar, lambda: app.close_snackbar(bar), SNACKBAR)] if bar is not None else []
    )
    screen = [with_toolbar(app.screen, app), *over]
    content = Stack(screen, id="android:id/content", width="fill", height="fill")
    bar_root = Stack([content], id="action_bar_root", width="fill", height="fill")
    fitted = Stack([bar_root], width="fill", height="fill", padding=(0, top, 0, 0))
    below = max(NAVIGATION_BAR_DP, int(keyboard_dp))
    decor = Column([fitted], height="fill", padding=(0, 0, 0, below))
    bars = [
        Widget(id="android:id/statusBarBackground", width="fill", height=top),
        Widget(
            id="android:id/navigationBarBackground",
            width="fill",
            height=NAVIGATION_BAR_DP,
            gravity="end",
        ),
    ]
    return Stack([decor, *bars], width="fill", height="fill", background=app.theme.background)
