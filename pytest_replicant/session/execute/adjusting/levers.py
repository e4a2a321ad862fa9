"""What moves a value by a step: buttons for less and more, halves of a control, swipes in one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .numbers import is_near

if TYPE_CHECKING:
    from .control import Control
    from .search import Stop

MOST_PRESSES = 60
MOST_ALIKE = 2  # times that one thing is pressed at one value: once to learn, once to come back


@dataclass(frozen=True)
class Stepper:
    """``hint`` is what it looks like: 1 for more, -1 for less, 0 where nothing tells. ``key`` knows it again on
    the next screen, ``press`` uses it there."""

    key: str
    hint: int
    press: Callable[[], None]
    enabled: bool = True


def press_until(
    control: Control, levers: Callable[[], Sequence[Stepper]], to: float, tolerance: float
) -> Stop | None:
    """Presses what brings the value nearer, reading after each press; how far each goes is learnt. None where the
    value is there, else why nothing more is pressed."""
    learnt: dict[str, list[float]] = {}
    pressed: Counter[tuple[float, str]] = Counter()
    while not is_near(value := control.value, to, tolerance):
        if control.touches >= MOST_PRESSES:
            return "oscillates"
        lever = _best(levers(), learnt, value, to)
        if lever is None:
            return _reason(control, levers(), learnt, to)
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
