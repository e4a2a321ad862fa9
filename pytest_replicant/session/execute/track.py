"""Setting a value: by touches on a track or drags of its thumb, and by steps: buttons, halves, or swipes in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from ...model import Element, Node, Point, Strings, ancestors
from ...snapshots import Snapshot
from ..reachability import gesture_point, not_interactable
from .control import Control, Line, is_near, number_of, parse_number

Stop = Literal["between", "end", "oscillates", "stuck", "covered"]
"""Why there is nowhere left to touch: the value lies between two that are there, beyond the last one, is not to be
pinned down, never changed, or the part of the track that has it is covered."""
Span = tuple[int, int]
"""First and last position, both included; none where the first is the greater."""


class Search:
    """A secant within a bracket, and bisection where the secant creeps. Positions are whole numbers.

    ``inner`` is the part of the track that is preferred: the rest, under the edges of the screen, is only touched
    where the inner part ends too early. Which way values grow is learnt; until then they grow with the position.
    ``usable`` says of a position whether it can be touched.
    """

    def __init__(
        self,
        to: float,
        start: float,
        track: Span,
        inner: Span | None = None,
        usable: Callable[[int], bool] = lambda position: True,
    ) -> None:
        self._to = to
        self._start = start
        self._whole = track
        self._usable = usable
        self._outer = self._trimmed(track)
        self._track = self._trimmed(inner or track)
        self._sides: list[bool] = []  # of each observation, whether it was above the wanted value
        self._contradicted = False
        self.observed: dict[int, float] = {}
        self.stop: Stop | None = None  # set where next() has none

    def note(self, position: int, value: float) -> None:
        known = self.observed.get(position)
        self._contradicted |= known is not None and not is_near(known, value, 0)
        self.observed[position] = value
        self._sides.append(value > self._to)

    def next(self) -> int | None:
        """The next position to try; None, with ``stop`` set, if none is left that could have the value."""
        if self._is_contradicted():
            self.stop = "oscillates"
            return None
        position = self._best()
        if position is None and self._reach_under_the_edges():
            position = self._best()
        if position is None:
            self.stop = self._reason()
        return position

    @property
    def reacted(self) -> bool:
        return any(not is_near(value, self._start, 0) for value in self.observed.values())

    def _best(self) -> int | None:
        first, last = self._interval()
        if first > last:
            return None
        return self._usable_near(min(max(self._guess(first, last), first), last), first, last)

    def _rises(self) -> bool | None:
        """Whether values grow with the position; None where all that was observed is alike."""
        least = min(self.observed, key=lambda position: self.observed[position], default=0)
        most = max(self.observed, key=lambda position: self.observed[position], default=0)
        if least == most or is_near(self.observed[least], self.observed[most], 0):
            return None
        return least < most

    def _bracket(self) -> tuple[int | None, int | None]:
        """The nearest positions known to be on either side of the wanted value, in the order of positions."""
        below = [position for position, value in self.observed.items() if value < self._to]
        above = [position for position, value in self.observed.items() if value >= self._to]
        before, after = (above, below) if self._rises() is False else (below, above)
        return max(before, default=None), min(after, default=None)

    def _is_contradicted(self) -> bool:
        """One position had two values, or values do not lie in the order of their positions."""
        values = [self.observed[position] for position in sorted(self.observed)]
        return self._contradicted or (values != sorted(values) and values != sorted(values, reverse=True))

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
        """Two touches and no difference: the ends of the track show whether it moves at all, and which way."""
        return len(self.observed) > 1 and self._rises() is None

    def _guess(self, first: int, last: int) -> int:
        before, after = self._bracket()
        middle = (first + last) // 2
        creeps = len(self._sides) > 2 and self._sides[-1] == self._sides[-2]
        if before is not None and after is not None:
            return middle if creeps else round(self._between(before, after))
        if not self.observed:
            return middle
        if creeps:
            return last if before is not None else first
        return self._extrapolated() if len(self.observed) > 1 else self._from_zero(middle)

    def _from_zero(self, otherwise: int) -> int:
        """From one observation, as if the track began at zero, as most do."""
        ((position, value),) = self.observed.items()
        low = self._track[0]
        return low + round((position - low) * self._to / value) if value > 0 else otherwise

    def _between(self, one: int, other: int) -> float:
        low, high = self.observed[one], self.observed[other]
        return one + (self._to - low) / (high - low) * (other - one)

    def _extrapolated(self) -> int:
        """Along the line through the two observations farthest apart."""
        one, other = min(self.observed), max(self.observed)
        slope = (self.observed[other] - self.observed[one]) / (other - one)
        nearest = min(self.observed, key=lambda position: abs(self.observed[position] - self._to))
        return round(nearest + (self._to - self.observed[nearest]) / slope) if slope else self._track[1]

    def _usable_near(self, wanted: int, first: int, last: int) -> int | None:
        for away in range(last - first + 1):
            for position in (wanted - away, wanted + away):
                if first <= position <= last and position not in self.observed and self._usable(position):
                    return position
        return None

    def _trimmed(self, track: Span) -> Span:
        """Without the ends that cannot be touched."""
        low, high = track
        while low <= high and not self._usable(low):
            low += 1
        while high > low and not self._usable(high):
            high -= 1
        return low, high

    def _reach_under_the_edges(self) -> bool:
        """Widens the track, once, where the value is beyond its inner part."""
        before, after = self._bracket()
        if self._track == self._outer or (before is not None and after is not None):
            return False
        self._track = self._outer
        return True

    def _reason(self) -> Stop:
        before, after = self._bracket()
        first, last = self._interval()
        if any(position not in self.observed for position in range(first, last + 1)):
            return "covered"
        if before is None or after is None:
            wanted_end = 1 if before is not None else 0
            if self._outer[wanted_end] != self._whole[wanted_end]:
                return "covered"
            return "end" if self.reacted and not self._all_alike() else "stuck"
        return "between"


MOST_TOUCHES = 24  # a bisection of a screen's width takes eleven
_SLOP_DP = 12  # a finger that moves less has not moved, with a margin
_THUMB_DP = 20  # as small as thumbs are
Move = Callable[["Line", int], None]
"""Brings the finger to a position of the line."""


def tap_track(control: Control, to: float, tolerance: float) -> Stop | None:
    """Touches the track until the value is there. None for that, else why there is nowhere left to touch."""

    def move(line: Line, position: int) -> None:
        control.touch(f"tap at {position} px", _point(line, position))

    return _converge(control, to, tolerance, move)


def drag_thumb(control: Control, to: float, tolerance: float) -> Stop | None:
    """Drags the thumb, for a track that takes no touches."""
    return _converge(control, to, tolerance, _Thumb(control).drag_to)


def _converge(control: Control, to: float, tolerance: float, move: Move) -> Stop | None:
    line = control.line()
    search = _search_of(control, line, to)
    while not is_near(control.value, to, tolerance):
        if len(search.observed) >= MOST_TOUCHES:
            return "oscillates"
        position = search.next()
        if position is None:
            return search.stop
        move(line, position)
        if is_near(control.value, to, tolerance):
            return None
        before, line = line, control.line()
        if line.length != before.length:  # a track of another length has other values
            search = _search_of(control, line, to)
        else:
            search.note(position, control.value)
    return None


def _search_of(control: Control, line: Line, to: float) -> Search:
    start = control.value if control.start is None else control.start
    return Search(to, start, line.whole, line.inner, lambda position: line.point(position) is not None)


class _Thumb:
    """Where the thumb is: unknown until a drag has moved the value, from then on where that drag ended."""

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
        """Where the value says that it is, where the range is known, else all along the track, its ends first and
        what lies under the edges of the screen last."""
        known = self._control.element.value_range
        if known is not None and known.max > known.min:
            share = (self._control.value - known.min) / (known.max - known.min)
            return [line.at_share(min(max(share, 0.0), 1.0))]
        low, high = line.inner
        between = range(low + self._thumb, high, self._thumb)
        everywhere = (low, high, *between, *line.whole)
        return [grip for grip in dict.fromkeys(everywhere) if line.point(grip) is not None]

    def _drag(self, line: Line, start: int, end: int) -> None:
        """A way too short to count as a drag is made in two, by way of a place farther off."""
        if abs(end - start) < self._slop:
            roomy = min(start + 4 * self._slop, line.inner[1])
            away = roomy if roomy - max(start, end) >= self._slop else max(start - 4 * self._slop, line.inner[0])
            self._swipe(line, start, away)
            start, line = away, self._control.line()
        self._swipe(line, start, end)

    def _swipe(self, line: Line, start: int, end: int) -> None:
        self._control.touch(f"drag {start} px to {end} px", _point(line, start), _point(line, end))


def _point(line: Line, position: int) -> Point:
    point = line.point(position)
    assert point is not None, "the search knows the points that can be touched"
    return point


MOST_PRESSES = 60
MOST_ALIKE = 2  # times that one thing is pressed at one value: once to learn, once to come back


@dataclass(frozen=True)
class Stepper:
    """``hint`` is what it looks like: 1 for more, -1 for less, 0 where it is unknown. ``key`` knows it again on
    the next screen, ``press`` uses it there."""

    key: str
    hint: int
    press: Callable[[], None]
    enabled: bool = True


Levers = Callable[["Control"], Sequence[Stepper]]
"""What can be pressed on the screen as it is now."""


def press_until(control: Control, to: float, tolerance: float, levers: Levers) -> Stop | None:
    """Presses what brings the value nearer, reading after each press; how far each goes is learnt. None where the
    value is there, else why nothing more is pressed."""
    learnt: dict[str, list[float]] = {}
    pressed: Counter[tuple[float, str]] = Counter()
    while not is_near(value := control.value, to, tolerance):
        if control.touches >= MOST_PRESSES:
            return "oscillates"
        lever = _best(levers(control), learnt, value, to)
        if lever is None:
            return _reason(control, levers(control), learnt, to)
        pressed[value, lever.key] += 1
        if pressed[value, lever.key] > MOST_ALIKE:
            return "oscillates"
        lever.press()
        learnt.setdefault(lever.key, []).append(control.value - value)
    return None


def _best(levers: Sequence[Stepper], learnt: dict[str, list[float]], value: float, to: float) -> Stepper | None:
    """Of those known to bring it nearer the one that does most; else one not tried yet that may."""
    usable = [lever for lever in levers if lever.enabled]
    known = {lever.key: value + _jump(learnt[lever.key]) for lever in usable if lever.key in learnt}
    nearer = [lever for lever in usable if lever.key in known and abs(to - known[lever.key]) < abs(to - value)]
    if nearer and not any(_is_spent(learnt[lever.key]) for lever in nearer):
        return min(nearer, key=lambda lever: abs(to - known[lever.key]))
    wanted = 1 if to > value else -1
    untried = [lever for lever in usable if lever.key not in learnt]
    untried = untried[::-wanted]  # the last of several is the likelier one for more
    return next((lever for hint in (wanted, 0) for lever in untried if lever.hint == hint), None)


def _jump(moves: list[float]) -> float:
    """What it usually does: a clock's hour goes from 23 to 0 once a day."""
    return Counter(moves).most_common(1)[0][0]


