"""The bar at the top of a screen."""

from __future__ import annotations

from typing import Any

from ...app_kit.containers import Column, Row
from ...app_kit.declared import Page
from ...app_kit.labels import IconButton, Text
from ...app_kit.running import RunningApp
from ...app_kit.widget import Widget


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
