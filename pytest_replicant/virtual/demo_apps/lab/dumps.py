"""Screens that cannot be read as they are: the dump of their hierarchy is slow, old, cut off, or
not there."""

from __future__ import annotations

from typing import Literal

from ...app_kit import Button, Column, Text, Widget
from .exhibit import Parameter
from .looks import page, result
from .state import Lab
from .taps import TapCounted


class _Dumped(TapCounted):
    """A button that counts its taps; the pixels are right no matter what the dump says."""

    fault: Literal["slow", "stale", "truncated", "none"]

    def opened(self, app: Lab) -> None:
        self.dump = self.fault
        if self.settings["lasts"]:
            self.later(app, self.settings["lasts"], self.heal)

    def heal(self) -> None:
        self.dump = ""


class SlowDump(_Dumped):
    """A screen whose hierarchy takes seconds to read.

    Stands for huge lists, web pages, busy phones.

    A good test waits longer rather than give up, and does not look more often than it must.
    """

    slug = "slow-dump"
    activity = ".SlowDump"
    title = "Slow to read"
    summary = "Each look takes seconds"
    parameters = (
        Parameter("delay", 3000, 1, 60_000, "milliseconds that a look takes longer"),
        Parameter("lasts", 0, 0, 60_000, "milliseconds until it is as quick as others; 0 is never"),
    )
    fault = "slow"

    def opened(self, app: Lab) -> None:
        super().opened(app)
        self.dump_ms = self.settings["delay"]


class StaleDump(_Dumped):
    """Each look shows the screen as it was at the look before.

    Stands for accessibility caches that miss changes.

    A good test does not conclude from one look right after a tap that the tap was lost; it looks
    again, and does not tap twice.
    """

    slug = "stale-dump"
    activity = ".StaleDump"
    title = "Read too late"
    summary = "Each look shows what was there before"
    parameters = (
        Parameter("lasts", 0, 0, 60_000, "milliseconds until looks are up to date; 0 is never"),
    )
    fault = "stale"


class TruncatedDump(_Dumped):
    """The hierarchy breaks off in the middle.

    Stands for connections that break, and buffers that are too small.

    A good test takes half a hierarchy for no hierarchy. A node missing from it is not gone from the
    screen.
    """

    slug = "truncated-dump"
    activity = ".TruncatedDump"
    title = "Read in part"
    summary = "The dump breaks off"
    parameters = (
        Parameter("lasts", 3000, 0, 60_000, "milliseconds until looks are whole; 0 is never"),
    )
    fault = "truncated"


class NoDump(_Dumped):
    """A look finds no window at all, although everything is on the screen.

    Stands for protected windows, games, and phones that never come to rest.

    A good test says that it could not look, which is neither "there" nor "gone", and uses a
    screenshot as evidence.
    """

    slug = "no-dump"
    activity = ".NoDump"
    title = "Not to be read"
    summary = "A look finds nothing, and that proves nothing"
    parameters = (
        Parameter("lasts", 3000, 0, 60_000, "milliseconds until looks find something; 0 is never"),
    )
    fault = "none"


class DeepScreen(TapCounted):
    """A box in a box in a box, and so on: no look shows the innermost, if there are a second button
    and a message.

    Stands for React Native, nested navigators, web pages and maps: iOS gives 62 levels of an app,
    and Android's server runs out of stack.

    A good test proves presence, and taps what it sees by its ref. It claims neither that nothing
    else is there nor how often something is.
    """

    slug = "deep-screen"
    activity = ".DeepScreen"
    title = "Too deep to read"
    summary = "The innermost of many boxes is in no look"
    parameters = (Parameter("levels", 130, 0, 140, "boxes within boxes"),)

    def content(self, app: Lab) -> Widget:
        def button(name: str) -> Widget:
            return Button("Tap", id=name, on_click=lambda: self.tap(app))

        inner: Widget = Column([Text("At the bottom", id="bottom"), button("tap_inside")])
        for _ in range(self.settings["levels"]):
            inner = Column([inner])
        return page(button("tap"), result(f"Tapped {self.taps} times"), inner)
