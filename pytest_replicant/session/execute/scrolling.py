"""Swiping, scrolling, and scrolling until an element shows: the path of the finger, and whether anything moved.

Of content taller than its scroller the hierarchy gives the bounds of the part that shows, the same wherever it is
scrolled to: only pictures tell whether that moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from ... import vision  # whose modules wait until a picture is looked at
from ...errors import DeviceError, DeviceTimeout, ProtocolError, SnapshotError
from ...model import AnyDict, Element, Node, Point, Rect
from ...snapshots import Snapshot
from ..actionability import resolve
from ..advice import advised
from ..arguments import Target, describe
from ..reachability import OFF_SCREEN, Unfit
from ..stabilize.panes import content_in
from ..stabilize.reads import settle, settled_now
from ..step import ActionContext, Details, Dispatch, StageFailed, failure_on
from .scrollers import (
    OPPOSITE,
    Direction,
    Way,
    is_upright,
    located,
    scroller,
    scroller_around,
    scrolling_part,
    viewport,
    views_of,
)
from .touch import screen_of

if TYPE_CHECKING:
    from PIL.Image import Image


SWIPE_SECONDS = 0.3
REACH = 0.7  # how much of a container one scroll moves; the rest keeps a landmark in view
NUDGE = 0.35  # of it, where a whole one did not help or would be too much
_LANES = (0.5, 0.3, 0.7, 0.12, 0.88)  # where across the container the finger may go, the middle first
_BACK = 0.12  # of it, to see whether moving it shows: too little to pull a list that renews itself at its top
_SLOWLY = 0.8  # seconds, so that it does not run on by itself
END_UNKNOWN = "whether that was its end is not known, as it looks the same wherever it is scrolled to"


@dataclass(frozen=True)
class Swept:
    """One swipe, or a few, and what came of it. ``blind``: it went on, and nothing says how far; where that is not
    ``known`` either, it may have been at its end."""

    snapshot: Snapshot
    moved: bool
    swipes: int = 1
    blind: bool = False
    known: bool = True


# --- the swipe -----------------------------------------------------------------------------------------------


def sweep(
    action: ActionContext,
    snapshot: Snapshot,
    box: Element,
    direction: Direction,
    *,
    reach: float = REACH,
    seconds: float = SWIPE_SECONDS,
    sure: bool = True,
) -> Swept:
    """One swipe in ``box``, and the settled screen after it. That it moved nothing is no proof, as a phone may
    drop a swipe: to be ``sure``, a second, shorter one decides, once nothing loads any more."""
    snapshot, box = _at_hand(action, snapshot, box)
    start, end = path_in(snapshot, box, direction, reach)
    swipe(action, start, end, seconds)
    after = settle(action.context, snapshot).snapshot
    moved = has_moved(snapshot, after, box)
    if not moved and shows_no_edge(after, box, direction):
        return _sweep_by_sight(action, after, box, direction, seconds)
    return Swept(after, moved) if moved or not sure else sweep_again(action, snapshot, after, box, direction)


def screen_now(action: ActionContext) -> Snapshot:
    """The screen as it stands, read just now: a list is swiped where it is, not where it was."""
    snapshot, observer = settled_now(action.context), action.observer
    if observer.just_read():
        return snapshot
    now = observer.read().snapshot
    return now if observer.volatile.agreed(observer.row()) else settle(action.context, None).snapshot


def _at_hand(action: ActionContext, snapshot: Snapshot, box: Element) -> tuple[Snapshot, Element]:
    """The screen, and the list on it, by a read that is young enough for a gesture. Raises ``StageFailed`` where
    the list has gone meanwhile."""
    if action.observer.just_read():
        return snapshot, box
    now = screen_now(action)
    there = located(now, box)
    if there is None:
        wrong = f"{box.describe()} on {action.phone} is not on the screen any more. It was not swiped."
        raise StageFailed.on(now, "STALE_REFERENCE", wrong, element=box)
    return now, there


def _sweep_by_sight(
    action: ActionContext, snapshot: Snapshot, box: Element, direction: Direction, seconds: float
) -> Swept:
    """One more swipe, judged by pictures, as the hierarchy cannot tell. Two that differ say that it goes on. Two
    that are the same say little: all of it may look the same, or be black, or be still for a swipe that the phone
    dropped. So it is moved back a little: where that shows, and a longer swipe leads to the same picture again,
    that is the end."""
    before = sight_of(action, snapshot, box, direction)
    ahead = _swiped(action, snapshot, box, direction, NUDGE, seconds)
    if has_moved(snapshot, ahead, box):
        return Swept(ahead, True, swipes=2)
    there = sight_of(action, ahead, box, direction)
    if before is None or there is None:
        return Swept(ahead, True, swipes=2, blind=True, known=False)
    if not is_same(before, there):
        return Swept(ahead, True, swipes=2, blind=True)
    back = _swiped(action, ahead, box, OPPOSITE[direction], _BACK, _SLOWLY)
    known = has_moved(ahead, back, box) or not _looks(action, back, box, direction, there)
    again = _loaded(action, _swiped(action, back, box, direction, NUDGE, seconds))
    if has_moved(ahead, again, box):
        return Swept(again, True, swipes=4)
    goes_on = not known or not _looks(action, again, box, direction, there)
    return Swept(again, goes_on, swipes=4, blind=goes_on, known=known)


def _swiped(
    action: ActionContext, snapshot: Snapshot, box: Element, direction: Direction, reach: float, seconds: float
) -> Snapshot:
    """The settled screen after one more swipe."""
    snapshot, box = _at_hand(action, snapshot, located(snapshot, box) or box)  # a picture takes its time
    start, end = path_in(snapshot, box, direction, reach)
    swipe(action, start, end, seconds)
    return settle(action.context, snapshot).snapshot


def _looks(action: ActionContext, snapshot: Snapshot, box: Element, direction: Direction, like: Sight) -> bool:
    now = sight_of(action, snapshot, box, direction)
    return now is not None and is_same(now, like)


def sweep_again(
    action: ActionContext, snapshot: Snapshot, after: Snapshot, box: Element, direction: Direction
) -> Swept:
    """The second look at a swipe that moved nothing: at what has loaded since, or a shorter swipe."""
    loaded = _loaded(action, after)
    if has_moved(snapshot, loaded, box):
        return Swept(loaded, True)
    now, seconds = located(loaded, box) or box, 2 * SWIPE_SECONDS
    again = sweep(action, loaded, now, direction, reach=NUDGE, seconds=seconds, sure=False)
    if again.blind:
        return replace(again, swipes=1 + again.swipes)
    loaded = again.snapshot if again.moved else _loaded(action, again.snapshot)
    return Swept(loaded, has_moved(snapshot, loaded, box), swipes=2)


def swipe(action: ActionContext, start: Point, end: Point, seconds: float = SWIPE_SECONDS) -> None:
    action.observer.note_swipe(start, end)
    action.driver.swipe(start, end, seconds)
    action.observer.invalidate()


def _loaded(action: ActionContext, snapshot: Snapshot) -> Snapshot:
    """The screen once nothing loads, or the time is over: lists get longer at their end."""
    expired = action.timer()
    while snapshot.loading and not expired():
        snapshot = settle(action.context, None).snapshot
    return snapshot


def note_end(action: ActionContext, swept: Swept, box: Element, direction: Direction) -> None:
    """Remembers the end of a list that was reached, for checks that something is gone from there."""
    there = located(swept.snapshot, box) if not swept.moved and swept.known else None
    if there is not None:
        action.observer.history.note_end(swept.snapshot, there.node, direction)


def has_moved(before: Snapshot, after: Snapshot, box: Element) -> bool:
    """Whether the content of a scroller lies elsewhere in it, or is another; where the scroller itself lies does
    not count, and neither do clocks and progress."""
    now = located(after, box)
    return now is None or _content(before, box) != _content(after, now)


def _content(snapshot: Snapshot, box: Element) -> list[object]:
    left, top = box.bounds.left, box.bounds.top
    return [(sign, node.bounds.shifted(-left, -top)) for node, sign in content_in(snapshot, box.node)]


def path_in(snapshot: Snapshot, box: Element, direction: Direction, reach: float) -> tuple[Point, Point]:
    """Where the finger goes down and up: inside the box, and where it goes down nothing else that scrolls, or
    that is moved by a finger, would take it."""
    area = viewport(snapshot, box)
    inner = [
        node.bounds
        for node in snapshot.below(box.node)
        if node.states.scrollable or node.class_name.endswith(("SeekBar", "Slider"))
    ]
    for part in (reach, reach / 2):
        for lane in _LANES:
            start, end = scroll_path(area, direction, part, lane, reach)
            if not any(rect.contains(start) for rect in inner):
                return start, end
    return scroll_path(area, direction, reach)


def scroll_path(
    area: Rect, direction: Direction, reach: float = REACH, lane: float = 0.5, whole: float | None = None
) -> tuple[Point, Point]:
    """Start and end of the finger, inside the area: from half of ``reach`` before the middle to half of ``whole``
    behind it, in a lane at that part of the other side."""
    upright, sign = is_upright(direction), 1 if direction in ("down", "right") else -1
    length = area.height if upright else area.width
    near = sign * int(length * reach / 2)
    far = sign * int(length * (reach if whole is None else whole) / 2)
    x, y = area.center
    if upright:
        x = area.left + int(area.width * lane)
        return Point(x, y + near), Point(x, y - far)
    y = area.top + int(area.height * lane)
    return Point(x + near, y), Point(x - far, y)


# --- the actions -----------------------------------------------------------------------------------------------


def swipe_across(direction: Direction) -> Dispatch:
    """The finger moves that way, across the target or the whole screen."""

    def send(action: ActionContext) -> Details:
        area = action.target.element.bounds if action.resolved else screen_of(action)
        start, end = scroll_path(area, OPPOSITE[direction])
        swipe(action, start, end)
        return _path_facts(start, end, direction)

    return send


def scroll(direction: Direction) -> Dispatch:
    """One swipe that shows what lies in that direction, in the target or the largest that scrolls. Unless the
    action is silent, a swipe that moved nothing is followed by a second, shorter one, and says ``reached_end``."""

    def send(action: ActionContext) -> Details:
        snapshot, box = _box(action, direction)
        start, end = path_in(snapshot, box, direction, REACH)
        swipe(action, start, end)
        facts = _path_facts(start, end, direction)
        if action.step.silent:
            return facts
        if _moves_at_once(action, snapshot, box):
            return {**facts, "reached_end": False}
        after = settle(action.context, snapshot).snapshot
        if has_moved(snapshot, after, box):
            return {**facts, "reached_end": False}
        if shows_no_edge(after, box, direction):
            swept = _sweep_by_sight(action, after, box, direction, SWIPE_SECONDS)
        else:
            swept = sweep_again(action, snapshot, after, box, direction)
        unknown = {} if swept.known else {"end_unknown": END_UNKNOWN}
        note_end(action, swept, box, direction)
        return {**facts, "swipes": swept.swipes, "reached_end": not swept.moved, **unknown}

    return send


def _box(action: ActionContext, direction: Direction) -> tuple[Snapshot, Element]:
    """What to scroll, awaited if none was named."""
    if action.resolved:
        return action.target.snapshot, scrolling_part(action.target.snapshot, action.target.element, direction)
    expired = action.timer()
    while True:
        snapshot = screen_now(action)
        try:
            return snapshot, scroller(action, snapshot, None, direction)
        except StageFailed:
            if expired():
                raise
        action.observer.invalidate()  # what stands still is looked at again, not remembered


def _moves_at_once(action: ActionContext, before: Snapshot, box: Element) -> bool:
    """Whether the very next read shows it elsewhere: that it moved is known then, and where to is read later."""
    try:
        return has_moved(before, action.observer.read().snapshot, box)
    except (SnapshotError, DeviceTimeout, ProtocolError):  # read again as it settles
        return False


def _path_facts(start: Point, end: Point, direction: Direction) -> AnyDict:
    return {"from": [start.x, start.y], "to": [end.x, end.y], "direction": direction}


_ENOUGH_DP = 48  # of an element at the edge of a list: half of what a finger needs, and all of a line of text
_LEAST_PX = 4  # less than this at the end of a list is nothing that anybody could see


class Seek:
    """Swipes until the target shows. That it is disabled or covered is for the next action to say. Every
    swipe is followed by a settled read; two that move nothing end the list."""

    def __init__(self, target: Target, way: Way) -> None:
        self._target = target
        self._way = way
        self._covered = False  # by something else, where it was found last
        self._off_screen = False  # though the platform lists it, as iOS lists all of a page

    def send(self, action: ActionContext) -> Details:
        snapshot, box = screen_now(action), None
        expired = action.timer()
        most, swipes, known = self._way.max_swipes, 0, True
        while True:
            element = self._found(action, snapshot)
            onward = self._still_to_go(action, snapshot, element)
            if element is not None and onward is None:
                return {"swipes": swipes, "found": element.describe()}
            if swipes >= most:
                still = ", and it still moved" if known else f"; {END_UNKNOWN}"
                where = f"max_swipes={most}{still if swipes else ''}"
                raise self._missing(action, snapshot, element, where, "a larger max_swipes goes on, and ")
            box = self._around(snapshot, element) or self._way.box(action, snapshot, box)
            if box is None:
                if expired():
                    first = "go to the screen that has it, or: "
                    raise self._missing(action, snapshot, element, self._way.no_way, first)
                snapshot = settle(action.context, None).snapshot
                continue
            reach = REACH if element is None else NUDGE
            swept = sweep(action, snapshot, box, onward or self._way.direction, reach=reach)
            swipes, known = swipes + swept.swipes, swept.known
            if not swept.moved:
                note_end(action, swept, box, onward or self._way.direction)
                return self._at_the_end(action, swept.snapshot, swipes)
            snapshot = swept.snapshot

    def _around(self, snapshot: Snapshot, element: Element | None) -> Element | None:
        """The list in which the target lies, where it is listed already and none was named."""
        if element is None or self._way.container is not None:
            return None
        return scroller_around(snapshot, element.node, self._way.direction)

    def _found(self, action: ActionContext, snapshot: Snapshot) -> Element | None:
        """The target where it is listed at all. Raises ``StageFailed`` where scrolling does not help: for several
        matches, and for a ref that was never printed."""
        self._covered = self._off_screen = False
        try:
            return resolve(action.observer, snapshot, self._target)
        except StageFailed as failed:
            if failed.final:
                raise
            if failed.failure.code != "ELEMENT_NOT_INTERACTABLE":
                return None
            self._off_screen = isinstance(failed, Unfit) and failed.why == OFF_SCREEN
            self._covered = not self._off_screen
            return failed.failure.element

    def _still_to_go(self, action: ActionContext, snapshot: Snapshot, element: Element | None) -> Direction | None:
        """Which way to scroll on: None where the target shows well enough. A line of pixels at the edge is not."""
        if element is None:
            return self._way.direction
        if self._covered:
            return None
        upright = is_upright(self._way.direction)
        onward: Direction = "down" if upright else "right"
        low, high = span(element.bounds, upright)
        for first, last in (span(view, upright) for view in views_of(snapshot, element)):
            shown = min(high, last) - max(low, first)
            enough = min(_ENOUGH_DP * (action.query.info.density or 1), (last - first) / 2)
            if shown < enough and (low <= first or high >= last):
                return onward if high >= last else OPPOSITE[onward]
        return self._way.direction if self._off_screen else None

    def _at_the_end(self, action: ActionContext, snapshot: Snapshot, swipes: int) -> Details:
        """The list goes no further: what shows of the target now is all that will."""
        element = self._found(action, snapshot)
        if element is not None:
            seen = reduce(Rect.intersect, views_of(snapshot, element), element.bounds)
            if min(seen.width, seen.height) >= _LEAST_PX:
                return {"swipes": swipes, "found": element.describe()}
        raise self._missing(action, snapshot, element, f"the end of the list, after {swipes} swipes")

    def _missing(
        self, action: ActionContext, snapshot: Snapshot, element: Element | None, where: str, first: str = ""
    ) -> StageFailed:
        """``first`` is advice that comes before that of looking the other way."""
        direction, container = self._way.direction, self._way.container
        inside = f" in {describe(container)}" if container is not None else ""
        beyond = f"; {snapshot.limit}, and it may lie deeper" if snapshot.cut else ""
        what = f"not there{beyond}" if element is None else f"no more than an edge of {element.describe()} shows"
        advice = f'{first}direction="{OPPOSITE[direction]}" looks the other way'
        wrong = f"{what}, {direction}{inside} up to {where}."
        failure = failure_on(snapshot, "ELEMENT_NOT_FOUND", wrong, advice=(advice,))
        if element is None:
            failure = advised(action.observer, snapshot, self._target, failure)
        return StageFailed(failure, snapshot)


_FULL = 0.12  # of a scroller at its edges: what reaches into both fills it
_BAR = 1 / 16  # of its width at each side, where scroll bars come and go
_LISTS = ("RecyclerView", "ListView", "GridView", "Table", "CollectionView", "Outline", "Browser")


def shows_no_edge(snapshot: Snapshot, box: Element, direction: Direction) -> bool:
    """Whether its content may have moved although all bounds are as before: on Android where something fills it
    from edge to edge, and may be cut at both; anywhere if nothing in it is listed, unless it is a list without
    rows. An iPhone's bounds reach beyond what shows, and move with it."""
    now = located(snapshot, box)
    if now is None:
        return False
    upright, area = is_upright(direction), viewport(snapshot, now)
    leaves = [node for node in _leaves(snapshot, now) if _shows(node, area)]
    if not leaves:
        return bool(now.node.children) or not now.class_name.endswith(_LISTS)
    return snapshot.platform == "android" and any(_fills(node, area, upright) for node in leaves)


