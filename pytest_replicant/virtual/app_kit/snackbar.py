"""``Snackbar``: a short message over the lower end of a screen, which goes away by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .containers import Row
from .labels import Button, Text
from .widget import Widget

if TYPE_CHECKING:
    from .widget import Callback

LONG_MS = 2750  # as Material has it


@dataclass(eq=False)
class Snackbar:
    """``on_action`` is called for the button ``action``, which also closes the bar."""

    text: str
    action: str = ""
    on_action: Callback | None = None


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
