"""What around an element tells it from others like it, as keywords that narrow a selector.

Nothing here is tried out: whoever uses a suggestion matches it against the screen first.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from typing import TYPE_CHECKING

from ...model import Selector
from ..naming.rows import MOST_LABELS
from ..parsers.roles import GENERIC
from ..text.lasting import LONGEST, is_volatile
from ..text.words import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...model import Element
    from ..finding.place import Place

_MOST_ABOVE = 24  # how far up a named container is looked for
_MOST_OFFERED = 6
_WINDOW = 10  # landmarks on either side, in document order
_EVERYWHERE = GENERIC | {"ComposeView", "Window", "Application", "hierarchy"}


def rows(place: Place, element: Element) -> Iterator[Selector]:
    """``row_with`` the other labels of the row around it, the title first, then those without numbers."""
    row = place.labels.row_of(element.node)
    if row >= 0 and place.count_labels(row) <= MOST_LABELS:
        labels = _labels_below(place, row, element)
        labels.sort(key=lambda label: (is_volatile(label), label != element.row_title))
        yield from _beside(labels)


def lines(place: Place, element: Element) -> Iterator[Selector]:
    """``row_with`` the labels on its height, where nothing marks a row."""
    part = place.wider[element.node.index]
    if part < 0 or place.labels.row_of(element.node) >= 0 or place.count_labels(part) > MOST_LABELS:
        return
    labels = _labels_below(place, part, element, (element.bounds.top, element.bounds.bottom))
    yield from _beside(sorted(labels, key=is_volatile))


def _labels_below(place: Place, part: int, element: Element, height: tuple[int, int] | None = None) -> list[str]:
    """The labels of a part of the screen, the element's own left out."""
    known, nodes, own = place.labelled, place.layout.nodes, place.labels.own
    span = known[bisect_left(known, part) : bisect_left(known, place.layout.ends[part])]
    if height is not None:
        top, bottom = height
        span = [other for other in span if nodes[other].bounds.top < bottom and nodes[other].bounds.bottom > top]
    mine = {element.label, *element.folded}
    return [label for label in dict.fromkeys(own[other] for other in span) if label not in mine]


def _beside(labels: Sequence[str]) -> Iterator[Selector]:
    readable = [label for label in labels if len(label) <= LONGEST]
    return (Selector(row_with=Selector(text=label)) for label in readable[:_MOST_OFFERED])


def containers(place: Place, element: Element) -> Iterator[Selector]:
    """``within`` an ancestor that is named and the only one of its name, the nearest first."""
    nodes = place.layout.nodes
    above = element.node.parent
    offered = 0
    for _ in range(_MOST_ABOVE):
        if above < 0 or offered == _MOST_OFFERED:
            return
        anchor = place.landmarks.get(above)
        class_name = nodes[above].class_name
        if (
            anchor is None
            and clean(class_name)
            and class_name not in _EVERYWHERE
            and len(place.of_class[class_name]) == 1
        ):
            anchor = Selector(class_name=class_name)
        if anchor is not None:
            offered += 1
            yield Selector(within=anchor)
        above = nodes[above].parent


def contents(place: Place, element: Element) -> Iterator[Selector]:
    """``has`` something that is the only one of its name."""
    index = element.node.index
    known = place.landmark_order
    first = bisect_left(known, index + 1)
    for other in itertools.islice(known, first, first + _MOST_OFFERED):
        if other < place.layout.ends[index]:
            yield Selector(has=place.landmarks[other])


def neighbours(place: Place, element: Element) -> Iterator[Selector]:
    """``near`` what is the only one of its name, the closest first."""
    nodes, ends, index = place.layout.nodes, place.layout.ends, element.node.index
    known = place.landmark_order
    middle = bisect_left(known, index)
    around = [
        other
        for other in known[max(middle - _WINDOW, 0) : middle + _WINDOW + 1]
        if place.layout.shown[other] and not other <= index < ends[other] and not index <= other < ends[index]
    ]
    x, y = element.center.x, element.center.y

    def distance(other: int) -> tuple[int, int]:
        center = nodes[other].bounds.center
        return (center.x - x) ** 2 + (center.y - y) ** 2, other

    for other in sorted(around, key=distance)[:_MOST_OFFERED]:
        yield Selector(near=place.landmarks[other])


def heading(place: Place, element: Element) -> str:
    """The nearest text before an element that stands above it, as the title of a section does; "" for none."""
    nodes, labels = place.layout.nodes, place.labels
    before = bisect_left(place.labelled, element.node.index)
    for index in reversed(place.labelled[max(before - _WINDOW, 0) : before]):
        bounds = nodes[index].bounds
        above = bounds.bottom <= element.bounds.top and bounds.left < element.bounds.right
        if above and not labels.controls[index] and labels.own[index] != element.label:
            return labels.own[index]
    return ""
