"""Resolution of a target to one element, and the wait until that is actionable.

Nothing is ever tapped on a guess: several matches are an error, and a ref that was printed for
another element is stale. An element that exists but cannot be seen is neither missing nor stale:
the failure names its blocker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain

from ..errors import TargetError, UndecidableText
from ..model import (
    NO_VERB,
    Advice,
    AnyDict,
    Element,
    Explanation,
    Failure,
    FailureCode,
    Rect,
    Selector,
    Verb,
    verb_of,
)
from ..snapshots import Snapshot, excludes, way_to
from .advice import advised, scroll_to, scrolled_away
from .arguments import Target, describe
from .reachability import (
    behind_keyboard,
    describe_dialog,
    gesture_point,
    hides_the_app,
    not_interactable,
    over_the_app,
    pressable,
)
from .stabilize.observer import Observer, Reading
from .stabilize.reads import AGREEING_READS, Reads, WaitLog
from .step import ResolvedTarget, SessionContext, StageFailed, failure_on

STALE_VERDICTS = {"replaced", "ambiguous", "gone"}


def resolve(
    observer: Observer, snapshot: Snapshot, target: Target, verb: Verb = NO_VERB
) -> Element:
    """The one element that the target of the ``verb`` is on this snapshot. Raises
    ``StageFailed``."""
    if isinstance(target, Selector):
        return _by_selector(observer, snapshot, target, verb)
    witness = witness_of(observer, target)
    if not witness:
        advice = ("take the ref from this outline, or use a selector",)
        raise StageFailed.on(
            snapshot, "STALE_REFERENCE", unknown(observer, target), advice=advice, final=True
        )
    known = witness.snapshot_id == snapshot.id and witness.family in (
        None,
        snapshot,
    )  # not another phone's s7
    if known and witness.picture is None:
        return snapshot.element(witness.ref)
    located = snapshot.locate(witness)
    if located.verdict not in STALE_VERDICTS and located.element:
        return located.element
    hidden = hidden_witness(snapshot, witness) if located.verdict == "gone" else None
    if hidden:
        return behind_keyboard(snapshot, hidden)
    nearest = "   ".join(near.describe() for near in located.nearest) or "none"
    verdict = (
        f"Verdict: {located.verdict}: {located.reason}. Nearest: {nearest}. Nothing was touched."
    )
    stale = failure_on(
        snapshot,
        "STALE_REFERENCE",
        f"{witness.describe()} was printed in {witness.snapshot_id}",
        located.nearest,
        details=(verdict,),
        element=witness,
    )
    more = over_the_app(snapshot) or scrolled_away(observer, snapshot, witness)
    raise StageFailed(stale.explained(more))


def unknown(observer: Observer, target: str | Element) -> str:
    """Says why this session does not know what a ref was printed for."""
    kept = observer.memory.was_dropped(target if isinstance(target, str) else target.ref)
    if kept:
        return (
            f"{describe(target)} was printed before the last {kept:,} elements, which are all a "
            "session keeps"
        )
    here = "a ref is valid in the session whose outline showed it"
    return f"{describe(target)} was never printed in this session: {here}"


def undecidable(snapshot: Snapshot | None, error: UndecidableText) -> StageFailed:
    """The failure of a target that may be there or not: nothing is touched on a guess."""
    advice = ("name it by resource_id=, or by words without emoji: text_contains=",)
    return StageFailed(Failure(error.code, error.what, snapshot=snapshot, advice=advice))


def is_on(observer: Observer, snapshot: Snapshot, target: Target) -> bool | None:
    """Whether the target is on this snapshot, once or several times; labels printed with their row
    count. None if that cannot be decided."""
    if isinstance(target, Selector):
        try:
            return bool(snapshot.match_labels(target))
        except UndecidableText:
            return None
    try:
        resolve(observer, snapshot, target)
    except StageFailed:
        return False
    return True


def lists(observer: Observer, snapshot: Snapshot, target: Target) -> bool:
    """Whether the target is one element of this snapshot, and no title."""
    try:
        return resolve(observer, snapshot, target) in snapshot.elements
    except StageFailed:
        return False


def hidden_witness(snapshot: Snapshot, witness: Element) -> Element | None:
    """What a ref was printed for, where it is there but covered or off the screen."""
    beneath = snapshot.beneath
    located = beneath.locate(witness) if beneath else None
    if located is None or located.element is None or located.verdict in STALE_VERDICTS:
        return None
    return replace(located.element, ref=witness.ref)


def witness_of(observer: Observer, target: str | Element) -> Element | None:
    """What a ref or element of this session was printed for; None for one that this session never
    printed, such as another phone's."""
    if isinstance(target, str):
        return observer.memory.witness(target)
    printed = observer.memory.witness(target.ref)
    if not printed or printed.identity != target.identity:
        return None
    if printed.screen is not None and printed.screen.closed:
        target = replace(target, screen=printed.screen)  # its dialog is closed
    if printed.picture is not None:
        target = replace(target, picture=printed.picture)
    return (
        target if printed.order == target.order else replace(target, order=None)
    )  # its group has changed since


