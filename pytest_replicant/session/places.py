"""Whether a match is in the place that the test has in mind: on the screen that it was given last, or in something
that has come over that since."""

from __future__ import annotations

from ..errors import UndecidableText
from ..model import Element, Selector
from ..snapshots import Snapshot
from .arguments import describe
from .reachability import Unfit, describe_dialog, gesture_point
from .step import SessionContext, StageFailed


def refuse_two_places(context: SessionContext, selector: Selector, snapshot: Snapshot, element: Element) -> None:
    """Raises ``StageFailed`` for a match in what came after the last snapshot that the test was given, such as a
    dialog, where that screen or the one below has a match as well: either may be meant."""
    handed = context.handed
    if handed is snapshot and snapshot.dialog is None:
        return
    place, rivals = "", []
    if snapshot.dialog is not None:
        place = f"in {describe_dialog(snapshot)}"
        rivals = _below(context, selector, snapshot, element)
    if handed is not None and handed is not snapshot and not rivals:
        since, rivals = _before(handed, selector, snapshot, element)
        place = since or place
    if rivals:
        wrong = (
            f"{element.describe()} is {place}, which came after the screen that the test was given last, and "
            f"{rivals[0].describe()} was there before it. Nothing was touched."
        )
        raise StageFailed.on(
            snapshot,
            "AMBIGUOUS_TARGET",
            wrong,
            (element, *rivals),
            final=True,
            two_places=True,
            asked=describe(selector),
            advice=("take the ref of the one that is meant from this outline",),
        )


def _below(context: SessionContext, selector: Selector, snapshot: Snapshot, element: Element) -> list[Element]:
    """The matches on the screen under a dialog, unless it is the app's own and the test was given it."""
    below, handed = context.observer.before_dialog, context.handed
    if below is None:
        return []
    own = (element.package or snapshot.app) == below.app
    known = handed is not None and not _is_another_on_top(handed, snapshot, element)
    return [] if own and known else _listed(below, selector)


def _before(
    handed: Snapshot, selector: Selector, snapshot: Snapshot, element: Element
) -> tuple[str, list[Element]]:
    """Where the match is now, and the matches on the screen that the test was given, where that lies below or is
    gone: another window was on top then, or another app in front, or it was not covered."""
    if _is_another_on_top(handed, snapshot, element):
        window = f"in {describe_dialog(snapshot)}" if snapshot.dialog is not None else "on the screen"
        return window, _listed(handed, selector)
    if handed.app and snapshot.app and handed.app != snapshot.app:
        return f"in {snapshot.app}", _listed(handed, selector)
    then = _listed(handed, selector)
    if not then or any(one.identity == element.identity for one in then):
        return "", []
    return "on what covers the screen", [one for one in then if _is_covered(snapshot, one)]


def _is_another_on_top(handed: Snapshot, snapshot: Snapshot, element: Element) -> bool:
    """Whether another window is on top than then, or one that says nothing by which it is known again and did not
    show this element."""
    then, now = handed.traits, snapshot.traits
    if then.differ_on_top(now):
        return True
    if handed.dialog is None and snapshot.dialog is None:
        return False
    named = (then.dialog, then.says) == (now.dialog, now.says) != ("", ())
    return not named and handed.locate(element).element is None


def _is_covered(snapshot: Snapshot, then: Element) -> bool:
    """Whether it is still on the screen, under something else in the same window."""
    beneath = snapshot.beneath
    now = beneath.locate(then).element if beneath is not None else None
    if now is None or any(one.identity == now.identity for one in snapshot.elements):
        return False
    try:
        gesture_point(snapshot, now)
    except Unfit as unfit:
        return unfit.failure.unfit in ("covered", "under a window")
    except StageFailed:
        return False
    return False


def _listed(snapshot: Snapshot, selector: Selector) -> list[Element]:
    try:
        return snapshot.every(selector)
    except UndecidableText:
        return []
