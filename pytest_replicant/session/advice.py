"""Advice from what the session has seen: where a missing element was before, and the call that
leads to it.

A snapshot alone knows the screen as it is, and another row is no answer. What an earlier read
showed is better evidence: the words are right, and the list was scrolled, or the screen is another
one.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from ..errors import DeviceError, UndecidableText
from ..model import Advice, Element, Explanation, Failure, Selector, quoted
from ..snapshots import Snapshot, is_slip, mask_numbers
from ..snapshots import scroll_to as scrolling_to
from .arguments import Target
from .stabilize.history import Swipe
from .stabilize.observer import Observer


def advised(
    observer: Observer,
    snapshot: Snapshot,
    target: Target | None,
    failure: Failure,
    handed: Snapshot | None = None,
    *,
    for_check: bool = False,
) -> Failure:
    """The failure of a target that is not on the screen, with better advice if an earlier read of
    this session says more. An open dialog comes first: what looks like the target on one that the
    test has not been ``handed`` came by itself, and is not it. ``for_check``: other words in its
    place are what the check is to find out."""
    if not isinstance(target, Selector) or not failure.advice:
        return failure
    if snapshot.dialog is not None:
        surprise = handed is not None and handed.dialog != snapshot.dialog
        return replace(failure, advice=failure.advice[-1:]) if surprise else failure
    part = _missing_part(snapshot, target)
    is_anchor = part is not target
    known = _where_it_was(observer, snapshot, part, is_anchor, for_check) or _respelt(
        observer, snapshot, part
    )
    return replace(failure, advice=()).explained(known) if known is not None else failure


def came_and_went(
    observer: Observer, snapshot: Snapshot, target: Target, before: Snapshot | None
) -> Explanation | None:
    """The advice for a check of what came since the last action and has gone by itself, as toasts
    do. What was there ``before`` the action did not come, and a check that it was seen would prove
    nothing."""
    before = before or observer.record.before
    if not isinstance(target, Selector) or (before and _shown(before, target)):
        return None
    scrolled = [one for one in observer.seen if observer.history.swipes_between(one, snapshot)]
    with suppress(DeviceError, UndecidableText):
        where = observer.record.showed(target, snapshot.platform, poll=observer.poll_toast)
        if where and not scrolled and not _counts_on(snapshot, target):
            return Explanation(
                (f"It came and went: {where}.",), (Advice(f"expect_seen({target.describe()})"),)
            )
    return None


def _counts_on(snapshot: Snapshot, target: Selector) -> bool:
    """Whether the screen shows the text with another number: what was seen was a value in
    passing."""
    wanted = mask_numbers(target.text or "")
    return wanted != target.text and any(
        mask_numbers(one.label) == wanted for one in snapshot.printed
    )


def scroll_to(target: Target, direction: str = "down") -> str:
    """The call that brings it into view, as a test writes it."""
    if isinstance(target, Selector):
        return scrolling_to(target, direction)
    ref = quoted(target if isinstance(target, str) else target.ref)
    return (
        f"scroll_to({ref})" if direction == "down" else f'scroll_to({ref}, direction="{direction}")'
    )


def scrolled_away(observer: Observer, snapshot: Snapshot, witness: Element) -> Explanation:
    """The advice for a ref whose element was on this screen before it was scrolled."""
    then = observer.kept(witness.snapshot_id)
    if not then or then is snapshot or then not in observer.earlier_on(snapshot):
        return Explanation()
    swipes = observer.history.swipes_between(then, snapshot)
    if not swipes:
        return Explanation()
    return Explanation(advice=(Advice(scroll_to(witness, way_back(swipes))),))


def _where_it_was(
    observer: Observer, snapshot: Snapshot, part: Selector, is_anchor: bool, for_check: bool
) -> Explanation | None:
    """Where the target was in an earlier read, or the part that it is measured by, and what leads
    there."""
    here = _first_with(observer.earlier_on(snapshot), part)
    if not here:
        then = _first_with(reversed(observer.earlier()), part)
        if not then or then is snapshot:
            return None
        name = quoted(then.screen) if then.screen else "another screen"
        elsewhere = then.app and then.app != snapshot.app
        back = Advice(f"activate({quoted(then.app)})") if elsewhere else f"go to {name} first"
        return Explanation((f"It was on {name} in {then.id}.",), (back,))
    was = f"It was on this screen in {here.id}"
    renamed = None if is_anchor else _renamed(_shown(here, part), snapshot)
    if renamed:
        named = Selector(text=renamed.label)
        alone = len(_shown(snapshot, named)) == 1 and not for_check
        instead = Advice(locator=named) if alone else "wait for it, or correct the test"
        return Explanation((f"{was}, and reads {quoted(renamed.label)} now.",), (instead,))
    swipes = observer.history.swipes_between(here, snapshot)
    if not swipes:
        return Explanation((f"{was}, and has gone.",), ("wait for it, or go back to it",))
    ago = "1 swipe ago" if len(swipes) == 1 else f"{len(swipes)} swipes ago"
    return Explanation((f"{was}, {ago}.",), (Advice(scroll_to(part, way_back(swipes))),))


def _respelt(observer: Observer, snapshot: Snapshot, part: Selector) -> Explanation | None:
    """Where that was, of a part that was never there, whose text the session has seen but for a
    slip of the keyboard, if there is one such text alone."""
    text, names = part.text or "", set[str]()
    for each in observer.earlier():
        for one in each.printed:
            names.update(name for name in (one.label, *one.folded) if is_slip(text, name))
    if len(names) != 1:
        return None
    name = names.pop()
    spelt = replace(part, text=name)
    there = _where_it_was(observer, snapshot, spelt, True, False)
    if there is None or _shown(snapshot, spelt):  # of one that is there the near miss says so
        return None
    line = f"{quoted(name)} was there before, not {quoted(text)}."
    return Explanation((line, *there.lines), there.advice)


def _missing_part(snapshot: Snapshot, target: Selector) -> Selector:
    """What has to be on the screen first: the row, neighbour or container that is missing, else the
    target."""
    with suppress(UndecidableText):
        for missing in snapshot.missing_anchors(target):
            anchors = [value for _, value in missing.given() if isinstance(value, Selector)]
            if anchors:
                return anchors[0]
    return target


def _first_with(snapshots: Iterable[Snapshot], part: Selector) -> Snapshot | None:
    return next((one for one in snapshots if _shown(one, part)), None)


def _shown(snapshot: Snapshot, part: Selector) -> list[Element]:
    try:
        return snapshot.match_labels(part)
    except UndecidableText:
        return []


def _renamed(then: list[Element], snapshot: Snapshot) -> Element | None:
    """The same element, where it has another label now."""
    located = snapshot.locate(then[0]) if len(then) == 1 else None
    if not located or located.verdict != "renamed" or located.element is None:
        return None
    return located.element if located.element.label else None


def way_back(swipes: list[Swipe]) -> str:
    """The direction in which to scroll for what these swipes moved out of view; "down" where that
    is not known."""
    across = down = 0
    for one in swipes:
        if one.across is None or one.down is None:
            return "down"
        across += one.across
        down += one.down
    if abs(across) > abs(down):
        return "left" if across < 0 else "right"
    return "up" if down < 0 else "down"
