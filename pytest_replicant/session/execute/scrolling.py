"""Swiping, scrolling, and scrolling until an element shows: what to move, the path of the finger, and whether
anything moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from io import BytesIO
from itertools import pairwise
from typing import Any, Literal

from ...errors import DeviceError, DeviceTimeout, ProtocolError, SnapshotError, TargetError
from ...model import Element, Node, Point, Rect, ancestors, descendants
from ...snapshots import Snapshot, mask_progress, scrolls
from ..actionability import resolve
from ..arguments import Target, describe
from ..element_state import elements_in
from ..reachability import OFF_SCREEN, Unfit, not_interactable
from ..stabilize.reads import settle, settled_now
from ..step import ActionContext, Dispatch, StageFailed
from .touch import screen_of

Direction = Literal["up", "down", "left", "right"]

OPPOSITE: dict[Direction, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}
SWIPE_SECONDS = 0.3
REACH = 0.7  # how much of a container one scroll moves; the rest keeps a landmark in view
NUDGE = 0.35  # of it, where a whole one did not help or would be too much
_LANES = (0.5, 0.3, 0.7, 0.12, 0.88)  # where across the container the finger may go, the middle first
_FULL = 0.12  # of a scroller at its edges: what reaches into both fills it
_EQUAL = 0.9  # of the area of the largest scroller: one nearly as large may be meant as well
_MOSTLY = 0.6  # of its area: a scroller so full of another one is only its frame
_SIDEWAYS = ("HorizontalScrollView", "ViewPager", "ViewPager2")


class Still(StageFailed):
    """What was to be scrolled is there, and does not scroll."""


@dataclass(frozen=True)
class Way:
    """Where to scroll, which way, and how often at most. Without a ``container`` the largest that scrolls so."""

    container: Target | None
    direction: Direction
    max_swipes: int

    def box(self, action: ActionContext, snapshot: Snapshot) -> Element | None:
        """What to swipe on this screen; None where it does not scroll."""
        try:
            return scroller(action, snapshot, self.container, self.direction)
        except Still:
            return None

    @property
    def no_way(self) -> str:
        """How far one gets where nothing scrolls."""
        return f"the edge of a {'screen' if self.container is None else 'list'} that does not scroll"


@dataclass(frozen=True)
class Swept:
    """One swipe, or two, and what came of it. ``blind``: it went on, and nothing says how far."""

    snapshot: Snapshot
    moved: bool
    swipes: int = 1
    blind: bool = False


# --- what to move --------------------------------------------------------------------------------------------


def scroller(action: ActionContext, snapshot: Snapshot, container: Target | None, direction: Direction) -> Element:
    """The container that was named, or the largest that scrolls that way; a named one that does not scroll
    stands for the largest inside it. Raises ``StageFailed``."""
    if container is None:
        found = _largest(snapshot, [e for e in snapshot.elements if e.states.scrollable], direction)
        if found is not None:
            return found
        raise Still.on(snapshot, "ELEMENT_NOT_FOUND", f"nothing on this screen of {action.uri} scrolls.")
    try:
        return scrolling_part(snapshot, resolve(action.context.observer, snapshot, container), direction)
    except StageFailed as failed:
        if isinstance(failed, Still) or not _is_listed(snapshot, container):
            raise
    raise Still.on(snapshot, "ELEMENT_NOT_FOUND", f"{describe(container)} on {action.uri} does not scroll.")


def _is_listed(snapshot: Snapshot, container: Target) -> bool:
    """Whether it is there at all: a list with room for all that is in it is nothing that anybody could touch."""
    try:
        return bool(snapshot.outline(within=container))
    except TargetError:
        return False


def scrolling_part(snapshot: Snapshot, element: Element, direction: Direction) -> Element:
    """The element, or the largest in it that scrolls. Raises ``StageFailed`` where nothing does."""
    if element.states.scrollable is not False:
        return element
    inner = [e for e in elements_in(snapshot, element.node) if e.states.scrollable]
    found = _largest(snapshot, inner, direction)
    if found is None:
        why = "it does not scroll; name a list, or none for the largest"
        raise Still(not_interactable(snapshot, element, why).failure, snapshot)
    return found


def _largest(snapshot: Snapshot, choice: Sequence[Element], direction: Direction) -> Element | None:
    """By area, among those that scroll that way where that is known; inside one that is only a frame, the one
    that fills it."""
    sideways = direction in ("left", "right")
    fitting = [e for e in choice if goes_sideways(snapshot, e) is sideways] or list(choice)
    if not fitting:
        return None
    best = max(fitting, key=lambda e: e.bounds.area)
    inside = {node.index for node in descendants(snapshot.nodes, best.node)}
    around = {node.index for node in ancestors(snapshot.nodes, best.node)}
    rivals = [e for e in fitting if e is not best and e.node.index not in inside | around]
    equal = [e for e in rivals if e.bounds.area >= _EQUAL * best.bounds.area]
    if equal:
        wrong = (
            f"{len(equal) + 1} of about the same size scroll {direction} here, and nothing was moved.\n"
            "Next: name the one that is meant, by container=."
        )
        raise StageFailed.on(snapshot, "AMBIGUOUS_TARGET", wrong, (best, *equal), final=True)
    inner = [e for e in fitting if e.node.index in inside and e.bounds.area >= _MOSTLY * best.bounds.area]
    return _largest(snapshot, inner, direction) if inner else best


def goes_sideways(snapshot: Snapshot, element: Element) -> bool:
    """By its class, else by how its children lie: two that begin at one height lie side by side."""
    if element.class_name.endswith(_SIDEWAYS):
        return True
    children = [snapshot.nodes[index].bounds for index in element.node.children]
    apart = [one for one, other in pairwise(children) if one.right <= other.left]
    return len(children) > 1 and len(apart) == len(children) - 1


def viewport(snapshot: Snapshot, element: Element) -> Rect:
    """Where the content of a scroller shows: its own bounds, as far as they are on the screen and no keyboard
    lies over them."""
    width, height = snapshot.size
    area = element.bounds.intersect(Rect(0, 0, width, height)) if width and height else element.bounds
    keyboard = snapshot.keyboard
    if keyboard is not None and keyboard.top > area.top:
        area = Rect(area.left, area.top, area.right, min(area.bottom, keyboard.top))
    return area


def views_of(snapshot: Snapshot, element: Element) -> list[Rect]:
    """The viewports that an element is seen through: of every scroller around it, and the screen."""
    by_index = {e.node.index: e for e in snapshot.elements}
    around = [node for node in ancestors(snapshot.nodes, element.node) if scrolls(node) and node.index in by_index]
    return [*(viewport(snapshot, by_index[node.index]) for node in around), Rect(0, 0, *snapshot.size)]


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
    start, end = path_in(snapshot, box, direction, reach)
    swipe(action, start, end, seconds)
    after = settle(action.context, snapshot).snapshot
    moved = has_moved(snapshot, after, box)
    if not moved and shows_no_edge(after, box, direction):
        return _sweep_by_sight(action, after, box, direction, seconds)
    return Swept(after, moved) if moved or not sure else sweep_again(action, snapshot, after, box, direction)


def shows_no_edge(snapshot: Snapshot, box: Element, direction: Direction) -> bool:
    """Whether nothing in a scroller begins or ends in sight, as where one text is taller than that: its bounds are
    those of the part that shows, and stay the same however far it is scrolled."""
    now = located(snapshot, box)
    if now is None:
        return False
    upright, area = direction in ("up", "down"), viewport(snapshot, now)
    first, last = _span(area, upright)
    slack = (last - first) * _FULL
    spans = [_span(node.bounds, upright) for node in descendants(snapshot.nodes, now.node) if _is_content(node)]
    seen = [(low, high) for low, high in spans if low < last and high > first]
    clipped = [first <= low <= first + slack and last - slack <= high <= last for low, high in seen]
    return any(clipped) or not seen


def _is_content(node: Node) -> bool:
    return node.visible and not node.children and not node.bounds.is_empty


def _sweep_by_sight(
    action: ActionContext, snapshot: Snapshot, box: Element, direction: Direction, seconds: float
) -> Swept:
    """One more swipe, judged by pictures, as the hierarchy cannot tell: two that are the same prove that nothing
    moved, unless it looks the same everywhere. Two that differ prove little, and the list counts as one that goes
    on."""
    before = _picture(action)
    start, end = path_in(snapshot, located(snapshot, box) or box, direction, NUDGE)
    swipe(action, start, end, seconds)
    after = settle(action.context, snapshot).snapshot
    seen = has_moved(snapshot, after, box)
    moved = seen or before is None or before != _picture(action) or _is_blank(before, snapshot, box, direction)
    return Swept(after, moved, swipes=2, blind=moved and not seen)


def _is_blank(picture: bytes, snapshot: Snapshot, box: Element, direction: Direction) -> bool:
    """Whether a list that has something in it looks the same however far it is scrolled."""
    now = located(snapshot, box)
    if now is None or next(iter(descendants(snapshot.nodes, now.node)), None) is None:
        return False
    from PIL import Image, ImageChops  # a run that never comes here needs no Pillow

    with Image.open(BytesIO(picture)) as image:
        scale = image.width / max(snapshot.size[0], 1)
        area = viewport(snapshot, now)
        inner = (area.left + area.width // 4, area.top + 8, area.right - area.width // 4, area.bottom - 8)
        part = image.convert("RGB").crop(tuple(round(each * scale) for each in inner))
    across, down = (0, 1) if direction in ("up", "down") else (1, 0)
    shifted = part.crop((across, down, part.width, part.height))
    return ImageChops.difference(part.crop((0, 0, *shifted.size)), shifted).getbbox() is None


def _picture(action: ActionContext) -> bytes | None:
    try:
        return action.query.screenshot()
    except DeviceError:
        return None


def sweep_again(
    action: ActionContext, snapshot: Snapshot, after: Snapshot, box: Element, direction: Direction
) -> Swept:
    """The second look at a swipe that moved nothing: at what has loaded since, or a shorter swipe."""
    loaded = _loaded(action, after)
    if has_moved(snapshot, loaded, box):
        return Swept(loaded, True)
    now, seconds = located(loaded, box) or box, 2 * SWIPE_SECONDS
    again = sweep(action, loaded, now, direction, reach=NUDGE, seconds=seconds, sure=False)
    loaded = again.snapshot if again.moved else _loaded(action, again.snapshot)
    return Swept(loaded, has_moved(snapshot, loaded, box), swipes=2)


def swipe(action: ActionContext, start: Point, end: Point, seconds: float = SWIPE_SECONDS) -> None:
    action.touched += [start, end]
    action.context.observer.note_swipe(sideways=abs(end.x - start.x) > abs(end.y - start.y))
    action.driver.swipe(start, end, seconds)
    action.context.observer.invalidate()


def _loaded(action: ActionContext, snapshot: Snapshot) -> Snapshot:
    """The screen once nothing loads, or the time is over: lists get longer at their end."""
    expired = action.timer()
    while snapshot.loading and not expired():
        snapshot = settle(action.context, None).snapshot
    return snapshot


def has_moved(before: Snapshot, after: Snapshot, box: Element) -> bool:
    """Whether the content of a scroller lies elsewhere in it, or is another; where the scroller itself lies does
    not count, and neither do clocks and progress."""
    now = located(after, box)
    return now is None or _content(before, box) != _content(after, now)


def located(snapshot: Snapshot, box: Element) -> Element | None:
    """The same scroller on another screen."""
    found = snapshot.locate(box).element
    if found is not None:
        return found
    alike = [e for e in snapshot.elements if e.class_name == box.class_name and e.bounds == box.bounds]
    return alike[0] if len(alike) == 1 else None


def content_of(snapshot: Snapshot, box: Element) -> Iterator[tuple[Node, tuple[str, ...]]]:
    """Every node in a scroller that takes up room, with what it looks like; clocks and progress masked."""
    for node in descendants(snapshot.nodes, box.node):
        if not node.bounds.is_empty:
            texts = mask_progress(node.text), mask_progress(node.description)
            yield node, (node.class_name, node.resource_id, *texts)


def _content(snapshot: Snapshot, box: Element) -> list[object]:
    left, top = box.bounds.left, box.bounds.top
    return [(sign, node.bounds.shifted(-left, -top)) for node, sign in content_of(snapshot, box)]


def path_in(snapshot: Snapshot, box: Element, direction: Direction, reach: float) -> tuple[Point, Point]:
    """Where the finger goes down and up: inside the box, and where it goes down nothing else that scrolls, or
    that is moved by a finger, would take it."""
    area = viewport(snapshot, box)
    inner = [
        node.bounds
        for node in descendants(snapshot.nodes, box.node)
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
    x, y = area.left + int(area.width * lane), area.top + int(area.height * lane)
    center = area.center
    behind = reach if whole is None else whole
    near = (int(area.width * reach / 2), int(area.height * reach / 2))
    far = (int(area.width * behind / 2), int(area.height * behind / 2))
    ends = {
        "down": (Point(x, center.y + near[1]), Point(x, center.y - far[1])),
        "up": (Point(x, center.y - near[1]), Point(x, center.y + far[1])),
        "right": (Point(center.x + near[0], y), Point(center.x - far[0], y)),
        "left": (Point(center.x - near[0], y), Point(center.x + far[0], y)),
    }
    return ends[direction]


# --- the actions -----------------------------------------------------------------------------------------------


def swipe_across(direction: Direction) -> Dispatch:
    """The finger moves that way, across the target or the whole screen."""

    def send(action: ActionContext) -> Mapping[str, Any]:
        area = action.target.element.bounds if action.resolved else screen_of(action)
        start, end = scroll_path(area, OPPOSITE[direction])
        swipe(action, start, end)
        return _path_facts(start, end, direction)

    return send


def scroll(direction: Direction) -> Dispatch:
    """One swipe that shows what lies in that direction, in the target or the largest that scrolls. Unless the
    action is silent, a swipe that moved nothing is followed by a second, shorter one, and says ``reached_end``."""

    def send(action: ActionContext) -> Mapping[str, Any]:
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
            by_sight = _sweep_by_sight(action, after, box, direction, SWIPE_SECONDS)
            return {**facts, "swipes": by_sight.swipes, "reached_end": not by_sight.moved}
        again = sweep_again(action, snapshot, after, box, direction)
        return {**facts, "swipes": again.swipes, "reached_end": not again.moved}

    return send


def _box(action: ActionContext, direction: Direction) -> tuple[Snapshot, Element]:
    """What to scroll, awaited where none was named."""
    if action.resolved:
        return action.target.snapshot, scrolling_part(action.target.snapshot, action.target.element, direction)
    expired = action.timer()
    while True:
        snapshot = settled_now(action.context)
        try:
            return snapshot, scroller(action, snapshot, None, direction)
        except StageFailed:
            if expired():
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

    def __init__(self, target: Target, way: Way) -> None:
        self._target = target
        self._way = way
        self._covered = False  # by something else, where it was found last
        self._off_screen = False  # though the platform lists it, as iOS lists all of a page

    def send(self, action: ActionContext) -> Mapping[str, Any]:
        snapshot = settled_now(action.context)
        expired = action.timer()
        most, swipes = self._way.max_swipes, 0
        while True:
            element = self._found(action, snapshot)
            onward = self._still_to_go(action, snapshot, element)
            if element is not None and onward is None:
                return {"swipes": swipes, "found": element.describe()}
            if swipes >= most:
                where = f"max_swipes={most}{', and it still moved' if swipes else ''}"
                raise self._missing(action, snapshot, element, where, "a larger max_swipes goes on, and ")
            box = self._way.box(action, snapshot)
            if box is None:
                if expired():
                    first = "go to the screen that has it, or: "
                    raise self._missing(action, snapshot, element, self._way.no_way, first)
                snapshot = settle(action.context, None).snapshot
                continue
            reach = REACH if element is None else NUDGE
            swept = sweep(action, snapshot, box, onward or self._way.direction, reach=reach)
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

    def _still_to_go(self, action: ActionContext, snapshot: Snapshot, element: Element | None) -> Direction | None:
        """Which way to scroll on: None where the target shows well enough. A line of pixels at the edge is not."""
        if element is None:
            return self._way.direction
        if self._covered:
            return None
        upright = self._way.direction in ("up", "down")
        onward: Direction = "down" if upright else "right"
        low, high = _span(element.bounds, upright)
        for first, last in (_span(view, upright) for view in views_of(snapshot, element)):
            shown = min(high, last) - max(low, first)
            enough = min(_ENOUGH_DP * (action.query.info.density or 1), (last - first) / 2)
            if shown < enough and (low <= first or high >= last):
                return onward if high >= last else OPPOSITE[onward]
        return self._way.direction if self._off_screen else None

    def _at_the_end(self, action: ActionContext, snapshot: Snapshot, swipes: int) -> Mapping[str, Any]:
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
        wrong = (
            f"scroll_to {describe(self._target)} on {action.uri}: {what}, {direction}{inside} up to {where}. "
            f'Next: {first}direction="{OPPOSITE[direction]}" looks the other way.'
        )
        return StageFailed.on(snapshot, "ELEMENT_NOT_FOUND", wrong)


def _span(rect: Rect, upright: bool) -> tuple[int, int]:
    return (rect.top, rect.bottom) if upright else (rect.left, rect.right)
