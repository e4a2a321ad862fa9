"""Methods that show the screen: as a hierarchy, as a picture."""

from __future__ import annotations

import asyncio
import base64
import json
from dataclasses import replace
from zlib import crc32

from ..device.display import other_displays
from ..faults import FAULTLESS
from ..renderers.uiautomator import active_window, render_hierarchy
from ..streams import in_thread
from ..ui import UiNode, Window, touchable
from .automation import MAIN, Automation
from .failures import java_exception
from .rpc import Method, RawJson, Result

Seen = tuple[list[Window], int]  # the windows on the screen, and its rotation

DEPTH = 50
NO_SERVICE_INFO = (
    "java.lang.NullPointerException: Attempt to read from field 'int "
    "android.accessibilityservice.AccessibilityServiceInfo.flags' on a null object reference in "
    "method 'void androidx.test.uiautomator.UiDevice.setCompressedLayoutHeirarchy(boolean)'\n\tat "
    "androidx.test.uiautomator.UiDevice.setCompressedLayoutHeirarchy(UiDevice.java:234)\n"
)
"""What the server throws, now and then, where the phone's accessibility service is not there for a
moment."""
STACK_OVERFLOW = "java.lang.StackOverflowError: stack size 1039KB\n" + (
    "\tat "
    "com.wetest.uia2.stub.AccessibilityNodeInfoDumper.dumpNodeRec(AccessibilityNodeInfoDumper.java:161)\n"
    * 8
)
PLAIN_LAYOUTS = ("Layout", "android.view.View", "android.view.ViewGroup")


async def dump(
    automation: Automation, compressed: bool, depth: int = DEPTH, root_in_active: bool = False
) -> Result:
    """The hierarchy of all windows, or with ``root_in_active`` of the active one, as XML.
    ``compressed`` leaves out boxes that say nothing; ``depth`` is the number of levels below the
    window. Raises ``RpcError`` for a hierarchy that the server's stack cannot hold."""
    phone = automation.phone
    fault, former = await in_thread(phone.begin_dump)
    await phone.pace.take("dump", fault.extra_ms)
    if fault.killed:
        phone.kill_program(MAIN)
        await asyncio.Event().wait()  # with the server, all that it does ends
    if fault.fails:
        raise java_exception("java.lang.NullPointerException", NO_SERVICE_INFO)

    def look() -> Seen:
        return [*phone.windows(), *other_displays(phone.profile)], phone.rotation

    def render(seen: Seen) -> bytes:
        windows, rotation = seen
        if root_in_active:
            active = active_window(one for one in windows if not one.display)
            windows = [active] if active else []
        levels = (
            max(depth, 0) + 1
        )  # AccessibilityNodeInfoDumper.java dumpNodeRec: children while depth > 0
        own = touchable([one for one in windows if not one.display])
        listed = _in_a_set([*own, *(one for one in windows if one.display)], phone.profile.serial)
        if any(_overflows(each.root, levels, phone.profile.deepest) for each in listed):
            raise java_exception("java.lang.StackOverflowError", STACK_OVERFLOW)
        pruned = [_pruned(each, levels, compressed) for each in listed]
        return render_hierarchy(pruned, rotation, server=True, sdk=phone.profile.sdk)

    key = ("dump", compressed, depth, root_in_active, phone.rotation)
    if fault == FAULTLESS:
        return RawJson(await automation.rendered(key, look, lambda seen: _text(render(seen))))
    seen = (
        ([], phone.rotation)
        if fault.no_window
        else former
        if fault.stale
        else await automation.on_phone(look)
    )
    return RawJson(_text(fault.cut(await in_thread(render, seen))))


async def screenshot(automation: Automation, scale: float, quality: int) -> Result:
    """A JPEG in Base64; ``scale`` above 0 to 1, ``quality`` 1 to 100."""
    encoded = base64.b64encode(await picture(automation, scale, quality))
    return RawJson(b'"' + encoded + b'"')


async def exact_picture(automation: Automation) -> bytes:
    """The screen as a PNG."""
    phone = automation.phone

    def render(seen: tuple[list[Window], tuple[int, int]]) -> bytes:
        from ..renderers.png import render_png  # as below

        return render_png(*seen)

    return await automation.rendered(
        ("png", phone.rotation), lambda: (phone.windows(), phone.size), render
    )


async def picture(automation: Automation, scale: float, quality: int) -> bytes:
    """The screen as a JPEG; raises ``RpcError`` for a scale or quality that is none."""
    if not (0 < scale <= 1 and 0 < quality <= 100):
        raise java_exception(
            "java.lang.IllegalArgumentException",
            f"scale {scale} (0 to 1), quality {quality} (1 to 100)",
        )

    phone = automation.phone

    def render(seen: tuple[list[Window], tuple[int, int]]) -> bytes:
        from ..renderers.png import render_jpeg  # Pillow takes a tenth of a second to import

        return render_jpeg(*seen, min(quality, 95), scale)

    return await automation.rendered(
        ("jpeg", scale, quality, phone.rotation), lambda: (phone.windows(), phone.size), render
    )


def _in_a_set(windows: list[Window], seed: str) -> list[Window]:
    """In the order of a hash set of their roots (getWindowRoots of
    AccessibilityNodeInfoDumper.java): by no rule, and the same as long as they are there."""
    return sorted(
        windows, key=lambda one: crc32(f"{seed} {one.display} {one.package} {one.title}".encode())
    )


def _text(hierarchy: bytes) -> bytes:
    return json.dumps(hierarchy.decode()).encode("ascii")


def _overflows(node: UiNode, levels: int, room: int) -> bool:
    """Whether writing a node and ``levels - 1`` levels below it recurses more than ``room`` times.
    To see whether a control has a name, all that is in it is searched for one, however deep
    (childNafCheck)."""
    if room < 1:
        return True
    if _height(node) <= room:
        return False
    nameless = node.clickable and node.enabled and not (node.text or node.description)
    if nameless and _search(node, room - 1) is None:
        return True
    return levels > 1 and any(_overflows(child, levels - 1, room - 1) for child in node.children)


def _search(node: UiNode, room: int) -> bool | None:
    """Whether there is a name below the node; None if the search runs out of ``room``."""
    for child in node.children:
        if room < 1:
            return None
        if child.text or child.description:
            return True
        found = _search(child, room - 1)
        if found is not False:
            return found
    return False


def _pruned(window: Window, levels: int, compressed: bool) -> Window:
    if _height(window.root) <= levels and not compressed:
        return window
    return replace(window, root=_copy(window.root, levels, compressed))


def _height(node: UiNode) -> int:
    return 1 + max(map(_height, node.children), default=0)


def _copy(node: UiNode, depth: int, compressed: bool) -> UiNode:
    """Down to ``depth`` levels; a box without content of its own gives way to its children."""
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
    Method("dumpWindowHierarchy", ("boolean",), dump, ""),
    Method("dumpWindowHierarchy", ("boolean", "int"), dump, ""),
    Method("dumpWindowHierarchy", ("boolean", "int", "boolean"), dump, ""),
    Method("takeScreenshot", ("float", "int"), screenshot, "screenshot"),
)
