"""``Snackbar``: a short message over the lower end of a screen, which goes away by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .widget import Callback

LONG_MS = 2750  # as Material has it


@dataclass(eq=False)
class Snackbar:
    """``on_action`` is called for the button ``action``, which also closes the bar."""

    text: str
    action: str = ""
    on_action: Callback | None = None
