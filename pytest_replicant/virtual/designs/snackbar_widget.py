"""A snackbar as a widget: a strip at the lower end of a screen, in the way of the content below
it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..app_kit.containers import Row
from ..app_kit.labels import Button, Text
from ..app_kit.snackbar import Snackbar
from ..app_kit.widget import Widget


@dataclass(frozen=True)
class SnackbarLook:
    """Colours as ``#rrggbb``; lengths in density-independent pixels or points."""

    class_name: str
    size: int
    min_height: int
    radius: int
    words: str
    action: str
    background: str
    elevation: int = 0


def snackbar_widget(bar: Snackbar, close: Callable[[], object], look: SnackbarLook) -> Widget:
    def act() -> None:
        close()
        if bar.on_action is not None:
            bar.on_action()

    words: list[Widget] = [
        Text(bar.text, id="snackbar_text", size=look.size, weight=1, foreground=look.words)
    ]
    if bar.action:
        words.append(
            Button(
                bar.action, id="snackbar_action", flat=True, foreground=look.action, on_click=act
            )
        )
    return Row(
        words,
        key="snackbar",
        class_name=look.class_name,
        gravity="end",
        height="wrap",
        min_height=look.min_height,
        margin=(8, 8),
        padding=(16, 4),
        background=look.background,
        radius=look.radius,
        elevation=look.elevation,
        on_click=lambda: None,  # it takes the touches that are meant for what it covers
    )
