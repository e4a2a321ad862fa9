"""Commands that show the screen: as a tree, as a picture, its size and orientation."""

from __future__ import annotations

import base64
from typing import Any

from ..faults import FAULTLESS, DumpFault
from ..renderers.xcuitest import XCElement, to_description, to_json, to_xml
from ..streams import in_thread
from ..ui import Window
from .agent import Agent
from .failures import WdaError, invalid_argument, no_snapshot, unknown_error
from .routes import Call, RawJson, Route, encoded
from .settings import DEEPEST_SNAPSHOT

FORMATS = ("xml", "json", "description")
STATUS_BAR_POINTS = 54
ORIENTATIONS = (
    "PORTRAIT",
    "LANDSCAPE",
    "UIA_DEVICE_ORIENTATION_PORTRAIT_UPSIDEDOWN",
    "UIA_DEVICE_ORIENTATION_LANDSCAPERIGHT",
)
"""By quarter turns."""
UPSIDE_DOWN = 2  # quarter turns; an iPhone does not show anything so
DEGREES = (0, 270, 180, 90)


async def source(call: Call) -> Any:
    kind = call.query.get("format", "xml").lower()
    if kind not in FORMATS:
        raise WdaError(
            "unsupported operation",
            f"Unknown source format '{kind}'. Only ({', '.join(FORMATS)}) source formats are "
            "supported.",
        )
    return await _source(
        call.agent, kind, frozenset(call.query.get("excluded_attributes", "").split(","))
    )


async def accessible_source(call: Call) -> Any:
    return await _source(call.agent, "accessible")


async def _source(agent: Agent, kind: str, without: frozenset[str] = frozenset()) -> RawJson:
    """One dump, with the faults that are due; XML ``without`` these attributes (FBXPath.m)."""
    phone = agent.phone
    without |= agent.lacks("source")
    fault, former = await in_thread(phone.begin_dump)
    await phone.pace.take("dump", fault.extra_ms)
    if fault.killed:
        raise ConnectionResetError("killed on purpose")
    if fault.fails:
        raise no_snapshot(await agent.on_phone(agent.active_now))
    if fault != FAULTLESS:
        return await agent.on_phone(lambda: _faulty_now(agent, kind, without, fault, former[0]))

    def render() -> RawJson:
        tree = agent.tree_now()
        depth = agent.settings["snapshotMaxDepth"]
        key = ("source", kind, depth, without)
        if key not in agent.rendered:
            agent.rendered[key] = encoded(_formatted(tree, kind, depth, without))
        return RawJson(agent.rendered[key])

    return await agent.on_phone(render)


def _faulty_now(
    agent: Agent, kind: str, without: frozenset[str], fault: DumpFault, former: list[Window]
) -> RawJson:
    """Of XML that is cut off, the answer around it is whole; with a tree in JSON the answer itself
    is cut."""
    bundle_id = agent.active_now()
    windows = [] if fault.no_window else former if fault.stale else agent.phone.windows()
    source = _formatted(
        agent.tree_of(windows, bundle_id), kind, agent.settings["snapshotMaxDepth"], without
    )
    if fault.keep >= 1:
        return RawJson(encoded(source))
    if isinstance(source, str):
        return RawJson(encoded(fault.cut(source.encode()).decode()))
    return RawJson(fault.cut(encoded(source)))


def _formatted(tree: XCElement, kind: str, depth: int, without: frozenset[str]) -> Any:
    if depth > DEEPEST_SNAPSHOT and _levels(tree) > DEEPEST_SNAPSHOT:
        raise no_snapshot(tree.bundle_id)
    if kind == "xml":
        return to_xml(tree, max_depth=depth, without=without)
    if kind == "description":
        return to_description(tree, max_depth=depth)
    return to_json(tree, max_depth=depth, without=without) if kind == "json" else _accessible(tree)


def _levels(tree: XCElement) -> int:
    level, levels = [tree], 0
    while level:
        level, levels = [child for element in level for child in element.children], levels + 1
    return levels