def _is_spent(moves: list[float]) -> bool:
    return moves[-1] == 0


def _reason(control: Control, levers: Sequence[Stepper], learnt: dict[str, list[float]], to: float) -> Stop:
    value = control.value
    moves = [_jump(made) for made in learnt.values() if _jump(made) and not _is_spent(made)]
    too_far = [value + move for move in moves if (value + move > to) == (to > value)]
    if too_far:
        control.neighbour = min(too_far, key=lambda there: abs(there - to))
        return "between"
    return "end" if control.reacted or any(not lever.enabled for lever in levers) else "stuck"


_MORE_SIGNS = frozenset("+＋➕∧▲△⌃")
_LESS_SIGNS = frozenset("-−–—－➖∨▼▽⌄")
_MORE_WORDS = frozenset({"increase", "increment", "plus", "inc"})
_LESS_WORDS = frozenset({"decrease", "decrement", "minus", "dec"})
_UPWARD = frozenset({"more", "up", "higher", "raise"})  # said of many things: they count in pairs, and alone
_DOWNWARD = frozenset({"less", "fewer", "down", "lower"})
_LEVELS = 3  # how far above the number the buttons' common parent may be
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_JUMP = re.compile(r"[-+−＋]\s*\d+(?:[.,]\d+)?\Z")


