"""What an action returns: it already knows what changed, and checks the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from ..drivers import Capability
from ..errors import ReplicantError, UsageError, what_happened
from ..logs import LogLine
from ..model import (
    ActionResult,
    ActionTrace,
    Element,
    Recovery,
    RecoveryRecord,
    Strings,
    one_line,
    quoted,
)
from ..snapshots import Snapshot, SnapshotDiff, clean
from .arguments import need_to_read
from .checks import screens
from .checks.check import Baseline, Check
from .checks.checks import Checks
from .checks.elements import OneState
from .device_log.evidence import Classification, classify, loud_lines
from .other_names import OtherNames
from .perform import Performed, perform_again
from .recording.trace import StepLog
from .recover import why_not_retry
from .stabilize.history import Sightings
from .stabilize.reads import settle
from .step import ActionContext

if TYPE_CHECKING:
    from typing_extensions import Self


_MOST_LINES = 6  # of each kind, in ``str``
_LONGEST = 300  # characters of a line
_T = TypeVar("_T")


@dataclass(frozen=True)
class Seen:
    """What came up from one action to the next, and need not be on the screen any more.

    ``toasts`` are texts that the platform announced. ``dialogs`` are titles of dialogs that came
    and went, "" for one without a title. ``log`` are warnings and errors (W, E, F) of the apps
    under test, without the frames of stacks. ``recoveries`` are those of the action and of its
    checks. ``unknown`` says what could not be looked at, and why: an empty field that is named
    there proves nothing. ``str()`` is one line for each.
    """

    toasts: Strings = ()
    dialogs: Strings = ()
    log: tuple[LogLine, ...] = ()
    recoveries: tuple[RecoveryRecord, ...] = ()
    unknown: Strings = ()

    def __str__(self) -> str:
        lines = [
            *_capped("toast", self.toasts, lambda toast: quoted(clean(toast))),
            *_capped(
                "dialog", self.dialogs, lambda title: quoted(title) if title else "without a title"
            ),
            *_capped("log", self.log, lambda line: f"{line.level} {line.tag}: {line.message}"),
            *_capped("recovery", self.recoveries, _recovered),
            *_capped("unknown", self.unknown, str),
        ]
        return "\n".join(lines) or "nothing"


def _capped(kind: str, items: Sequence[_T], render: Callable[[_T], str]) -> Iterator[str]:
    for item in items[:_MOST_LINES]:
        yield f"{kind}: {one_line(render(item), _LONGEST)}"
    if len(items) > _MOST_LINES:
        yield f"{kind}: … and {len(items) - _MOST_LINES} more"


def _recovered(one: RecoveryRecord) -> str:
    why = ": ".join(filter(None, (one.policy, one.reason)))
    end = "only proposed"
    if one.recovered:
        end = "it held then"
    elif one.done:
        end = "it failed all the same"
    return f"{one.strategy} after {one.code} of {one.kind}{f' ({why})' if why else ''}, {end}"


def _reason(error: ReplicantError) -> str:
    return one_line(what_happened(error), _LONGEST)


class Expectation(Checks, OneState, OtherNames):
    """One action's outcome: it already knows what changed, and checks the rest.

    ``result`` is the envelope, ``before`` and ``snapshot`` the screens around the action, ``diff``
    what lies between them, ``seen`` what came up meanwhile. The properties are new frozen values
    after each check.
    """

    _known_as = "outcome"

    def __init__(self, done: Performed, *, soft: bool = False) -> None:
        super().__init__(done.action.context, soft=soft)
        self._done = done
        self._id = done.result.action_id
        self._after: Snapshot | None = done.action.after

    @property
    def _action(self) -> ActionContext:
        return self._done.action

    @property
    def result(self) -> ActionResult:
        """The action's envelope as it stands now: ``lifecycle_state`` becomes "verified" with the
        first check that holds."""
        return self._context.recorder.result_of(self._id) or self._done.result

    @property
    def trace(self) -> ActionTrace:
        """Every step of the action, and of the checks made on it."""
        own = self.result.trace
        checks = self._context.recorder.checks_of(own.action_id)
        traces = [own, *(item.trace for item in checks if item.trace)]
        later = [step for trace in traces[1:] for step in trace.steps]
        failed = any(trace.final_outcome == "failure" for trace in traces)
        return replace(
            own,
            steps=(*own.steps, *later),
            final_outcome="failure" if failed else "success",
            attempts=own.attempts + sum(step.stage == "execute" for step in later),
        )

    @property
    def before(self) -> Snapshot | None:
        """The screen before the action; None if it could not be read or ``silent`` was asked
        for."""
        return self._action.before

    @property
    def snapshot(self) -> Snapshot:
        """The screen after the action, as last read: settled, or what the newest check saw."""
        now = self._now()
        if self._is_latest():
            self._context.observer.show(now.printed)
        return now

    def _now(self) -> Snapshot:
        if self._is_latest():
            if not self._after:
                self._after = settle(self._context, self.before).snapshot
            else:
                self._after = self._context.observer.latest
            self._context.hand(self._after)
            self._context.note_read()
        if not self._after:
            raise UsageError(
                f"{self.result.action_type} was silent and a newer action followed: its screen is "
                "gone"
            )
        return self._after

    @property
    def diff(self) -> SnapshotDiff:
        """What the action changed, without reading the screen again: ``added``, ``removed``,
        ``changed``, ``moved``, ``summary``, and ``toasts``, for which the platform is asked.
        ``str()`` lists elements with their refs, and toasts as ``* toast "Saved"``."""
        changed, toasts = self.snapshot.diff(self.before), None
        with suppress(ReplicantError):  # which cannot be asked
            toasts = self._toasts()
        return replace(changed, toasts=toasts)

    def _toasts(self) -> Strings:
        """The toasts that the action led to. The platform is asked for its last one, unless another
        action followed."""
        context, record = self._context, self._record
        asks = self._is_latest() or not record.was_polled
        if asks and not context.observer.hears_toasts:
            need_to_read(context.driver, Capability.TOASTS)
        if self._is_latest():
            context.observer.poll_toast()
        return tuple(record.toasts)

    @property
    def _record(self) -> Sightings:
        return self._context.recorder.sightings[self._id]

    @property
    def seen(self) -> Seen:
        """What came up since the action was sent, up to the next one: ``toasts``, ``dialogs`` that
        came and went, warnings and errors of the apps in the ``log``, and ``recoveries``.
        ``unknown`` says what could not be looked at. Reads no screen; the log is read each time
        that this is asked. ``print(outcome.seen)`` prints one line for each. Evidence for people:
        it verifies nothing, ``expect_seen`` does."""
        context, record, unknown = self._context, self._record, []
        context.note_read()
        toasts: Strings = tuple(record.toasts)
        log: tuple[LogLine, ...] = ()
        try:
            toasts = self._toasts()
        except ReplicantError as error:
            unknown.append(f"toasts: {_reason(error)}")
        if not record.was_read:
            unknown.append("dialogs: no screen was read after it")
        try:
            log, missing = loud_lines(context, self._id)
            if missing:
                unknown.append(f"log: {missing}")
        except ReplicantError as error:
            unknown.append(f"log: {_reason(error)}")
        recoveries = tuple(one for one in context.recorder.recoveries if one.action_id == self._id)
        return Seen(toasts, record.dialogs, log, recoveries, tuple(unknown))

    @property
    def changed(self) -> bool:
        """Whether anything on the screen differs from before. Looks once and claims nothing."""
        return not self._now().diff(self.before).empty

    @property
    def summary(self) -> str:
        """One line: ``Sign in → Catalogue: 12 added, 9 removed, 1 changed``. It names the app that
        came to the front, if the action led to another one: ``Sign in → Settings
        (com.android.settings): 9 added``."""
        return self._now().diff(self.before).summary

    @property
    def element(self) -> Element | None:
        """The element acted on, as it is on ``snapshot``; None if it is gone or there was none."""
        element = self._action.acted_on(self._now())
        self._context.observer.show([element] if element and self._is_latest() else [])
        return element

    @property
    def soft(self) -> Expectation:
        """The same checks, collected instead of raised; the test fails at its end with all of
        them."""
        return Expectation(self._done, soft=True)

    def expect_changed(self, *, timeout: float | None = None) -> Self:
        """Something differs from before. Evidence that the app reacted; does not verify the action.
        Only of what an action returns, as the next one."""
        return self._expect(screens.changed(), timeout)

    def expect_unchanged(self, *, timeout: float | None = None) -> Self:
        """Nothing differs from before, through one whole window of successful reads."""
        return self._expect(screens.unchanged(), timeout)

    def classify(self) -> Classification:
        """What the action probably came to: success, no_op, backend_failure, ui_failure or unknown,
        with the reason and the evidence. For finding out why; it is no check, and none reads it.

        An expectation that failed stays failed here, no matter what else changed. A request that
        failed counts against an action that may have asked for it, such as a tap.
        """
        if not self._is_latest():
            raise UsageError(
                f"classify() of {self._id}: a newer action followed, and the log holds both"
            )
        checks = self._context.recorder.checks_of(self._id)
        local = self._action.step.kind.local
        return classify(self._context, local, self.before, self._now(), checks)

    def _is_latest(self) -> bool:
        return self._context.recorder.latest == self._id

    def _check_usable(self, kind: str) -> None:
        if not self._is_latest():
            newer = self._context.recorder.result_of(self._context.recorder.latest) or self.result
            raise UsageError(
                f"{kind} on the outcome of {self.result.action_type} ({self._id}), but "
                f"{newer.action_type} ({newer.action_id}) came after it. Check an outcome before "
                f"the next action, or use mobile.{kind}(...)"
            )

    def _baseline(self) -> Baseline:
        action = self._action
        return Baseline(self._id, action.before, action.acted, action.step.kind.idempotent)

    def _verifies(self, check: Check, seen: Snapshot | None) -> bool:
        return True  # one that held before is vacuous, and recorded so

    def _why_not(self, again: Recovery) -> str:
        if again.strategy != "step_back":
            return ""
        left = (
            self._action.sends.at
            + self._context.settings.action_timeout
            - self._context.clock.now()
        )
        return why_not_retry(self._context, self._action.step, self.before, max(left, 0.0))

    def _step_back(self, log: StepLog) -> str:
        """Repeats the action, if that does no harm or nothing has changed (RFC 011.1 §7)."""
        first = self._action
        again = perform_again(self._context, first.step, log)
        if not again:
            return f"{first.step.verb} could not be done again"
        # An idempotent action is repeated on a changed screen too: ``before`` stays that of the
        # first time.
        self._done = replace(self._done, action=replace(again, before=first.before))
        return ""

    def __repr__(self) -> str:
        result = self.result
        return f"<Expectation {result.action_id} {result.action_type} {result.lifecycle_state}>"


class Scrolled(Expectation):
    """The outcome of ``scroll``."""

    @property
    def new_elements(self) -> tuple[Element, ...]:
        """What came into view by it: elements of ``snapshot``."""
        return tuple(self.snapshot.diff(self.before).added)

    @property
    def reached_end(self) -> bool:
        """There is no more in that direction: neither this swipe nor a second, shorter one moved
        anything."""
        reached = self.result.details.get("reached_end")
        if reached is None:
            raise UsageError(
                "reached_end after scroll(silent=True): it did not look; leave silent= out"
            )
        return bool(reached)
