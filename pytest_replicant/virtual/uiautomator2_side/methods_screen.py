"""Methods that show the screen: as a hierarchy, as a picture."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import replace

from ..renderers.uiautomator import render_hierarchy
from ..ui import UiNode, Window
from .automation import Automation
from .failures import java_exception
from .rpc import Method, RawJson, Result

DEPTH = 50
PLAIN_LAYOUTS = ("Layout", "android.view.View", "android.view.ViewGroup")


async def dump(automation: Automation, compressed: bool) -> Result:
    return await dump_to_depth(automation, compressed, DEPTH)


async def dump_to_depth(automation: Automation, compressed: bool, depth: int) -> Result:
    return await dump_windows(automation, compressed, depth, False)


async def dump_windows(automation: Automation, compressed: bool, depth: int, root_in_active: bool) -> Result:
    """The hierarchy of all windows, or with ``root_in_active`` of the active one, as XML. ``compressed``
    leaves out boxes that say nothing; ``depth`` is the number of levels, 0 or less for all."""
    await automation.phone.pace.take("dump")

    def look() -> tuple[list[Window], int]:
        active = automation.active_window_now()
        everything = automation.phone.windows()
        return ([active] if active else []) if root_in_active else everything, automation.phone.rotation

    def render(seen: tuple[list[Window], int]) -> bytes:
        windows, rotation = seen
        return _hierarchy([_pruned(window, depth, compressed) for window in windows], rotation)

    key = ("dump", compressed, depth, root_in_active, automation.phone.rotation)
    return RawJson(await automation.rendered(key, look, render))


async def screenshot(automation: Automation, scale: float, quality: int) -> Result:
    """A JPEG in Base64; ``scale`` above 0 to 1, ``quality`` 1 to 100."""
    await automation.phone.pace.take("screenshot")
    encoded = base64.b64encode(await picture(automation, scale, quality))
    return RawJson(b'"' + encoded + b'"')


async def screenshot_to_file(automation: Automation, path: str, scale: float, quality: int) -> Result:
    """The path of the file on the phone that was written."""
    await automation.phone.pace.take("screenshot")
    pixels = await picture(automation, scale, quality)
    await automation.on_phone(lambda: automation.phone.files.write(path, pixels))
    return path


async def exact_picture(automation: Automation) -> bytes:
    """The screen as a PNG."""
    phone = automation.phone

    def render(seen: tuple[list[Window], tuple[int, int]]) -> bytes:
        from ..renderers.png import render_png  # as below

        return render_png(*seen)

    return await automation.rendered(("png", phone.rotation), lambda: (phone.windows(), phone.size), render)


async def picture(automation: Automation, scale: float, quality: int) -> bytes:
    """The screen as a JPEG; raises ``RpcError`` for a scale or quality that is none."""
    if not (0 < scale <= 1 and 0 < quality <= 100):
        raise java_exception(
            "java.lang.IllegalArgumentException", f"scale {scale} (0 to 1), quality {quality} (1 to 100)"
        )

    phone = automation.phone

    def render(seen: tuple[list[Window], tuple[int, int]]) -> bytes:
        from ..renderers.png import render_jpeg  # Pillow takes a tenth of a second to import

        return render_jpeg(*seen, min(quality, 95), scale)

    return await automation.rendered(
        ("jpeg", scale, quality, phone.rotation), lambda: (phone.windows(), phone.size), render
    )


def _hierarchy(windows: Sequence[Window], rotation: int) -> bytes:
    return json.dumps(render_hierarchy(windows, rotation, server=True).decode()).encode("ascii")


def _pruned(window: Window, depth: int, compressed: bool) -> Window:
    deep = depth > 0 and _height(window.root) > depth
    if not deep and not compressed:
        return window
    return replace(window, root=_copy(window.root, depth if depth > 0 else -1, compressed))


def _height(node: UiNode) -> int:
    return 1 + max(map(_height, node.children), default=0)


def _copy(node: UiNode, depth: int, compressed: bool) -> UiNode:
    """Down to ``depth`` levels; a box that says nothing gives way to what is in it."""
    children = list(node.children)
    if compressed:
        children = [inner for child in children for inner in _telling(child)]
    kept = [] if depth == 1 else [_copy(child, depth - 1, compressed) for child in children]
    return replace(node, children=kept)


def _telling(node: UiNode) -> list[UiNode]:
    if not (node.class_name.endswith(PLAIN_LAYOUTS) and _says_nothing(node)):
        return [node]
    return [inner for child in node.children for inner in _telling(child)]


def _says_nothing(node: UiNode) -> bool:
    texts = (node.text, node.description, node.hint, node.pane_title, node.resource_id)
    states = (node.checkable, node.clickable, node.focusable, node.scrollable, node.long_clickable)
    return not any(texts) and not any(states)


METHODS = (
    Method("dumpWindowHierarchy", ("boolean",), dump),
    Method("dumpWindowHierarchy", ("boolean", "int"), dump_to_depth),
    Method("dumpWindowHierarchy", ("boolean", "int", "boolean"), dump_windows),
    Method("takeScreenshot", ("float", "int"), screenshot),
    Method("takeScreenshot", ("text", "float", "int"), screenshot_to_file),
)
