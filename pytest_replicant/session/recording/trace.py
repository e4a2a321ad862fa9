"""Building the ``ActionTrace`` while stages run, and keeping what a test left behind for its
report.

Tracing only watches: nothing here changes what the session does, and a screenshot that cannot be
taken is simply missing.
"""

from __future__ import annotations

import contextlib
import linecache
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from ...errors import ExpectationFailed, ReplicantError, what_happened
from ...model import (
    ActionResult,
    ActionTrace,
    AnyDict,
    AnyMapping,
    Attachment,
    CheckRecord,
    Clock,
    DeathRecord,
    DiffRecord,
    FailureRecord,
    LogRecord,
    RaisedError,
    RecoveryRecord,
    Stage,
    StepResult,
    TestFacts,
    TestTrace,
    TraceEvent,
    TraceStep,
)
from ...snapshots import Snapshot, toast_lines
from ..stabilize.history import Sightings
from .failures import with_logs
from .screens import Keeping, Screens

PACKAGE = str(Path(__file__).parents[2]) + os.sep


class StepLog:
    """The stages of one action or check, timed as they run."""

    def __init__(self, action_id: str, clock: Clock, notices: Callable[[], list[str]]) -> None:
        self.action_id = action_id
        self._clock = clock
        self._notices = notices
        self.began = clock.now()
        self.stamp_ms = clock.epoch_ms()
        self.source, self.source_text = line_in_test()
        self._attempts = 1
        self._cycle: str | None = None  # the recovery that the steps from now on belong to
        self._steps: list[TraceStep] = []

    def begin_cycle(self) -> None:
        """A recovery begins: what follows belongs to it, and is a further attempt."""
        self._cycle = f"{self.action_id or 'check'}.r{self._attempts}"
        self._attempts += 1

    @contextmanager
    def stage(self, stage: Stage, *, policy: str = "", **notes: Any) -> Iterator[AnyDict]:
        """Times one stage; it failed when its body raises. The body may add to the notes it is
        given, and say ``notes["result"]`` where it neither raised nor succeeded."""
        began, stamp = self._clock.now(), self._clock.epoch_ms()
        result: StepResult = "failure"
        try:
            yield notes
            result = notes.pop("result", "success")
        except BaseException as error:
            notes.setdefault("reason", what_happened(error))
            raise
        finally:
            took = round((self._clock.now() - began) * 1000)
            if noticed := self._notices():
                notes["phone"] = "; ".join(noticed)
            index = self._attempts - 1
            self._steps.append(
                TraceStep(stage, stamp, result, notes, index, took, self._cycle, policy or None)
            )

    def trace(self, *, success: bool) -> ActionTrace:
        return ActionTrace(
            self.action_id, tuple(self._steps), "success" if success else "failure", self._attempts
        )


