"""Whether two runs stood on the same screen. In doubt they did: content that changes is no divergence."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .passage import Place, steadied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .passage import PassageStep

_ALIKE = 0.5
"""Share of lines that two screens without a title have in common where they are the same one."""


def same_place(then: Place, now: Place, *, same_platform: bool = True) -> bool:
    """Screens of different platforms are told apart by their titles alone."""
    if not _known(then) or not _known(now):
        return True
    if not same_platform:
        return not (then.name and now.name) or steadied(then.name) == steadied(now.name)
    if then.key and then.key == now.key:
        return True
    if then.app and now.app and then.app != now.app:
        return False
    if then.outline and now.outline and steadied(then.dialog) != steadied(now.dialog):
        return False
    if then.name and now.name:
        return steadied(then.name) == steadied(now.name)
    return likeness(then.outline, now.outline) >= _ALIKE


def _known(place: Place) -> bool:
    return bool(place.name or place.key)


def likeness(then: Sequence[str], now: Sequence[str]) -> float:
    """From 0 to 1; 0 where one of them is not at hand."""
    before, after = Counter(map(steadied, then)), Counter(map(steadied, now))
    most = max(sum(before.values()), sum(after.values()))
    return sum((before & after).values()) / most if before and after else 0.0


def changed_lines(then: Sequence[str], now: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines that are new, and those that are gone, as they stood; what only moved is neither."""
    return _beyond(now, then), _beyond(then, now)


def _beyond(lines: Sequence[str], others: Sequence[str]) -> list[str]:
    left = Counter(map(steadied, others))
    beyond = []
    for line in lines:
        what = steadied(line)
        if left[what] > 0:
            left[what] -= 1
        elif what:
            beyond.append(line.strip().removeprefix("- "))
    return beyond


def reached(steps: Sequence[PassageStep]) -> list[Place]:
    """Where each step led: the screen on which the checks and waits after it ended, if there were any. An app that
    takes its time shows the old screen right after an action."""
    places: list[Place] = []
    latest = Place()
    for index in range(len(steps) - 1, -1, -1):
        step = steps[index]
        if not _known(latest):
            latest = step.after
        places.append(latest)
        if step.kind == "action":
            latest = Place()
    return places[::-1]
