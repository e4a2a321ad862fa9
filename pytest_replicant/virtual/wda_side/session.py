"""A session: what one client has asked for, and the elements that it was given."""

from __future__ import annotations

import uuid
from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from .failures import stale

if TYPE_CHECKING:
    from ..renderers.xcuitest import XCElement

MOST_ELEMENTS = 1024  # remembered; the one that was used longest ago is forgotten first

Mark: TypeAlias = "tuple[object, ...]"
"""The identity of an element across rebuilds of the tree: its screen and its position there."""


@dataclass
class Session:
    """``bundle_id`` is the app that it was opened for, "" for none; ``expected`` whether that
    should be running, ``ends_app`` whether it ends with the session."""

    bundle_id: str = ""
    expected: bool = False
    ends_app: bool = True
    id: str = field(default_factory=lambda: str(uuid.uuid4()).upper())
    _elements: OrderedDict[str, Mark] = field(default_factory=OrderedDict)
    _ids: dict[Mark, str] = field(default_factory=dict)

    def remember(self, mark: Mark) -> str:
        """The element's id, the same for the same element."""
        identity = self._ids.get(mark)
        if identity is None:
            identity = self._ids[mark] = str(uuid.uuid4()).upper()
        self._elements[identity] = mark
        self._elements.move_to_end(identity)
        if len(self._elements) > MOST_ELEMENTS:
            _, oldest = self._elements.popitem(last=False)
            del self._ids[oldest]
        return identity

    def mark(self, identity: str) -> Mark:
        """Raises ``WdaError`` (stale) for an id that was never given, or was forgotten."""
        if identity not in self._elements:
            raise stale(identity)
        self._elements.move_to_end(identity)
        return self._elements[identity]


def marks(tree: XCElement, screen: object) -> Iterator[tuple[Mark, XCElement]]:
    """Each element of a tree with its mark, no two the same. A declared widget is identified by the
    path of its widget, all else by its place among its siblings and its name."""
    window: Mark = ()
    seen: Counter[Mark] = Counter()
    pending: list[tuple[XCElement, Mark, Mark]] = [(tree, (), window)]
    while pending:
        element, place, window = pending.pop()
        if element.type == "Window":
            window = (place, tuple((child.type, child.label) for child in element.children))
        path = getattr(element.node.owner, "path", None) if element.node is not None else None
        place_mark = path if isinstance(path, str) and path else (place, element.name)
        mark = (tree.bundle_id, screen, window, element.type, place_mark)
        yield (*mark, seen[mark]), element
        seen[mark] += 1
        pending += [(child, (*place, child.index), window) for child in reversed(element.children)]
