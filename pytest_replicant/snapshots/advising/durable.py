"""A selector to write down in a test, in place of a ref."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ...model import Selector, quoted
from ..finding.select import match
from ..text.lasting import doubt, is_framework, is_generated
from .candidates import candidates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...model import Element
    from ..finding.place import Place
    from ..identity.locate import Located

_LEAST_SLACK = 16  # pixels


class Screenful(Protocol):
    """What a proposal is tried out on."""

    @property
    def id(self) -> str: ...

    def match(self, selector: Selector) -> list[Element]: ...

    def match_labels(self, selector: Selector) -> list[Element]: ...

    def locate(self, element: Element) -> Located: ...


@dataclass(frozen=True)
class SelectorProposal:
    """``code`` is Python source, ``by(text="Add", row_with=by(text="Tray"))``, that makes ``selector``.

    ``unique_on`` are the ids of the snapshots on which the selector meets this element and no other; empty
    where only a place in the order would tell the element from its look-alikes, and ``warnings`` say so."""

    code: str
    selector: Selector
    unique_on: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Trial:
    """A screen, and where the element is on it: ``fits`` is what the selector should meet there, None where that
    cannot be told."""

    element: Element
    screen: Screenful
    fits: list[Element] | None
    heading: bool

    def met(self, selector: Selector) -> list[Element]:
        """What the selector meets; a heading is met through its label, as checks see it."""
        found = self.screen.match(selector)
        return found or (self.screen.match_labels(selector) if self.heading else [])

    def holds(self, selector: Selector) -> bool:
        """A label with another number in it is still the same where the pattern leaves the number open."""
        found = self.met(selector)
        if selector.text_matches is not None and not self.fits and len(found) == 1:
            return self.fits is not None and found[0].class_name == self.element.class_name
        return found == self.fits

    def told(self, selector: Selector) -> str:
        """What is wrong where it does not hold."""
        found = self.met(selector)
        if self.fits is None:
            why = "which element this is cannot be told"
        elif len(found) == 1:
            why = f"it meets {'another' if self.fits else 'an'} element, {quoted(found[0].label)}"
        else:
            why = f"it meets {len(found)} elements"
        return f"it is not unique on every snapshot given: on {self.screen.id} {why}"


def propose(element: Element, place: Place, home: Screenful, also: Sequence[Screenful]) -> SelectorProposal:
    """The first of the candidates, most lasting first, that meets the element alone on ``home``, and on ``also``
    the same element, or nothing where it is not. Where none holds everywhere, the one that holds on most."""
    heading = element.node.index in place.heading_at
    at_home = _Trial(element, home, [element], heading)
    trials = [_trial(element, other, heading) for other in also]
    best: tuple[Selector, list[bool]] | None = None
    fewest: tuple[int, Selector] | None = None
    for selector in candidates(place, element):
        found = at_home.met(selector)
        if found != [element] or not _clearly(place, selector, element):
            if element in found and (fewest is None or len(found) < fewest[0]):
                fewest = len(found), selector
            continue
        held = [trial.holds(selector) for trial in trials]
        if best is None or sum(held) > sum(best[1]):
            best = selector, held
        if all(held):
            break
    if best is None:
        return _hopeless(element, *fewest) if fewest else _hopeless(element, 0, Selector())
    selector, held = best
    unique_on = [home.id, *(t.screen.id for t, ok in zip(trials, held, strict=True) if ok and t.met(selector))]
    warnings = _warnings(selector, element)
    warnings += [trial.told(selector) for trial, ok in zip(trials, held, strict=True) if not ok]
    return SelectorProposal(repr(selector), selector, tuple(unique_on), tuple(warnings))


def _clearly(place: Place, selector: Selector, element: Element) -> bool:
    """Whether it is nearest by more than parts of a screen move between two reads: half of its own size."""
    slack = max(min(element.bounds.width, element.bounds.height) // 2, _LEAST_SLACK)
    return selector.near is None or len(match(place, selector, slack=slack)) <= 1


def _trial(element: Element, other: Screenful, heading: bool) -> _Trial:
    located = other.locate(element)
    if located.element is not None:
        return _Trial(element, other, [located.element], heading)
    return _Trial(element, other, None if located.verdict == "ambiguous" else [], heading)


def _hopeless(element: Element, count: int, selector: Selector) -> SelectorProposal:
    """The selector that leaves the fewest look-alikes, and the truth about it."""
    warning = f"not unique: {count} elements fit, and nothing but their place tells this one apart"
    if count == 1:
        warning = "not unique for long: another that fits is almost as near, and nothing else tells them apart"
    return SelectorProposal(repr(selector), selector, (), (warning, *_warnings(selector, element)))


def _warnings(selector: Selector, element: Element) -> list[str]:
    found: list[str] = []
    if selector.text is not None and element.named_by_choice:
        found.append("the label is what is chosen just now: another choice makes it another one")
    resource_id = selector.resource_id or ""
    if is_framework(resource_id):
        found.append(f'every app has elements with the id "{resource_id}"')
    elif resource_id and is_generated(resource_id):
        found.append(f'the id "{resource_id}" looks generated, and may be another one in the next build or run')
    if selector.text_matches is not None:
        found.append("the label holds digits, which may change: the pattern takes any number")
    for text in (selector.text, selector.text_contains, selector.description):
        if text and doubt(text):
            found.append(f"the label {doubt(text)}")
    inner = [value.text for _, value in selector.given() if isinstance(value, Selector) and value.text]
    found += [f"the label of what is around it {doubt(text)}" for text in inner if doubt(text)]
    if selector.near is not None:
        found.append("only what it is near tells it from others like it: once it is gone, another one is met")
    if set(dict(selector.given())) == {"class_name"}:
        found.append("nothing but its class tells it apart: another of its kind makes this ambiguous")
    return found
