"""Commands about one element: what it is, and what to do with it."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from functools import partial
from typing import Any

from ..renderers.xcuitest import Frame, XCElement
from ..streams import in_thread
from .attributes import is_container, read, rect_of
from .commands_device import joined, type_text
from .commands_find import text_of, type_of
from .commands_screen import picture
from .commands_touch import gesture, held
from .failures import WdaError, invalid_argument
from .routes import Call, Command, Route, look
from .touch import SWIPE_MS, Place, move_now, pinch_now, press_now

DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
"""Which way a finger goes, x and y."""
MOST_SCROLLS = 25
TOUCHED_SHARE = 0.9  # of an element; a finger keeps away from its edges
FIELDS = ("TextField", "SecureTextField", "SearchField", "TextView")


def _element(call: Call) -> XCElement:
    """The one that the path names, else the whole application."""
    if "element" not in call.names:
        return call.agent.tree_now()
    return call.agent.element_now(call.session, call.names["element"])


def _fact(fact_of: Callable[[XCElement], Any]) -> Command:
    """A command that reports a fact of the element's present state."""
    return look(lambda call: fact_of(_element(call)))


def attribute(call: Call) -> Any:
    return read(_element(call), call.names["name"], call.agent.lacks("attribute"))


async def screenshot(call: Call) -> Any:
    """What of the screen's picture is within the element."""
    agent = call.agent
    frame = await agent.on_phone(lambda: _element(call).frame)
    whole = base64.b64decode(await picture(agent))
    sides = (frame.x, frame.y, frame.x + frame.width, frame.y + frame.height)
    left, top, right, bottom = (round(side * agent.scale) for side in sides)

    def cut() -> str:
        from PIL import Image  # heavy

        with Image.open(io.BytesIO(whole)) as screen:
            box = (max(left, 0), max(top, 0), min(right, screen.width), min(bottom, screen.height))
            if box[0] >= box[2] or box[1] >= box[3]:
                raise WdaError("unable to capture screen", "The element is not on the screen")
            output = io.BytesIO()
            screen.crop(box).save(output, "PNG", compress_level=1)
        return base64.b64encode(output.getvalue()).decode()

    return await in_thread(cut)


# --- touching -------------------------------------------------------------------------------------
async def press(call: Call, times: int = 1, *, holds: bool = False) -> Any:
    """An element in its middle, or the point that is given."""
    agent, seconds = call.agent, held(call) if holds else 0.0
    place: Place | None = None
    if "element" in call.names:
        await _in_sight(call)
    else:
        place = call.number("x"), call.number("y")

    def act() -> None:
        at = place or _middle(_element(call))
        for _ in range(times):
            press_now(agent, at, round(seconds * 1000))

    await gesture(agent, seconds, act)


def _middle(element: XCElement) -> Place:
    """Where it is touched. Raises ``WdaError`` for what cannot be."""
    if element.frame.is_empty:
        raise WdaError(
            "element not visible",
            f"{element.full_type} {element.name!r} has no size: it cannot be tapped",
        )
    return element.frame.center


async def _in_sight(call: Call) -> None:
    """XCUITest scrolls before it touches, unless it can see the element, or that has the keyboard
    already."""
    element = await call.agent.on_phone(lambda: _element(call))
    if not element.visible and not element.focused:
        await _scroll_into_sight(call)


async def drag(call: Call, hold: str = "duration", *, more: float = 0) -> Any:
    """Holds so many seconds, then moves: between points of the screen, or seen from an element's
    corner."""
    agent, seconds = call.agent, held(call, hold)
    start, end = (
        (call.number("fromX"), call.number("fromY")),
        (call.number("toX"), call.number("toY")),
    )

    def act() -> None:
        x, y = _element(call).frame[:2]
        move_now(
            agent, (x + start[0], y + start[1]), (x + end[0], y + end[1]), round(seconds * 1000)
        )

    await gesture(agent, seconds + more + SWIPE_MS / 1000, act)


async def drag_with_velocity(call: Call) -> Any:
    await drag(call, "pressDuration", more=held(call, "holdDuration"))


async def swipe(call: Call) -> Any:
    agent, way = call.agent, _direction(call)

    def act() -> None:
        frame = _element(call).frame
        (x, y), reach_x, reach_y = (
            frame.center,
            frame.width * 0.3 * way[0],
            frame.height * 0.3 * way[1],
        )
        move_now(agent, (x - reach_x, y - reach_y), (x + reach_x, y + reach_y))

    await gesture(agent, SWIPE_MS / 1000, act)


def _direction(call: Call) -> tuple[int, int]:
    name = call.text("direction").lower()
    if name not in DIRECTIONS:
        raise invalid_argument(f"'direction' is up, down, left or right, not '{name}'")
    return DIRECTIONS[name]


async def pinch(call: Call) -> Any:
    agent, scale = call.agent, call.number("scale")
    await gesture(agent, SWIPE_MS / 1000, lambda: pinch_now(agent, *_element(call).frame, scale))


