"""Elements as XCUITest's own debug description lists them, which ``/source?format=description`` answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .element import XCElement


def to_description(tree: XCElement, *, max_depth: int | None = None) -> str:
    """Indented lines, one an element."""
    lines: list[str] = []
    pending = [(tree, 0)]
    while pending:
        element, depth = pending.pop()
        lines.append(f"{'  ' * depth}{_line(element)}")
        if max_depth is None or depth + 1 < max_depth:
            pending.extend((child, depth + 1) for child in reversed(element.children))
    return "\n".join(lines)


def _line(element: XCElement) -> str:
    x, y, width, height = element.frame
    parts = [element.type]
    if element.pid:
        parts.append(f"pid: {element.pid}")
    parts.append(f"{{{{{x:.1f}, {y:.1f}}}, {{{width:.1f}, {height:.1f}}}}}")
    if element.identifier:
        parts.append(f"identifier: '{_flat(element.identifier)}'")
    if element.label:
        parts.append(f"label: '{_flat(element.label)}'")
    if element.placeholder:
        parts.append(f"placeholderValue: '{_flat(element.placeholder)}'")
    if element.value is not None and element.type != "StaticText":
        parts.append(f"value: {_flat(element.value)}")
    if element.focused:
        parts.append("Keyboard Focused")
    if element.selected:
        parts.append("Selected")
    if not element.enabled:
        parts.append("Disabled")
    return ", ".join(parts)


def _flat(text: str) -> str:
    """On one line, no matter what an app shows."""
    return text.replace("\r", "\\r").replace("\n", "\\n")
