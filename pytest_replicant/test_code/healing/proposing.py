"""A new locator for an element that was found again, tried on every recorded screen of its step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...errors import ReplicantError
from ...model import Element, Selector
from ...snapshots import Snapshot
from .refusal import Refusal

_TELLING = frozenset(
    {
        "text",
        "text_contains",
        "text_matches",
        "description",
        "resource_id",
        "row_with",
        "within",
        "has",
    }
)


@dataclass(frozen=True)
class Known:
    """A recorded screen of the step, and which element the step meant there; None if it has
    none."""

    screen: Snapshot
    element: Element | None


@dataclass(frozen=True)
class Proposal:
    """``selector`` finds the element on the failing screen, and on ``found`` of ``known`` recorded
    ones; another element on none of them."""

    selector: Selector
    found: int
    known: int

    @property
    def proof(self) -> str:
        """In words; no device has confirmed it."""
        return (
            "proven on recordings only: it finds the element on the failing screen, and on "
            f"{self.found} of {self.known} recorded before"
        )


def propose(element: Element, was: Selector, now: Snapshot, known: Sequence[Known]) -> Proposal:
    """The locator that holds on most recorded screens; of those, one as the test wrote it. Raises
    ``Refusal`` if none finds the element alone on the failing screen and no other one elsewhere."""
    best: Proposal | None = None
    for selector in _candidates(element, was, now, [one.screen for one in known]):
        found = holds(selector, element, now, known)
        if found is not None and (not best or found > best.found):
            best = Proposal(selector, found, len(known))
            if found == len(known):
                break
    if not best:
        raise Refusal("not proven", "no lasting locator finds it alone on every recorded screen")
    return best


def holds(
    selector: Selector, element: Element, now: Snapshot, known: Sequence[Known]
) -> int | None:
    """On how many recorded screens it finds the element that was meant; None if it finds another
    one anywhere, or not that alone on the failing screen."""
    if matched(selector, now) != [element]:
        return None
    count = 0
    for one in known:
        matches = matched(selector, one.screen)
        if matches == [one.element]:
            count += 1
        elif matches:
            return None
    return count


def matched(selector: Selector, screen: Snapshot) -> list[Element]:
    """What an action would find; nothing if that cannot be tried, as with texts that the phone
    hides."""
    try:
        return screen.every(selector)
    except ReplicantError:
        return []


def _candidates(
    element: Element, was: Selector, now: Snapshot, also: Sequence[Snapshot]
) -> Iterator[Selector]:
    """As the test wrote it first, with what the element says now; then what the snapshot itself
    proposes."""
    yield from _rewritten(element, was)
    for others in (also, ()):
        proposed = now.selector(element.ref, also=others)
        given = {name for name, _ in proposed.selector.given()}
        # what it is, rather than where among its like it happens to be
        is_lasting = given & _TELLING and not given & {"nth", "near"}
        if proposed.unique_on and is_lasting:
            yield proposed.selector


def _rewritten(element: Element, was: Selector) -> Iterator[Selector]:
    changed = {}
    if was.text and element.label:
        changed["text"] = element.label
    if was.resource_id and element.resource_id:
        changed["resource_id"] = element.resource_id
        if "/" not in was.resource_id:
            changed["resource_id"] = element.resource_id.rpartition("/")[2]
    if was.description and element.description:
        changed["description"] = element.description
    if changed:
        yield replace(was, **changed)  # type: ignore[arg-type]  # the same keywords
