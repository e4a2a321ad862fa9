"""Controls that apps draw by themselves, and none of which behaves as the last one did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pytest_replicant.model import Point
from pytest_replicant.virtual import Button, Column, Row, RunningApp, SeekBar, Text, UiNode, Widget
from pytest_replicant.virtual.app_kit.widget import Edges, Extent, Sizing, Surface

from .kit_phone import Held

Shape = Callable[[float], float]
"""What a share of the track, 0 to 1, makes of the value."""


@dataclass(kw_only=True, eq=False)
class Track(SeekBar):
    """A slider of any shape. ``shows`` prints its value; ``taps`` and ``drags`` say what it
    takes."""

    level: float = 0.0
    of: Shape = float
    set_to: Callable[[float], object] = print
    shows: Callable[[float], str] = str
    taps: bool = True
    drags: bool = True
    padding: Edges = 0

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        node.text = self.shows(self.level)

    @property
    def share(self) -> float:
        return 0.0

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        if self.taps:
            self.set_to(self.of(self.share_at(node, point)))

    def dragged(self, surface: Surface, node: UiNode, point: Point) -> None:
        if self.drags:
            self.set_to(self.of(self.share_at(node, point)))

    def share_at(self, node: UiNode, point: Point) -> float:
        if node.frame.width >= node.frame.height:
            share = (point.x - node.frame.left) / (node.frame.width - 1)
        else:
            share = (node.frame.bottom - 1 - point.y) / (node.frame.height - 1)
        return min(max(share, 0.0), 1.0)


@dataclass(kw_only=True, eq=False)
class Halves(Widget):
    """The right half is one more, the left half one less; only its description says how many."""

    value: int = 0
    set_to: Callable[[int], object] = print
    step: int = 1
    positional: bool = False  # a place on it is a value from 0 to 100 instead
    swiped: bool = False  # takes swipes only
    width: Extent = "fill"
    height: Extent = 64

    @property
    def touchable(self) -> bool:
        return True

    @property
    def draggable(self) -> bool:
        return self.swiped

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        node.description = f"Brightness, {self.value} percent"
        node.clickable = True

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        if self.positional:
            self.set_to(round((point.x - node.frame.left) / (node.frame.width - 1) * 100))
        elif not self.swiped:
            self._step(node, point)

    def dragged(self, surface: Surface, node: UiNode, point: Point) -> None:
        self._step(node, point)

    def _step(self, node: UiNode, point: Point) -> None:
        self.set_to(self.value + (self.step if point.x >= node.frame.center.x else -self.step))


def into(app: RunningApp[Held], name: str) -> Callable[[object], None]:
    """Keeps a value."""

    def keep(value: object) -> None:
        app.state.values[name] = value
        app.state.events.append(f"{name} {value}")

    return keep


def picker(
    value: int, keep: Callable[[int], object], *, low: int = 0, high: int = 23, wraps: bool = False
) -> Widget:
    """A number picker: the value before it, itself, the value after it, each a place to tap."""
    span = high - low + 1

    def go(to: int) -> Callable[[], object]:
        return lambda: keep(low + (to - low) % span if wraps else min(max(to, low), high))

    return Column(
        [
            Button(str(low + (value - 1 - low) % span), on_click=go(value - 1)),
            Text(str(value), id="shown", class_name="android.widget.EditText"),
            Button(str(low + (value + 1 - low) % span), on_click=go(value + 1)),
        ],
        id="picker",
        class_name="android.widget.NumberPicker",
    )


def segments(
    labels: list[str], chosen: str, keep: Callable[[str], object], *, deaf: bool = False
) -> Widget:
    """Segments side by side, in a group that is known as such."""

    def choose(label: str) -> Callable[[], object]:
        return lambda: None if deaf else keep(label)

    parts = [
        Button(
            label,
            selected=label == chosen,
            on_click=choose(label),
            weight=1,
            class_name="android.view.View",
        )
        for label in labels
    ]
    return Row(parts, id="size", description="Size", class_name="com.example.SegmentedControl")
