"""A control that is being set: its number, gestures that are each followed by a settled read, and
the search along its track for the place that has a value."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from ...model import Element, FailureCode, Point, Rect, Selector
from ...snapshots import Snapshot, number_in
from ..actionability import await_still
from ..arguments import Target
from ..reachability import gesture_point
from ..stabilize.reads import settle
from ..step import ActionContext, StageFailed
from .scrolling import in_its_place

_NUMBER = r"[-+−]?\d+(?:[.,٫]\d+)?"
_NUMBERS = re.compile(rf"(?<![\w.,:]){_NUMBER}(?![\d:])(?![.,]\d)")
_PERCENTAGE = re.compile(rf"({_NUMBER})\s*(?:%|٪|percent\b)", re.IGNORECASE)
_OF_MOST = re.compile(rf"({_NUMBER})\s*(?:/|of\b|out of\b)\s*({_NUMBER})", re.IGNORECASE)
_LONGEST = 200  # characters; more is a paragraph
_ROUNDING = 1e-9  # of the value: what adding up fractions may leave


def number_of(element: Element) -> float | None:
    """The reported number, else the one number in its label or value: "Brightness, 40 percent" is
    40. None if there is none, or two that could be meant."""
    if isinstance(element.value, (int, float)):
        return float(element.value)
    texts = (element.value, element.text, element.description, element.label)
    return next(
        (found for text in texts if text and (found := parse_number(str(text))) is not None), None
    )


def parse_number(text: str) -> float | None:
    """The number in a text: all of it, a percentage, the first of "3 of 5", or the only one."""
    whole = number_in(text)
    if whole is not None:
        return whole[0]
    if len(text) > _LONGEST:
        return None
    for pattern in (_PERCENTAGE, _OF_MOST):
        found = [*pattern.finditer(text)]
        if len(found) == 1:
            return _value(found[0][1])
    numbers = _NUMBERS.findall(text)
    return _value(numbers[0]) if len(numbers) == 1 else None


def is_near(value: float, to: float, tolerance: float) -> bool:
    """Within the tolerance, whose end counts; what fractions lose in a sum does not."""
    return abs(value - to) <= tolerance + _ROUNDING * max(1.0, abs(to))


def _value(number: str) -> float | None:
    found = number_in(number)
    return found[0] if found else None


SWIPE_SECONDS = 0.5
_SIDE_DP = 24  # where a swipe that begins at the side of the screen means "back"
_BOTTOM_DP = 32  # and one at the bottom "home"
# where across the control to look for a free point, the middle first
_ACROSS = (0.5, 0.3, 0.7, 0.15, 0.85)


Stop = Literal["between", "end", "oscillates", "stuck", "covered"]
"""Why there is nowhere left to touch: the value lies between two that are there, beyond the last
one, is not to be pinned down, never changed, or the part of the track that has it is covered."""
Span = tuple[int, int]
"""First and last position, both included; none if the first is the greater."""


@dataclass(frozen=True)
class Reading:
    """What the control showed after one gesture on it."""

    gesture: str
    value: float | None


@dataclass(eq=False)
class Control:
    """``raw`` reads its number from the texts of its node and of the nodes in it alone, not from
    what they are taken for. ``to`` is what that is to become, give or take
    ``tolerance``; no number if the control is set otherwise."""

    action: ActionContext
    target: Target
    to: float
    tolerance: float
    raw: bool
    series: list[Reading] = field(default_factory=list)
    neighbour: float | None = None  # where one more step would lead, which was not taken
    _selector: Selector | None = None  # a recovery may have put another in the target's place

    def __post_init__(self) -> None:
        found, target = self.action.target, self.target
        self.element, self.snapshot = found.element, found.snapshot
        if isinstance(target, Selector) and self.element in self.snapshot.match(target):
            self._selector = target
        self.start = self.read()

    def read(self) -> float | None:
        if not self.raw:
            return number_of(self.element)
        nodes = (self.element.node, *self.snapshot.below(self.element.node))
        texts = [text for one in nodes for text in (one.value, one.text, one.description) if text]
        numbers = {found for text in texts if (found := parse_number(text)) is not None}
        return numbers.pop() if len(numbers) == 1 else None

    @property
    def value(self) -> float:
        """Raises ``StageFailed`` if it shows no number, or no longer."""
        value = self.read()
        if value is not None:
            return value
        raise self.failed(
            "SEMANTIC_MISMATCH", f"shows no number any more, after {self.series_text()}."
        )

    def failed(self, code: FailureCode, wrong: str, **facts: Any) -> StageFailed:
        """The failure that says what was wrong with the control."""
        return StageFailed.on(
            self.snapshot,
            code,
            f"{self.element.describe()} on {self.action.phone} {wrong}",
            (self.element,),
            **facts,
        )

    @property
    def is_there(self) -> bool:
        """Whether it shows the wanted number."""
        return is_near(self.value, self.to, self.tolerance)

    @property
    def reacted(self) -> bool:
        return any(reading.value != self.start for reading in self.series)

    @property
    def touches(self) -> int:
        return len(self.series)

    def series_text(self) -> str:
        return (
            "   ".join(f"{reading.gesture} → {_shown(reading.value)}" for reading in self.series)
            or "no touch"
        )

    def touch(self, gesture: str, point: Point, end: Point | None = None) -> None:
        """A tap, or a swipe to the end; then the control is read again."""
        if end is None:
            self.action.driver.tap(point)
        else:
            self.action.driver.swipe(point, end, SWIPE_SECONDS)
        self.action.observer.invalidate()
        self.snapshot = settle(self.action.context, self.snapshot).snapshot
        self.element = again(self.element, self.snapshot, self._selector)
        self.series.append(Reading(gesture, self.read()))

    def stand(self, *parts: Element) -> list[Element]:
        """These parts of it, or what belongs to it, as they are on the screen now: what still moves
        after the gesture before is waited for. Raises ``StageFailed`` if it goes on moving."""
        control, selector = self.element, self._selector

        def all_of_it(now: Snapshot) -> list[Element]:
            return [again(control, now, selector), *(again(part, now) for part in parts)]

        found = await_still(self.action.context, all_of_it, self.action.step.timeout)
        self.snapshot, (self.element, *there) = found
        return there

    def line(self) -> Line:
        """Its long side as it lies on the screen now, once it stands still. Raises ``StageFailed``
        if it does not, or none of it can be touched."""
        self.stand()
        gesture_point(self.snapshot, self.element, under_keyboard=False)
        seen, covers = self.snapshot.reach(self.element)
        (width, height), density = self.snapshot.size, self.action.query.info.density
        side, bottom = round(_SIDE_DP * density), round(_BOTTOM_DP * density)
        # without the edges that the system listens at
        calm = Rect(side, 0, width - side, height - bottom)
        return Line(seen, [cover.bounds for cover in covers], calm)


class Line:
    """The long side of the visible part of a control: positions in pixels, from the left, or from
    below where it stands upright."""

    def __init__(self, seen: Rect, covers: list[Rect], calm: Rect) -> None:
        self.seen = seen
        self._covers = covers
        self.lies = seen.width >= seen.height
        self.length = max(seen.width, seen.height)
        self.whole = (0, self.length - 1)
        if self.lies:
            first, last = calm.left - seen.left, calm.right - 1 - seen.left
        else:
            first, last = seen.bottom - calm.bottom, seen.bottom - 1 - calm.top
        inner = (max(first, 0), min(last, self.length - 1))
        self.inner = inner if inner[0] < inner[1] else self.whole

    def point(self, position: int) -> Point | None:
        """A point of the control there that nothing drawn later would catch; None if all are
        covered."""
        left, top, _, bottom = self.seen
        for share in _ACROSS:
            point = Point(left + position, top + int(self.seen.height * share))
            if not self.lies:
                point = Point(left + int(self.seen.width * share), bottom - 1 - position)
            if not any(cover.contains(point) for cover in self._covers):
                return point
        return None

    def at_share(self, share: float) -> int:
        return round(share * (self.length - 1))


def again(element: Element, snapshot: Snapshot, selector: Selector | None = None) -> Element:
    """The control on a later screen, also if its number has changed its name; in another window
    than it was in there is none. Raises ``StageFailed``."""
    located = snapshot.locate(element)
    if located.element is not None:
        return located.element
    then = element.screen or (element.family.traits if element.family is not None else None)
    here = then is None or not then.differ_on_top(snapshot.traits)
    if here and selector is not None and len(found := snapshot.match(selector)) == 1:
        return found[0]
    same = in_its_place(snapshot, element) if here else None
    if same is not None:
        return same
    raise StageFailed.on(
        snapshot,
        "STALE_REFERENCE",
        f"{element.describe()} while it was adjusted: {located.verdict}, {located.reason}",
    )


def _shown(value: float | None) -> str:
    return "no number" if value is None else f"{value:g}"


@dataclass
class Search:
    """A secant within a bracket, and bisection where the secant creeps. Positions are whole
    numbers.

    The ``inner`` part of the line is preferred: the rest, under the edges of the screen, is only
    touched where the inner part ends too early. Which way values grow is learnt; until then they
    grow with the position.
    """

    _to: float
    _start: float
    _line: Line
    _sides: list[bool] = field(default_factory=list)  # whether each observation was above ``_to``
    _contradicted: bool = False  # by one position that had two values
    observed: dict[int, float] = field(default_factory=dict)
    stop: Stop | None = None  # set where next() has none

    def __post_init__(self) -> None:
        self._outer = self._trimmed(self._line.whole)
        self._track = self._trimmed(self._line.inner)

    def _usable(self, position: int) -> bool:
        return self._line.point(position) is not None

    def note(self, position: int, value: float) -> None:
        self._contradicted |= not is_near(self.observed.get(position, value), value, 0)
        self.observed[position] = value
        self._sides.append(value > self._to)

    def next(self) -> int | None:
        """The next position to try; None, with ``stop`` set, if none is left that could have the
        value."""
        values = [self.observed[position] for position in sorted(self.observed)]
        if self._contradicted or values not in (sorted(values), sorted(values, reverse=True)):
            self.stop = "oscillates"
            return None
        position = self._best()
        if position is None and self._track != self._outer and None in self._bracket():
            self._track = self._outer  # the value is beyond the inner part
            position = self._best()
        if position is None:
            self.stop = self._reason()
        return position

    @property
    def reacted(self) -> bool:
        return any(not is_near(value, self._start, 0) for value in self.observed.values())

    def _best(self) -> int | None:
        """The position nearest to the guess of those that may have the value, are untried and can
        be touched."""
        first, last = self._interval()
        untried = [
            at for at in range(first, last + 1) if at not in self.observed and self._usable(at)
        ]
        guess = self._guess(first, last) if untried else 0
        return min(untried, key=lambda at: abs(at - guess), default=None)

    def _rises(self) -> bool | None:
        """Whether values grow with the position; None if all that was observed is alike."""
        if not self.observed:
            return None
        first, last = self.observed[min(self.observed)], self.observed[max(self.observed)]
        return None if is_near(first, last, 0) else first < last

    def _bracket(self) -> tuple[int | None, int | None]:
        """The nearest positions known to be on either side of the wanted value, in the order of
        positions."""
        falls = self._rises() is False
        before = [
            position for position, value in self.observed.items() if (value < self._to) is not falls
        ]
        after = [position for position in self.observed if position not in before]
        return max(before, default=None), min(after, default=None)

    def _interval(self) -> Span:
        """Which positions may have the value."""
        low, high = self._track
        if self._all_alike():
            untried = [end for end in (high, low) if end not in self.observed]
            ends = untried if self._to > self._start else untried[::-1]
            return (ends[0], ends[0]) if ends else (1, 0)
        before, after = self._bracket()
        return (low if before is None else before + 1), (high if after is None else after - 1)

    def _all_alike(self) -> bool:
        """Two touches and no difference: the ends of the track show whether it moves at all, and
        which way."""
        return len(self.observed) > 1 and self._rises() is None

    @property
    def _creeps(self) -> bool:
        """Whether the last two touches were on the same side of the wanted value."""
        return len(self._sides) > 2 and self._sides[-1] == self._sides[-2]

    def _guess(self, first: int, last: int) -> int:
        before, after = self._bracket()
        middle = (first + last) // 2
        if first == last or not self.observed:
            return middle
        if before is not None and after is not None:
            return middle if self._creeps else self._on_line(before, after)
        if self._creeps:
            return last if before is not None else first
        if len(self.observed) > 1:
            return self._on_line(min(self.observed), max(self.observed))
        ((position, value),) = self.observed.items()
        low = self._track[0]  # as if the track began at zero, as most do
        return low + round((position - low) * self._to / value) if value > 0 else middle

    def _on_line(self, one: int, other: int) -> int:
        """Where the line through two observations has the wanted value."""
        low, high = self.observed[one], self.observed[other]
        return round(one + (self._to - low) / (high - low) * (other - one))

    def _trimmed(self, track: Span) -> Span:
        """Without the ends that cannot be touched."""
        low, high = track
        while low <= high and not self._usable(low):
            low += 1
        while high > low and not self._usable(high):
            high -= 1
        return low, high

    def _reason(self) -> Stop:
        before, after = self._bracket()
        first, last = self._interval()
        if any(position not in self.observed for position in range(first, last + 1)):
            return "covered"
        if before is None or after is None:
            wanted_end = 1 if before is not None else 0
            if self._outer[wanted_end] != self._line.whole[wanted_end]:
                return "covered"
            return "end" if self.reacted and not self._all_alike() else "stuck"
        return "between"


MOST_TOUCHES = 24  # a bisection of a screen's width takes eleven
_SLOP_DP = 12  # a finger that moves less has not moved, with a margin
_THUMB_DP = 20  # as small as thumbs are


def tap_track(control: Control) -> Stop | None:
    """Touches the track until the value is there. None for that, else why there is nowhere left to
    touch."""

    def move(line: Line, position: int) -> None:
        control.touch(f"tap at {position} px", _point(line, position))

    return _converge(control, move)


def drag_thumb(control: Control) -> Stop | None:
    """Drags the thumb, for a track that takes no touches."""
    return _converge(control, _Thumb(control).drag_to)


def _converge(control: Control, move: Callable[[Line, int], None]) -> Stop | None:
    """Brings the finger to one position of the track after another."""
    line, start = control.line(), control.value if control.start is None else control.start
    search = Search(control.to, start, line)
    while not control.is_there:
        if len(search.observed) >= MOST_TOUCHES:
            return "oscillates"
        position = search.next()
        if position is None:
            return search.stop
        move(line, position)
        if control.is_there:
            return None
        before, line = line, control.line()
        if line.length != before.length:  # a track of another length has other values
            search = Search(control.to, start, line)
        else:
            search.note(position, control.value)
    return None


class _Thumb:
    """Where the thumb is: unknown until a drag has moved the value, from then on where that drag
    ended."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._at: int | None = None
        density = control.action.query.info.density
        self._slop = round(_SLOP_DP * density)
        self._thumb = max(round(_THUMB_DP * density), 1)

    def drag_to(self, line: Line, position: int) -> None:
        if self._at is not None:
            self._drag(line, self._at, position)
            self._at = position
            return
        for grip in self._grips(line):
            before = self._control.value
            self._drag(line, grip, position)
            if not is_near(self._control.value, before, 0):
                self._at = position
                return

    def _grips(self, line: Line) -> list[int]:
        """Where the value says that it is, where the range is known, else all along the track, its
        ends first and what lies under the edges of the screen last."""
        known = self._control.element.value_range
        if known is not None and known.max > known.min:
            share = (self._control.value - known.min) / (known.max - known.min)
            return [line.at_share(min(max(share, 0.0), 1.0))]
        low, high = line.inner
        between = range(low + self._thumb, high, self._thumb)
        return [
            grip
            for grip in dict.fromkeys((low, high, *between, *line.whole))
            if line.point(grip) is not None
        ]

    def _drag(self, line: Line, start: int, end: int) -> None:
        """A way too short to count as a drag is made in two, by way of a place farther off."""
        if abs(end - start) < self._slop:
            away = min(start + 4 * self._slop, line.inner[1])
            if away - max(start, end) < self._slop:
                away = max(start - 4 * self._slop, line.inner[0])
            self._swipe(line, start, away)
            start, line = away, self._control.line()
        self._swipe(line, start, end)

    def _swipe(self, line: Line, start: int, end: int) -> None:
        self._control.touch(f"drag {start} px to {end} px", _point(line, start), _point(line, end))


def _point(line: Line, position: int) -> Point:
    point = line.point(position)
    assert point is not None, "the search knows the points that can be touched"
    return point
