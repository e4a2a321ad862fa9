"""``Exhibit``: a screen that shows one thing that breaks mobile tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...app_kit import Column, Screen, Text, Widget
from .looks import SIDE
from .state import Lab, LabState

LONGEST_NUMBER = 9  # digits


@dataclass(frozen=True)
class Parameter:
    """A whole number that a link may set: ``lab://late-content?delay=3000``."""

    name: str
    default: int
    low: int
    high: int
    meaning: str

    def read(self, text: str) -> int:
        """Raises ``ValueError`` if it is no number, or one that the exhibit cannot do."""
        plain = text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
        if not plain or not self.low <= int(text) <= self.high:
            raise ValueError(
                f"{self.name} is a whole number from {self.low} to {self.high}, not {text!r}"
            )
        return int(text)


class Exhibit(Screen[LabState]):
    """An exhibit: subclass it, set the class attributes, write ``content``. The docstring's first
    paragraph describes the screen, the second the behaviour of real apps that it stands for, the
    third a good test.

    ``slug`` is its place in links. Class attributes of a subclass are what it begins with each time
    it is opened.
    """

    up = True
    slug: str = ""
    summary: str = ""
    parameters: tuple[Parameter, ...] = ()

    def __init__(self, **settings: int) -> None:
        self.settings = {each.name: each.default for each in self.parameters} | settings

    def content(self, app: Lab) -> Widget:
        """Builds the widgets below the line of explanation."""
        raise NotImplementedError

    def build(self, app: Lab) -> Widget:
        note = Text(self.summary, id="summary", size=14, muted=True, margin=(SIDE, 12, SIDE, 8))
        content = self.content(app)
        content.weight = content.weight or 1
        return Column(children=[note, content], height="fill")

    # --- time -------------------------------------------------------------------------------------
    def is_open(self, app: Lab) -> bool:
        """Whether it is on the stack still, seen or not."""
        return any(entry.screen is self for entry in app.entries)

    def later(self, app: Lab, ms: int, act: Callable[[], object]) -> None:
        """Once, unless the exhibit is closed by then."""
        app.after(ms, lambda: act() if self.is_open(app) else None)

    def every(self, app: Lab, ms: int, act: Callable[[], object], *, times: int = 0) -> None:
        """Again and again until the exhibit is closed, or so many times."""

        def tick() -> None:
            act()
            if times != 1:
                self.every(app, ms, act, times=max(times - 1, 0))

        self.later(app, ms, tick)
