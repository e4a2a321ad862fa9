"""One swipe inside a scroller: which one, the path of the finger, and whether anything moved."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from ...errors import TargetError
from ...model import Failure, Point, Rect
from ...snapshots import mask_progress, scrolls
from ..actionability import resolve
from ..arguments import describe
from ..reachability import not_interactable
from ..screen_text import format_screen
from ..stabilize.reads import settle
from ..step import StageFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Element, Node
    from ...snapshots import Snapshot
    from ..arguments import Target
    from ..step import ActionContext, SessionContext

Direction = Literal["up", "down", "left", "right"]

OPPOSITE: dict[Direction, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}
SWIPE_SECONDS = 0.3
REACH = 0.7  # how much of a container one scroll moves; the rest keeps a landmark in view
NUDGE = 0.35  # of it, where a whole one did not help or would be too much
_LANES = (0.5, 0.3, 0.7, 0.12, 0.88)  # where across the container the finger may go, the middle first
_MOSTLY = 0.6  # of its area: a scroller so full of another one is only its frame
_SIDEWAYS = ("HorizontalScrollView", "ViewPager", "ViewPager2")


class Still(StageFailed):
    """What was to be scrolled is there, and does not scroll."""


@dataclass(frozen=True)
class Swept:
    """One swipe, or two, and what came of it."""

    snapshot: Snapshot
    moved: bool
    swipes: int = 1


# --- what to move --------------------------------------------------------------------------------------------


def scroller(action: ActionContext, snapshot: Snapshot, container: Target | None, direction: Direction) -> Element:
    """The container that was named, or the largest that scrolls that way; a named one that does not scroll
    stands for the largest inside it. Raises ``StageFailed``."""
    if container is None:
        found = _largest(snapshot, [e for e in snapshot.elements if e.states.scrollable], direction)
        if found is not None:
            return found
        message = f"ELEMENT_NOT_FOUND  nothing on this screen of {action.uri} scrolls.\n{format_screen(snapshot)}"
        raise Still(Failure("ELEMENT_NOT_FOUND", message), snapshot)
    try:
        return scrolling_part(snapshot, resolve(action.context.observer, snapshot, container), direction)
    except StageFailed as failed:
        if isinstance(failed, Still) or not _is_listed(snapshot, container):
            raise
    message = (
        f"ELEMENT_NOT_FOUND  {describe(container)} on {action.uri} does not scroll.\n{format_screen(snapshot)}"
    )
    raise Still(Failure("ELEMENT_NOT_FOUND", message), snapshot)


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
    inside = {node.index for node in descendants(snapshot, element)}
    inner = [e for e in snapshot.elements if e.states.scrollable and e.node.index in inside]
    found = _largest(snapshot, inner, direction)
    if found is None:
        why = "it does not scroll; name a list, or none for the largest"
        raise Still(not_interactable(snapshot, element, why).failure, snapshot)
    return found


def _largest(snapshot: Snapshot, choice: Sequence[Element], direction: Direction) -> Element | None:
    """By area, among those that scroll that way where that is known; inside one that is only a frame, the one
    that fills it."""
    sideways = direction in ("left", "right")
    fitting = [e for e in choice if _goes_sideways(snapshot, e) is sideways] or list(choice)
    if not fitting:
        return None
    best = max(fitting, key=lambda e: e.bounds.area)
    inside = {node.index for node in descendants(snapshot, best)}
    inner = [e for e in fitting if e.node.index in inside and e.bounds.area >= _MOSTLY * best.bounds.area]
    return _largest(snapshot, inner, direction) if inner else best


def _goes_sideways(snapshot: Snapshot, element: Element) -> bool:
    """By its class, else by how its children lie: two that begin at one height lie side by side."""
    if element.class_name.endswith(_SIDEWAYS):
        return True
    children = [snapshot.nodes[index].bounds for index in element.node.children]
    apart = [one for one, other in pairwise(children) if one.right <= other.left]
    return len(children) > 1 and len(apart) == len(children) - 1


def descendants(snapshot: Snapshot, element: Element) -> list[Node]:
    """Every node inside, in document order."""
    inside = {element.node.index}
    found = []
    for node in snapshot.nodes[element.node.index + 1 :]:
        if node.parent in inside:
            inside.add(node.index)
            found.append(node)
    return found


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
    found, index = [], element.node.parent
    while index >= 0:
        if scrolls(snapshot.nodes[index]) and index in by_index:
            found.append(viewport(snapshot, by_index[index]))
        index = snapshot.nodes[index].parent
    return [*found, Rect(0, 0, *snapshot.size)]


# --- the swipe -----------------------------------------------------------------------------------------------


def sweep(
    action: ActionContext,
    snapshot: Snapshot,
    box: Element,
    direction: Direction,
    *,
    reach: float = REACH,
    seconds: float,
) -> Swept:
    """One swipe in ``box``, and the settled screen after it."""
    start, end = path_in(snapshot, box, direction, reach)
    swipe(action, start, end, seconds)
    after = settle(action.context, snapshot).snapshot
    return Swept(after, has_moved(snapshot, after, box))


def sweep_surely(
    action: ActionContext,
    snapshot: Snapshot,
    box: Element,
    direction: Direction,
    *,
    timeout: float,
    reach: float = REACH,
) -> Swept:
    """The same, where one that moved nothing is no proof: a phone may drop a swipe. A second, shorter one decides,
    once nothing loads any more."""
    swept = sweep(action, snapshot, box, direction, reach=reach, seconds=SWIPE_SECONDS)
    return swept if swept.moved else sweep_again(action, snapshot, swept.snapshot, box, direction, timeout=timeout)


def sweep_again(
    action: ActionContext,
    snapshot: Snapshot,
    after: Snapshot,
    box: Element,
    direction: Direction,
    *,
    timeout: float,
) -> Swept:
    """The second look at a swipe that moved nothing: at what has loaded since, or a shorter swipe."""
    loaded = _loaded(action.context, after, timeout)
    if has_moved(snapshot, loaded, box):
        return Swept(loaded, True)
    again = sweep(action, loaded, located(loaded, box) or box, direction, reach=NUDGE, seconds=2 * SWIPE_SECONDS)
    loaded = again.snapshot if again.moved else _loaded(action.context, again.snapshot, timeout)
    return Swept(loaded, has_moved(snapshot, loaded, box), swipes=2)


def swipe(action: ActionContext, start: Point, end: Point, seconds: float = SWIPE_SECONDS) -> None:
    action.touched += [start, end]
    action.driver.swipe(start, end, seconds)
    action.context.observer.invalidate()


def _loaded(context: SessionContext, snapshot: Snapshot, timeout: float) -> Snapshot:
    """The screen once nothing loads, or the time is over: lists get longer at their end."""
    deadline = context.clock.now() + timeout
    while snapshot.loading and context.clock.now() < deadline:
        snapshot = settle(context, None).snapshot
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


def _content(snapshot: Snapshot, box: Element) -> list[object]:
    left, top = box.bounds.left, box.bounds.top
    return [
        (
            node.class_name,
            node.resource_id,
            mask_progress(node.text),
            mask_progress(node.description),
            node.bounds.shifted(-left, -top),
        )
        for node in descendants(snapshot, box)
        if not node.bounds.is_empty
    ]


def path_in(snapshot: Snapshot, box: Element, direction: Direction, reach: float) -> tuple[Point, Point]:
    """Where the finger goes down and up: inside the box, and where it goes down nothing else that scrolls, or
    that is moved by a finger, would take it."""
    area = viewport(snapshot, box)
    inner = [
        node.bounds
        for node in descendants(snapshot, box)
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