def _accessible(tree: XCElement) -> dict[str, Any]:
    """The accessibility elements alone, all directly below the application."""
    source = [
        {**to_json(each, max_depth=1), "children": []} for each in tree.walk() if each.accessible
    ]
    return {**to_json(tree, max_depth=1), "children": source}


async def screenshot(call: Call) -> Any:
    """A PNG in Base64."""
    return RawJson(await picture(call.agent))


async def picture(agent: Agent) -> bytes:
    """As a JSON text. Drawn once for as long as the screen stays as it is, and while it is drawn
    the phone goes on."""
    phone = agent.phone

    def draw() -> bytes:
        from ..renderers.png import render_png  # Pillow takes a tenth of a second to import

        with phone.lock:
            key = ("png", phone.version(), phone.rotation, phone.awake)
            kept = agent.pictures.get(key)
            seen = phone.windows(), phone.size
        if kept is None:
            kept = b'"' + base64.b64encode(render_png(*seen)) + b'"'
            agent.pictures = {key: kept}
        return kept

    return await in_thread(draw)


async def screen(call: Call) -> Any:
    width, height = _points(call.agent)
    return {
        "statusBarSize": {"width": width, "height": STATUS_BAR_POINTS},
        "scale": _whole(call.agent.scale),
        "screenSize": {"width": width, "height": height},
    }


async def window_size(call: Call) -> Any:
    await call.agent.on_phone(call.agent.active_now)
    width, height = _points(call.agent)
    return {"width": width, "height": height}


async def window_rect(call: Call) -> Any:
    return {"x": 0, "y": 0, **await window_size(call)}


def _points(agent: Agent) -> tuple[float, float]:
    width, height = agent.phone.size
    return _whole(width / agent.scale), _whole(height / agent.scale)


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number


async def orientation(call: Call) -> Any:
    """One of two, as WebDriver has it: both landscapes are "LANDSCAPE"
    (FBOrientationCommands.m)."""
    return ORIENTATIONS[call.agent.phone.rotation % 2]


async def set_orientation(call: Call) -> Any:
    name = call.text("orientation").upper()
    if name not in ORIENTATIONS or not await _turned(call.agent, ORIENTATIONS.index(name)):
        raise unknown_error("Unable To Rotate Device")


async def rotation(call: Call) -> Any:
    return {"x": 0, "y": 0, "z": DEGREES[call.agent.phone.rotation]}


async def set_rotation(call: Call) -> Any:
    turned = (call.number("x", 0), call.number("y", 0), call.number("z"))
    if turned[:2] != (0, 0) or turned[2] not in DEGREES:
        raise invalid_argument(f"{turned} is no rotation: x and y are 0, z is one of {DEGREES}")
    if not await _turned(call.agent, DEGREES.index(int(turned[2]))):
        raise WdaError(
            "invalid element state",
            f"The current rotation cannot be set to {turned}. Make sure the application supports "
            "it",
        )


async def _turned(agent: Agent, rotation: int) -> bool:
    """Whether the screen stands so when WebDriverAgent looks: it waits for that as long as the
    setting ``animationCoolOffTimeout`` says, with 0 not at all, and the screen turns all the same.
    Source: XCUIDevice+FBRotation.m, XCUIElement+FBUtilities.m."""
    phone = agent.phone
    if rotation == UPSIDE_DOWN or phone.rotation == rotation:
        return rotation != UPSIDE_DOWN
    await agent.on_phone(lambda: phone.turn(rotation))
    patience = agent.settings["animationCoolOffTimeout"]
    return patience > 0 and await agent.wait_until(lambda: phone.rotation == rotation, patience)


ROUTES = (
    Route("GET", "/source", source, "both", ""),
    Route("GET", "/wda/accessibleSource", accessible_source, "both", ""),
    Route("GET", "/screenshot", screenshot, "both", "screenshot"),
    Route("GET", "/wda/screen", screen, "both"),
    Route("GET", "/window/size", window_size),
    Route("GET", "/window/rect", window_rect),
    Route("GET", "/orientation", orientation, "both"),
    Route("POST", "/orientation", set_orientation, "both", "gesture"),
    Route("GET", "/rotation", rotation, "both"),
    Route("POST", "/rotation", set_rotation, "both", "gesture"),
)