def steppers_of(control: Control) -> list[Stepper]:
    """Its own buttons on the screen as it is now; empty where it has none, or where several might be its."""
    found = buttons_of(control.snapshot, control.element)
    keys = [_keys(button, hint) for button, hint in found]
    times = Counter(key for each in keys for key in each)
    return [
        _stepper(control, button, hint, next((key for key in keys[place] if times[key] == 1), f"{place}"))
        for place, (button, hint) in enumerate(found)
    ]


def buttons_of(snapshot: Snapshot, element: Element) -> list[tuple[Element, int]]:
    """Each with what it looks like: 1 for more, -1 for less, 0 where it is unknown, as on number pickers. A
    button in or next to something that is no stepper counts only where it looks like one of the two: others may
    delete or buy."""
    inside = [button for button in _clickable(snapshot, element.node) if not button.states.editable]
    if element.semantic_role == "stepper" and inside:
        return [(button, _hint(button) or _by_number(button, element)) for button in inside]
    found = _signed(inside)
    for above in islice(ancestors(snapshot.nodes, element.node), _LEVELS):
        if found:
            break
        around = [button for button in _clickable(snapshot, above) if button is not element]
        found = _signed([button for button in around if _beside(button, element)])
    looks = [(button.label, button.resource_id) for button, _ in found]
    return found if len(looks) == len(set(looks)) else []


def _signed(buttons: list[Element]) -> list[tuple[Element, int]]:
    plain = [(button, hint) for button in buttons if (hint := _hint(button))]
    pairs = [(button, hint) for button in buttons if (hint := _one_word(button))]
    return plain or (pairs if {hint for _, hint in pairs} == {1, -1} else [])