def _by_selector(observer: Observer, snapshot: Snapshot, selector: Selector, verb: Verb) -> Element:
    """Where the shown is enough, one match on a cut screen will do, though another may lie
    deeper."""
    try:
        only = snapshot.one(selector, before=observer.record.before, verb=verb)
        if excludes(selector) and snapshot.may_still_bring(selector):
            why = "the screen is loading, and may still bring what it must not have"
            raise StageFailed.on(snapshot, "ELEMENT_NOT_FOUND", why, asked=selector.describe())
        return only
    except UndecidableText as error:
        raise undecidable(snapshot, error) from None
    except TargetError as error:
        if (
            "cut" in observer.settings.allow
            and snapshot.cut
            and len(found := snapshot.every(selector)) == 1
        ):
            return found[0]
        if error.code == "AMBIGUOUS_TARGET":
            raise StageFailed(replace(error.parts, snapshot=snapshot), final=True) from None
        try:
            hidden = snapshot.beneath.every(selector) if snapshot.beneath else []
        except UndecidableText as unknown:
            raise undecidable(snapshot, unknown) from None
        if len(hidden) == 1:
            return behind_keyboard(snapshot, hidden[0])
        over, failure = over_the_app(snapshot), replace(error.parts, snapshot=snapshot)
        if over and failure.answer is None:  # no advice but the one
            failure = replace(
                failure, nearest=failure.nearest if error.candidates else (), advice=()
            )
        raise StageFailed(failure.explained(over)) from None


_WAITED_FOR: dict[FailureCode, str] = {
    "ELEMENT_NOT_FOUND": "not there",
    "STALE_REFERENCE": "not there as it was",
    "AMBIGUOUS_TARGET": "several that fit",
}


def await_actionable(
    context: SessionContext,
    target: Target,
    timeout: float,
    verb: str,
    *,
    under_keyboard: bool = True,
    asks: bool = False,
    since: float | None = None,
) -> ResolvedTarget:
    """Waits until the target is there once, on screen, enabled, uncovered and standing still.

    What was read just now, and had settled, serves without another dump. Ambiguity, and a ref that
    is no longer what it was printed for, are final once two reads in a row say so. Only the target
    has to stand still, and nothing else on the screen. With ``under_keyboard`` it may lie under the
    keyboard, for the caller to hide. If it ``asks``, the wait ends for the policies once a window
    is known to hide the target; ``since`` is when one began that goes on. Raises ``StageFailed``,
    and ``DeviceError`` if nothing could be read.
    """
    search = _Search(context, target, verb_of(verb), under_keyboard)
    reads = Reads(context, timeout, context.observer.just_read(), since)
    granted = False  # one more read, once the time is over
    while True:
        reading = reads.next()
        if not reading:
            search.waited.on(reads.interrupted or "unreadable")
        else:
            found = search.look(reading)
            if found:
                return found
            if search.is_final(reads.elapsed):
                break
            if asks and not reads.out_of_time and search.is_under_window:
                raise search.expired(reads, reads.started)
        if reads.out_of_time:
            if not reading or not search.earned_another or granted:
                break
            granted = True
    reads.raise_if_no_read()
    raise search.expired(reads)


def bounds_of(elements: Iterable[Element]) -> list[Rect]:
    """Where they are, to see whether they stay there."""
    return [one.bounds for one in elements]


