"""One element in one line, as the outline and the diff print it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import bare, quoted
from ..parsers.roles import GENERIC
from ..screen.scrolling import SCROLLERS
from ..text.words import clean, short_id

if TYPE_CHECKING:
    from ...model import Element, Node


def line(element: Element, *, bounds: bool = False, alone: bool = True) -> str:
    """``[k427] EditText "Email" value="ada" [focused]``. Text that can only be read shows no class. What has
    neither label nor id nor value is told by its centre, unless what is listed inside tells it (``alone`` is
    False)."""
    told, value = called(element), element.value
    if value not in (None, "") and value != element.label:
        told += f" value={_value(value)}"
        if element.value_range is not None:
            told += f" of {_number(element.value_range.min)}..{_number(element.value_range.max)}"
    told += _states(element)
    if element.folded:
        extra = [part for part in element.folded if part != value and not _says(element.label, part)]
        told = " ".join([told, "·", *map(printed, extra)]) if extra else told
    if bounds:
        return f"{told} {_place(element)}"
    if alone and is_nameless(element):
        return f"{told} @{element.center.x},{element.center.y}"
    return told


def called(element: Element) -> str:
    """``[k427] Button "Add"``: ref, class and name; the id where there is no name."""
    label, node = element.label, element.node
    told = f"[{element.ref}]"
    if not (label and _is_plain(node)):
        told += f" {bare(node.class_name)}"
    if label:
        return f"{told} {quoted(label)}"
    return f"{told} id={bare(short_id(node.resource_id))}" if node.resource_id else told


def is_nameless(element: Element) -> bool:
    """Whether nothing but class and states is known of it."""
    return not (element.label or element.resource_id or element.value not in (None, ""))


def printed(text: str) -> str:
    """In quotes, as labels are compared."""
    return quoted(clean(text))


def _is_plain(node: Node) -> bool:
    if node.clickable or node.long_clickable or node.checkable or node.states.scrollable:
        return False
    return node.class_name in GENERIC or node.class_name.endswith("TextView")


def _says(label: str, part: str) -> bool:
    """Whether ``part`` stands in the label as whole words; "1" is not said by "Item 10"."""
    start = label.find(part)
    while start >= 0:
        before, after = label[start - 1 : start], label[start + len(part) :][:1]
        if not (before.isalnum() and part[:1].isalnum()) and not (after.isalnum() and part[-1:].isalnum()):
            return True
        start = label.find(part, start + 1)
    return False


def _states(element: Element) -> str:
    states = element.states
    words = [] if states.checked is None else ["checked" if states.checked else "unchecked"]
    if states.selected:
        words.append("selected")
    if states.focused:
        words.append("focused")
    if states.expanded is not None:
        words.append("expanded" if states.expanded else "collapsed")
    if states.enabled is False:
        words.append("disabled")
    if states.password:
        words.append("password")
    if states.scrollable and not element.class_name.endswith(SCROLLERS):
        words.append("scrollable")
    return "".join([f" [{word}]" for word in words])


def _value(value: str | float | None) -> str:
    return _number(value) if isinstance(value, (int, float)) else printed(str(value))


def _number(value: float) -> str:
    return f"{value:.10g}"


def _place(element: Element) -> str:
    bounds = element.bounds
    return f"{{x:{bounds.left},y:{bounds.top},w:{bounds.width},h:{bounds.height}}}"
