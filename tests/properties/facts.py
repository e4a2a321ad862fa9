"""What can be observed of a screen: on the phone's side and on the reader's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pytest_replicant.model import Rect
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.virtual import UiNode


class Fact(NamedTuple):
    """``parent`` is an index in document order, -1 at a root. A state that means nothing is
    None."""

    parent: int
    class_name: str
    package: str
    resource_id: str
    text: str
    description: str
    bounds: Rect
    checked: bool | None
    selected: bool | None
    focused: bool | None
    enabled: bool | None
    password: bool | None
    scrollable: bool | None
    clickable: bool
    long_clickable: bool
    checkable: bool


def facts_of(snapshot: Snapshot) -> list[Fact]:
    return [
        Fact(
            node.parent, node.class_name, node.package, node.resource_id, node.text,
            node.description, node.bounds, node.states.checked, node.states.selected,
            node.states.focused, node.states.enabled, node.states.password, node.states.scrollable,
            node.clickable, node.long_clickable, node.checkable,
        )
        for node in snapshot.nodes
    ]  # fmt: skip


def facts(roots: Sequence[UiNode], *, server: bool = False) -> list[Fact]:
    """What a phone can tell of these windows, in a dump or by uiautomator2's ``server``, with what
    it cannot print taken into account:

    - a node below a root that has no area is not printed, nor what is in it
    - a character that XML cannot hold, or should not, is printed as a full stop; by the server each
      half of an emoji too
    - an empty field shows its hint as its text
    - ``checked`` says nothing of what can be neither checked nor is
    - a drop-down says that it scrolls where there is more to choose from
    """
    found = [fact for root in roots for fact in _walk(roots, root)]
    return list(map(_halved, found)) if server else found


def _halved(fact: Fact) -> Fact:
    name, text, description = (
        "".join(".." if sign > "\uffff" else sign for sign in each)
        for each in (fact.resource_id, fact.text, fact.description)
    )
    return fact._replace(resource_id=name, text=text, description=description)


def _walk(roots: Sequence[UiNode], root: UiNode) -> Iterator[Fact]:
    offset = sum(_size(other) for other in roots[: _position(roots, root)])
    order: list[tuple[UiNode, int]] = []
    pending = [(root, -1)]
    while pending:
        node, parent = pending.pop()
        order.append((node, parent))
        here = offset + len(order) - 1
        pending.extend(
            (child, here) for child in reversed(node.children) if not child.bounds.is_empty
        )
    for node, parent in order:
        yield _fact(node, parent)


def _position(roots: Sequence[UiNode], root: UiNode) -> int:
    return next(number for number, other in enumerate(roots) if other is root)


def _size(node: UiNode) -> int:
    return 1 + sum(_size(child) for child in node.children if not child.bounds.is_empty)


def _fact(node: UiNode, parent: int) -> Fact:
    return Fact(
        parent, node.class_name.rpartition(".")[2], node.package, printable(node.resource_id),
        printable(node.text or (node.hint if node.editable else "")), printable(node.description),
        node.bounds, node.checked if node.checkable or node.checked else None, node.selected,
        node.focused, node.enabled, node.password,
        node.scrollable and not node.class_name.endswith("Spinner"), node.clickable,
        node.long_clickable, node.checkable,
    )  # fmt: skip


def printable(text: str) -> str:
    return "".join(sign if _is_printed(ord(sign)) else "." for sign in text)


def _is_printed(code: int) -> bool:
    """XML 1.0's characters, without those that it discourages in the first plane."""
    if code in (0x09, 0x0A, 0x0D, 0x85):
        return True
    if 0x7F <= code <= 0x9F or 0xFDD0 <= code <= 0xFDDF:
        return False
    return 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
