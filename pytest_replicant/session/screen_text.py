"""The screen as a message shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..snapshots import Snapshot

LONGEST = 12_000
"""Characters: some hundreds of lines. Whoever looks for more has the trace."""


def format_screen(snapshot: Snapshot) -> str:
    """The outline; of a screen that is very large, its upper levels, and how much was left out."""
    outline = snapshot.outline()
    return outline if len(outline) <= LONGEST else snapshot.outline(max_chars=LONGEST)
