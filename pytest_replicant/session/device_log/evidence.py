"""What the device log is evidence of: crashes of the app under test, its lines and requests, and
what all that, with the screen's, makes of an action.

A test in which the app died did not pass, though its checks may have held."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

from ...drivers import Capability
from ...errors import UNANSWERED, UsageError
from ...logs import GRAVITY, Cause, Crash, Level, LogLine, Request, read_requests
from ...model import (
    AppText,
    Attachment,
    CheckRecord,
    DeathRecord,
    Failure,
    LogRecord,
    Strings,
    first_line,
    one_line,
    quoted,
    shortened,
)
from ...snapshots import Snapshot, clean, finds, has_part
from ..step import SessionContext, SessionView
from .log import Found

LONGEST = 300
UNSEEN = "The checks of the test saw nothing of it."
NOT_RESPONDING = "Application Not Responding"
NOT_RUNNING = "not running any more"
"""The signature of a death that a phone does not report."""

_MOST_CAUSES = 3
_MOST_FRAMES = 2  # of each exception, apart from the app's own
_MOST_NATIVE = 6
_MOST_CRASH_LINES = 8
_DEEPEST = 8  # blanks before a line
MOST_LINES = 2_000
LONGEST_LINE = 2_000  # characters
_LONGEST_PART = 100  # characters of a message, in a line with others
_MOST_LOUD = 200
_FRAME = re.compile(r"\s+at |\s*\.\.\. \d+ more")  # of a stack, whose first lines say what happened


def apps_under_test(context: SessionContext) -> Strings:
    """Apps that the session launched or touched, the one that it is about, and the one that is
    starting now."""
    named = (app for app in (context.app, context.starting) if app)
    return tuple(dict.fromkeys([*context.apps.launched, *context.apps.touched, *named]))


def format_crash(crash: Crash) -> str:
    """``dev.replicant.shop died: NullPointerException: no cart (CartStore.kt:42)``, in one line."""
    summary = one_line(crash.summary, LONGEST)
    return f"{crash.app} {summary}" if crash.kind == "anr" else f"{crash.app} died: {summary}"


def died_unexpectedly(context: SessionContext) -> Strings:
    """Apps that the test started and did not stop, and that do not run any more: for a phone that
    reports no crashes. Costs one command for each. Raises ``DeviceError``."""
    apps = context.apps
    started = (
        app for app in dict.fromkeys(apps.launched + apps.touched) if app not in apps.stopped
    )
    return tuple(app for app in started if context.driver.app_status(app) == "stopped")


def format_absences(context: SessionContext) -> str:
    """The same for the message of another failure; "" if it cannot be read."""
    try:
        return "; ".join(map(format_absence, died_unexpectedly(context)))
    except UNANSWERED:
        return ""


def format_absence(app: str) -> str:
    return f"{app} is not running any more; this platform does not report why"


def died_meanwhile(context: SessionContext) -> str:
    """A line for the message of a failure: how an app under test died last; "" if none did, where
    it was restarted since, or if nothing can be read."""
    if Capability.CRASHES not in context.driver.capabilities:
        return format_absences(context)
    apps = apps_under_test(context)
    if not apps or not context.log.was_used:
        return ""
    try:
        crashes = [one for one in context.log.crashes() if one.is_of(*apps)]
        if not crashes:
            return ""
        last = crashes[-1]
        recent = last in context.log.crashes(since_action=True)
        if not recent and context.driver.app_status(last.app.partition(":")[0]) != "stopped":
            return ""
    except UNANSWERED:
        return ""
    return f"{format_crash(last)} (at {last.time.partition(' ')[2]} by the phone)"


def format_stack(crash: Crash) -> list[str]:
    """The stack of a crash in a few bounded lines: exceptions, causes, and the app's own frame."""
    if crash.exception:
        lines = list(_thrown(crash))
    elif crash.frames:
        code = f" ({crash.code})" if crash.code else ""
        lines = [f"{crash.signal or 'crashed'}{code} in thread {crash.thread or '?'}"]
        lines += [f"    #{at} {frame}" for at, frame in enumerate(crash.frames[:_MOST_NATIVE])]
    else:
        lines = []
        for entry in crash.lines:
            lines += entry.split("\n")
        if len(lines) > _MOST_CRASH_LINES:
            lines[_MOST_CRASH_LINES:] = [f"… and {len(lines) - _MOST_CRASH_LINES} more lines"]
    for at, line in enumerate(lines):
        bare = line.lstrip(" ")
        lines[at] = " " * min(len(line) - len(bare), _DEEPEST) + one_line(bare, LONGEST)
    return lines


