"""States of an element, in the terms of each platform, and the elements in it."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Element, Node
from ..snapshots import Snapshot, Word

CHOICES = frozenset({"Button", "Cell"})
"""Classes of a choice on iOS, where radio buttons have no type of their own."""


def checked_of(snapshot: Snapshot, element: Element) -> bool | None:
    """Whether the element is checked; None if that is not known.

    iOS reports it of switches alone. A button or a row is reported as selected or not, which any
    button may be: one that is selected counts as checked, and one that is not counts as unchecked
    where a sibling is selected."""
    states = element.states
    if states.checked is not None or element.class_name not in CHOICES:
        return states.checked
    if states.selected:
        return True
    alike = (
        one for one in _siblings(snapshot, element.node) if one.class_name == element.class_name
    )
    return False if states.selected is False and any(one.states.selected for one in alike) else None


def _siblings(snapshot: Snapshot, node: Node) -> Iterator[Node]:
    """The other children of its parent; of a button that fills a row, those of the other rows."""
    nodes = snapshot.nodes
    if node.parent < 0:
        return
    parent = nodes[node.parent]
    yield from (nodes[index] for index in parent.children if index != node.index)
    if parent.class_name == "Cell" and parent.parent >= 0:
        rows = (nodes[index] for index in nodes[parent.parent].children if index != parent.index)
        yield from (nodes[index] for row in rows for index in row.children)


def true_text_of(snapshot: Snapshot, element: Element) -> str:
    """The same as ``text_of``, with the emoji that a dump leaves out. Raises
    ``UndecidableText``."""
    return text_of(truly(snapshot, element, text_of(element)))


def truly(snapshot: Snapshot, element: Element, shown: object) -> Element:
    """The element with the true texts of what it has ``shown``. Raises ``UndecidableText``."""
    return (
        snapshot.as_shown(Word(shown)).at(element)
        if isinstance(shown, str) and ".." in shown
        else element
    )


def text_of(element: Element) -> str:
    """The text of a field, else the label of the element; of a masked field, its bullets."""
    if element.states.password:
        empty = element.text in (element.hint, element.label)  # a hint in the place of text
        return "" if empty else element.text
    if element.states.editable:
        return str(element.value) if element.value is not None else ""
    return element.text or element.label