@dataclass(eq=False)
class Recorder:
    """What one test leaves behind. One per ``DeviceSession`` and test. ``_notices`` gives what the
    driver did of its own accord since it was asked last; ``_announce`` is called when a step
    begins."""

    _clock: Clock
    _screens: Screens
    _keeping: Keeping
    device: AnyMapping
    _notices: Callable[[], Sequence[str]]
    _announce: Callable[[str, str], object]

    def __post_init__(self) -> None:
        self.redactor = self._keeping.redactor
        self.latest = ""  # id of the action that a check of an outcome may be about
        self.recoveries: list[RecoveryRecord] = []
        self.deaths: list[DeathRecord] = []
        self.anrs: dict[DeathRecord, None] = {}
        self.logs: tuple[LogRecord, ...] = ()
        self.unseen: list[str] = []  # what could not be looked at, in words
        self.soft_failures: list[ExpectationFailed] = []
        self.groups = list(self._keeping.groups)
        self.noticed: list[
            str
        ] = []  # what the session did to the phone besides, since the last stage of a step
        self.attachments: list[Attachment] = []
        self.sightings: dict[str, Sightings] = {}  # by the action that was sent, up to the next one
        self.began_ms = self._clock.epoch_ms()
        self._began = self._clock.now()
        self._events: dict[str, TraceEvent] = {}  # by id, in the order in which they ended
        self._ended: Counter[str] = Counter()  # of each kind
        self._begun = 0  # actions
        self._foreign: list[
            tuple[BaseException, FailureRecord]
        ] = []  # that no session raised, as they went by

    @contextmanager
    def group(self, title: str) -> Iterator[None]:
        """Entries recorded meanwhile stand in a group of that title."""
        self.groups.append(title)
        try:
            yield
        finally:
            self.groups.pop()

    @contextmanager
    def apart(self, title: str) -> Iterator[None]:
        """The same for what interrupts an action or check: a check goes on about the action
        before."""
        newest, acting = self.latest, self.acting
        try:
            with self.group(title):
                yield
        finally:
            self.latest = self.latest if acting else newest

    def begin(self, title: str) -> StepLog:
        """The log of the next action, which this gives its id."""
        self._announce("action", title)
        self._begun += 1
        return StepLog(f"a{self._begun}", self._clock, self._take_notices)

    def begin_check(self, action_id: str, title: str) -> StepLog:
        self._announce("check" if action_id else "look", title)
        return StepLog(action_id, self._clock, self._take_notices)

    def _take_notices(self) -> list[str]:
        """What was done to the phone that no step says, by the session or the driver."""
        noticed, self.noticed = self.noticed, []
        return [*noticed, *self._notices()]

    def keep(self, event: TraceEvent, log: StepLog, raised: BaseException | None = None) -> None:
        """Adds an action, a check or a wait to the timeline, with its id and its place in time. Its
        failure is linked with the error that is ``raised`` for it."""
        name = f"{event.kind}-{self._ended[event.kind]}"
        if event.result:
            name = self.latest = event.result.action_id
        self._ended[event.kind] += 1
        self._events[name] = replace(
            event,
            id=name,
            start_ms=round((log.began - self._began) * 1000),
            duration_ms=round((self._clock.now() - log.began) * 1000),
            group=tuple(self.groups),
            source=log.source,
            source_text=log.source_text,
        )
        if raised is not None:
            self.link(raised, event.failure)

    def link(self, error: BaseException, record: FailureRecord | None) -> None:
        """Remembers which record an error that ends a step belongs to: the object, not its text."""
        if isinstance(error, (ReplicantError, ExpectationFailed)):
            error.failure = record
        elif record:
            self._foreign.append((error, record))

    def record_of(self, error: BaseException) -> FailureRecord | None:
        """The facts of the step that an error ended, the outermost one; None if it ended none."""
        if isinstance(error, (ReplicantError, ExpectationFailed)):
            return error.failure
        return next((record for one, record in reversed(self._foreign) if one is error), None)

    def event_of(self, action_id: str) -> TraceEvent | None:
        """The entry of an action in the timeline; None for an id that no action has."""
        return self._events.get(action_id)

    def result_of(self, action_id: str) -> ActionResult | None:
        """The envelope of an action as it stands now."""
        event = self.event_of(action_id)
        return event.result if event else None

    @property
    def results(self) -> list[ActionResult]:
        """The envelopes of all actions so far, in the order in which they ended."""
        return [event.result for event in self._events.values() if event.result]

    @property
    def checks(self) -> list[CheckRecord]:
        """All checks so far, in the order in which they ended."""
        return [event.check for event in self._events.values() if event.check]

    def checks_of(self, action_id: str) -> list[CheckRecord]:
        """The checks that were made of the outcome of an action, in order."""
        return [check for check in self.checks if check.action_id == action_id]

    def diff_of(self, before: Snapshot | None, after: Snapshot | None) -> DiffRecord | None:
        """The difference between two screens; None if one is missing, or screens are not kept."""
        if before is None or after is None or not self._screens.kept:
            return None
        diff = after.diff(before)
        return DiffRecord(diff.summary, tuple(str(diff).splitlines()[1:]), diff.empty)

    @property
    def acting(self) -> bool:
        """Whether an action has begun and not ended yet."""
        return self._begun > self._ended["action"]

    @property
    def size(self) -> int:
        """Number of actions, checks and attachments so far: it grows when there is more to
        report."""
        return self._ended["action"] + self._ended["check"] + len(self.attachments)

    def mark_verified(self, action_id: str) -> None:
        event = self.event_of(action_id)
        if (
            not event
            or event.result is None
            or event.result.lifecycle_state != "pending_verification"
        ):
            return
        self._events[action_id] = replace(
            event, result=replace(event.result, lifecycle_state="verified")
        )

    def mark_read(self) -> None:
        """The test was given what the latest action led to."""
        event = self.event_of(self.latest)
        if event and not event.details:
            self._events[self.latest] = replace(event, details={"read": True})

    def mark_undone(self, place: int, how: str) -> None:
        """Notes of a check, by its place in the timeline, that what it saw was undone."""
        name, event = list(self._events.items())[place]
        if event.check:
            self._events[name] = replace(event, check=replace(event.check, undone=how))

    def note_logs(self, lines: tuple[LogRecord, ...]) -> None:
        """What the phone logged in this test, as far as it is kept."""
        self.logs = lines

    @property
    def newest(self) -> int:
        """The place of the newest event in the timeline."""
        return len(self._events) - 1

    def finish(self, facts: TestFacts, failures: tuple[RaisedError, ...] = ()) -> TestTrace:
        """Everything as one value, in the order in which it began; snapshots and pictures are read
        back from disk as they are looked at. Failures have what was logged since the action
        before."""
        timeline, since = [], 0
        for event in sorted(self._events.values(), key=lambda event: event.start_ms):
            if event.result:
                since = event.start_ms
                toasts = self.sightings.get(event.id, Sightings()).toasts
                event = replace(event, toasts=tuple(toasts))  # which are lines of what it changed
                if event.diff:
                    lines = (*toast_lines(toasts), *event.diff.lines)
                    event = replace(event, diff=replace(event.diff, lines=lines))
            timeline.append(with_logs(event, since, self.logs))
        return TestTrace(
            facts,
            dict(self.device),
            tuple(timeline),
            self._screens.snapshots,
            self._screens.pictures,
            tuple(self.attachments),
            tuple(map(self._linked, failures)),
            tuple(self.recoveries),
            tuple(self.deaths),
            self.logs,
            (*self._screens.losses, *dict.fromkeys(self.unseen)),
            tuple(self.anrs),
        )

    def _linked(self, error: RaisedError) -> RaisedError:
        """The error with the event that raised it, which then has the facts of the failure."""
        for event in reversed(self._events.values()):
            if event.failure and event.failure is error.failure:
                return replace(error, step=event.id, failure=None)
        return error

    @property
    def elapsed_ms(self) -> int:
        """Since the session began, fixtures that used it included."""
        return round((self._clock.now() - self._began) * 1000)

    @property
    def report_page(self) -> str:
        """What to open after a failure; "" if no report is written."""
        return self._keeping.page()

    def open_line(self, action_id: str = "") -> str:
        """The line of a message that says what to open; "" if no report is written."""
        page = self.report_page
        return f"Open: {page}{'#' if action_id else ''}{action_id}" if page else ""

    def close(self) -> None:
        self._screens.close()


def traceback_of_test() -> TracebackType | None:
    """A traceback that consists of the line of the test that is running now: for errors raised
    later."""
    frame = _frame_in_test()
    return TracebackType(None, frame, frame.f_lasti, frame.f_lineno) if frame else None


def _frame_in_test() -> FrameType | None:
    """The nearest caller outside this package, and outside what enters the ``with`` blocks in
    it."""
    frame: FrameType | None = sys._getframe(1)
    while frame and frame.f_code.co_filename.startswith((PACKAGE, contextlib.__file__)):
        frame = frame.f_back
    return frame


def line_in_test() -> tuple[str, str]:
    """Where that caller stands, ``tests/test_shop.py:18``, and that line as written."""
    frame = _frame_in_test()
    if not frame:
        return "", ""
    path, line = frame.f_code.co_filename, frame.f_lineno
    text = linecache.getline(path, line).strip()
    with suppress(
        ValueError, OSError
    ):  # another drive on Windows; a test that took away the folder it stands in
        path = os.path.relpath(path)
    return f"{Path(path).as_posix()}:{line}", text