def await_still(
    context: SessionContext, find: Callable[[Snapshot], Sequence[Element]], timeout: float
) -> tuple[Snapshot, list[Element]]:
    """The screen, and what ``find`` finds on it, once all of that is in the same places on two
    reads in a row: for a gesture that follows another one. What was read just now serves without
    another dump. Raises ``StageFailed`` if it goes on moving, or what ``find`` raises."""
    observer = context.observer
    reads = Reads(context, timeout, observer.just_read())
    for reading in chain(reads, reads):  # one more read, once the time is over
        trouble, found = None, []
        if reading:
            try:
                found = list(find(reading.snapshot))
            except StageFailed as failed:
                trouble = failed
            row = observer.row
            if found and len(row) == AGREEING_READS:
                then: Sequence[Element] = ()
                with suppress(StageFailed):
                    then = find(row[0].snapshot)
                if bounds_of(then) == bounds_of(found):
                    return reading.snapshot, found
    reads.raise_if_no_read()
    if trouble:
        raise trouble
    assert reads.last is not None
    last = found or list(find(reads.last))
    raise not_interactable(reads.last, last[0], "it is still moving", "moving")


@dataclass
class _Search:
    """What one wait has seen so far. ``earned_another``: fit on the last read, with nothing to
    compare it with."""

    _context: SessionContext
    _target: Target
    _verb: Verb
    _under_keyboard: bool

    def __post_init__(self) -> None:
        self._trouble: StageFailed | None = None
        self._met: Element | None = None  # the target, when it was last to be seen
        self._snapshot: Snapshot | None = None
        self._moved = False
        self.waited = WaitLog(self._context.clock)
        self.earned_another = False
        self.began = self._context.clock.now()

    def look(self, reading: Reading) -> ResolvedTarget | None:
        """The found, if this reading is the second in a row that shows the target fit and in the
        same place."""
        snapshot = self._snapshot = reading.snapshot
        self._trouble, self._moved, self.earned_another = None, False, False
        try:
            element = resolve(self._context.observer, snapshot, self._target, self._verb)
            self._met = element
            if isinstance(self._target, Selector):
                refuse_two_places(self._context, self._target, snapshot, element)
            point = gesture_point(
                snapshot, element, sweeps=self._verb.sweeps, under_keyboard=self._under_keyboard
            )
        except StageFailed as failed:
            trouble = self._trouble = self._explained(failed)
            code = trouble.failure.code
            self.waited.on(trouble.short or _WAITED_FOR.get(code, code))
            return None
        row = self._context.observer.row
        before = None  # where it was one read earlier, if it was seen
        if len(row) == AGREEING_READS:
            then = row[0].snapshot
            if then is snapshot:
                before = element.bounds
            else:
                with suppress(StageFailed):
                    before = resolve(self._context.observer, then, self._target, self._verb).bounds
        if before == element.bounds:
            notes: AnyDict = {}
            if waited := self.waited.describe():
                seconds = self._context.clock.now() - self.began
                notes = {"waited_for": waited, "waited_ms": round(seconds * 1000)}
            return ResolvedTarget(element, point, snapshot, notes)
        self.earned_another = before is None
        self._moved = before is not None
        self.waited.on("moving" if self._moved else None)
        return None

    def is_final(self, elapsed: float) -> bool:
        """What does not get better by waiting, once two reads in a row say so. A ref may come back
        within the window that a screen needs to settle."""
        trouble = self._trouble
        if not trouble or not self._is_steady():
            return False
        stale = (
            trouble.failure.code == "STALE_REFERENCE" and elapsed >= self._context.settings.window
        )
        return trouble.final or stale

    @property
    def is_under_window(self) -> bool:
        """Whether two reads in a row show a window that hides it, which a policy may know how to
        close."""
        if not self._trouble or not self._snapshot or not self._is_steady():
            return False
        return self._trouble.failure.unfit == "under a window" or hides_the_app(self._snapshot)

    def expired(self, reads: Reads, since: float | None = None) -> StageFailed:
        """The failure that stands, with the call, the reads, and what was waited for; ``since`` is
        when a wait began that may go on."""
        trouble, steady = self._trouble, self._is_steady() and self._trouble is not None
        if not trouble:
            assert self._snapshot is not None
            assert self._met is not None
            still = "it is still moving" if self._moved else "seen on one read only"
            trouble = not_interactable(self._snapshot, self._met, still, "moving")
        failure = trouble.failure
        if failure.code == "ELEMENT_NOT_FOUND":
            observer, handed = self._context.observer, self._context.handed
            failure = advised(observer, failure.snapshot, self._target, failure, handed)
        call = f"{self._verb.name} {describe(self._target)} on {self._context.phone}"
        placed = replace(
            failure,
            call=f"{call} ({reads.describe()})",
            waited=f"Waited for it: {self.waited.describe()}." if self.waited.several else "",
            steady=steady,
            failed_reads=reads.failed,
        )
        return StageFailed(placed, final=True, waits_since=since)

    def _is_steady(self) -> bool:
        """Whether the last two reads in a row agree."""
        return self._context.observer.volatile.agreed(self._context.observer.row)

    def _explained(self, failed: StageFailed) -> StageFailed:
        """An element off the screen is scrolled to. Many dumps hold a dialog alone: what was there
        when it opened is covered, not missing."""
        snapshot, observer = self._snapshot, self._context.observer
        element = failed.failure.element
        if failed.failure.unfit == "off screen" and snapshot and element:
            way = scroll_to(self._target, way_to(element.bounds, snapshot.size))
            explained = failed.failure.explained(Explanation(advice=(Advice(way),)))
            return StageFailed(explained, short=failed.short)
        if failed.failure.code not in ("ELEMENT_NOT_FOUND", "STALE_REFERENCE") or failed.final:
            return failed
        if not snapshot or snapshot.dialog is None:
            return failed
        if snapshot.beneath is not None and not hides_the_app(snapshot):
            return failed
        before = observer.before_dialog
        try:
            met = resolve(observer, before, self._target, self._verb) if before else None
        except StageFailed:
            return failed
        if not met:
            return failed
        over = next(iter((*snapshot.headings, *snapshot.elements)), None)
        why = f"covered by {describe_dialog(snapshot)}"
        return not_interactable(
            snapshot, met, why, "under a window", over, short=why, more=pressable(snapshot)
        )


