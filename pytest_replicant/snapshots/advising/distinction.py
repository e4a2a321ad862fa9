"""What tells several matches apart: for people in words, and for a test as a keyword that leaves one of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ...model import Selector, bare, combined, quoted
from ..finding.grammar import STATES, SURROUNDINGS
from ..finding.place import is_typed
from ..finding.select import meant
from ..text.lasting import LONGEST, is_framework, is_volatile
from ..text.words import clean, short_id
from .narrowing import containers, contents, heading, lines, neighbours, rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...model import Element
    from ..finding.place import Place

_MOST_TRIED = 8  # matches for which a keyword is looked for
_MOST_COMPARED = 200
_IN_WORDS: dict[tuple[str, bool | None], str] = {
    ("checked", True): "checked", ("checked", False): "unchecked", ("selected", True): "selected",
    ("selected", False): "not selected", ("enabled", True): "enabled", ("enabled", False): "disabled",
    ("focused", True): "focused", ("focused", False): "not focused",
}  # fmt: skip


def distinguish(place: Place, selector: Selector, matches: Sequence[Element]) -> Selector | None:
    """One keyword more with which ``selector`` was tried and means one of ``matches``; None where none does. What
    lasts is tried before what may change, and a place in the order never. A keyword about the surroundings that
    was given may be given otherwise, if no other helps."""
    return _first(place, selector, matches, instead=False) or _first(place, selector, matches, instead=True)


def _first(place: Place, selector: Selector, matches: Sequence[Element], *, instead: bool) -> Selector | None:
    for kind in (_names, rows, lines, containers, _volatile_names, _kinds, contents, neighbours, _states):
        for element in matches[:_MOST_TRIED]:
            for extra in kind(place, element):
                given = {name for name, _ in extra.given()}
                taken = any(getattr(selector, name) is not None for name in given)
                if taken != instead or (taken and not given <= SURROUNDINGS):
                    continue
                trial = combined(selector, extra)
                if meant(place, trial) == [element]:
                    return extra
    return None


def tell_apart(place: Place, matches: Sequence[Element], most: int, *, named: bool = False) -> list[str]:
    """The first ``most`` matches as a message lists them: no more of each than tells it from the others. Where
    it lies on the screen comes last. ``named``: with the name even where all share it."""
    matches = matches[:_MOST_COMPARED]
    differing = [name for name in STATES if len({getattr(element.states, name) for element in matches}) > 1]

    def states(element: Element) -> str:
        return ", ".join(filter(None, (_IN_WORDS.get((n, getattr(element.states, n))) for n in differing)))

    def section(element: Element) -> str:
        above = heading(place, element)
        return f"below {quoted(above)}" if above else ""

    names = [[_name(element)] for element in matches]
    alike = len(set(map(tuple, names))) == 1 and len(matches) > 1 and not named
    words: list[list[str]] = [[] for _ in matches] if alike else names
    for way in (_row, states, _identified, section, _position):
        counts = Counter(map(tuple, words))
        shared = [counts[tuple(parts)] > 1 for parts in words]
        said = [way(element) if unclear else "" for element, unclear in zip(matches, shared, strict=True)]
        if len({text for text, unclear in zip(said, shared, strict=True) if unclear}) > 1:
            words = [[*parts, text] if text else parts for parts, text in zip(words, said, strict=True)]
    if alike:
        words = [parts or [_position(element)] for element, parts in zip(matches, words, strict=True)]
    told = [" ".join([f"[{element.ref}]", *parts]) for element, parts in zip(matches, words, strict=True)]
    return told[:most]


def listed(place: Place, matches: Sequence[Element], most: int, *, named: bool = False) -> str:
    """The same on one line, with a count of those that are left out."""
    shown = tell_apart(place, matches, most, named=named)
    more = [f"… and {len(matches) - len(shown)} more"] if len(matches) > len(shown) else []
    return "   ".join([*shown, *more])


def _name(element: Element) -> str:
    kind = bare(element.class_name)
    return f"{kind} {quoted(element.label)}" if element.label else kind


def _row(element: Element) -> str:
    return f"in row {quoted(element.context)}" if element.context and element.context != element.label else ""


def _identified(element: Element) -> str:
    return f"id={bare(short_id(element.resource_id))}" if element.resource_id else ""


def _position(element: Element) -> str:
    return f"at {element.center.x},{element.center.y}"


def _names(place: Place, element: Element) -> Iterator[Selector]:
    label, described = element.label, element.description
    if clean(short_id(element.resource_id)) and not is_framework(element.resource_id):
        yield Selector(resource_id=short_id(element.resource_id))
    if label and len(label) <= LONGEST and not is_volatile(label) and not is_typed(element.node, label):
        yield Selector(text=label)
    if described and described != label and len(described) <= LONGEST and not is_volatile(described):
        yield Selector(description=described)


def _volatile_names(place: Place, element: Element) -> Iterator[Selector]:
    if element.label and len(element.label) <= LONGEST:
        yield Selector(text=element.label)
    if clean(element.resource_id):
        yield Selector(resource_id=element.resource_id)


def _kinds(place: Place, element: Element) -> Iterator[Selector]:
    yield Selector(role=element.semantic_role)
    if clean(element.class_name):
        yield Selector(class_name=element.class_name)


def _states(place: Place, element: Element) -> Iterator[Selector]:
    for name in STATES:
        if getattr(element.states, name) is not None:
            yield Selector(**{name: getattr(element.states, name)})
