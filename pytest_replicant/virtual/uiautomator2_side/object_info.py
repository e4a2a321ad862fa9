"""The facts about an object and about the phone in answers to the client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import Rect
from ..renderers.uiautomator import shown_text
from ..ui import UiNode
from .rpc import Result

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone


def bounds(rect: Rect) -> Result:
    """Device pixels; ``right`` and ``bottom`` are exclusive."""
    return {"bottom": rect.bottom, "left": rect.left, "right": rect.right, "top": rect.top}


def object_info(node: UiNode) -> Result:
    """All that ``UiObject.info`` holds. If a node has no id its ``resourceName`` is null."""
    return {
        "bounds": bounds(node.bounds),
        "checkable": node.checkable,
        "checked": node.checked,
        "childCount": len(node.children),
        "className": node.class_name,
        "clickable": node.clickable,
        "contentDescription": node.description,
        "enabled": node.enabled,
        "focusable": node.focusable,
        "focused": node.focused,
        "longClickable": node.long_clickable,
        "packageName": node.package,
        "resourceName": node.resource_id or None,
        "scrollable": node.scrollable,
        "selected": node.selected,
        "text": shown_text(node),
        "visibleBounds": bounds(node.bounds),
    }


def device_info(phone: VirtualPhone) -> Result:
    """Sizes are in pixels as rotated now, and once more in density-independent pixels."""
    width, height = phone.size
    scale = phone.profile.scale
    return {
        "currentPackageName": phone.foreground()[0],
        "displayHeight": height,
        "displayRotation": phone.rotation,
        "displaySizeDpX": round(width / scale),
        "displaySizeDpY": round(height / scale),
        "displayWidth": width,
        "naturalOrientation": phone.rotation in (0, 2),
        "productName": phone.profile.product,
        "screenOn": phone.awake,
        "sdkInt": phone.profile.sdk,
    }
