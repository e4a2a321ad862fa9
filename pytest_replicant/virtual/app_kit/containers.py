"""Columns, rows, stacks, scrolling lists, web pages: widgets that hold others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ..ui import Look
from .widget import Callback, Edges, Extent, Sizing, Surface, Widget

if TYPE_CHECKING:
    from ..ui import UiNode

Direction = Literal["column", "row", "stack"]


@dataclass(kw_only=True, eq=False)
class Group(Widget):
    """Widgets next to, below or over one another. ``spread`` is where they go along the direction
    if there is room left; ``align`` if across it."""

    children: Sequence[Widget] = field(default=(), kw_only=False)
    direction: Direction = "column"
    spread: Literal["start", "center", "end"] = "start"
    align: Literal["start", "center", "end"] = "start"
    class_name: str = "android.widget.LinearLayout"

    def parts(self) -> Sequence[Widget]:
        return self.children

    def look(self, sizing: Sizing) -> Look | None:
        if not (self.background or self.elevation):
            return None
        return Look(
            shape="box",
            background=self.background,
            radius=sizing.metrics.px(self.radius),
            elevation=sizing.metrics.px(self.elevation),
        )


@dataclass(kw_only=True, eq=False)
class Column(Group):
    """From the top down, as wide as there is room."""

    width: Extent = "fill"


@dataclass(kw_only=True, eq=False)
class Row(Group):
    """From the left to the right, centred across."""

    width: Extent = "fill"
    direction: Direction = "row"
    align: Literal["start", "center", "end"] = "center"


@dataclass(kw_only=True, eq=False)
class Stack(Group):
    """One over another, the last on top."""

    direction: Direction = "stack"
    class_name: str = "android.widget.FrameLayout"


@dataclass(kw_only=True, eq=False)
class Card(Column):
    """A raised box; with ``on_click`` one that can be tapped."""

    background: str = "card"
    elevation: int = 2
    radius: int = 8
    margin: Edges = (8, 4)
    padding: Edges = (16, 12)
    class_name: str = "android.widget.FrameLayout"

    def look(self, sizing: Sizing) -> Look:
        background = sizing.theme.surface if self.background == "card" else self.background
        return Look(
            shape="card",
            background=background,
            radius=sizing.metrics.px(self.radius),
            elevation=sizing.metrics.px(self.elevation),
        )


@dataclass(kw_only=True, eq=False)
class Scroll(Group):
    """A page longer than the screen. Give it ``weight=1`` in a column, so that it takes the room
    left. A finger that scrolls on at the end calls ``on_end``, one that pulls at the top
    ``on_pull``."""

    on_end: Callback | None = None
    on_pull: Callback | None = None
    width: Extent = "fill"
    height: Extent = "fill"
    class_name: str = "android.widget.ScrollView"

    def __post_init__(self) -> None:
        self.rows: Sequence[Widget] = (Column(self.children, align=self.align, key="page"),)

    def parts(self) -> Sequence[Widget]:
        return self.rows

    def scrolled(self, surface: Surface, delta: int) -> int:
        """A finger scrolls by so many pixels; returns the rest for the scroller around it."""
        state = surface.view_state.scroll(self.path)
        left = delta - state.by(delta)
        if self.on_end is not None and delta > 0 and state.offset == state.limit:
            self.on_end()
        if self.on_pull is not None and left < 0:
            self.on_pull()
        return left

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        node.scrollable = sizing.view_state.scroll(self.path).limit > 0
        node.focusable = node.scrollable


@dataclass(kw_only=True, eq=False)
class RecyclerList(Scroll):
    """A scrolling list; only rows that are at least partly visible are views. Give rows a
    ``key``."""

    class_name: str = "androidx.recyclerview.widget.RecyclerView"

    def __post_init__(self) -> None:
        self.rows = self.children


@dataclass(kw_only=True, eq=False)
class WebView(Scroll):
    """A web page; give the parts ``raw_id``, the id that they have in the page."""

    page_title: str = ""
    class_name: str = "android.webkit.WebView"

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        Scroll.describe(self, node, sizing)
        node.text = self.page_title
        node.focusable = True
