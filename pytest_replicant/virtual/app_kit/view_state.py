"""What a screen remembers by itself: focus, carets, scroll positions, and text that no app state
holds."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class ScrollState:
    """Pixels scrolled, and how far it can go; ``limit`` is known after the first layout."""

    offset: int = 0
    limit: int = 0

    def by(self, delta: int) -> int:
        """Scrolls as far as it goes; the pixels it went."""
        before = self.offset
        self.offset = min(max(self.offset + delta, 0), self.limit)
        return self.offset - before


@dataclass
class ViewState:
    """By widget path."""

    focus: str = ""
    wanted_focus: str = ""  # a key that the next build looks up
    scrolls: dict[str, ScrollState] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    carets: dict[str, int] = field(default_factory=dict)
    selected: dict[str, tuple[int, int]] = field(
        default_factory=dict
    )  # of a text: first glyph, and behind the last

    def scroll(self, path: str) -> ScrollState:
        return self.scrolls.setdefault(path, ScrollState())
