"""A screen as it is searched: who is where, with the indexes that make looking for one thing quick."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ...model import Selector
from ..text.lasting import LONGEST, is_framework, is_generated, is_volatile
from ..text.words import clean, short_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model import Element, Node
    from ..naming.labels import Labels
    from ..parsers.reading import Platform
    from ..screen.layout import Layout


@dataclass(frozen=True)
class Place:
    """The screen that is searched. Everything is known by the index of its node; ``by_ref`` finds an element by
    its ref. What is derived is worked out once, when it is first asked for."""

    platform: Platform
    layout: Layout
    labels: Labels
    elements: tuple[Element, ...]
    headings: tuple[Element, ...]
    by_ref: Mapping[str, Element]

    @cached_property
    def shown(self) -> dict[int, None]:
        """Every node that can be seen, elements or not: in document order, and quick to ask."""
        return {index: None for index, here in enumerate(self.layout.shown) if here}

    @cached_property
    def element_at(self) -> dict[int, Element]:
        return {element.node.index: element for element in self.elements}

    @cached_property
    def heading_at(self) -> dict[int, Element]:
        return {element.node.index: element for element in self.headings}

    @cached_property
    def named(self) -> dict[str, list[int]]:
        """Shown nodes by their label, in document order."""
        found: dict[str, list[int]] = {}
        label = self.labels.label
        for index in self.shown:
            if label[index]:
                found.setdefault(label[index], []).append(index)
        return found

    @cached_property
    def identified(self) -> dict[str, list[int]]:
        """Nodes by their id, whole and short, in document order."""
        found: dict[str, list[int]] = {}
        for node in self.layout.nodes:
            if node.resource_id:
                for name in {node.resource_id, short_id(node.resource_id)}:
                    found.setdefault(name, []).append(node.index)
        return found

    @cached_property
    def labelled(self) -> list[int]:
        """The nodes with a label of their own, in document order."""
        return [index for index, label in enumerate(self.labels.own) if label]

    @cached_property
    def of_class(self) -> dict[str, list[int]]:
        """Nodes by their class, in document order."""
        found: dict[str, list[int]] = {}
        for node in self.layout.nodes:
            found.setdefault(node.class_name, []).append(node.index)
        return found

    @cached_property
    def landmarks(self) -> dict[int, Selector]:
        """The nodes that a lasting id or label sets apart from every other, with the selector that does."""
        found = ((node.index, self._landmark(node)) for node in self.layout.nodes)
        return {index: selector for index, selector in found if selector is not None}

    @cached_property
    def landmark_order(self) -> list[int]:
        return sorted(self.landmarks)

    @cached_property
    def labels_before(self) -> list[int]:
        """How many nodes before each one, and in all, have a label of their own."""
        return [0, *itertools.accumulate(map(bool, self.labels.own))]

    @cached_property
    def wider(self) -> list[int]:
        """The nearest node above each that holds a label which it does not hold itself; -1 for none."""
        found: list[int] = []
        for node in self.layout.nodes:
            above = node.parent
            if above >= 0 and self.count_labels(above) == self.count_labels(node.index):
                above = found[above]
            found.append(above)
        return found

    def count_labels(self, index: int) -> int:
        """Labels at or below a node."""
        return self.labels_before[self.layout.ends[index]] - self.labels_before[index]

    def _landmark(self, node: Node) -> Selector | None:
        """A chosen id, else a label that stays."""
        short = short_id(node.resource_id)
        chosen = clean(short) and not is_generated(short) and not is_framework(node.resource_id)
        if chosen and len(self.identified[short]) == 1:
            return Selector(resource_id=short)
        label = self.labels.label[node.index]
        seen = label and self.layout.shown[node.index] and not is_typed(node, label)
        if not seen or len(label) > LONGEST or is_volatile(label):
            return None
        return Selector(text=label) if len(self.named[label]) == 1 else None


def is_typed(node: Node, label: str) -> bool:
    """Whether a field's label may be what was typed into it, as old Android versions do not tell the two apart."""
    return bool(node.states.editable) and label == clean(node.text) and label not in (
        clean(node.hint), clean(node.description)
    )  # fmt: skip