def _thrown(crash: Crash) -> Iterator[str]:
    """Exceptions from the outermost, as the platform prints them, with the app's own frame; of very
    many, those at the root."""
    yield f"FATAL EXCEPTION: {crash.thread or '?'}"
    thrown = [Cause(crash.exception, crash.message, crash.frames), *crash.causes]
    for one in (*thrown[:1], *thrown[1:][-_MOST_CAUSES:]):
        yield f"{'' if one is thrown[0] else 'Caused by: '}{first_line(str(one))}"
        own = [crash.frame] if crash.frame in one.frames else []
        yield from (
            f"    at {frame}" for frame in dict.fromkeys((*one.frames[:_MOST_FRAMES], *own))
        )


@dataclass(frozen=True)
class Death:
    """Death of the app under test: its record, and the message of the test's failure."""

    record: DeathRecord
    message: str


def unexplained_crash(session: SessionView) -> Death | None:
    """The first death of an app under test since the test began; None if the test allows it or did
    nothing.

    Its lines are attached to the trace. A phone that reports no crashes is asked which of the apps
    that the test launched and did not stop is not running. Costs one command if nothing died, or
    one for each launched app. Raises ``DeviceError`` if nothing could be read, since a death is
    then possible.
    """
    context = session._context
    if "crash" in context.settings.allow:
        return None
    if Capability.CRASHES not in context.driver.capabilities:
        return _absence(context)
    if not context.log.was_used:
        return None
    apps = apps_under_test(context)
    found = context.log.deaths(apps) if apps else []
    gap = context.log.gap
    if gap and gap not in context.recorder.unseen:
        context.recorder.unseen.append(gap)
    deaths = [one for one in found if one.ended]
    for one in found:
        if not one.ended:
            silent = _record_of(context, one, f"{one.crash.app}: {NOT_RESPONDING}")
            context.recorder.anrs.setdefault(silent)
    if not deaths:
        return None
    first = deaths[0].crash
    record = _record_of(context, deaths[0], format_crash(first))
    lines = [f"  {line}" for line in format_stack(first)]
    message = "\n".join([record.text, UNSEEN, *lines, *_next(context, record.after)])
    data = "\n".join(line for death in deaths for line in death.crash.lines).encode(
        "utf-8", "backslashreplace"
    )
    crash_lines = Attachment(f"crash of {first.app}", "text/plain", data)
    # This is asked again once fixtures were torn down.
    if crash_lines not in context.recorder.attachments:
        context.recorder.attachments.append(crash_lines)
    return Death(record, message)


def _record_of(context: SessionContext, found: Found, what: str) -> DeathRecord:
    crash = found.crash
    after = context.log.action_before(crash)
    event = context.recorder.event_of(after)
    reason = f": {one_line(crash.message, LONGEST)}" if crash.message and not found.ended else ""
    where = f" after {event.title} ({after}, {event.source})" if event is not None else ""
    doubt = ""
    if not found.sure:
        been = "died" if found.ended else "been"
        doubt = f"; it may have {been} before the test: {context.log.doubt}"
    return DeathRecord(
        f"{what}{reason}{where}{doubt}",
        crash.app,
        crash.signature,
        after,
        crash.exception or crash.signal,
        crash.frame.where if crash.frame is not None else "",
        crash.kind,
        one_line(crash.message, LONGEST) if crash.kind in ("anr", "native") else "",
    )


