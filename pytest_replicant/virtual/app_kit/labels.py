"""Text, buttons, pictures: widgets that show something and at most take a tap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ..ui import Look
from .metrics import text_width, wrap_text
from .widget import Edges, Extent, Sizing, Surface, Widget

if TYPE_CHECKING:
    from ...model import Point
    from ..ui import UiNode

Align = Literal["left", "center", "right"]


@dataclass(kw_only=True, eq=False)
class Text(Widget):
    """``size`` in sp; ``lines`` limits the height, 0 does not."""

    text: str = field(default="", kw_only=False)
    size: int = 16
    bold: bool = False
    align: Align = "left"
    lines: int = 0
    muted: bool = False
    class_name: str = "android.widget.TextView"

    def content_size(self, sizing: Sizing, width: int, height: int) -> tuple[int, int]:
        size_px = sizing.metrics.px(self.size)
        broken = wrap_text(self.text, size_px, max(width, 1))
        if self.lines:
            broken = broken[: self.lines]
        widest = max(text_width(line, size_px) for line in broken)
        return min(widest, width), len(broken) * sizing.metrics.line(size_px)

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        node.text = self.text

    def look(self, sizing: Sizing) -> Look:
        theme = sizing.theme
        return Look(
            shape="text",
            background=self.background,
            foreground=self.foreground or (theme.muted if self.muted else theme.text),
            text_size=sizing.metrics.px(self.size),
            bold=self.bold,
            align=self.align,
            radius=sizing.metrics.px(self.radius),
            elevation=sizing.metrics.px(self.elevation),
        )


@dataclass(kw_only=True, eq=False)
class Button(Text):
    """``flat`` has no box of its own, as in dialogs and toolbars."""

    flat: bool = False
    size: int = 14
    bold: bool = True
    align: Align = "center"
    min_height: int = 48
    padding: Edges = (16, 8)
    class_name: str = "android.widget.Button"

    @property
    def clickable(self) -> bool:
        return True

    def look(self, sizing: Sizing) -> Look:
        theme = sizing.theme
        look = Text.look(self, sizing)
        look.shape = "button_text" if self.flat else "button"
        look.foreground = self.foreground or (theme.primary if self.flat else theme.on_primary)
        look.background = self.background or ("" if self.flat else theme.primary)
        look.radius = sizing.metrics.px(self.radius or 4)
        return look


@dataclass(kw_only=True, eq=False)
class IconButton(Widget):
    """A picture without text; say what it does in ``description``. ``icon`` names the drawing:
    cart, settings, search, back, close, plus, minus, menu, more, star, trash, check, home, person,
    share."""

    icon: str = "star"
    width: Extent = 48
    height: Extent = 48
    class_name: str = "android.widget.ImageButton"

    @property
    def clickable(self) -> bool:
        return True

    def look(self, sizing: Sizing) -> Look:
        return Look(
            shape=f"icon:{self.icon}",
            background=self.background,
            foreground=self.foreground or sizing.theme.text,
            radius=sizing.metrics.px(self.radius),
        )


@dataclass(kw_only=True, eq=False)
class Image(Widget):
    """A picture. ``picture`` names its motif; any text gives a picture of its own."""

    picture: str = ""
    width: Extent = 48
    height: Extent = 48
    class_name: str = "android.widget.ImageView"

    def look(self, sizing: Sizing) -> Look:
        return Look(
            shape=f"image:{self.picture}",
            background=self.background,
            foreground=self.foreground,
            radius=sizing.metrics.px(self.radius),
        )


@dataclass(kw_only=True, eq=False)
class Progress(Widget):
    """A bar for a share from 0 to 1; without one, the wheel that turns while something loads."""

    share: float | None = None
    turn: int = 0  # degrees
    width: Extent = 48
    height: Extent = 48
    class_name: str = "android.widget.ProgressBar"

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        if self.share is not None:
            node.text = f"{self.share * 100:.1f}"

    def look(self, sizing: Sizing) -> Look:
        shape = "progress_circle" if self.share is None else "progress_bar"
        ink = self.foreground or sizing.theme.primary
        return Look(shape=shape, foreground=ink, progress=self.share, turn=self.turn)


@dataclass(kw_only=True, eq=False)
class Space(Widget):
    """Room without content; it is no view and in no dump."""

    width: Extent = 8
    height: Extent = 8
    class_name: str = ""


@dataclass(kw_only=True, eq=False)
class Divider(Widget):
    """A thin line."""

    width: Extent = "fill"
    height: Extent = 1

    def look(self, sizing: Sizing) -> Look:
        return Look(shape="divider", background=self.background or sizing.theme.outline)


@dataclass(kw_only=True, eq=False)
class Canvas(Widget):
    """A bare surface that an app draws by itself: nothing inside is accessible. ``on_touch`` is
    given the place within the surface, in pixels. ``drawing`` is laid out, drawn and tapped as any
    widget is, but it is no view and in no dump."""

    picture: str = ""
    on_touch: Callable[[int, int], object] | None = None
    drawing: Widget | None = None
    width: Extent = "fill"
    height: Extent = 200

    @property
    def touchable(self) -> bool:
        waits = (self.on_touch, self.drawing, self.on_long_click)
        return self.clickable or any(each is not None for each in waits)

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        if self.on_touch is not None:
            self.on_touch(point.x - node.frame.left, point.y - node.frame.top)
        for drawn in (each for root in node.drawn for each in reversed(root.at(point))):
            if isinstance(drawn.owner, Widget) and drawn.owner.on_click is not None:
                drawn.owner.on_click()
                return
        Widget.tapped(self, surface, node, point)

    def look(self, sizing: Sizing) -> Look:
        return Look(shape="canvas", background=self.background or sizing.theme.surface)
