"""What a shape is drawn with: the canvas, the node, its rectangle and the colours that hold
there."""

from __future__ import annotations

from dataclasses import dataclass

from ....model import Rect
from ...app_kit.metrics import Metrics
from ...app_kit.widget import Widget, edges
from ...ui import UiNode
from .canvas import Canvas
from .theme import Colour, Theme, colour, mix

PLAIN_TEXT_DP = 16


@dataclass(frozen=True)
class Brush:
    """``rect`` is where the node is laid out; ``under`` the colour it lies on."""

    canvas: Canvas
    node: UiNode
    rect: Rect
    theme: Theme
    under: Colour

    def px(self, length: float) -> int:
        return self.canvas.px(length)

    def text_size(self, default_dp: float = PLAIN_TEXT_DP) -> int:
        """In pixels: what the look says, else the default in dp."""
        return self.node.look.text_size or self.px(default_dp)

    def ink(self, default: Colour) -> Colour:
        """The look's own foreground, paler where the node is disabled."""
        shade = colour(self.node.look.foreground, default)
        return shade if self.node.enabled else mix(shade, self.under, 0.62)

    def paper(self, default: Colour) -> Colour:
        """The look's own background."""
        return colour(self.node.look.background, default)

    def accent(self) -> Colour:
        return self.ink(self.theme.accent)

    def inside(self) -> Rect:
        """``rect`` without the widget's own padding."""
        owner = self.node.owner
        if not isinstance(owner, Widget):
            return self.rect
        left, top, right, bottom = edges(owner.padding, Metrics(self.canvas.dp))
        rect = self.rect
        inner = Rect(rect.left + left, rect.top + top, rect.right - right, rect.bottom - bottom)
        return rect if inner.is_empty else inner

    def write(
        self, text: str, rect: Rect, shade: Colour, default_dp: float = PLAIN_TEXT_DP
    ) -> Rect:
        """One line, with the look's size, weight and alignment."""
        look = self.node.look
        return self.canvas.text(
            text, rect, self.text_size(default_dp), shade, look.align, look.bold
        )

    def corner(self, radius: int) -> int:
        """What the look says goes before, unless the platform has corners of its own."""
        return radius if self.theme.style.own_corners else self.node.look.radius or radius

    def hair(self, left_dp: float, thick_dp: float, share: float) -> None:
        """A thin line at the lower edge; ``share`` of the ground is in its colour."""
        left = self.rect.left + round(left_dp * self.canvas.dp)
        edge = Rect(left, self.rect.bottom - self.px(thick_dp), self.rect.right, self.rect.bottom)
        self.canvas.fill(edge, mix(self.theme.line, self.under, share))

    def surface(self, shade: Colour, radius: int) -> None:
        """The node's own ground with its border."""
        look = self.node.look
        radius = self.corner(radius)
        self.canvas.fill(self.rect, self.paper(shade), radius)
        if look.border and not self.theme.style.own_corners:
            self.canvas.outline(self.rect, colour(look.border, self.theme.line), radius, self.px(1))