def late_crash(session: SessionView) -> Death | None:
    """The same once fixtures were torn down, of those not known yet: an app may die of what the
    test did a while ago. Costs one command where anything was sent at all."""
    death = unexplained_crash(session)
    if death is not None:
        for known in session._context.recorder.deaths:
            if (known.app, known.signature) == (death.record.app, death.record.signature):
                return None
    return death


def _absence(context: SessionContext) -> Death | None:
    """The death of an app that just does not run any more; after which action is not known."""
    absent = died_unexpectedly(context)
    if not absent:
        return None
    summary = format_absence(absent[0])
    record = DeathRecord(summary, absent[0], NOT_RUNNING)
    return Death(record, "\n".join([summary, UNSEEN, *_next(context, "")]))


def _next(context: SessionContext, after: str) -> list[str]:
    fix = (
        'Next: fix the app; or, where it is meant to die, @pytest.mark.replicant(allow=["crash"]).'
    )
    return [line for line in (fix, context.recorder.open_line(after)) if line]


# --- lines, filtered and kept ---------------------------------------------------------------------


@dataclass(frozen=True)
class LineFilter:
    """A filter of log lines. ``level`` is the least severe one that passes; None stands for any.
    ``pattern`` is a part of the message, or an expression that it is searched for."""

    level: Level | None = None
    tag: str | None = None
    app: str | None = None
    pattern: str | re.Pattern[str] = ""

    @classmethod
    def checked(cls, verb: str, level: Any, tag: Any, app: Any, pattern: Any = "") -> LineFilter:
        """The filter of a call. Raises ``UsageError`` for a wrong level, tag or app."""
        if level is not None and level not in get_args(Level):
            raise UsageError(
                f"{verb}(level={level!r}): a level is one of {', '.join(get_args(Level))}"
            )
        for name, value in (("tag", tag), ("app", app)):
            if value is not None and (not isinstance(value, str) or not value):
                raise UsageError(
                    f"{verb}({name}={value!r}): {name} is a string that says something"
                )
        return cls(level, tag, app, pattern)

    def is_from(self, line: LogLine, pids: Collection[int]) -> bool:
        """Whether level, tag and app fit; ``pids`` are the processes of the app."""
        grave = self.level is None or GRAVITY.index(line.level) >= GRAVITY.index(self.level)
        return grave and self.tag in (None, line.tag) and (self.app is None or line.pid in pids)

    def says(self, line: LogLine) -> bool:
        if isinstance(self.pattern, str):
            return has_part(line.message, self.pattern)
        return finds(self.pattern, clean(line.message), line.message)

    def describe(self) -> str:
        pattern = (
            quoted(self.pattern) if isinstance(self.pattern, str) else f"/{self.pattern.pattern}/"
        )
        given = [
            f"{name}={getattr(self, name)}"
            for name in ("level", "tag", "app")
            if getattr(self, name)
        ]
        return " ".join([pattern, *given])


def logged_since(context: SessionContext) -> str:
    """Evidence in the log that the last action had an effect; "" for none, or for a phone without a
    log. Lines cannot be attributed to an action, so any line of the app counts that is new, or may
    be."""
    if Capability.LOGS not in context.driver.capabilities:
        return ""
    try:
        own = context.log.own(apps_under_test(context)).lines
    except UNANSWERED as error:
        return f"the log cannot be read: {one_line(str(error), _LONGEST_PART)}"
    return f"the app logged {quoted(one_line(own[0].message, _LONGEST_PART))} since" if own else ""


class Requests(NamedTuple):
    """Requests since an action; the ``doubtful`` ones may have been before it. ``errors`` are lines
    that the apps logged as errors since."""

    sure: tuple[Request, ...]
    doubtful: tuple[Request, ...]
    errors: tuple[LogLine, ...] = ()


