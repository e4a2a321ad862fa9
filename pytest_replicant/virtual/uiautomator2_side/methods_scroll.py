"""Methods that scroll a container by swiping inside it, as UI Automator's UiScrollable does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ...model import Point, Rect
from ..ui import UiNode
from .automation import Automation, Object
from .failures import object_not_found
from .methods_gestures import swipe_between
from .methods_objects import row_now
from .rpc import Method, Result
from .selector import Selector

SCROLL_STEPS = 55
FLING_STEPS = 5
SEARCH_SWIPES = 30  # how far a search scrolls at most, each way
DEAD_ZONE = 0.1  # share of the container at each end where no swipe begins or ends


async def scroll_forward(automation: Automation, wanted: Object, vertical: bool, steps: int) -> Result:
    return await scroll_once(automation, wanted, vertical, steps, forward=True)


async def scroll_backward(automation: Automation, wanted: Object, vertical: bool, steps: int) -> Result:
    return await scroll_once(automation, wanted, vertical, steps, forward=False)


async def scroll_to_end(
    automation: Automation, wanted: Object, vertical: bool, max_swipes: int, steps: int
) -> Result:
    return await _scroll_far(automation, wanted, vertical, max_swipes, steps, forward=True)


async def scroll_to_beginning(
    automation: Automation, wanted: Object, vertical: bool, max_swipes: int, steps: int
) -> Result:
    return await _scroll_far(automation, wanted, vertical, max_swipes, steps, forward=False)


async def scroll_to(automation: Automation, wanted: Object, target: Object, vertical: bool) -> Result:
    """Whether the target is in view after a search from the beginning to the end."""
    inside = automation.selector(wanted).then("child", automation.selector(target))

    async def in_view() -> bool:
        return await automation.on_phone(lambda: bool(automation.find_now(inside)))

    return await _search(automation, wanted, vertical, in_view)


async def fling_forward(automation: Automation, wanted: Object, vertical: bool) -> Result:
    return await scroll_once(automation, wanted, vertical, FLING_STEPS, forward=True)


async def fling_backward(automation: Automation, wanted: Object, vertical: bool) -> Result:
    return await scroll_once(automation, wanted, vertical, FLING_STEPS, forward=False)


async def fling_to_end(automation: Automation, wanted: Object, vertical: bool, max_swipes: int) -> Result:
    return await _scroll_far(automation, wanted, vertical, max_swipes, FLING_STEPS, forward=True)


async def fling_to_beginning(automation: Automation, wanted: Object, vertical: bool, max_swipes: int) -> Result:
    return await _scroll_far(automation, wanted, vertical, max_swipes, FLING_STEPS, forward=False)


async def scroll_once(
    automation: Automation, wanted: Object, vertical: bool, steps: int, *, forward: bool
) -> bool:
    """One swipe inside the container; whether its content moved."""
    before = await automation.on_phone(lambda: automation.find_one_now(wanted))
    start, end = _swipe_within(before.bounds, vertical)
    if not forward:
        start, end = end, start
    await swipe_between(automation, start, end, steps)
    after = await automation.on_phone(lambda: automation.find_now(wanted)[:1])
    return not after or _content(before) != _content(after[0])


async def _scroll_far(
    automation: Automation, wanted: Object, vertical: bool, max_swipes: int, steps: int, *, forward: bool
) -> bool:
    for _ in range(max_swipes):
        if not await scroll_once(automation, wanted, vertical, steps, forward=forward):
            break
    return True


async def _search(
    automation: Automation, wanted: Object, vertical: bool, in_view: Callable[[], Awaitable[bool]]
) -> bool:
    if await in_view():
        return True
    for forward in (False, True):
        for _ in range(SEARCH_SWIPES):
            moved = await scroll_once(automation, wanted, vertical, SCROLL_STEPS, forward=forward)
            if await in_view():
                return True
            if not moved:
                break
    return False


async def child_by_text(
    automation: Automation, wanted: Selector, pattern: Selector, text: str, search: bool
) -> Result:
    """As without ``search``, scrolling to it first where it is not in view."""
    return await _child(automation, wanted, pattern, Selector((("text", text),)), search)


async def child_by_description(
    automation: Automation, wanted: Selector, pattern: Selector, text: str, search: bool
) -> Result:
    return await _child(automation, wanted, pattern, Selector((("description", text),)), search)


async def _child(
    automation: Automation, wanted: Selector, pattern: Selector, inside: Selector, search: bool
) -> str:
    found: list[Selector] = []

    async def in_view() -> bool:
        row = await automation.on_phone(lambda: row_now(automation, wanted, pattern, inside))
        found.extend([row] if row else [])
        return row is not None

    if not (await _search(automation, wanted, True, in_view) if search else await in_view()):
        raise object_not_found(str(wanted.then("child", inside)))
    return automation.remember(found[-1])


def _swipe_within(bounds: Rect, vertical: bool) -> tuple[Point, Point]:
    """Where a finger goes to see what comes next."""
    middle = bounds.center
    if vertical:
        margin = int(bounds.height * DEAD_ZONE)
        return Point(middle.x, bounds.bottom - margin), Point(middle.x, bounds.top + margin)
    margin = int(bounds.width * DEAD_ZONE)
    return Point(bounds.right - margin, middle.y), Point(bounds.left + margin, middle.y)


def _content(node: UiNode) -> list[tuple[str, str, Rect, Rect]]:
    return [(each.class_name, each.text, each.bounds, each.frame) for each in node.walk()]


METHODS = (
    Method("scrollForward", ("object", "boolean", "int"), scroll_forward),
    Method("scrollBackward", ("object", "boolean", "int"), scroll_backward),
    Method("scrollToEnd", ("object", "boolean", "int", "int"), scroll_to_end),
    Method("scrollToBeginning", ("object", "boolean", "int", "int"), scroll_to_beginning),
    Method("scrollTo", ("object", "selector", "boolean"), scroll_to),
    Method("flingForward", ("object", "boolean"), fling_forward),
    Method("flingBackward", ("object", "boolean"), fling_backward),
    Method("flingToEnd", ("object", "boolean", "int"), fling_to_end),
    Method("flingToBeginning", ("object", "boolean", "int"), fling_to_beginning),
    Method("childByText", ("selector", "selector", "text", "boolean"), child_by_text),
    Method("childByDescription", ("selector", "selector", "text", "boolean"), child_by_description),
)
