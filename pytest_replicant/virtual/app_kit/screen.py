"""``Screen``: what an app shows, declared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from .widget import Widget

if TYPE_CHECKING:
    from .running import RunningApp

S = TypeVar("S")

ScreenDump = Literal["", "slow", "stale", "truncated", "none"]


class Screen(Generic[S]):
    """One screen of an app whose state is an ``S``. Subclass it, set the class attributes, write
    ``build``.

    ``activity`` is the class name, in full or from the dot on; several screens may share one.
    ``up`` shows the arrow that goes back. ``soft_input`` says how the screen makes room for the
    keyboard. ``dump`` is the fault with every hierarchy dump of this screen: it takes ``dump_ms``
    longer, shows what was there at the dump before, breaks off, or finds no window at all.
    """

    activity: str = ".MainActivity"
    title: str = ""
    up: bool = False
    soft_input: Literal["resize", "pan"] = "resize"
    dump: ScreenDump = ""
    dump_ms: int = 3000

    def build(self, app: RunningApp[S]) -> Widget:
        """Builds the widgets below the toolbar, after every change. No side effects."""
        raise NotImplementedError

    def actions(self, app: RunningApp[S]) -> Sequence[Widget]:
        """The buttons at the right of the toolbar."""
        return ()

    def title_for(self, app: RunningApp[S]) -> str:
        """The toolbar's title, where it depends on the state; "" is no toolbar."""
        return self.title

    def opened(self, app: RunningApp[S]) -> None:
        """Called once, when the screen is put on the stack: start timers and loading here."""

    def back(self, app: RunningApp[S]) -> bool:
        """Called for the back key; True if the screen dealt with it."""
        return False