def requests_meanwhile(context: SessionContext) -> Requests | None:
    """Requests of the apps under test since the last action, by the phone's log; None if it cannot
    be read."""
    try:
        own = context.log.own(apps_under_test(context))
    except UNANSWERED:
        return None
    errors = (line for line in own.sure if line.level in "EF" and not _FRAME.match(line.message))
    return Requests(
        tuple(read_requests(own.sure)), tuple(read_requests(own.doubtful)), tuple(errors)
    )


def loud_lines(context: SessionContext, action_id: str) -> tuple[tuple[LogLine, ...], str]:
    """Warnings and errors that the apps under test logged from one action to the next, the newest
    of very many; and the gaps in them, "" for none. Raises ``DeviceError`` if the log cannot be
    read."""
    own = context.log.own(apps_under_test(context), action_id)
    loud, doubtful = (
        [line for line in lines if line.level in "WEF" and not _FRAME.match(line.message)]
        for lines in (own.sure, own.doubtful)
    )
    missing = []
    if len(loud) > _MOST_LOUD:
        missing.append(f"only the newest {_MOST_LOUD} of {len(loud)} lines are kept")
    if own.reaches is False:
        missing.append("the first lines were overwritten or cleared")
    if doubtful:
        missing.append(f"{len(doubtful)} more may be of another action: {context.log.doubt}")
    return tuple(loud[-_MOST_LOUD:]), "; ".join(missing)


def with_failed_request(context: SessionContext, failure: Failure) -> Failure:
    """The failure with what was said since the action: the last toast, the last request that
    failed, else the last error that the app logged. What a request was to bring is missing, so the
    advice is to see to it first; a dialog or a slip of the keyboard explains a failure better."""
    meanwhile, advice = [*failure.meanwhile], failure.advice
    if context.observer.toasts and failure.action_type != "expect_seen":  # which lists them itself
        meanwhile.append(("A toast was shown meanwhile: ", AppText(context.observer.toasts[-1])))
    known = requests_meanwhile(context) if context.log.was_used else None
    failed, errors = (
        ([one for one in known.sure if one.failed], known.errors) if known else ([], ())
    )
    if failed:
        request = one_line(failed[-1].describe(), LONGEST)
        meanwhile.append(f"A request failed meanwhile: {request}")
        covered = failure.snapshot is not None and failure.snapshot.dialog is not None
        if failure.answer is None and not covered:
            advice = (f"see to that request first, as what it was to bring is missing: {request}",)
    elif errors and failure.action_type != "expect_log":
        said = AppText(shortened(errors[-1].message, LONGEST))
        meanwhile.append(("The app logged meanwhile: ", said))
    return replace(failure, meanwhile=tuple(meanwhile), advice=advice)


def keep_log(session: SessionView) -> None:
    """Puts the lines since the test began, and the last toasts, into its trace. A phone in trouble,
    or without a log, leaves none: the log is additional evidence, and never changes the result."""
    context = session._context
    if context.recorder.latest:
        with suppress(Exception):  # a test may have replaced what its request is made with
            context.observer.poll_toast()
    if not context.log.was_used or not context.screens.kept:
        return
    with suppress(*UNANSWERED):
        lines = context.log.since_the_test_began()
        logged = [line for _, line in lines]
        tested = apps_under_test(context)
        apps = {pid: app for app in tested for pid in context.log.known_pids(app, logged)}
        records = [
            LogRecord(
                round(at * 1000),
                line.level,
                line.tag,
                shortened(line.message, LONGEST_LINE),
                line.pid,
                apps.get(line.pid, ""),
            )
            for at, line in lines
        ]
        gap = [LogRecord(0, "W", "replicant", context.log.gap)] if context.log.gap else []
        context.recorder.note_logs((*gap, *bounded(records)))


