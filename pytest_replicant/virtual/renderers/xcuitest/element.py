"""``XCElement``: one element of an app, as XCUITest sees it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ...ui import UiNode


PREFIX = "XCUIElementType"


class Frame(NamedTuple):
    """A rectangle in points, with fractions where pixels do not divide."""

    x: float
    y: float
    width: float
    height: float

    @property
    def is_empty(self) -> bool:
        return self.width <= 0 or self.height <= 0

    @property
    def center(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def contains(self, x: float, y: float) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def integral(self) -> tuple[int, int, int, int]:
        """x, y, width, height of the smallest rectangle of whole points around it, as
        WebDriverAgent reports it."""
        left, top = math.floor(self.x), math.floor(self.y)
        return (
            left,
            top,
            math.ceil(self.x + self.width) - left,
            math.ceil(self.y + self.height) - top,
        )


@dataclass(slots=True, eq=False)
class XCElement:
    """``type`` is short: "Button". ``label``, ``value`` and ``placeholder`` are as WebDriverAgent
    reports them, None if it reports none; ``index`` is the place among the siblings; ``node`` what
    the element stands for on the virtual phone, None for one that only wraps others."""

    type: str
    frame: Frame
    identifier: str = ""
    label: str | None = None
    value: str | None = None
    placeholder: str | None = None
    enabled: bool = True
    visible: bool = True
    accessible: bool = False
    selected: bool = False
    focused: bool = False  # has the keyboard
    traits: tuple[str, ...] = ()
    children: list[XCElement] = field(default_factory=list)
    index: int = 0
    node: UiNode | None = None
    bundle_id: str = ""  # of an Application
    pid: int = 0

    @property
    def full_type(self) -> str:
        return PREFIX + self.type

    @property
    def name(self) -> str | None:
        """The identifier, else the label."""
        return self.identifier or self.label or None

    def walk(self) -> Iterator[XCElement]:
        """This element and all below it, in document order."""
        pending = [self]
        while pending:
            element = pending.pop()
            yield element
            pending.extend(reversed(element.children))

    def at(self, x: float, y: float) -> list[XCElement]:
        """The visible elements under a point, outermost first; among siblings the one drawn
        last."""
        found: list[XCElement] = []
        here: XCElement | None = self if self.visible and self.frame.contains(x, y) else None
        while here is not None:
            found.append(here)
            over = reversed(here.children)
            here = next(
                (child for child in over if child.visible and child.frame.contains(x, y)), None
            )
        return found

    def number_children(self) -> None:
        """Gives each child its index."""
        for index, child in enumerate(self.children):
            child.index = index


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
