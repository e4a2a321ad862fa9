"""Elements as WebDriverAgent's ``/source`` prints them in XML."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .element import Frame, XCElement


DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

_ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\n": "&#10;",
    "\r": "&#13;",
    "\t": "&#9;",
}
_SPECIAL = re.compile('[&<>"\n\r\t]')
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_BOOLEAN = ("false", "true")


def to_xml(tree: XCElement, *, max_depth: int | None = None, without: Collection[str] = ()) -> str:
    """With the attributes in WebDriverAgent's order but for those named; elements deeper than
    ``max_depth`` levels are left out."""
    excluded = (
        re.compile(rf' (?:{"|".join(map(re.escape, without))})="[^"]*"') if any(without) else None
    )
    parts = [DECLARATION, "\n"]
    pending: list[tuple[XCElement | str, int]] = [(tree, 0)]
    while pending:
        element, depth = pending.pop()
        if isinstance(element, str):
            parts.append(element)
            continue
        indent = "  " * depth
        deeper = max_depth is None or depth + 1 < max_depth
        attributes = _attributes(element)
        if excluded:
            attributes = excluded.sub("", attributes)
        parts.append(f"{indent}<{element.full_type}{attributes}")
        if not element.children or not deeper:
            parts.append("/>\n")
            continue
        parts.append(">\n")
        pending.append((f"{indent}</{element.full_type}>\n", 0))
        pending.extend((child, depth + 1) for child in reversed(element.children))
    return "".join(parts)


def _attributes(element: XCElement) -> str:
    x, y, width, height = element.frame.integral()
    traits = ", ".join(element.traits)
    return (
        f' type="{element.full_type}"'
        f"{_text('value', element.value)}{_text('name', element.name)}"
        f"{_text('label', element.label)}"
        f' enabled="{_BOOLEAN[element.enabled]}" visible="{_BOOLEAN[element.visible]}"'
        f' accessible="{_BOOLEAN[element.accessible]}"'
        f' x="{x}" y="{y}" width="{width}" height="{height}" index="{element.index}"'
        f'{_text("placeholderValue", element.placeholder)} traits="{traits}"'
        f"{_text('bundleId', element.bundle_id or None)}"
        f"{_text('processId', str(element.pid) if element.bundle_id else None)}"
    )


def _text(name: str, value: str | None) -> str:
    return "" if value is None else f' {name}="{escaped(value)}"'


def escaped(text: str) -> str:
    """For an attribute; what XML cannot hold is left out."""
    text = _NO_XML.sub("", text)
    return _SPECIAL.sub(lambda match: _ESCAPES[match[0]], text) if _SPECIAL.search(text) else text


_FLAGS = ("0", "1")


def to_json(
    tree: XCElement, *, max_depth: int | None = None, without: Collection[str] = ()
) -> dict[str, Any]:
    """A leaf has no children; a missing value is None. Elements deeper than ``max_depth`` levels
    are left out, and so are the attributes named."""
    root = _one(tree, without)
    pending = [(tree, root, 1)]
    while pending:
        element, facts, depth = pending.pop()
        if not element.children or (max_depth is not None and depth >= max_depth):
            continue
        facts["children"] = below = [_one(child, without) for child in element.children]
        pending.extend(
            (child, one, depth + 1) for child, one in zip(element.children, below, strict=True)
        )
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
