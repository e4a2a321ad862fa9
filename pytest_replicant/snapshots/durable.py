"""A selector to write down in a test, in place of a ref."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..model.selector import Selector
from .words import short_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..model.element import Element
    from .locate import Located


class Screenful(Protocol):
    """What a proposal is tried out on."""

    @property
    def id(self) -> str: ...

    def match(self, selector: Selector) -> list[Element]: ...

    def locate(self, element: Element) -> Located: ...


@dataclass(frozen=True)
class SelectorProposal:
    """``code`` is Python source, ``by(text="Add", row_with=by(text="Tray"))``; ``unique_on`` the ids of the
    snapshots on which the selector meets this element and no other."""

    code: str
    selector: Selector
    unique_on: tuple[str, ...]
    warnings: tuple[str, ...]


def propose(element: Element, home: Screenful, also: Sequence[Screenful]) -> SelectorProposal:
    """The first of the candidates, most lasting first, that is unique on ``home`` and on ``also``."""
    best: tuple[Selector, tuple[str, ...]] | None = None
    for selector in _candidates(element, home):
        if home.match(selector) != [element]:
            continue
        unique_on = (home.id, *(other.id for other in also if _holds_on(selector, element, other)))
        if best is None or len(unique_on) > len(best[1]):
            best = selector, unique_on
        if len(unique_on) == 1 + len(also):
            break
    if best is None:  # two elements at one place: nth cannot fail otherwise
        best = Selector(class_name=element.class_name, nth=0), ()
    selector, unique_on = best
    warnings = _warnings(selector, element)
    if len(unique_on) < 1 + len(also):
        warnings.append("it is not unique on every snapshot given")
    return SelectorProposal(f"by({selector.describe()})", selector, unique_on, tuple(warnings))


def _candidates(element: Element, home: Screenful) -> Iterator[Selector]:
    """Ids, labels and the row they are in, then the role; a place in the order comes last."""
    resource_id = short_id(element.resource_id) or None
    text = element.label or None
    row = Selector(text=element.row_title) if element.row_title else None
    role = element.semantic_role
    if resource_id:
        yield Selector(resource_id=resource_id)
    if text:
        yield Selector(text=text)
        if resource_id:
            yield Selector(resource_id=resource_id, text=text)
        yield Selector(text=text, class_name=element.class_name)
    if row:
        if text:
            yield Selector(text=text, row_with=row)
        if resource_id:
            yield Selector(resource_id=resource_id, row_with=row)
        yield Selector(class_name=element.class_name, row_with=row)
    if role:
        yield Selector(role=role)
    if text and row:
        yield Selector(text=text, class_name=element.class_name, row_with=row)
    last = Selector(resource_id=resource_id, text=text, class_name=element.class_name)
    matches = home.match(last)
    if element in matches:
        traits = dict(last.given())
        yield Selector(**traits, nth=matches.index(element))  # type: ignore[arg-type]  # the same keywords


def _holds_on(selector: Selector, element: Element, other: Screenful) -> bool:
    located = other.locate(element).element
    matches = other.match(selector)
    return matches == [located] if located is not None else not matches


def _warnings(selector: Selector, element: Element) -> list[str]:
    found: list[str] = []
    if selector.nth is not None:
        found.append("nth counts places: another element before it makes it mean something else")
    if selector.resource_id is None and any(sign.isdigit() for sign in element.label):
        found.append("the label holds digits, which may change; text_matches may last longer")
    return found
