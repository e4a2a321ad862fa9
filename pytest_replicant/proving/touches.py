"""``Glass``: fingers on the screen of an Android phone, heard by the kernel's own events.

``getevent -lp`` says which inputs are glass and how large their numbers are, ``getevent -lt`` what happens on them
(AOSP system/core/toolbox/getevent.c; the order of events is that of protocol B in Linux's
multi-touch-protocol.rst, and glass that speaks another one is not heard). What adb injects is not among them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..drivers import Orientation, quarter_turns
from ..model import Point

PRESSED_SECONDS = 0.5
_MOVED = 0.02  # of the screen's longer side: a finger that moves less has not moved

_AXIS = r"\bABS_MT_(SLOT|POSITION_[XY])\s+: value -?\d+, min (-?\d+), max (-?\d+)"
_EVENT = r"^\[ *(\d+\.\d+)\] (?:(/\S+): )?EV_\w+ +(\w+) +([0-9a-f]{8}) *$"
_LIFTED = "ffffffff"

Kind = Literal["tap", "press", "swipe", "unclear"]


class Touch(NamedTuple):
    """``start`` and ``end`` are shares of the glass, 0 to 1, across and down as it was built. ``unclear`` are more
    fingers than one, and a finger whose place was never reported."""

    kind: Kind
    start: tuple[float, float]
    end: tuple[float, float]

    def on(self, size: tuple[int, int], orientation: Orientation, *, wide: bool) -> tuple[Point, Point]:
        """Both in pixels of a screen of that ``size``, held so; ``wide`` as for ``quarter_turns``."""
        turns = quarter_turns(orientation, wide=wide)
        return _turned(self.start, turns, size), _turned(self.end, turns, size)


def _turned(place: tuple[float, float], turns: int, size: tuple[int, int]) -> Point:
    """The glass does not turn with the picture on it."""
    across, down = place
    across, down = ((across, down), (down, 1 - across), (1 - across, 1 - down), (1 - down, across))[turns]
    return Point(round(across * (size[0] - 1)), round(down * (size[1] - 1)))


@dataclass
class _Input:
    """One input of the phone that is glass: the least and the most of both axes; where its fingers are."""

    across: tuple[int, int]
    down: tuple[int, int]
    slot: int = 0
    at: dict[int, dict[str, int]] = field(default_factory=dict)  # by slot; what does not change is not repeated
    held: set[int] = field(default_factory=set)
    fingers: int = 0
    began: float = 0.0
    path: list[tuple[float, float]] = field(default_factory=list)

    def share(self, slot: int) -> tuple[float, float] | None:
        place = self.at.get(slot, {})
        if not {"X", "Y"} <= place.keys():
            return None
        both = (("X", self.across), ("Y", self.down))
        across, down = ((place[name] - least) / max(most - least, 1) for name, (least, most) in both)
        return across, down


class Glass:
    """The inputs that ``getevent -lp`` describes, and what they report."""

    def __init__(self, described: str) -> None:
        self._inputs = dict(_inputs(described))
        self._alone = next(iter(self._inputs.values()), None)

    def __bool__(self) -> bool:
        return bool(self._inputs)

    def touches(self, lines: Iterable[str]) -> list[Touch]:
        """The touches that are over with these lines of ``getevent -lt``; others are kept in mind."""
        found = (self._take(event) for line in lines if (event := re.match(_EVENT, line)))
        return [touch for touch in found if touch is not None]

    def _take(self, event: re.Match[str]) -> Touch | None:
        seconds, path, code, value = event.groups()
        glass = self._inputs.get(path) if path else self._alone
        if glass is None:
            return None
        if code == "SYN_REPORT":
            return _reported(glass, float(seconds))
        _change(glass, code, value)
        return None


def _change(glass: _Input, code: str, value: str) -> None:
    if code == "ABS_MT_SLOT":
        glass.slot = int(value, 16)
    elif code == "ABS_MT_TRACKING_ID":
        (glass.held.discard if value == _LIFTED else glass.held.add)(glass.slot)
    elif code in ("ABS_MT_POSITION_X", "ABS_MT_POSITION_Y"):
        glass.at.setdefault(glass.slot, {})[code[-1]] = _signed(value)


def _reported(glass: _Input, seconds: float) -> Touch | None:
    """After each report: the touch that it ends."""
    if glass.held:
        if not glass.fingers:
            glass.began, glass.path = seconds, []
        glass.fingers = max(glass.fingers, len(glass.held))
        place = glass.share(min(glass.held))
        glass.path += [place] if place is not None else []
        return None
    fingers, glass.fingers = glass.fingers, 0
    if not fingers:
        return None
    if fingers > 1 or not glass.path:
        return Touch("unclear", (0, 0), (0, 0))
    start, end = glass.path[0], glass.path[-1]
    kind: Kind = "swipe" if math.dist(start, end) > _MOVED else "tap"
    long = kind == "tap" and seconds - glass.began >= PRESSED_SECONDS
    return Touch("press" if long else kind, start, end)


def _signed(value: str) -> int:
    number = int(value, 16)
    return number - (1 << 32) if number >= 1 << 31 else number


def _inputs(described: str) -> Iterable[tuple[str, _Input]]:
    """Those that are glass: with slots for fingers, both axes of a place, and the screen behind them."""
    parts = re.split(r"^(?=add device )", described, flags=re.MULTILINE)
    for part in parts:
        name = re.match(r"^add device \d+: (\S+)", part)
        axes = {axis: (int(least), int(most)) for axis, least, most in re.findall(_AXIS, part)}
        if name is not None and "INPUT_PROP_DIRECT" in part and len(axes) == 3:
            yield name[1], _Input(axes["POSITION_X"], axes["POSITION_Y"])
