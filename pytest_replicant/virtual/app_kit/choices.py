"""Check boxes, switches, radio buttons, sliders, spinners, steppers: widgets that hold a choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..ui import Look
from .containers import Column, Row
from .labels import Button, Text
from .widget import Callback, Edges, Extent, Sizing, Surface, Widget

if TYPE_CHECKING:
    from ...model import Point
    from ..ui import UiNode

SHAPES = {
    "android.widget.CheckBox": "check_box",
    "android.widget.Switch": "switch",
    "android.widget.RadioButton": "radio",
}


@dataclass(kw_only=True, eq=False)
class CheckBox(Text):
    """``on_change`` is given the new state; the app stores it and passes it as ``checked``."""

    checked: bool = False
    on_change: Callable[[bool], object] | None = None
    min_height: int = 48
    padding: Edges = (36, 8, 8, 8)
    class_name: str = "android.widget.CheckBox"

    @property
    def clickable(self) -> bool:
        return True

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        Text.describe(self, node, sizing)
        node.checkable = True
        node.checked = self.checked

    def look(self, sizing: Sizing) -> Look:
        look = Text.look(self, sizing)
        look.shape = SHAPES.get(self.class_name, "check_box")
        look.border = sizing.theme.primary if self.checked else sizing.theme.muted
        return look

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        if self.on_change is not None:
            self.on_change(not self.checked)
        Widget.tapped(self, surface, node, point)


@dataclass(kw_only=True, eq=False)
class Switch(CheckBox):
    """A check box that slides."""

    padding: Edges = (0, 8, 68, 8)
    class_name: str = "android.widget.Switch"


@dataclass(kw_only=True, eq=False)
class RadioButton(CheckBox):
    """One of a group: a tap on the chosen one changes nothing."""

    class_name: str = "android.widget.RadioButton"

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        if self.on_change is not None and not self.checked:
            self.on_change(True)
        Widget.tapped(self, surface, node, point)


@dataclass(kw_only=True, eq=False)
class RadioGroup(Column):
    """One button per option; ``on_change`` is given the index of the new choice. ``ids`` name the
    buttons."""

    options: Sequence[str] = ()
    chosen: int = -1
    on_change: Callable[[int], object] | None = None
    ids: Sequence[str] = ()
    class_name: str = "android.widget.RadioGroup"

    def __post_init__(self) -> None:
        self.children = [self._button(index, label) for index, label in enumerate(self.options)]

    def _button(self, index: int, label: str) -> RadioButton:
        def choose(_: bool) -> None:
            if self.on_change is not None:
                self.on_change(index)

        return RadioButton(
            label,
            id=self.ids[index] if self.ids else "",
            checked=index == self.chosen,
            enabled=self.enabled,
            on_change=choose,
            width="fill",
        )


@dataclass(kw_only=True, eq=False)
class SeekBar(Widget):
    """``low`` to ``high`` in steps of ``step``; a tap or a drag on the track sets the nearest
    value. The thumb's centre runs from 16 dp inside the left edge to 16 dp inside the right edge.
    Without ``reports_value`` no one but a person knows the value: it is in no dump, as with sliders
    that an app draws by itself."""

    value: int = 0
    low: int = 0
    high: int = 100
    step: int = 1
    reports_value: bool = True
    on_change: Callable[[int], object] | None = None
    width: Extent = "fill"
    height: Extent = 48
    padding: Edges = (16, 0)
    class_name: str = "android.widget.SeekBar"

    @property
    def share(self) -> float:
        return (self.value - self.low) / max(self.high - self.low, 1)

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        if self.reports_value:
            node.text = f"{float(self.value - self.low)}"
        node.focusable = True

    def look(self, sizing: Sizing) -> Look:
        return Look(
            shape="seek_bar",
            foreground=self.foreground or sizing.theme.primary,
            progress=self.share,
        )

    @property
    def draggable(self) -> bool:
        return True

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        self.dragged(surface, node, point)

    def value_at(self, surface: Surface, node: UiNode, point: Point) -> int:
        """The value that a finger there sets."""
        inset = surface.metrics.px(16)
        track = max(node.frame.width - 2 * inset, 1)
        share = min(max((point.x - node.frame.left - inset) / track, 0.0), 1.0)
        steps = int(share * (self.high - self.low) / self.step + 0.5)
        return min(self.low + steps * self.step, self.high)

    def dragged(self, surface: Surface, node: UiNode, point: Point) -> None:
        value = self.value_at(surface, node, point)
        if value != self.value:
            self.value = value
            if self.on_change is not None:
                self.on_change(value)


@dataclass(kw_only=True, eq=False)
class RatingBar(SeekBar):
    """``high`` stars, of which ``value`` are full; a finger on a star makes it the last full
    one."""

    high: int = 5
    width: Extent = 240
    padding: Edges = 0
    class_name: str = "android.widget.RatingBar"

    def look(self, sizing: Sizing) -> Look:
        return replace(SeekBar.look(self, sizing), shape=f"stars:{self.value}/{self.high}")

    def value_at(self, surface: Surface, node: UiNode, point: Point) -> int:
        star = (point.x - node.frame.left) * self.high // max(node.frame.width, 1)
        return min(max(star, 0), self.high - 1) + 1


@dataclass(kw_only=True, eq=False)
class Spinner(Widget):
    """Shows the chosen option; a tap opens the list. ``on_change`` is given the index of the new
    choice."""

    options: Sequence[str] = field(default=(), kw_only=False)
    chosen: int = 0
    on_change: Callable[[int], object] | None = None
    width: Extent = "fill"
    height: Extent = 48
    class_name: str = "android.widget.Spinner"
    label: Text = field(init=False)

    def __post_init__(self) -> None:
        shown = self.options[self.chosen] if 0 <= self.chosen < len(self.options) else ""
        self.label = Text(
            shown, id="android:id/text1", width="fill", height="fill", padding=(12, 12), lines=1
        )

    @property
    def clickable(self) -> bool:
        return True

    def parts(self) -> Sequence[Widget]:
        return (self.label,)

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        node.focusable = True

    def look(self, sizing: Sizing) -> Look:
        return Look(
            shape="spinner",
            background=self.background or sizing.theme.surface,
            foreground=sizing.theme.muted,
            border=sizing.theme.outline,
            radius=sizing.metrics.px(4),
        )

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        def choose(index: int) -> None:
            if self.on_change is not None and index != self.chosen:
                self.on_change(index)

        surface.show_choices(node.frame, self.options, self.chosen, choose)


def stepper(
    value: int,
    on_change: Callable[[int], object],
    *,
    low: int = 0,
    high: int = 99,
    id: str = "",
    name: str = "quantity",
) -> Row:
    """A row of minus, value, plus; ids ``minus``, ``quantity`` and ``plus`` unless ``id`` is put
    before them."""
    prefix = f"{id}_" if id else ""

    def step(delta: int) -> Callback:
        return lambda: on_change(value + delta)

    button = Button(width=48, padding=(4, 4), flat=True, size=20)
    return Row(
        id=id,
        gravity="center",
        children=[
            replace(
                button,
                text="−",
                id=f"{prefix}minus",
                enabled=value > low,
                on_click=step(-1),
                description=f"Decrease {name}",
            ),
            Text(str(value), id=f"{prefix}{name}", width=32, align="center"),
            replace(
                button,
                text="+",
                id=f"{prefix}plus",
                enabled=value < high,
                on_click=step(1),
                description=f"Increase {name}",
            ),
        ],
    )
