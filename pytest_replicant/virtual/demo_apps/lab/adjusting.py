"""Sliders, and what else is set along a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ....model import Point
from ...app_kit import SeekBar, Text, Widget, stepper
from ...app_kit.widget import Extent, Sizing, Surface
from ...ui import Look, UiNode
from .exhibit import Exhibit, Parameter
from .looks import heading, page, result
from .state import Lab, witness


class _Level(Exhibit):
    """Something between 0 and 100."""

    level: int = 40

    def set_level(self, app: Lab, level: int) -> None:
        self.level = level
        witness(app, f"{self.slug} set to {level}")


class SteppedSlider(_Level):
    """A slider from 0 to 100 that rounds to tens.

    Stands for sliders of prices, sizes, minutes.

    A good test asks for 30 and reads 30 back. If it asks for 33 it learns that 30 is the nearest,
    and does not try for ever.
    """

    slug = "stepped-slider"
    activity = ".SteppedSlider"
    title = "Slider with steps"
    summary = "Rounds to the next step"
    parameters = (Parameter("step", 10, 1, 50, "how far the steps are apart"),)

    def content(self, app: Lab) -> Widget:
        bar = SeekBar(
            id="slider", description="Price", value=self.level, step=self.settings["step"]
        )
        bar.on_change = lambda level: self.set_level(app, level)
        return page(heading("Price"), bar, result(f"Up to £{self.level}"))


class SilentSlider(_Level):
    """A slider whose place is in no attribute; only the line below says it, in words.

    Stands for sliders drawn by an app itself.

    A good test names the line that shows the effect and checks that. If there were no such line,
    "unknown" would be all that could be said.
    """

    slug = "silent-slider"
    activity = ".SilentSlider"
    title = "Slider without a value"
    summary = "Its place is in no attribute"

    def content(self, app: Lab) -> Widget:
        bar = SeekBar(id="slider", description="Text size", value=self.level, reports_value=False)
        bar.on_change = lambda level: self.set_level(app, level)
        size = ("small", "medium", "large")[min(self.level // 34, 2)]
        return page(heading("Text size"), bar, result(f"Text is {size}"))


@dataclass(kw_only=True, eq=False)
class VerticalSeekBar(SeekBar):
    """Upright: the least at the bottom."""

    width: Extent = 48
    height: Extent = 280

    def look(self, sizing: Sizing) -> Look:
        look = SeekBar.look(self, sizing)
        look.shape = "seek_bar_upright"
        return look

    def dragged(self, surface: Surface, node: UiNode, point: Point) -> None:
        inset = surface.metrics.px(16)
        track = max(node.frame.height - 2 * inset, 1)
        share = min(max((node.frame.bottom - inset - point.y) / track, 0.0), 1.0)
        value = self.low + int(share * (self.high - self.low) + 0.5)
        if value != self.value and self.on_change is not None:
            self.on_change(value)


class VerticalSlider(_Level):
    """A slider that goes from the bottom to the top.

    Stands for volume and brightness panels.

    A good test looks at which side is longer before it drags, and reads the value back.
    """

    slug = "vertical-slider"
    activity = ".VerticalSlider"
    title = "Vertical slider"
    summary = "From the bottom to the top"

    def content(self, app: Lab) -> Widget:
        bar = VerticalSeekBar(id="slider", description="Volume", value=self.level, gravity="center")
        bar.on_change = lambda level: self.set_level(app, level)
        return page(bar, result(f"Volume {self.level}"))


class Stepper(_Level):
    """A number between a minus and a plus.

    Stands for quantities, guests, alarm times.

    A good test presses as often as it takes, reads after each press, and stops where the button
    does no more.
    """

    slug = "stepper"
    activity = ".Stepper"
    title = "Stepper"
    summary = "Minus, a number, plus"
    parameters = (Parameter("most", 9, 2, 99, "the largest number"),)
    level: int = 2

    def content(self, app: Lab) -> Widget:
        row = stepper(
            self.level,
            lambda to: self.set_level(app, to),
            low=1,
            high=self.settings["most"],
            name="guests",
        )
        return page(heading("Guests"), row, result(f"A table for {self.level}"))


@dataclass(kw_only=True, eq=False)
class TwoHalves(Widget):
    """One view: a touch on the left half is less, one on the right half is more."""

    value: int = 0
    on_change: Callable[[int], object] | None = None
    width: Extent = "fill"
    height: Extent = 64

    @property
    def touchable(self) -> bool:
        return True

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        node.description = f"Heating, {self.value} degrees"
        node.clickable = node.focusable = True

    def look(self, sizing: Sizing) -> Look:
        return Look(
            shape="button_tonal",
            foreground=sizing.theme.primary,
            text_size=sizing.metrics.px(16),
            radius=sizing.metrics.px(32),
        )

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        if self.on_change is not None:
            self.on_change(self.value + (1 if point.x >= node.frame.center.x else -1))


class Halves(_Level):
    """One view without a button in it: the left half lowers, the right half raises. Its description
    says the value.

    Stands for controls that an app draws by itself.

    A good test reads the description before and after, and touches one half; the middle of the view
    is the wrong place for half of what one may want.
    """

    slug = "halves"
    activity = ".Halves"
    title = "Control in two halves"
    summary = "The left half lowers, the right half raises"
    level: int = 20

    def content(self, app: Lab) -> Widget:
        control = TwoHalves(id="heating", value=self.level)
        control.on_change = lambda level: self.set_level(app, min(max(level, 5), 30))
        return page(
            Text("−  left  |  right  +", gravity="center", muted=True, margin=(0, 16)), control
        )


@dataclass(kw_only=True, eq=False)
class SpokenLevel(SeekBar):
    """A plain view that says its level in words. A touch off the middle is a step of ten; a drag
    sets it."""

    class_name: str = "android.view.View"
    name_spoken: str = ""

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        node.description = f"{self.name_spoken}, {self.value} percent"
        node.focusable = True

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        step = 10 if point.x >= node.frame.center.x else -10
        value = min(max(self.value + step, self.low), self.high)
        if value != self.value and self.on_change is not None:
            self.on_change(value)


class SpokenControl(_Level):
    """A control of an app's own that says "Brightness, 40 percent" as its description, and has
    neither class nor range to show that it can be set. It takes swipes along it, and touches at its
    sides.

    Stands for sliders drawn with a toolkit of one's own, spoken well.

    A good test reads the number out of the words, swipes within the control, and reads again.
    """

    slug = "spoken-control"
    activity = ".SpokenControl"
    title = "Control that is only spoken"
    summary = "Its value is in its description, in words"

    def content(self, app: Lab) -> Widget:
        control = SpokenLevel(id="brightness", name_spoken="Brightness", value=self.level)
        control.on_change = lambda level: self.set_level(app, level)
        return page(heading("Brightness"), control, result(f"The room is {self.mood}"))

    @property
    def mood(self) -> str:
        return ("dark", "dim", "bright")[min(self.level // 34, 2)]
