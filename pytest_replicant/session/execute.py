"""The sending half of every action: the only calls of the driver that touch the app.

Each function is one ``Dispatch``: it is given the ``Hands`` with the awaited targets and returns details for
the trace. Nothing here waits for an effect; that is ``stabilize``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ..errors import is_told
from ..model.failure import Failure
from ..model.geometry import Point, Rect
from .resolve import container_of, gesture_point, not_interactable, resolve
from .stabilize import agree, settle
from .step import StageFailed
from .targets import describe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..drivers.base import Key
    from ..model.element import Element
    from ..model.selector import Selector
    from ..snapshots.snapshot import Snapshot
    from .step import Dispatch, Hands, Target

__tracebackhide__ = is_told

Direction = Literal["up", "down", "left", "right"]

SWIPE_SECONDS = 0.3
FOCUS_SECONDS = 2.0
_REACH = 0.7  # how much of a container one scroll moves; the rest keeps a landmark in view


def tap(hands: Hands) -> Mapping[str, Any]:
    _tap(hands, hands.aim.point)
    return _at(hands.aim.point)


def double_tap(hands: Hands) -> Mapping[str, Any]:
    hands.touched.append(hands.aim.point)
    hands.driver.double_tap(hands.aim.point)
    return _at(hands.aim.point)


def long_press(seconds: float) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.touched.append(hands.aim.point)
        hands.driver.long_press(hands.aim.point, seconds)
        return {**_at(hands.aim.point), "seconds": seconds}

    return send


def drag(hands: Hands) -> Mapping[str, Any]:
    source, goal = hands.aims[0].point, hands.aims[1].point
    hands.touched += [source, goal]
    hands.driver.drag(source, goal, 0.8)
    return {"from": [source.x, source.y], "to": [goal.x, goal.y]}


def fill(text: str, *, append: bool) -> Dispatch:
    """Focuses the field, empties it unless appending, and types."""

    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.check_typeable(text)
        _check_editable(hands)
        _focus(hands)
        hands.driver.check_field_takes(text)
        if not append:
            hands.driver.clear_text()
        if text:
            hands.driver.type_text(text)
        return {**_at(hands.aim.point), "length": len(text), "append": append}

    return send


def press_key(key: Key) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.press_key(key)
        return {"key": key}

    return send


def hide_keyboard(hands: Hands) -> Mapping[str, Any]:
    hands.driver.hide_keyboard()
    return {}


def swipe(direction: Direction) -> Dispatch:
    """The finger moves that way."""
    opposite: dict[Direction, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}
    return scroll(opposite[direction], scrolls=False)


def scroll(direction: Direction, *, scrolls: bool = True) -> Dispatch:
    """One swipe inside the target, or the screen, that shows what lies in that direction; ``scrolls`` says that
    the target must be one that scrolls."""

    def send(hands: Hands) -> Mapping[str, Any]:
        if scrolls and hands.aims and hands.aim.element.states.scrollable is False:
            why = "it does not scroll; name a list, or none for the largest"
            raise not_interactable(hands.aim.snapshot, hands.aim.element, why)
        start, end = _sweep(hands, _area(hands), direction)
        return {"from": [start.x, start.y], "to": [end.x, end.y], "direction": direction}

    return send


def scroll_to(target: Target, container: Target | None, direction: Direction, max_swipes: int) -> Dispatch:
    """Swipes until the target is on the screen. Every swipe is followed by a settled read; one that moved
    nothing ends the list."""

    def send(hands: Hands) -> Mapping[str, Any]:
        observer = hands.parts.observer
        snapshot = observer.fresh().snapshot
        for swipes in range(max_swipes + 1):
            try:
                element = resolve(observer, snapshot, target)
                gesture_point(snapshot, element)
                return {"swipes": swipes, "found": element.describe()}
            except StageFailed as failed:
                if failed.failure.code == "AMBIGUOUS_TARGET":
                    raise
            if swipes == max_swipes:
                break
            box = resolve(observer, snapshot, container) if container is not None else None
            _sweep(hands, container_of(snapshot, box).bounds, direction)
            observer.note_gesture()
            before, snapshot = snapshot, settle(hands.parts, snapshot).snapshot
            if agree(before, snapshot):
                raise _not_there(hands, snapshot, target, f"the end of the list, after {swipes} swipes")
        raise _not_there(hands, snapshot, target, f"max_swipes={max_swipes}")

    return send


def _not_there(hands: Hands, snapshot: Snapshot, target: Target, where: str) -> StageFailed:
    message = (
        f"ELEMENT_NOT_FOUND  scroll_to {describe(target)} on {hands.driver.uri}: not there up to {where}.\n"
        f"{snapshot.outline()}"
    )
    return StageFailed(Failure("ELEMENT_NOT_FOUND", message), snapshot)


def _area(hands: Hands) -> Rect:
    if hands.aims:
        return hands.aim.element.bounds
    return Rect(0, 0, hands.driver.info.width, hands.driver.info.height)


def _sweep(hands: Hands, area: Rect, direction: Direction) -> tuple[Point, Point]:
    start, end = scroll_path(area, direction)
    hands.touched += [start, end]
    hands.driver.swipe(start, end, SWIPE_SECONDS)
    return start, end


def select(option: Selector, timeout: float) -> Dispatch:
    """Opens the list with a tap, and taps the option in what that opened: what was there before is no option."""

    def send(hands: Hands) -> Mapping[str, Any]:
        before = hands.aim.snapshot
        _tap(hands, hands.aim.point)
        hands.parts.observer.note_gesture()
        known = {element.identity for element in before.elements}
        deadline = hands.parts.clock.now() + timeout
        while True:
            opened = settle(hands.parts, before).snapshot
            options = [element for element in opened.elements if element.identity not in known]
            found = [element for element in opened.match(option) if element.identity not in known]
            if len(found) == 1:
                _tap(hands, gesture_point(opened, found[0]))
                return {"option": found[0].describe()}
            if found or hands.parts.clock.now() >= deadline:
                raise _no_option(hands, opened, option, options)

    return send


def _no_option(hands: Hands, opened: Snapshot, option: Selector, options: list[Element]) -> StageFailed:
    """Closes what was opened, where that is a window of its own, and names what it offered."""
    if opened.dialog is not None and hands.aim.snapshot.dialog is None:
        hands.driver.press_key("back")
        hands.parts.observer.note_gesture()
    offered = "   ".join(f'"{element.label}"' for element in options if element.label) or "nothing"
    message = (
        f"ELEMENT_NOT_FOUND  {hands.aim.element.describe()} on {hands.driver.uri} opened no list with one "
        f"{option.describe()}; new on the screen: {offered}.\n{opened.outline()}"
    )
    return StageFailed(Failure("ELEMENT_NOT_FOUND", message, tuple(options)), opened)


def _tap(hands: Hands, point: Point) -> None:
    hands.touched.append(point)
    hands.driver.tap(point)


def scroll_path(area: Rect, direction: Direction, reach: float = _REACH) -> tuple[Point, Point]:
    """Start and end of the finger; centred, inside the area."""
    center = area.center
    dx, dy = int(area.width * reach / 2), int(area.height * reach / 2)
    ends = {
        "down": (Point(center.x, center.y + dy), Point(center.x, center.y - dy)),
        "up": (Point(center.x, center.y - dy), Point(center.x, center.y + dy)),
        "right": (Point(center.x + dx, center.y), Point(center.x - dx, center.y)),
        "left": (Point(center.x - dx, center.y), Point(center.x + dx, center.y)),
    }
    return ends[direction]


def launch(app: str, *, fresh: bool, activity: str | None, args: tuple[str, ...]) -> Dispatch:
    """A cold start: whatever runs of the app is stopped first."""

    def send(hands: Hands) -> Mapping[str, Any]:
        if fresh:
            hands.driver.clear_data(app)
        else:
            hands.driver.stop(app)
        hands.driver.launch(app, activity, args)
        return {"app": app, "fresh": fresh}

    return send


def activate(app: str) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.launch(app, None, ())
        return {"app": app}

    return send


def stop(app: str) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.stop(app)
        return {"app": app}

    return send


def clear_data(app: str) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.clear_data(app)
        return {"app": app}

    return send


def open_url(url: str, app: str | None) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.open_url(url, app)
        return {"url": url}

    return send


def _check_editable(hands: Hands) -> None:
    """Focusing is a tap, which a button would take for one."""
    element = hands.aim.element
    if element.states.editable is False:
        raise not_interactable(hands.aim.snapshot, element, "it is no text field")


def _focus(hands: Hands) -> None:
    """Taps the field, and waits until the phone says that it has the focus: typing goes nowhere else."""
    element, point = hands.aim.element, hands.aim.point
    if element.states.focused is not True:
        _tap(hands, point)
    clock = hands.parts.clock
    deadline = clock.now() + FOCUS_SECONDS
    while True:
        focused = hands.driver.focused_field()
        if focused is not None and focused.is_same(element.resource_id, element.bounds):
            return
        if clock.now() >= deadline:
            break
        clock.sleep(hands.parts.settings.interval)
    seen = (
        "nothing has the focus"
        if focused is None
        else f'the focus is on "{focused.resource_id or focused.bounds}"'
    )
    message = (
        f"ACTION_REJECTED  {element.describe()} did not take the focus in {FOCUS_SECONDS:.0f} s: {seen}. "
        "Nothing was typed. Is it a text field, and is it enabled?"
    )
    raise StageFailed(Failure("ACTION_REJECTED", message, (element,)), hands.aim.snapshot)


def _at(point: Point) -> dict[str, Any]:
    return {"point": [point.x, point.y]}