def bounded(lines: list[LogRecord]) -> tuple[LogRecord, ...]:
    """The newest, at most so many; the first says how many are missing."""
    missing = len(lines) - MOST_LINES
    if missing <= 0:
        return tuple(lines)
    kept = lines[missing + 1 :]
    note = f"{missing + 1} lines of the log are left out; the newest are kept"
    return (LogRecord(kept[0].at_ms, "W", "replicant", note), *kept)


# --- the probable outcome of an action ------------------------------------------------------------

Outcome = Literal["success", "no_op", "backend_failure", "ui_failure", "unknown"]


@dataclass(frozen=True)
class Classification:
    """The outcome, with its ``reason`` in one sentence and the ``evidence`` for it."""

    outcome: Outcome
    reason: str
    evidence: Strings = ()


def classify(
    context: SessionContext,
    local: bool,
    before: Snapshot | None,
    after: Snapshot,
    checks: list[CheckRecord],
) -> Classification:
    """The probable outcome of an action, for finding out why; never a check: nothing that passes or
    fails a test reads it. The first rule that applies: an expectation that failed is never
    outweighed by some other change.

    ``local``: the action changes nothing but the screen, so that no request speaks against it;
    ``checks`` are those that were made of it."""
    failed = [f"failed: {one.kind} {one.expected}" for one in checks if one.result == "failed"]
    held = [f"held: {one.kind} {one.expected}" for one in checks if _proves(one)]
    change = _change(before, after)
    death, doubtful = _death(context)
    requests = None if local else requests_meanwhile(context)
    known = requests or Requests((), ())
    doubtful += [one.describe() for one in known.doubtful if one.failed]
    evidence = [*failed, *held]
    if change is not None:
        evidence.append(f"the screen: {change or 'no change'}")
    evidence += [*doubtful, *(f"request: {one.describe()}" for one in known.sure)]
    if death:
        return Classification("ui_failure", "the app died", (death, *evidence))
    if doubtful:
        return Classification(
            "unknown",
            f"{doubtful[0]}, but that may have been before the action: {context.log.doubt}",
            tuple(evidence),
        )
    if held and not failed:
        return Classification("success", "a check of it held", tuple(evidence))
    broken = [one.describe() for one in known.sure if one.failed]
    return Classification(*_judged(bool(failed), change, broken, bool(known.sure)), tuple(evidence))


def _proves(check: CheckRecord) -> bool:
    return (
        check.result == "passed"
        and not check.vacuous
        and (check.facts is None or check.facts.verifies)
    )


def _change(before: Snapshot | None, after: Snapshot) -> str | None:
    """The diff in a line, "" for none; None if it is not known."""
    if before is None:
        return None
    diff = after.diff(before, mask_volatile=True)
    if not diff.empty:
        return diff.summary
    return None if diff.cut else ""


def _judged(
    failed: bool, change: str | None, broken: list[str], asked: bool
) -> tuple[Outcome, str]:
    """By the effect that is missing, and the requests of the app."""
    what = "a check of it failed"
    if not failed:
        if change is None:
            return "unknown", "it is not known whether the screen changed"
        if change and broken:
            return "unknown", "the screen changed, and a request failed that may be another's"
        if change:
            return "success", "the screen changed, and nothing speaks against it"
        what = "nothing changed"
    if broken:
        return "backend_failure", f"{what}, and a request failed: {broken[0]}"
    if asked or change:
        return "ui_failure", f"{what}, and no request failed"
    return ("no_op", what) if change is not None else ("unknown", what)


def _death(context: SessionContext) -> tuple[str, list[str]]:
    """The first death of an app since the action, "" for none, and those that may have been before
    it."""
    if Capability.CRASHES not in context.driver.capabilities:
        return format_absences(context), []
    apps = apps_under_test(context)
    try:
        found = context.log.found(since_action=True)
    except UNANSWERED:
        return "", []
    own = [one for one in found if one.crash.is_of(*apps)]
    sure = next((format_crash(one.crash) for one in own if one.sure), "")
    return sure, [format_crash(one.crash) for one in own if not one.sure]