def _hint(button: Element) -> int:
    """By a sign, a jump such as +10, the first word, or the id."""
    label = button.label.strip()
    if label in _MORE_SIGNS or (_JUMP.match(label) and label[0] in _MORE_SIGNS):
        return 1
    if label in _LESS_SIGNS or (_JUMP.match(label) and label[0] in _LESS_SIGNS):
        return -1
    words = [*_WORD.findall(label)[:1], *_WORD.findall(button.resource_id.rpartition("/")[2])]
    return _direction_by([word.lower() for word in words], _MORE_WORDS, _LESS_WORDS)


def _one_word(button: Element) -> int:
    return _direction_by([button.label.strip().lower()], _UPWARD, _DOWNWARD)


def _by_number(button: Element, number: Element) -> int:
    """A picker's buttons show the values next to its own."""
    own, shown = parse_number(button.label), number_of(number)
    return 0 if own is None or shown is None or own == shown else 1 if own > shown else -1


def _direction_by(words: list[str], more: frozenset[str], less: frozenset[str]) -> int:
    return next((1 if word in more else -1 for word in words if word in more or word in less), 0)


def _clickable(snapshot: Snapshot, above: Node) -> list[Element]:
    return [element for element in snapshot.elements_in(above) if element.node.clickable]


def _beside(button: Element, number: Element) -> bool:
    """In the same row or column as the number: in a list, those of the other rows are not."""
    one, other = button.bounds, number.bounds
    row = min(one.bottom, other.bottom) > max(one.top, other.top)
    column = min(one.right, other.right) > max(one.left, other.left)
    gap = max(one.top - other.bottom, other.top - one.bottom)
    return row or (column and gap <= other.height)


def _keys(button: Element, hint: int) -> Strings:
    """What it is known again by, best first: one of several may come and go, as the button for less at none."""
    return tuple(key for key in (button.resource_id, f"hint {hint}" if hint else "") if key)


def _stepper(control: Control, button: Element, hint: int, key: str) -> Stepper:
    def press() -> None:
        (now,) = control.stand(button)
        control.touch(f'tap "{button.label}"', gesture_point(control.snapshot, now))

    return Stepper(key, hint, press, button.states.enabled is not False)


_LESS, _MORE = 0.25, 0.75  # of its long side: the middle of each half
_NEAR_END, _FAR_END = 0.2, 0.8


def tap_halves(control: Control, to: float, tolerance: float) -> Stop | None:
    """Touches the half for more, or for less. Where touching the same place again does no more, the place itself
    has a value: then it is a track."""
    stop = press_until(control, to, tolerance, _halves)
    return tap_track(control, to, tolerance) if stop is not None and _is_track(control, _halves) else stop


def swipe_inside(control: Control, to: float, tolerance: float) -> Stop | None:
    """Swipes along it, one way for more and the other for less; where it is the end of the swipe that counts, to
    the place that has the value."""
    stop = press_until(control, to, tolerance, _swipes)
    return drag_thumb(control, to, tolerance) if stop is not None and _is_track(control, _swipes) else stop


def _is_track(control: Control, levers: Levers) -> bool:
    """Whether one gesture leads to one value, wherever it began: a step leads on. Tried once more to see, where no
    gesture was made twice."""
    if not control.reacted:
        return False
    made = [reading.gesture for reading in control.series]
    if len(set(made)) == len(made):
        next(lever for lever in levers(control) if lever.key == made[-1]).press()
    values = [control.start, *(reading.value for reading in control.series)]
    led_to: dict[str, tuple[float | None, float | None]] = {}  # by gesture: from where, to where
    for reading, before in zip(control.series, values, strict=False):
        known = led_to.setdefault(reading.gesture, (before, reading.value))
        if known[0] != before:
            return known[1] == reading.value
    return False


def _halves(control: Control) -> list[Stepper]:
    line = control.line()
    less, more = ("left half", "right half") if line.lies else ("lower half", "upper half")
    return [
        _along(control, line, -1, f"tap on the {less}", _LESS),
        _along(control, line, 1, f"tap on the {more}", _MORE),
    ]


def _swipes(control: Control) -> list[Stepper]:
    line = control.line()
    return [
        _along(control, line, hint, f"swipe from {start:.0%} to {end:.0%}", start, end)
        for hint, start, end in ((-1, _FAR_END, _NEAR_END), (1, _NEAR_END, _FAR_END))
    ]


def _along(control: Control, line: Line, hint: int, gesture: str, *shares: float) -> Stepper:
    """A touch at that part of its long side, or a swipe from one part to another."""
    return Stepper(gesture, hint, lambda: control.touch(gesture, *(_at(control, line, each) for each in shares)))


def _at(control: Control, line: Line, share: float) -> Point:
    point = line.point(line.at_share(share))
    if point is None:
        raise not_interactable(control.snapshot, control.element, "a part of it is covered")
    return point
