"""Methods that scroll a container by swiping inside it, as UI Automator's UiScrollable does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Literal

from ...model import Point, Rect
from ..ui import UiNode
from .automation import Automation, Object
from .failures import object_not_found
from .methods_gestures import swipe_between
from .rpc import Kind, Method, Result
from .selector import Selector

SCROLL_STEPS = 55
FLING_STEPS = 5
SEARCH_SWIPES = 30  # how far a search scrolls at most, each way
DEAD_ZONE = 0.1  # share of the container at each end where no swipe begins or ends


async def scroll_once(
    automation: Automation,
    wanted: Object,
    vertical: bool,
    steps: int = FLING_STEPS,
    *,
    forward: bool,
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
    automation: Automation,
    wanted: Object,
    vertical: bool,
    max_swipes: int,
    steps: int = FLING_STEPS,
    *,
    forward: bool,
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


async def scroll_to(
    automation: Automation, wanted: Object, target: Object, vertical: bool
) -> Result:
    """Whether the target is in view after a search from the beginning to the end."""
    inside = automation.selector(wanted).then("child", automation.selector(target))

    async def in_view() -> bool:
        return await automation.on_phone(lambda: bool(automation.find_now(inside)))

    return await _search(automation, wanted, vertical, in_view)


async def _child(
    automation: Automation,
    wanted: Selector,
    pattern: Selector,
    text: str,
    search: bool = False,
    *,
    key: Literal["text", "description"],
) -> Result:
    """The name of the first child like ``pattern`` that has the text itself or somewhere inside;
    with ``search`` it is scrolled to first if it is not in view."""
    rows = wanted.then("child", pattern)
    found: list[Selector] = []

    def row_now() -> bool:
        for instance in range(len(automation.find_now(rows))):
            row = rows.of_instance(instance)
            (node,) = automation.find_now(row)[:1]
            if any(getattr(each, key) == text for each in node.walk()):
                found.append(row)
                return True
        return False

    async def in_view() -> bool:
        return await automation.on_phone(row_now)

    if not (await _search(automation, wanted, True, in_view) if search else await in_view()):
        raise object_not_found(str(wanted.then("child", Selector(((key, text),)))))
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


def _both_ways(
    onward: str, back: str, kinds: tuple[Kind, ...], scroll: Callable[..., Awaitable[bool]]
) -> list[Method]:
    """Two methods that differ in their direction."""
    return [
        Method(name, ("object", "boolean", *kinds), partial(scroll, forward=name == onward), "")
        for name in (onward, back)
    ]


METHODS = (
    *_both_ways("scrollForward", "scrollBackward", ("int",), scroll_once),
    *_both_ways("flingForward", "flingBackward", (), scroll_once),
    *_both_ways("scrollToEnd", "scrollToBeginning", ("int", "int"), _scroll_far),
    *_both_ways("flingToEnd", "flingToBeginning", ("int",), _scroll_far),
    Method("scrollTo", ("object", "selector", "boolean"), scroll_to, ""),
    Method("childByText", ("selector", "selector", "text"), partial(_child, key="text")),
    Method("childByText", ("selector", "selector", "text", "boolean"), partial(_child, key="text")),
    Method(
        "childByDescription", ("selector", "selector", "text"), partial(_child, key="description")
    ),
    Method(
        "childByDescription",
        ("selector", "selector", "text", "boolean"),
        partial(_child, key="description"),
    ),
)
