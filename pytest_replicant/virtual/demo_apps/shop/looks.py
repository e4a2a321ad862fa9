"""The shop's own style."""

from __future__ import annotations

from ...app_kit import Text, Theme
from .state import ShopState

DAY = Theme(
    primary="#2f5d50",
    on_primary="#ffffff",
    background="#f6f5f1",
    surface="#ffffff",
    text="#1f2421",
    muted="#666d69",
    outline="#c9ccc6",
    error="#b3261e",
)
NIGHT = Theme(
    primary="#4a9c84",
    on_primary="#ffffff",
    background="#121413",
    surface="#1f2322",
    text="#e8ebe9",
    muted="#9ba39f",
    outline="#4a524e",
    error="#f2b8b5",
)
PILL = 24  # dp, the corners of a button


def theme_of(state: ShopState) -> Theme:
    return NIGHT if state.dark else DAY


def caption(text: str) -> Text:
    """The heading of a section."""
    return Text(text, size=14, bold=True, muted=True, margin=(0, 16, 0, 4))
