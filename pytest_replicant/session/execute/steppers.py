"""Setting a value step by step: by buttons for less and more, halves of a control, or swipes in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from ...model import Element, Node, Point, ancestors
from ...snapshots import Snapshot
from ..element_state import elements_in
from ..reachability import gesture_point, not_interactable
from .control import Control, Line, is_near, number_of, parse_number
from .track import Stop, drag_thumb, tap_track

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
    return [element for element in elements_in(snapshot, above) if element.node.clickable]


def _beside(button: Element, number: Element) -> bool:
    """In the same row or column as the number: in a list, those of the other rows are not."""
    one, other = button.bounds, number.bounds
    row = min(one.bottom, other.bottom) > max(one.top, other.top)
    column = min(one.right, other.right) > max(one.left, other.left)
    gap = max(one.top - other.bottom, other.top - one.bottom)
    return row or (column and gap <= other.height)


def _keys(button: Element, hint: int) -> tuple[str, ...]:
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
