"""From a target and a screen to the one element that it is.

Nothing is ever tapped on a guess: several matches are an error, and a ref that was printed for another
element is stale. What is there but cannot be seen is neither missing nor stale: it says what covers it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...errors import TargetError
from ...model import Element, Failure, Selector
from ..screen_text import format_screen
from ..step import StageFailed
from .in_the_way import over_the_app
from .reachable import cannot_be_seen, is_under_keyboard
from .targets import describe

if TYPE_CHECKING:
    from ...snapshots import Snapshot
    from ..stabilize.observer import Observer
    from ..step import Target

STALE_VERDICTS = {"replaced", "ambiguous", "gone"}


def resolve(observer: Observer, snapshot: Snapshot, target: Target) -> Element:
    """The one element that the target is on this snapshot. Raises ``StageFailed``."""
    if isinstance(target, Selector):
        return _by_selector(snapshot, target)
    witness = witness_of(observer, target)
    if witness is None:
        message = (
            f"STALE_REFERENCE  {describe(target)} was never printed in this session.\n"
            "A ref is valid in the session whose outline showed it. Next: take the ref from this outline, "
            f"or use a selector.\n{format_screen(snapshot)}"
        )
        raise StageFailed(Failure("STALE_REFERENCE", message), snapshot, final=True)
    if witness.snapshot_id == snapshot.id and witness.family in (None, snapshot):  # not another phone's s7
        return snapshot.element(witness.ref)
    located = snapshot.locate(witness)
    if located.verdict not in STALE_VERDICTS and located.element is not None:
        return located.element
    hidden = _hidden_witness(snapshot, witness) if located.verdict == "gone" else None
    if hidden is not None and is_under_keyboard(snapshot, hidden):
        return hidden
    if hidden is not None:
        raise cannot_be_seen(snapshot, hidden)
    nearest = "   ".join(near.describe() for near in located.nearest) or "none"
    message = (
        f"STALE_REFERENCE  {witness.describe()} was printed in {witness.snapshot_id}, now {snapshot.id}\n"
        f"Verdict: {located.verdict}: {located.reason}. Nearest: {nearest}. Nothing was touched."
        f"{over_the_app(snapshot)}\n{format_screen(snapshot)}"
    )
    raise StageFailed(Failure("STALE_REFERENCE", message, tuple(located.nearest), element=witness), snapshot)


def _hidden_witness(snapshot: Snapshot, witness: Element) -> Element | None:
    """What a ref was printed for, where it is there but covered or off the screen."""
    beneath = snapshot.beneath
    located = beneath.locate(witness) if beneath is not None else None
    if located is None or located.element is None or located.verdict in STALE_VERDICTS:
        return None
    return replace(located.element, ref=witness.ref)


def witness_of(observer: Observer, target: str | Element) -> Element | None:
    """What a ref or element of this session was printed for; None for one that this session never printed, such
    as another phone's."""
    if isinstance(target, str):
        return observer.witness(target)
    printed = observer.witness(target.ref)
    if printed is None or printed.identity != target.identity:
        return None
    return target if printed.order == target.order else replace(target, order=None)  # its group has changed since


def _by_selector(snapshot: Snapshot, selector: Selector) -> Element:
    try:
        return snapshot.one(selector)
    except TargetError as error:
        if error.code == "AMBIGUOUS_TARGET":
            raise StageFailed(Failure(error.code, str(error), error.candidates), snapshot, final=True) from None
        hidden = snapshot.beneath.every(selector) if snapshot.beneath is not None else []
        if len(hidden) == 1 and is_under_keyboard(snapshot, hidden[0]):
            return hidden[0]
        if len(hidden) == 1:
            raise cannot_be_seen(snapshot, hidden[0]) from None
        over = over_the_app(snapshot)
        told = (
            str(error) if error.candidates or not over else str(error).split("\n", 1)[0]
        )  # no advice but the one
        message = f"{told}{over}\n{format_screen(snapshot)}"
        raise StageFailed(Failure(error.code, message, error.candidates), snapshot) from None