async def scroll(call: Call) -> Any:
    """Until the element can be seen, or by a share of its size; the direction is the one that is
    looked in."""
    agent = call.agent
    if call.arguments.get("toVisible"):
        await _scroll_into_sight(call)
        return
    way, share = _direction(call), min(max(call.number("distance", 1.0), 0), 1) * TOUCHED_SHARE

    def act() -> None:
        frame = _element(call).frame
        (x, y), half_x, half_y = (
            frame.center,
            frame.width * share / 2 * way[0],
            frame.height * share / 2 * way[1],
        )
        move_now(agent, (x + half_x, y + half_y), (x - half_x, y - half_y))

    await gesture(agent, SWIPE_MS / 1000, act)


async def _scroll_into_sight(call: Call) -> None:
    """A part of a screen at a time, towards where the element is. Raises ``WdaError`` if that leads
    nowhere."""
    agent, before = call.agent, None

    def look() -> tuple[Frame, bool]:
        element = _element(call)
        return element.frame, element.visible

    def step(frame: Frame) -> None:
        width, height = (side / agent.scale for side in agent.phone.size)
        reach = height / 4 if frame.center[1] > height / 2 else -height / 4
        move_now(agent, (width / 2, height / 2 + reach / 2), (width / 2, height / 2 - reach / 2))

    for _ in range(MOST_SCROLLS):
        frame, visible = await agent.on_phone(look)
        if visible:
            return
        if frame == before:
            raise WdaError(
                "invalid element state",
                "Failed to scroll to the element: what it is in does not scroll",
            )
        before = frame
        await gesture(agent, SWIPE_MS / 1000, partial(step, frame))
    raise WdaError(
        "invalid element state", "Failed to scroll to the element: max scroll count reached"
    )


# --- typing ---------------------------------------------------------------------------------------
async def set_value(call: Call) -> Any:
    """Types at the end of the text; sets a slider to its position from 0 to 1."""
    agent = call.agent
    text = joined(call.arguments.get("value", call.arguments.get("text")))
    if await agent.on_phone(lambda: _element(call).type == "Slider"):
        await _slide(call, text)
        return
    await _in_sight(call)
    await agent.on_phone(lambda: _focus_now(call))
    await type_text(agent, text)


def _focus_now(call: Call) -> None:
    element = _element(call)
    if not element.focused:
        press_now(call.agent, _middle(element))


async def _slide(call: Call, text: str) -> None:
    agent = call.agent
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise invalid_argument("Value of slider should be in 0..1 range")

    def act() -> None:
        frame = _element(call).frame
        press_now(agent, (frame.x + max(frame.width - 1, 0) * share, frame.center[1]))

    await gesture(agent, 0, act)


async def clear(call: Call) -> Any:
    agent = call.agent
    await _in_sight(call)

    def act() -> None:
        element = _element(call)
        if element.type not in FIELDS or element.node is None:
            raise WdaError(
                "invalid element state",
                f"{element.full_type} {element.name!r} holds no text to clear",
            )
        _focus_now(call)
        agent.phone.set_text(element.node, "")

    await agent.on_phone(act)


_GESTURES: dict[str, Command] = {  # of an element, or of the screen
    "tap": press,
    "doubleTap": partial(press, times=2),
    "touchAndHold": partial(press, holds=True),
    "dragfromtoforduration": drag,
    "swipe": swipe,
    "pinch": pinch,
    "scroll": scroll,
}
ROUTES = (
    Route("GET", "/element/:element/rect", _fact(rect_of)),
    Route("GET", "/element/:element/text", _fact(text_of)),
    Route("GET", "/element/:element/name", _fact(type_of)),
    Route("GET", "/element/:element/displayed", _fact(lambda element: element.visible)),
    Route("GET", "/element/:element/enabled", _fact(lambda element: element.enabled)),
    Route("GET", "/element/:element/selected", _fact(lambda element: element.selected)),
    Route("GET", "/element/:element/attribute/:name", look(attribute)),
    Route("GET", "/element/:element/screenshot", screenshot, pace="screenshot"),
    Route("GET", "/wda/element/:element/accessible", _fact(lambda element: element.accessible)),
    Route("GET", "/wda/element/:element/accessibilityContainer", _fact(is_container)),
    Route("POST", "/element/:element/click", press, pace=""),
    Route("POST", "/element/:element/value", set_value, pace=""),
    Route("POST", "/element/:element/clear", clear, pace="text"),
    Route("POST", "/wda/tap/:finger", press, pace=""),
    *(
        Route("POST", f"/wda/{of}{name}", command, pace="")
        for of in ("", "element/:element/")
        for name, command in _GESTURES.items()
    ),
    Route("POST", "/wda/drag", drag_with_velocity, pace=""),
    Route("POST", "/wda/pressAndDragWithVelocity", drag_with_velocity, pace=""),
)
