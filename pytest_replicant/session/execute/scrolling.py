"""Swiping, scrolling, and scrolling until an element shows."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from ...errors import DeviceTimeout, ProtocolError, SnapshotError
from ...model import Failure, Rect
from ..actionability import resolve
from ..arguments import describe
from ..reachability import OFF_SCREEN, Unfit
from ..screen_text import format_screen
from ..stabilize.reads import settle, settled_now
from ..step import StageFailed
from .swiping import (
    NUDGE,
    OPPOSITE,
    REACH,
    Direction,
    Still,
    has_moved,
    path_in,
    scroll_path,
    scroller,
    scrolling_part,
    sweep_again,
    sweep_surely,
    swipe,
    views_of,
)
from .touch import screen_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model import Element, Point
    from ...snapshots import Snapshot
    from ..arguments import Target
    from ..step import ActionContext, Dispatch


def swipe_across(direction: Direction) -> Dispatch:
    """The finger moves that way, across the target or the whole screen."""

    def send(action: ActionContext) -> Mapping[str, Any]:
        area = action.target.element.bounds if action.resolved else screen_of(action)
        start, end = scroll_path(area, OPPOSITE[direction])
        swipe(action, start, end)
        return _path_facts(start, end, direction)

    return send


def scroll(direction: Direction, *, timeout: float, sure: bool) -> Dispatch:
    """One swipe that shows what lies in that direction, in the target or the largest that scrolls. Where it has to
    be ``sure``, a swipe that moved nothing is followed by a second, shorter one, and says ``reached_end``."""

    def send(action: ActionContext) -> Mapping[str, Any]:
        snapshot, box = _box(action, direction, timeout)
        start, end = path_in(snapshot, box, direction, REACH)
        swipe(action, start, end)
        facts = _path_facts(start, end, direction)
        if not sure:
            return facts
        if _moves_at_once(action, snapshot, box):
            return {**facts, "reached_end": False}
        after = settle(action.context, snapshot).snapshot
        if has_moved(snapshot, after, box):
            return {**facts, "reached_end": False}
        again = sweep_again(action, snapshot, after, box, direction, timeout=timeout)
        return {**facts, "swipes": again.swipes, "reached_end": not again.moved}

    return send


def _box(action: ActionContext, direction: Direction, timeout: float) -> tuple[Snapshot, Element]:
    """What to scroll, awaited where none was named."""
    if action.resolved:
        return action.target.snapshot, scrolling_part(action.target.snapshot, action.target.element, direction)
    clock = action.context.clock
    deadline = clock.now() + timeout
    while True:
        snapshot = settled_now(action.context)
        try:
            return snapshot, scroller(action, snapshot, None, direction)
        except StageFailed:
            if clock.now() >= deadline:
                raise
        action.context.observer.invalidate()  # what stands still is looked at again, not remembered


def _moves_at_once(action: ActionContext, before: Snapshot, box: Element) -> bool:
    """Whether the very next read shows it elsewhere: that it moved is known then, and where to is read later."""
    try:
        return has_moved(before, action.context.observer.read().snapshot, box)
    except (SnapshotError, DeviceTimeout, ProtocolError):  # read again as it settles
        return False


def _path_facts(start: Point, end: Point, direction: Direction) -> dict[str, Any]:
    return {"from": [start.x, start.y], "to": [end.x, end.y], "direction": direction}


_ENOUGH_DP = 48  # of an element at the edge of a list: half of what a finger needs, and all of a line of text
_LEAST_PX = 4  # less than this at the end of a list is nothing that anybody could see


class Seek:
    """Swipes until the target shows. That it is disabled or covered is for the next action to say. Every
    swipe is followed by a settled read; two that move nothing end the list."""

    def __init__(
        self,
        target: Target,
        *,
        container: Target | None,
        direction: Direction,
        max_swipes: int,
        timeout: float,
    ) -> None:
        self._target = target
        self._container = container
        self._direction = direction
        self._max_swipes = max_swipes
        self._timeout = timeout
        self._covered = False  # by something else, where it was found last
        self._off_screen = False  # though the platform lists it, as iOS lists all of a page

    def send(self, action: ActionContext) -> Mapping[str, Any]:
        snapshot = settled_now(action.context)
        deadline = action.context.clock.now() + self._timeout
        swipes = 0
        while True:
            element = self._found(action, snapshot)
            way = self._still_to_go(action, snapshot, element)
            if element is not None and way is None:
                return {"swipes": swipes, "found": element.describe()}
            if swipes >= self._max_swipes:
                moved = ", and it still moved" if swipes else ""
                raise self._missing(
                    action,
                    snapshot,
                    element,
                    f"max_swipes={self._max_swipes}{moved}",
                    "a larger max_swipes goes on, and ",
                )
            box = self._box(action, snapshot)
            if box is None:
                if action.context.clock.now() >= deadline:
                    what = "screen" if self._container is None else "list"
                    raise self._missing(
                        action,
                        snapshot,
                        element,
                        f"the edge of a {what} that does not scroll",
                        "go to the screen that has it, or: ",
                    )
                snapshot = settle(action.context, None).snapshot
                continue
            reach = REACH if element is None else NUDGE
            swept = sweep_surely(action, snapshot, box, way or self._direction, timeout=self._timeout, reach=reach)
            swipes += swept.swipes
            if not swept.moved:
                return self._at_the_end(action, swept.snapshot, swipes)
            snapshot = swept.snapshot

    def _found(self, action: ActionContext, snapshot: Snapshot) -> Element | None:
        """The target where it is listed at all. Raises ``StageFailed`` where scrolling does not help: for several
        matches, and for a ref that was never printed."""
        self._covered = self._off_screen = False
        try:
            return resolve(action.context.observer, snapshot, self._target)
        except StageFailed as failed:
            if failed.final:
                raise
            if failed.failure.code != "ELEMENT_NOT_INTERACTABLE":
                return None
            self._off_screen = isinstance(failed, Unfit) and failed.why == OFF_SCREEN
            self._covered = not self._off_screen
            return failed.failure.element

    def _box(self, action: ActionContext, snapshot: Snapshot) -> Element | None:
        try:
            return scroller(action, snapshot, self._container, self._direction)
        except Still:
            return None

    def _still_to_go(self, action: ActionContext, snapshot: Snapshot, element: Element | None) -> Direction | None:
        """Which way to scroll on: None where the target shows well enough. A line of pixels at the edge is not."""
        if element is None:
            return self._direction
        if self._covered:
            return None
        upright = self._direction in ("up", "down")
        onward: Direction = "down" if upright else "right"
        low, high = _span(element.bounds, upright)
        for first, last in (_span(view, upright) for view in views_of(snapshot, element)):
            shown = min(high, last) - max(low, first)
            enough = min(_ENOUGH_DP * (action.query.info.density or 1), (last - first) / 2)
            if shown < enough and (low <= first or high >= last):
                return onward if high >= last else OPPOSITE[onward]
        return self._direction if self._off_screen else None

    def _at_the_end(self, action: ActionContext, snapshot: Snapshot, swipes: int) -> Mapping[str, Any]:
        """The list goes no further: what shows of the target now is all that will."""
        element = self._found(action, snapshot)
        if element is None:
            raise self._missing(action, snapshot, None, f"the end of the list, after {swipes} swipes")
        seen = reduce(Rect.intersect, views_of(snapshot, element), element.bounds)
        if min(seen.width, seen.height) < _LEAST_PX:
            raise self._missing(action, snapshot, element, f"the end of the list, after {swipes} swipes")
        return {"swipes": swipes, "found": element.describe()}

    def _missing(
        self, action: ActionContext, snapshot: Snapshot, element: Element | None, where: str, first: str = ""
    ) -> StageFailed:
        """``first`` is advice that comes before that of looking the other way."""
        hint = f'{first}direction="{OPPOSITE[self._direction]}" looks the other way'
        inside = f" in {describe(self._container)}" if self._container is not None else ""
        what = "not there" if element is None else f"no more than an edge of {element.describe()} shows"
        message = (
            f"ELEMENT_NOT_FOUND  scroll_to {describe(self._target)} on {action.uri}: {what}, "
            f"{self._direction}{inside} up to {where}. Next: {hint}.\n{format_screen(snapshot)}"
        )
        return StageFailed(Failure("ELEMENT_NOT_FOUND", message), snapshot)


def _span(rect: Rect, upright: bool) -> tuple[int, int]:
    return (rect.top, rect.bottom) if upright else (rect.left, rect.right)
