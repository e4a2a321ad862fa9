"""Elements as WebDriverAgent's ``/source?format=json`` answers them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .element import Frame, XCElement

_FLAGS = ("0", "1")


def to_json(tree: XCElement, *, max_depth: int | None = None, without: Collection[str] = ()) -> dict[str, Any]:
    """A leaf has no children; a missing value is None. Elements deeper than ``max_depth`` levels are left out, and
    so are the attributes named."""
    root = _one(tree, without)
    pending = [(tree, root, 1)]
    while pending:
        element, facts, depth = pending.pop()
        if not element.children or (max_depth is not None and depth >= max_depth):
            continue
        facts["children"] = below = [_one(child, without) for child in element.children]
        pending.extend((child, one, depth + 1) for child, one in zip(element.children, below, strict=True))
    return root


def _one(element: XCElement, without: Collection[str]) -> dict[str, Any]:
    x, y, width, height = element.frame.integral()
    facts: dict[str, Any] = {
        "type": element.type,
        "rawIdentifier": element.identifier or None,
        "name": element.name,
        "value": element.value,
        "label": element.label,
        "rect": {"x": x, "y": y, "width": width, "height": height},
        "frame": frame_text(element.frame),
        "isEnabled": _FLAGS[element.enabled],
        "isVisible": _FLAGS[element.visible],
        "isAccessible": _FLAGS[element.accessible],
        "traits": ", ".join(element.traits),
    }
    if element.placeholder is not None:
        facts["placeholderValue"] = element.placeholder
    if element.bundle_id:
        facts["bundleId"] = element.bundle_id
    for name in without:
        facts.pop(name, None)
    return facts


def frame_text(frame: Frame) -> str:
    """``{{0, 47.5}, {393, 44}}``, as Apple writes a rectangle."""
    x, y, width, height = (f"{side:.17g}" if side % 1 else str(int(side)) for side in frame)
    return f"{{{{{x}, {y}}}, {{{width}, {height}}}}}"
