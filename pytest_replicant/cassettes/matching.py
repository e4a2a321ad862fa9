"""Whether a call is the one that was recorded: a touch by the element that it hits, a text by its
value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat
from typing import Any

from ..drivers import METHODS
from ..errors import SnapshotError
from ..model import MASK, Element, Point, Redactor
from ..snapshots import Snapshot
from .recording import HIDDEN
from .tape import STAND_INS, TYPES_TEXT, Entry, RecordedPhone, between

NEAR = 2
"""Pixels by which two points may differ that mean the same place."""
_LONGEST = 60


@dataclass
class Hit:
    """A screen on which a touch is aimed."""

    source: bytes
    phone: RecordedPhone

    @cached_property
    def screen(self) -> Snapshot | None:
        try:
            info = self.phone.info
            scale = self.phone.traits.scale(info)
            return Snapshot.parse(self.source, info.platform, scale=scale)
        except SnapshotError:
            return None

    def at(self, point: Point) -> Element | None:
        """The smallest element that it hits; of equals the one on top."""
        if not self.screen:
            return None
        hit = [one for one in self.screen.elements if one.bounds.contains(point)]
        return min(reversed(hit), key=lambda one: one.bounds.area, default=None)


def same_call(
    entry: Entry,
    asked: Sequence[Any],
    hits: Callable[[], tuple[Hit, Hit] | None],
    redactor: Redactor,
) -> bool:
    """Whether these arguments are those of the recorded call."""
    then, now = list(entry.args), list(asked)
    points = METHODS[entry.method].points
    if len(then) != len(now) or not _same(then[points:], now[points:], redactor):
        return False
    places = zip(chain(*then[:points]), chain(*now[:points]), strict=True)
    near = all(abs(one - other) <= NEAR for one, other in places)
    return near or (points == 1 and _same_target(then[0], now[0], hits()))


def _same_target(then: Any, now: Any, hits: tuple[Hit, Hit] | None) -> bool:
    """Whether two touches at different places are of one element, in which the place does not
    matter."""
    if not hits or not hits[0].screen:
        return False
    recorded, asked = hits[0].at(Point(*then)), hits[1].at(Point(*now))
    if not recorded or not asked or recorded.adjustable or recorded.states.scrollable:
        return False
    if not recorded.label and not recorded.resource_id:
        return False
    return hits[0].screen.locate(asked).element == recorded


def _same(then: Any, now: Any, redactor: Redactor) -> bool:
    """Whether two values are equal. What the recording hides is not compared."""
    if isinstance(then, str) and isinstance(now, str):
        if now == then or redactor.text(now) == then:
            return True
        # a mask stands for any text that is not empty: its value was not recorded
        return MASK in then and between(then.split(MASK), now) is not None
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        if then.keys() != now.keys():
            return False
        then, now = [*then.values()], [now[name] for name in then]
    if isinstance(then, (list, tuple)) and isinstance(now, (list, tuple)):
        return len(then) == len(now) and all(map(_same, then, now, repeat(redactor)))
    alike = type(then) is type(now) or (_number(then) and _number(now))
    return bool(alike and then == now)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def shown_call(method: str, args: Sequence[Any], redactor: Redactor) -> str:
    """A call as a message shows it, such as ``tap(540, 1213)``."""
    shown: list[str] = []
    for one in args:
        is_place = isinstance(one, (list, tuple)) and len(one) in (2, 4)
        if is_place and all(map(_number, one)):
            shown += map(_shown, one)
        elif one is not None:
            shown.append(_shown(one))
    return redactor.text(f"{method}({', '.join(shown)})")


def _shown(value: Any) -> str:
    if isinstance(value, dict) and HIDDEN in value:
        return MASK
    if isinstance(value, str):
        value = STAND_INS.sub(MASK, value)
    text = f"{value:g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def hidden_in(entry: Entry) -> int | None:
    """The number of the secret that was typed; None for any other text."""
    if entry.method in TYPES_TEXT and isinstance(entry.args[0], dict):
        number: int = entry.args[0][HIDDEN]
        return number
    return None