def refuse_two_places(
    context: SessionContext, selector: Selector, snapshot: Snapshot, element: Element
) -> None:
    """Raises ``StageFailed`` for a match in what came after the last snapshot that the test was
    given, such as a dialog, where that screen or the one below has a match as well: either may be
    meant."""
    handed = context.handed
    if handed is snapshot and snapshot.dialog is None:
        return
    place, rivals = "", []
    if snapshot.dialog is not None:
        place = f"in {describe_dialog(snapshot)}"
        rivals = _below(context, selector, snapshot, element)
    if handed and handed is not snapshot and not rivals:
        since, rivals = _before(handed, selector, snapshot, element)
        place = since or place
    if rivals:
        wrong = (
            f"{element.describe()} is {place}, which came after the screen that the test was given "
            f"last, and {rivals[0].describe()} was there before it. Nothing was touched."
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


def _below(
    context: SessionContext, selector: Selector, snapshot: Snapshot, element: Element
) -> list[Element]:
    """The matches on the screen under a dialog, unless it is the app's own and the test was given
    it."""
    below, handed = context.observer.before_dialog, context.handed
    if not below:
        return []
    own = (element.package or snapshot.app) == below.app
    known = handed is not None and not _is_another_on_top(handed, snapshot, element)
    return [] if own and known else _listed(below, selector)


def _before(
    handed: Snapshot, selector: Selector, snapshot: Snapshot, element: Element
) -> tuple[str, list[Element]]:
    """Where the match is now, and the matches on the screen that the test was given, where that
    lies below or is gone: another window was on top then, or another app in front, or it was not
    covered."""
    then = _listed(handed, selector)
    if _is_another_on_top(handed, snapshot, element):
        if snapshot.dialog is None:
            return "on the screen", then
        return f"in {describe_dialog(snapshot)}", then
    if handed.app != snapshot.app and "" not in (handed.app, snapshot.app):
        return f"in {snapshot.app}", then
    if not then or any(one.identity == element.identity for one in then):
        return "", []
    return "on what covers the screen", [one for one in then if _is_covered(snapshot, one)]


def _is_another_on_top(handed: Snapshot, snapshot: Snapshot, element: Element) -> bool:
    """Whether another window is on top than then, or one that says nothing by which it is known
    again and did not show this element."""
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
    now = beneath.locate(then).element if beneath else None
    if now is None or any(one.identity == now.identity for one in snapshot.elements):
        return False
    try:
        gesture_point(snapshot, now)
    except StageFailed as failed:
        return failed.failure.unfit in ("covered", "under a window")
    return False


def _listed(snapshot: Snapshot, selector: Selector) -> list[Element]:
    try:
        return snapshot.every(selector)
    except UndecidableText:
        return []
