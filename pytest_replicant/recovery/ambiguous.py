"""An ambiguous selector that meant exactly one of its matches before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Element, Failure, Recovery, RecoveryState, Selector
from .evidence import hookimpl, printed_on, screen_of

if TYPE_CHECKING:
    from ..session import RecoveryContext
    from ..snapshots import Snapshot

UNTOUCHED = frozenset({"same", "moved"})
"""Verdicts of an element that did not change."""


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
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
    return Recovery("alternate_candidate", target=chosen, reason=reason, policy="ambiguous")


def _again(before: Element, snapshot: Snapshot) -> Element | None:
    """The element of then on the screen of now, where nothing about it is in doubt."""
    traits = printed_on(before)
    if before.fragile or traits is None or traits.differ(snapshot.traits):
        return None
    located = snapshot.locate(before)
    if located.element is None or located.verdict not in UNTOUCHED:
        return None
    return located.element
