"""Swiping and scrolling: what scrolls, the path of the finger, and whether anything moved.

Of content taller than its scroller the hierarchy gives the bounds of the part that shows, the same
wherever it is scrolled to: only pictures tell whether that moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from ... import vision  # whose modules wait until a picture is looked at
from ...drivers import Platform
from ...errors import DeviceError, DeviceTimeout, ProtocolError, SnapshotError, TargetError
from ...model import AnyDict, Element, Node, Point, Rect, Selector, ancestors
from ...snapshots import Snapshot, for_platform
from ..actionability import resolve
from ..arguments import Target, describe
from ..reachability import not_interactable
from ..stabilize.panes import Pane, Sign, in_view
from ..stabilize.reads import settle, settled_now
from ..step import ActionContext, Details, Dispatch, StageFailed
from .touch import screen_of

if TYPE_CHECKING:
    from PIL.Image import Image

Direction = Literal["up", "down", "left", "right"]

OPPOSITE: dict[Direction, Direction] = {
    "up": "down",
    "down": "up",
    "left": "right",
    "right": "left",
}
MOST_SWIPES = 200  # each way, through a list that is longer than its visible part
SWIPE_SECONDS = 0.3
REACH = 0.7  # how much of a container one scroll moves; the rest keeps a landmark in view
NUDGE = 0.35  # of it, where a whole one did not help or would be too much
# where across the container the finger may go, the middle first
_LANES = (0.5, 0.3, 0.7, 0.12, 0.88)
# of it, to see whether moving it shows: too little to pull a list that renews itself at its top
_BACK = 0.12
SLOWLY = 0.8  # seconds, so that it does not run on by itself
_FULL = 0.12  # of a scroller at its edges: what reaches into both fills it
_BAR = 1 / 16  # of its width at each side, where scroll bars come and go
_LISTS = ("RecyclerView", "ListView", "GridView", "Table", "CollectionView", "Outline", "Browser")
END_UNKNOWN = (
    "whether that was its end is not known, as it looks the same wherever it is scrolled to"
)


@dataclass(frozen=True)
class Swept:
    """One swipe, or a few, and what came of it. ``blind``: it went on, and nothing says how far;
    where that is not ``known`` either, it may have been at its end."""

    snapshot: Snapshot
    moved: bool
    swipes: int = 1
    blind: bool = False
    known: bool = True


@dataclass(frozen=True)
class Sight:
    """A picture of what a scroller shows, and what in it is no part of what fills it: a heading
    that sticks, a button that floats, a ticker."""

    image: Image
    covers: tuple[Rect, ...]


@dataclass(frozen=True, eq=False)
class Scroller:
    """A list, or a page, as one screen shows it, and the way to go in it."""

    action: ActionContext
    snapshot: Snapshot
    box: Element
    direction: Direction

    @cached_property
    def area(self) -> Rect:
        """Where its content shows: its own bounds, as far as they are on the screen and under no
        keyboard."""
        return in_view(self.snapshot, self.box.bounds)

    @property
    def upright(self) -> bool:
        return is_upright(self.direction)

    @property
    def length(self) -> int:
        """How much of its content shows, in pixels along the way."""
        return self.area.height if self.upright else self.area.width

    @property
    def back(self) -> Scroller:
        """The same, the other way."""
        return replace(self, direction=OPPOSITE[self.direction])

    def on(self, snapshot: Snapshot) -> Scroller | None:
        """The same on another screen; None if it is not known again."""
        box = located(snapshot, self.box)
        return replace(self, snapshot=snapshot, box=box) if box is not None else None

    def still_on(self, snapshot: Snapshot) -> Scroller:
        """The same on another screen, where it was if it is not known again."""
        return self.on(snapshot) or replace(self, snapshot=snapshot)

    def has_moved(self, after: Snapshot) -> bool:
        """Whether its content lies elsewhere in it, or is another; where the scroller itself lies
        does not count, and neither do clocks and progress."""
        now = self.on(after)
        return now is None or now._places != self._places

    @cached_property
    def content(self) -> list[tuple[Node, Sign]]:
        """Every node in it that takes up room, with what it looks like."""
        return list(Pane(self.snapshot, self.box.node).content)

    @property
    def _places(self) -> list[object]:
        left, top = self.box.bounds.left, self.box.bounds.top
        return [(sign, node.bounds.shifted(-left, -top)) for node, sign in self.content]

    # --- the swipe --------------------------------------------------------------------------------

    def sweep(
        self, *, reach: float = REACH, seconds: float = SWIPE_SECONDS, sure: bool = True
    ) -> Swept:
        """One swipe, and the settled screen after it. That it moved nothing is no proof, as a phone
        may drop a swipe: to be ``sure``, a second, shorter one decides, once nothing loads any
        more."""
        here = self._at_hand()
        return here.came_of(here._swiped(reach, seconds), seconds, sure=sure)

    def sweeps(self, reach: float = REACH) -> Iterator[Swept]:
        """Swipes until nothing moves any more."""
        here = self
        for _ in range(MOST_SWIPES):
            swept = here.sweep(reach=reach)
            yield swept
            if not swept.moved:
                return
            here = here.still_on(swept.snapshot)

    def came_of(self, after: Snapshot, seconds: float, *, sure: bool = True) -> Swept:
        """What came of a swipe, by the settled screen after it."""
        if self.has_moved(after):
            return Swept(after, True)
        now = self.still_on(after)
        if now.shows_no_edge:
            return now._sweep_by_sight(seconds)
        if not sure:
            return Swept(after, False)
        # A second look at what has loaded since, or at what comes of a shorter swipe.
        loaded = _loaded(self.action, after)
        if self.has_moved(loaded):
            return Swept(loaded, True)
        again = self.still_on(loaded).sweep(reach=NUDGE, seconds=2 * SWIPE_SECONDS, sure=False)
        if again.blind:
            return replace(again, swipes=1 + again.swipes)
        loaded = again.snapshot if again.moved else _loaded(self.action, again.snapshot)
        return Swept(loaded, self.has_moved(loaded), swipes=2)

    def path(self, reach: float) -> tuple[Point, Point]:
        """Where the finger goes down and up: inside the box, and where it goes down nothing else
        that scrolls, or that is moved by a finger, would take it."""
        inner = [
            node.bounds
            for node in self.snapshot.below(self.box.node)
            if node.states.scrollable or node.class_name.endswith(("SeekBar", "Slider"))
        ]
        paths = [
            scroll_path(self.area, self.direction, part, lane, reach)
            for part in (reach, reach / 2)
            for lane in _LANES
        ]
        free = (path for path in paths if not any(rect.contains(path[0]) for rect in inner))
        return next(free, paths[0])

    def _at_hand(self) -> Scroller:
        """The same by a read that is young enough for a gesture. Raises ``StageFailed`` if the list
        has gone meanwhile."""
        if self.action.observer.just_read():
            return self
        now = screen_now(self.action)
        there = self.on(now)
        if there is not None:
            return there
        where = f"{self.box.describe()} on {self.action.phone}"
        raise StageFailed.on(
            now,
            "STALE_REFERENCE",
            f"{where} is not on the screen any more. It was not swiped.",
            element=self.box,
        )

    def _swiped(self, reach: float, seconds: float) -> Snapshot:
        """The settled screen after one swipe."""
        swipe(self.action, *self.path(reach), seconds)
        return settle(self.action.context, self.snapshot).snapshot

    def _sweep_by_sight(self, seconds: float) -> Swept:
        """One more swipe, judged by pictures, as the hierarchy cannot tell. Two that differ say
        that it goes on. Two that are the same say little: all of it may look the same, or be black,
        or be still for a swipe that the phone dropped. So it is moved back a little: if that shows,
        and a longer swipe leads to the same picture again, that is the end."""
        before = self._sight()
        ahead = self._swiped_on(NUDGE, seconds)
        if self.has_moved(ahead.snapshot):
            return Swept(ahead.snapshot, True, swipes=2)
        there = ahead._sight()
        if before is None or there is None:
            return Swept(ahead.snapshot, True, swipes=2, blind=True, known=False)
        if not is_same(before, there):
            return Swept(ahead.snapshot, True, swipes=2, blind=True)
        back = ahead.back._swiped_on(_BACK, SLOWLY)
        known = ahead.has_moved(back.snapshot) or not back._looks(there)
        again = back.back._swiped_on(NUDGE, seconds)
        again = again.still_on(_loaded(self.action, again.snapshot))
        if ahead.has_moved(again.snapshot):
            return Swept(again.snapshot, True, swipes=4)
        goes_on = not known or not again._looks(there)
        return Swept(again.snapshot, goes_on, swipes=4, blind=goes_on, known=known)

    def _swiped_on(self, reach: float, seconds: float) -> Scroller:
        """The same after one more swipe: a picture took its time."""
        return self.still_on(self._at_hand()._swiped(reach, seconds))

    def note_end(self, swept: Swept) -> None:
        """Remembers the end of a list that was reached, for checks that something is gone from
        there."""
        if swept.moved or not swept.known:
            return
        there = self.on(swept.snapshot)
        if there is not None:
            self.action.observer.history.note_end(swept.snapshot, there.box.node, self.direction)

    # --- what the hierarchy cannot tell -----------------------------------------------------------

    @property
    def shows_no_edge(self) -> bool:
        """Whether its content may have moved although all bounds are as before: on Android if
        something fills it from edge to edge, and may be cut at both; anywhere if nothing in it is
        listed, unless it is a list without rows. An iPhone's bounds reach beyond what shows, and
        move with it."""
        below = self.snapshot.below(self.box.node)
        leaves = [node for node in below if not node.children and self._shows(node)]
        if not leaves:
            return bool(self.box.node.children) or not self.box.class_name.endswith(_LISTS)
        return self.snapshot.platform == "android" and any(map(self._is_filled_by, leaves))

    def _shows(self, node: Node) -> bool:
        return node.visible and node.bounds.meets(self.area)

    def _is_filled_by(self, node: Node) -> bool:
        first, last = span(self.area, self.upright)
        low, high = span(node.bounds, self.upright)
        slack = (last - first) * _FULL
        return low <= first + slack and high >= last - slack

    def _looks(self, like: Sight) -> bool:
        now = self._sight()
        return now is not None and is_same(now, like)

    def _sight(self) -> Sight | None:
        """None if the phone gives no picture, or none of this."""
        area, snapshot = self.area, self.snapshot
        if area.is_empty:
            return None
        try:
            picture = self.action.context.picture(snapshot)
        except DeviceError:
            return None
        left, top, right, bottom = area
        if self.upright:
            bar = int(area.width * _BAR)
            seen = Rect(left + bar, top, right - bar, bottom)
        else:
            bar = int(area.height * _BAR)
            seen = Rect(left, top + bar, right, bottom - bar)
        image = vision.opened(picture)
        scale = image.width / max(snapshot.size[0], 1)
        covers = [node.bounds.shifted(-seen.left, -seen.top) for node in self._over()]
        return Sight(image.crop(seen.scaled(scale)), tuple(cover.scaled(scale) for cover in covers))

    def _over(self) -> Iterator[Node]:
        """What lies in it besides what fills it, or over it; a view over all of it is a clear
        one."""
        box = self.box.node
        inside = self.snapshot.inside(box)
        for node in self.snapshot.nodes:
            if node.children or not self._shows(node):
                continue
            if node.index in inside:
                apart = not self._is_filled_by(node)
            else:
                over = node.index > box.index or node.window != box.window
                apart = over and not node.bounds.encloses(self.area)
            if apart:
                yield node


def is_same(one: Sight, other: Sight) -> bool:
    """Whether both show the same, apart from what was no part of it in either."""
    from PIL import ImageChops, ImageDraw

    if one.image.size != other.image.size:
        return False
    difference = ImageChops.difference(one.image, other.image)
    for left, top, right, bottom in one.covers + other.covers:
        ImageDraw.Draw(difference).rectangle((left - 1, top - 1, right, bottom), fill=0)
    return difference.getbbox() is None


def screen_now(action: ActionContext) -> Snapshot:
    """The screen as it stands, read just now: a list is swiped where it is, not where it was."""
    snapshot, observer = settled_now(action.context), action.observer
    if observer.just_read():
        return snapshot
    now = observer.read().snapshot
    return now if observer.volatile.agreed(observer.row) else settle(action.context, None).snapshot


def swipe(action: ActionContext, start: Point, end: Point, seconds: float = SWIPE_SECONDS) -> None:
    action.observer.history.note_swipe(start, end)
    action.driver.swipe(start, end, seconds)
    action.observer.invalidate()


def _loaded(action: ActionContext, snapshot: Snapshot) -> Snapshot:
    """The screen once nothing loads, or the time is over: lists get longer at their end."""
    expired = action.timer()
    while snapshot.loading and not expired():
        snapshot = settle(action.context, None).snapshot
    return snapshot


def span(rect: Rect, upright: bool) -> tuple[int, int]:
    """From where to where it reaches along the way that is scrolled."""
    return (rect.top, rect.bottom) if upright else (rect.left, rect.right)


def scroll_path(
    area: Rect, direction: Direction, reach: float = REACH, lane: float = 0.5, whole: float = REACH
) -> tuple[Point, Point]:
    """Start and end of the finger, inside the area: from half of ``reach`` before the middle to
    half of ``whole`` behind it, in a lane at that part of the other side."""
    upright, sign = is_upright(direction), 1 if direction in ("down", "right") else -1
    length = area.height if upright else area.width
    near = sign * int(length * reach / 2)
    far = sign * int(length * whole / 2)
    x, y = area.center
    if upright:
        x = area.left + int(area.width * lane)
        return Point(x, y + near), Point(x, y - far)
    y = area.top + int(area.height * lane)
    return Point(x + near, y), Point(x - far, y)


# --- the actions ----------------------------------------------------------------------------------


def swipe_across(direction: Direction) -> Dispatch:
    """The finger moves that way, across the target or the whole screen."""

    def send(action: ActionContext) -> Details:
        area = action.target.element.bounds if action.resolved else screen_of(action)
        start, end = scroll_path(area, OPPOSITE[direction])
        swipe(action, start, end)
        return _path_facts(start, end, direction)

    return send


def scroll(direction: Direction) -> Dispatch:
    """One swipe that shows what lies in that direction, in the target or the largest that scrolls.
    Unless the action is silent, a swipe that moved nothing is followed by a second, shorter one,
    and says ``reached_end``."""

    def send(action: ActionContext) -> Details:
        here = _to_scroll(action, direction)
        start, end = here.path(REACH)
        swipe(action, start, end)
        facts = _path_facts(start, end, direction)
        if action.step.silent:
            return facts
        facts["reached_end"] = False
        # That it moved is known then, and where to is read later; what fails is read again.
        with suppress(SnapshotError, DeviceTimeout, ProtocolError):
            if here.has_moved(action.observer.read().snapshot):
                return facts
        after = settle(action.context, here.snapshot).snapshot
        if here.has_moved(after):
            return facts
        swept = here.came_of(after, SWIPE_SECONDS)
        here.note_end(swept)
        facts.update(swipes=swept.swipes, reached_end=not swept.moved)
        if not swept.known:
            facts["end_unknown"] = END_UNKNOWN
        return facts

    return send


def _to_scroll(action: ActionContext, direction: Direction) -> Scroller:
    """What to scroll, awaited if none was named."""
    if action.resolved:
        snapshot = action.target.snapshot
        box = scrolling_part(snapshot, action.target.element, direction)
        return Scroller(action, snapshot, box, direction)
    expired = action.timer()
    while True:
        snapshot = screen_now(action)
        try:
            box = scroller(action, snapshot, None, direction)
            return Scroller(action, snapshot, box, direction)
        except StageFailed:
            if expired():
                raise
        action.observer.invalidate()  # what stands still is looked at again, not remembered


def _path_facts(start: Point, end: Point, direction: Direction) -> AnyDict:
    return {"from": [start.x, start.y], "to": [end.x, end.y], "direction": direction}


# --- what to scroll: the list that was named, that of a selector, or the largest ---

_EQUAL = 0.8  # of the area of the largest scroller: one nearly as large may be meant as well
_MOSTLY = 0.6  # of its area: a scroller so full of another one is only its frame


class Still(StageFailed):
    """What was to be scrolled is there, and does not scroll."""


@dataclass(frozen=True)
class Way:
    """Where to scroll, which way, and how often at most. Without a ``container`` what the ``part``
    that the target is confined to lies in or consists of, where that is there; else the largest
    that scrolls so."""

    container: Target | None
    direction: Direction
    max_swipes: int
    part: Target | None = None

    def on(
        self, action: ActionContext, snapshot: Snapshot, last: Scroller | None = None
    ) -> Scroller | None:
        """What to swipe on this screen; None if it does not scroll. A part may have left the screen
        since it was swiped in ``last``."""
        found: Element | None = None
        try:
            if self.container is None and self.part is not None:
                known = last.on(snapshot) if last is not None else None
                if known is not None:
                    return replace(known, direction=self.direction)
                found = scroller_of(action, snapshot, self.part, self.direction)
            found = found or scroller(action, snapshot, self.container, self.direction)
        except Still:
            return None
        return Scroller(action, snapshot, found, self.direction)

    @property
    def no_way(self) -> str:
        """How far one gets if nothing scrolls."""
        whole = self.container is None and self.part is None
        return f"the edge of a {'screen' if whole else 'list'} that does not scroll"


def scroller(
    action: ActionContext, snapshot: Snapshot, container: Target | None, direction: Direction
) -> Element:
    """The container that was named, or the largest that scrolls that way; a named one that does not
    scroll stands for the largest inside it. Raises ``StageFailed``."""
    if container is None:
        found = largest(snapshot, snapshot.elements, direction)
        if found is not None:
            return found
        wrong = f"nothing on this screen of {action.phone} scrolls."
        raise Still.on(snapshot, "ELEMENT_NOT_FOUND", wrong)
    try:
        return scrolling_part(snapshot, resolve(action.observer, snapshot, container), direction)
    except Still:
        raise
    except StageFailed as failed:
        try:  # a list with room for all that is in it is nothing that a finger could touch
            is_listed = snapshot.outline(within=container)
        except TargetError:
            is_listed = ""
        if not is_listed:
            failed.failure = replace(failed.failure, target=container)
            raise
    wrong = f"{describe(container)} on {action.phone} does not scroll."
    raise Still.on(snapshot, "ELEMENT_NOT_FOUND", wrong)


def scrolling_part(snapshot: Snapshot, element: Element, direction: Direction) -> Element:
    """The element, or the largest in it that scrolls. Raises ``StageFailed`` if nothing does."""
    if element.states.scrollable is not False:
        return element
    found = largest(snapshot, snapshot.elements_in(element), direction)
    if found is None:
        raise Still(
            not_interactable(
                snapshot, element, "it does not scroll; name a list, or none for the largest"
            ).failure
        )
    return found


def _going(snapshot: Snapshot, choice: Iterable[Element], direction: Direction) -> list[Element]:
    """Those that scroll, and that way if that is known."""
    upright, scrolling = is_upright(direction), [e for e in choice if e.states.scrollable]
    return [e for e in scrolling if goes_sideways(snapshot, e) is not upright]


def largest(snapshot: Snapshot, choice: Sequence[Element], direction: Direction) -> Element | None:
    """By area, of those that scroll, and that way where that is known; inside one that is only a
    frame, the one that fills it."""
    scrolling = [e for e in choice if e.states.scrollable]
    fitting = _going(snapshot, scrolling, direction) or scrolling
    if not fitting:
        return None
    best = max(fitting, key=lambda e: e.bounds.area)
    inside = snapshot.inside(best.node)
    inner, equal = [], []
    related = {best.index, *(node.index for node in ancestors(snapshot.nodes, best.node))}
    for e in fitting:
        share = e.bounds.area / max(best.bounds.area, 1)
        if e.index in inside:
            if share >= _MOSTLY:
                inner.append(e)
        elif share >= _EQUAL and e.index not in related:
            equal.append(e)
    if equal:
        some = f"{len(equal) + 1} of about the same size"
        raise StageFailed.on(
            snapshot,
            "AMBIGUOUS_TARGET",
            f"{some} scroll {direction} here, and nothing was moved.",
            (best, *equal),
            final=True,
            advice=("name the one that is meant, by container=",),
        )
    return largest(snapshot, inner, direction) or best


def part_of(target: Target, platform: Platform) -> Target | None:
    """The part of the screen that a selector is confined to."""
    meant = for_platform(target, platform) if isinstance(target, Selector) else None
    return meant.within if meant is not None else None


def scroller_of(
    action: ActionContext, snapshot: Snapshot, part: Target, direction: Direction
) -> Element | None:
    """The scroller in which a part of the screen shows its content: the largest in it that goes
    that way, else the nearest around it; None if the part is not there. Raises ``Still`` if it does
    not scroll."""
    try:
        by_ref = resolve(action.observer, snapshot, part) if isinstance(part, str) else None
    except StageFailed:
        return None
    node = by_ref.node if by_ref is not None else snapshot.part(part)
    if node is None:
        return None
    within = (node.index, *snapshot.inside(node))
    inside = [element for element in snapshot.elements if element.index in within]
    found = (
        largest(snapshot, _going(snapshot, inside, direction), direction)
        or scroller_around(snapshot, node, direction)
        or largest(snapshot, inside, direction)
    )
    if found is None:
        raise Still.on(
            snapshot, "ELEMENT_NOT_FOUND", f"{describe(part)} on {action.phone} does not scroll."
        )
    return found


def scroller_around(snapshot: Snapshot, node: Node, direction: Direction) -> Element | None:
    """The nearest scroller around a node that goes that way."""
    around = _going(snapshot, snapshot.scrollers_around(node), direction)
    return around[0] if around else None


def is_upright(direction: Direction) -> bool:
    return direction in ("up", "down")


def goes_sideways(snapshot: Snapshot, element: Element) -> bool:
    """Whether it is known to."""
    return Pane(snapshot, element.node).sideways is True


def views_of(snapshot: Snapshot, element: Element) -> list[Rect]:
    """The viewports that an element is seen through: of every scroller around it, and the
    screen."""
    around = snapshot.scrollers_around(element.node)
    return [*(in_view(snapshot, one.bounds) for one in around), Rect(0, 0, *snapshot.size)]


def located(snapshot: Snapshot, box: Element) -> Element | None:
    """The same scroller on another screen."""
    return snapshot.locate(box).element or in_its_place(snapshot, box)


def in_its_place(snapshot: Snapshot, element: Element) -> Element | None:
    """The one thing of its class and id on another screen that lies just where it did."""
    look = (element.class_name, element.resource_id, element.bounds)
    alike = [e for e in snapshot.elements if (e.class_name, e.resource_id, e.bounds) == look]
    return alike[0] if len(alike) == 1 else None