def _leaves(snapshot: Snapshot, box: Element) -> Iterator[Node]:
    for node in snapshot.below(box.node):
        if node.visible and not node.children and not node.bounds.is_empty:
            yield node


def _shows(node: Node, area: Rect) -> bool:
    return not node.bounds.intersect(area).is_empty


def _fills(node: Node, area: Rect, upright: bool) -> bool:
    first, last = span(area, upright)
    low, high = span(node.bounds, upright)
    slack = (last - first) * _FULL
    return low <= first + slack and high >= last - slack


def span(rect: Rect, upright: bool) -> tuple[int, int]:
    """From where to where it reaches along the way that is scrolled."""
    return (rect.top, rect.bottom) if upright else (rect.left, rect.right)


@dataclass(frozen=True)
class Sight:
    """A picture of what a scroller shows, and what in it is no part of what fills it: a heading that sticks, a
    button that floats, a ticker."""

    image: Image
    covers: tuple[Rect, ...]


def sight_of(action: ActionContext, snapshot: Snapshot, box: Element, direction: Direction) -> Sight | None:
    """None where the phone gives no picture, or none of this."""
    now = located(snapshot, box)
    area = viewport(snapshot, now) if now is not None else None
    if now is None or area is None or area.is_empty:
        return None
    try:
        picture = action.context.picture(snapshot)
    except DeviceError:
        return None
    upright = is_upright(direction)
    bar = int((area.width if upright else area.height) * _BAR)
    margin = (bar, 0) if upright else (0, bar)
    seen = Rect(area.left + margin[0], area.top + margin[1], area.right - margin[0], area.bottom - margin[1])
    image = vision.opened(picture)
    scale = image.width / max(snapshot.size[0], 1)
    covers = [node.bounds.shifted(-seen.left, -seen.top) for node in _over(snapshot, now, area, upright)]
    return Sight(image.crop(seen.scaled(scale)), tuple(cover.scaled(scale) for cover in covers))


def _over(snapshot: Snapshot, box: Element, area: Rect, upright: bool) -> Iterator[Node]:
    """What lies in a scroller besides what fills it, or over it; a view over all of it is a clear one."""
    inside = snapshot.inside(box.node)
    for node in snapshot.nodes:
        if node.children or not node.visible or not _shows(node, area):
            continue
        if node.index in inside:
            if not _fills(node, area, upright):
                yield node
        elif (node.index > box.index or node.window != box.node.window) and not node.bounds.encloses(area):
            yield node


def is_same(one: Sight, other: Sight) -> bool:
    """Whether both show the same, apart from what was no part of it in either."""
    from PIL import ImageChops, ImageDraw

    if one.image.size != other.image.size:
        return False
    difference = ImageChops.difference(one.image, other.image)
    pen = ImageDraw.Draw(difference)
    for left, top, right, bottom in one.covers + other.covers:
        pen.rectangle((left - 1, top - 1, right, bottom), fill=0)
    return difference.getbbox() is None
