"""The colours of an app."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours are ``#rrggbb``."""

    primary: str = "#3949ab"
    on_primary: str = "#ffffff"
    background: str = "#fafafa"
    surface: str = "#ffffff"
    text: str = "#212121"
    muted: str = "#757575"
    outline: str = "#bdbdbd"
    error: str = "#c62828"


LIGHT = Theme()
DARK = Theme(
    primary="#9fa8da",
    on_primary="#1a237e",
    background="#121212",
    surface="#1e1e1e",
    text="#eeeeee",
    muted="#9e9e9e",
    outline="#616161",
    error="#ef9a9a",
)
