"""``Widget``: what every part of a screen has in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from ...model import Point, Rect

if TYPE_CHECKING:
    from ..ui import Look, UiNode
    from .metrics import Metrics
    from .theme import Theme
    from .view_state import ViewState

Extent: TypeAlias = int | Literal["fill", "wrap"]
"""A length along one axis: dp, as large as the parent allows, or as large as the content needs."""

Edges: TypeAlias = int | tuple[int, int] | tuple[int, int, int, int]
"""dp on all sides; (horizontal, vertical); or (left, top, right, bottom)."""

Callback = Callable[[], object]


class Surface(Protocol):
    """What a widget may ask of the screen that it is on while it is being touched."""

    @property
    def view_state(self) -> ViewState: ...

    @property
    def metrics(self) -> Metrics: ...

    def focus(self, path: str, *, keyboard: bool = True) -> None:
        """Moves the input focus; with ``keyboard``, opens the keyboard."""
        ...

    def show_choices(
        self, anchor: Rect, choices: Sequence[str], chosen: int, on_choose: IntCallback
    ) -> None:
        """Opens a list of choices in a window of its own."""
        ...


IntCallback = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Sizing:
    """What measuring and drawing need to know about the phone and the app."""

    metrics: Metrics
    theme: Theme
    package: str
    view_state: ViewState


@dataclass(kw_only=True, eq=False)
class Widget:
    """Lengths are dp, text sizes sp, colours ``#rrggbb`` ("" is the theme's own).

    ``id`` is the part after ``:id/``, or a full id where it holds a colon; ``raw_id`` is a whole id
    without a package, as web pages and Compose tags have. ``key`` keeps focus, caret and scroll
    position across a rebuild; without one, the id and the place in the tree stand in.
    """

    id: str = ""
    raw_id: str = ""
    key: str = ""
    description: str = ""
    class_name: str = "android.view.View"
    width: Extent = "wrap"
    height: Extent = "wrap"
    min_height: int = 0
    weight: int = 0
    margin: Edges = 0
    padding: Edges = 0
    gravity: Literal["start", "center", "end", ""] = (
        ""  # across the parent's direction; "" is the parent's
    )
    enabled: bool = True
    visible: bool = True  # False takes no room
    selected: bool = False
    lets_touches_through: bool = False  # they are for what lies below it
    on_click: Callback | None = None
    on_long_click: Callback | None = None
    on_double_click: Callback | None = None  # in the place of the second click
    on_pinch: Callable[[float], object] | None = None  # by two fingers; above 1 they moved apart
    on_drop: Callable[[str], object] | None = (
        None  # dragged onto another widget, given that one's key or id
    )
    background: str = ""
    foreground: str = ""
    elevation: int = 0
    radius: int = 0
    shape: str = ""  # what the pixel renderer draws in place of the widget's own shape
    path: str = ""  # set when the screen is built

    def parts(self) -> Sequence[Widget]:
        """The widgets inside."""
        return ()

    def content_size(self, sizing: Sizing, width: int, height: int) -> tuple[int, int]:
        """Pixels that the content wants, padding apart, within a limit; for widgets without
        parts."""
        return 0, 0

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        """Fills in what this kind of widget adds to its node."""

    def look(self, sizing: Sizing) -> Look | None:
        """How it is drawn; None for a box of the common attributes."""
        return None

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        """A finger went down and up here."""
        if self.on_click is not None:
            self.on_click()

    @property
    def clickable(self) -> bool:
        """Whether Android says of it that it can be clicked."""
        return self.on_click is not None

    @property
    def touchable(self) -> bool:
        """Whether a tap stops here rather than at something around it."""
        waits = (self.on_long_click, self.on_double_click, self.on_drop)
        return self.clickable or any(callback is not None for callback in waits) or self.draggable

    @property
    def name(self) -> str:
        """Its key, id or place among its siblings."""
        return self.path.rsplit("/", 1)[-1]

    @property
    def draggable(self) -> bool:
        """Whether a finger that moves here drags something inside the widget."""
        return False

    def dragged(self, surface: Surface, node: UiNode, point: Point) -> None:
        """A finger that went down here is now at ``point``."""


def edges(value: Edges, metrics: Metrics) -> tuple[int, int, int, int]:
    """(left, top, right, bottom) in pixels."""
    if isinstance(value, int):
        value = (value, value, value, value)
    elif len(value) == 2:
        value = (value[0], value[1], value[0], value[1])
    left, top, right, bottom = value
    return metrics.px(left), metrics.px(top), metrics.px(right), metrics.px(bottom)
