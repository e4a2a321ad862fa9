"""Another target: what a stale ref or an ambiguous selector meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Element, Failure, Recovery, RecoveryState, Selector
from ..snapshots import mask_numbers
from ..snapshots.identity.cards import says_the_same
from .evidence import meant, screen_of

if TYPE_CHECKING:
    from ..session import RecoveryContext
    from ..snapshots import Snapshot


ENOUGH = 3
"""Traits of ``_shared`` that a successor shares with the element that was printed, at least."""
MARGIN = 2
"""Traits by which it leads everything else on the screen."""


def stale(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A ref is stale: resolves it again if the screen was not steady. Else takes the one element of its name in
    its place or row, if nothing else comes near. "Gone" stays a possible answer."""
    snapshot = screen_of(failure)
    if failure.code != "STALE_REFERENCE" or snapshot is None or "re_resolve" in state.attempted:
        return None
    if not failure.steady:
        return Recovery("re_resolve", reason="the ref was looked up on a screen that was changing")
    was = meant(failure)
    now = None if was is None else successor(was, snapshot)
    if was is None or now is None:
        return None
    place = "row" if was.row_title else "place"
    reason = f"{was.describe()} was rebuilt: {now.describe()} alone has its name and its {place}"
    return Recovery("re_resolve", target=now, reason=reason)


def successor(was: Element, snapshot: Snapshot) -> Element | None:
    """The element that replaced another, under its name but with another class or id. Never one that the refs have
    judged already: the same class, id and name is the element itself, or known not to be."""
    screen = was.printed_on
    if was.fragile or not was.name or screen is None or screen.differ(snapshot.traits):
        return None
    if snapshot.locate(was).verdict not in ("gone", "replaced"):
        return None
    fitting = [each for each in snapshot.elements if each.name == was.name and _in_context(was, each)]
    if len(fitting) != 1 or _kind(fitting[0]) == _kind(was) or not _does_the_same(was, fitting[0]):
        return None
    best = _shared(was, fitting[0])
    rivals = [each for each in snapshot.elements if each is not fitting[0] and _does_the_same(was, each)]
    others = max((_shared(was, each) for each in rivals), default=0)
    return fitting[0] if best >= ENOUGH and best - others >= MARGIN else None


def _kind(element: Element) -> tuple[str, str]:
    return element.resource_id, element.class_name


def _in_context(was: Element, now: Element) -> bool:
    """In a row of the same title that says nothing else, numbers apart: lists of events name one thing many times.
    Outside of rows, where it was, on a card that says nothing else and not under the next number: if each card
    has ids of its own, the control of another one was not rebuilt."""
    if was.package != now.package or was.row_title != now.row_title:
        return False
    if was.row_title:
        before, after = ({mask_numbers(label) for label in each.row} for each in (was, now))
        return before <= after or after <= before
    next_one = was.resource_id != now.resource_id and _unnumbered(was) == _unnumbered(now)
    return _overlap(was, now) and says_the_same(was.card, now.card) and not next_one


def _unnumbered(element: Element) -> str:
    return mask_numbers(element.resource_id)


def _does_the_same(was: Element, now: Element) -> bool:
    """A heading called "Save" is no successor of the button."""
    one, other = was.node, now.node
    return one.clickable == other.clickable and bool(one.states.editable) == bool(other.states.editable)


def _shared(was: Element, now: Element) -> int:
    """The number of traits in common, of id, class, name, row and place; the row, as context, counts twice."""
    return sum(
        (
            was.resource_id == now.resource_id != "",
            was.class_name == now.class_name,
            was.name == now.name,
            2 * (was.row_title == now.row_title != ""),
            _overlap(was, now),
        )
    )


def _overlap(was: Element, now: Element) -> bool:
    return not was.bounds.intersect(now.bounds).is_empty


UNTOUCHED = frozenset({"same", "moved"})
"""Verdicts of an element that did not change."""


def ambiguous(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A selector fits several elements, and meant one of them alone earlier in this test, on this screen: takes
    that one. Without that it stays ambiguous: two candidates are never a choice. Nor is one in a window that came
    over the other's: what was meant there before need not be meant now."""
    snapshot = screen_of(failure)
    if failure.code != "AMBIGUOUS_TARGET" or snapshot is None or "alternate_candidate" in state.attempted:
        return None
    if failure.two_places or not isinstance(failure.target, Selector):
        return None
    if failure.target.any_of or failure.target.has_not:  # what it meant before says nothing of now
        return None
    before = session.last_resolved(failure.target)
    chosen = None if before is None else _again(before, snapshot)
    if chosen is None or chosen not in failure.candidates:
        return None
    reason = f"the same selector meant {chosen.describe()} alone earlier in this test, on this screen"
    return Recovery("alternate_candidate", target=chosen, reason=reason)


def _again(before: Element, snapshot: Snapshot) -> Element | None:
    """The element of then on the screen of now, if nothing about it is in doubt."""
    traits = before.printed_on
    if before.fragile or traits is None or traits.differ(snapshot.traits):
        return None
    located = snapshot.locate(before)
    if located.element is None or located.verdict not in UNTOUCHED:
        return None
    return located.element
