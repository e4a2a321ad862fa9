"""Selectors that may fit one element alone, most lasting first, and among those the shortest first.

Ids, then labels, then the row or the named part of the screen around it, then what is in it or near it. Never what
was typed, never a state, never a place in the order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import Selector, combined
from ..finding.place import is_typed
from ..screen.scrolling import is_collection
from ..text.lasting import LONGEST, beginning, generalised, is_framework, is_generated, is_volatile
from ..text.words import clean, short_id
from .narrowing import containers, contents, lines, neighbours, rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...model import Element
    from ..finding.place import Place

_FEWEST_LETTERS = 3
_FEWEST_SIGNS = 2  # of scripts in which two are a word


def candidates(place: Place, element: Element) -> Iterator[Selector]:
    """What to try, in this order. Some may fit nothing or much: the caller matches them."""
    chosen, doubtful = _ids(element)
    lasting, volatile = _labels(element)
    kind = _kind(element)
    in_row = [] if element.states.scrollable else list(rows(place, element))
    steady = [extra for extra in in_row if not is_volatile(_row_label(extra))]
    numbered = [extra for extra in in_row if is_volatile(_row_label(extra))]
    if _repeats(place, element):
        yield from _pairs([*chosen, *lasting], steady[:1])
    yield from chosen
    yield from lasting
    yield from _pairs(lasting, kind)
    yield from _pairs(chosen, lasting)
    if element.states.scrollable or element.named_by_choice:
        yield from kind  # what scrolls or holds a choice is told by its class sooner than by what it shows now
    own = [*chosen, *lasting, *kind, *_pairs(lasting, kind)]
    around = list(containers(place, element))
    yield from _pairs(own, steady)
    yield from volatile
    yield from _pairs(volatile, kind)
    yield from _pairs(chosen, volatile)
    yield from _pairs(own, around)
    loose = [] if element.states.scrollable else list(lines(place, element))
    yield from _pairs(own, loose)
    yield from doubtful
    yield from _pairs(doubtful, [*lasting, *volatile])
    yield from kind
    own = [*chosen, *lasting, *_pairs(lasting, kind), *volatile, *_pairs(volatile, kind), *doubtful, *kind]
    yield from _pairs(own, [*contents(place, element), *neighbours(place, element)])
    yield from _pairs(own, numbered)
    yield from _pairs([*volatile, *doubtful], [*steady, *around])


def _repeats(place: Place, element: Element) -> bool:
    """Whether it is a part of a list's row other than its title: one such row more, and neither its id nor its
    label is unique any longer."""
    row = place.labels.row_of(element.node)
    above = place.layout.nodes[row].parent if row >= 0 else -1
    title = element.row_title
    named = title not in ("", element.label, *element.folded) and not is_volatile(title)
    return named and above >= 0 and is_collection(place.layout.nodes[above])


def _ids(element: Element) -> tuple[list[Selector], list[Selector]]:
    """Those that somebody chose for this element, and those that a framework gave."""
    whole, short = element.resource_id, short_id(element.resource_id)
    if not clean(short):
        return [], []
    if is_framework(whole):
        return [], [Selector(resource_id=whole)]
    found = [Selector(resource_id=name) for name in dict.fromkeys((short, whole))]
    return ([], found) if is_generated(short) else (found, [])


def _labels(element: Element) -> tuple[list[Selector], list[Selector]]:
    """Those that stay, and those that hold numbers, with the pattern that leaves these open first."""
    label = element.label
    lasting: list[Selector] = []
    volatile: list[Selector] = []
    if element.named_by_choice:
        volatile.append(Selector(text=label))
    elif label and not is_typed(element.node, label):
        if is_volatile(label) or len(label) > LONGEST or element.name != element.label:
            lasting += [Selector(text_contains=part) for part in _context(element)]
        if not is_volatile(label) and len(label) <= LONGEST:
            lasting.append(Selector(text=label))
        elif is_volatile(label):
            pattern = generalised(label)
            volatile += [Selector(text_matches=pattern)] if pattern else []
        if len(label) <= LONGEST and is_volatile(label):
            volatile.append(Selector(text=label))
        elif len(label) > LONGEST:
            volatile.append(Selector(text_contains=label[:LONGEST]))
    described = clean(element.description)
    if described and described != label and len(described) <= LONGEST and not is_typed(element.node, described):
        (volatile if is_volatile(described) else lasting).append(Selector(description=described))
    return lasting, volatile


def _context(element: Element) -> list[str]:
    """Parts of a label that say enough and hold no numbers."""
    names = element.folded if element.name != element.label else ()
    found = [name for name in names if len(name) <= LONGEST and not is_volatile(name) and _says_something(name)]
    head = beginning(element.label) if len(element.label) > LONGEST else ""
    return list(dict.fromkeys([*found[:2], *([head] if head else [])]))


def _says_something(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    return letters >= (_FEWEST_LETTERS if text.isascii() else _FEWEST_SIGNS)


def _kind(element: Element) -> list[Selector]:
    name = clean(element.class_name)
    return [Selector(class_name=name)] if name else []


def _row_label(extra: Selector) -> str:
    return (extra.row_with.text or "") if extra.row_with is not None else ""


def _pairs(ones: Iterable[Selector], others: Iterable[Selector]) -> list[Selector]:
    """Each with each."""
    extras = list(others)
    return [combined(one, extra) for one in ones for extra in extras]
