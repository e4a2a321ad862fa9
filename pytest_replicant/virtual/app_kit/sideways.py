"""Rows that scroll to the side, and pages that are turned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .containers import Direction, Group
from .widget import Extent, Sizing, Surface

if TYPE_CHECKING:
    from ..ui import UiNode

TURNS_AT = 0.2  # of a pager's width: a finger that moves less turns no page


@dataclass(kw_only=True, eq=False)
class HorizontalScroll(Group):
    """A row that is wider than the screen."""

    width: Extent = "fill"
    direction: Direction = "row"
    align: Literal["start", "center", "end"] = "center"
    class_name: str = "android.widget.HorizontalScrollView"

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        node.scrollable = sizing.view_state.scroll(self.path).limit > 0
        node.focusable = node.scrollable

    def swiped(self, surface: Surface, node: UiNode, delta: int) -> int:
        """A finger went ``delta`` pixels to the left; what of that is left for the scroller around
        this."""
        return delta - surface.view_state.scroll(self.path).by(delta)


@dataclass(kw_only=True, eq=False)
class Pager(HorizontalScroll):
    """Pages as wide as itself, one of them in sight and in dumps; a swipe turns one page. ``page``
    is what the app's state holds, with ``on_page`` to store the new one; with ``page=None`` the
    screen keeps it."""

    page: int | None = None
    on_page: Callable[[int], object] | None = None
    height: Extent = "fill"
    direction: Direction = "stack"
    class_name: str = "androidx.viewpager2.widget.ViewPager2"

    def swiped(self, surface: Surface, node: UiNode, delta: int) -> int:
        if abs(delta) < TURNS_AT * node.frame.width:
            return 0
        pages = surface.view_state.scroll(self.path)  # counts pages, where others count pixels
        if not pages.by(1 if delta > 0 else -1):
            return delta
        if self.on_page is not None:
            self.on_page(pages.offset)
        return 0
