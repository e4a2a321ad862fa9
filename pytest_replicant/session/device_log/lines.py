"""Lines of the device log: filtered, as evidence of an action, and kept in a test's trace."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, get_args

from ...drivers import Capability
from ...errors import UNANSWERED, UsageError
from ...logs import GRAVITY, Level, LogLine, Request, read_requests
from ...model import AppText, Failure, LogRecord, one_line, quoted, shortened
from ...snapshots import clean, finds, has_part
from ..step import SessionContext, SessionView
from .crashes import LONGEST, apps_under_test

MOST_LINES = 2_000
LONGEST_LINE = 2_000  # characters
_LOUD = frozenset("WEF")
_LONGEST = 100
_MOST_LOUD = 200
_FRAME = re.compile(r"\s+at |\s*\.\.\. \d+ more")  # of a stack, whose first lines say what happened


@dataclass(frozen=True)
class LineFilter:
    """A filter of log lines. ``level`` is the least severe one that passes; None stands for any. ``pattern`` is a
    part of the message, or an expression that it is searched for."""

    level: Level | None = None
    tag: str | None = None
    app: str | None = None
    pattern: str | re.Pattern[str] = ""

    @classmethod
    def checked(cls, verb: str, level: Any, tag: Any, app: Any, pattern: Any = "") -> LineFilter:
        """The filter of a call. Raises ``UsageError`` for a wrong level, tag or app."""
        if level is not None and level not in get_args(Level):
            raise UsageError(f"{verb}(level={level!r}): a level is one of {', '.join(get_args(Level))}")
        for name, value in (("tag", tag), ("app", app)):
            if value is not None and (not isinstance(value, str) or not value):
                raise UsageError(f"{verb}({name}={value!r}): {name} is a string that says something")
        return cls(level, tag, app, pattern)

    def is_from(self, line: LogLine, pids: Collection[int]) -> bool:
        """Whether level, tag and app fit; ``pids`` are the processes of the app."""
        grave = self.level is None or GRAVITY.index(line.level) >= GRAVITY.index(self.level)
        return grave and self.tag in (None, line.tag) and (self.app is None or line.pid in pids)

    def says(self, line: LogLine) -> bool:
        if isinstance(self.pattern, str):
            return has_part(line.message, self.pattern)
        return _found_in(self.pattern, line.message)

    def nearly_says(self, line: LogLine) -> bool:
        """Whether the message fits but for upper and lower case."""
        if isinstance(self.pattern, str):
            return has_part(line.message.casefold(), self.pattern.casefold())
        return _found_in(re.compile(self.pattern.pattern, self.pattern.flags | re.IGNORECASE), line.message)

    def describe(self) -> str:
        pattern = quoted(self.pattern) if isinstance(self.pattern, str) else f"/{self.pattern.pattern}/"
        given = [f"{name}={getattr(self, name)}" for name in ("level", "tag", "app") if getattr(self, name)]
        return " ".join([pattern, *given])


def _found_in(pattern: re.Pattern[str], message: str) -> bool:
    return finds(pattern, clean(message), message)


def logged_since(context: SessionContext) -> str:
    """Evidence in the log that the last action had an effect; "" for none, or for a phone without a log. Lines
    cannot be attributed to an action, so any line of the app counts that is new, or may be."""
    if Capability.LOGS not in context.driver.capabilities:
        return ""
    try:
        own = context.log.own(apps_under_test(context)).lines
    except UNANSWERED as error:
        return f"the log cannot be read: {one_line(str(error), _LONGEST)}"
    return f"the app logged {quoted(one_line(own[0].message, _LONGEST))} since" if own else ""


class Requests(NamedTuple):
    """Requests since an action; the ``doubtful`` ones may have been before it. ``errors`` are lines that the apps
    logged as errors since."""

    sure: tuple[Request, ...]
    doubtful: tuple[Request, ...]
    errors: tuple[LogLine, ...] = ()


def requests_meanwhile(context: SessionContext) -> Requests | None:
    """Requests of the apps under test since the last action, by the phone's log; None where it cannot be read."""
    try:
        own = context.log.own(apps_under_test(context))
    except UNANSWERED:
        return None
    errors = (line for line in own.sure if line.level in "EF" and not _FRAME.match(line.message))
    return Requests(tuple(read_requests(own.sure)), tuple(read_requests(own.doubtful)), tuple(errors))


def loud_lines(context: SessionContext, action_id: str) -> tuple[tuple[LogLine, ...], str]:
    """Warnings and errors that the apps under test logged from one action to the next, the newest of very many;
    and the gaps in them, "" for none. Raises ``DeviceError`` where the log cannot be read."""
    own = context.log.own(apps_under_test(context), action_id)
    loud, doubtful = (
        [line for line in lines if line.level in _LOUD and not _FRAME.match(line.message)]
        for lines in (own.sure, own.doubtful)
    )
    missing = [f"only the newest {_MOST_LOUD} of {len(loud)} lines are kept"] if len(loud) > _MOST_LOUD else []
    if own.reaches is False:
        missing.append("the first lines were overwritten or cleared")
    if doubtful:
        missing.append(f"{len(doubtful)} more may be of another action: {context.log.doubt}")
    return tuple(loud[-_MOST_LOUD:]), "; ".join(missing)


def with_failed_request(context: SessionContext, failure: Failure) -> Failure:
    """The failure with what was said since the action: the last toast, the last request that failed, else the last
    error that the app logged. What a request was to bring is
    missing, so the advice is to see to it first; a dialog or a slip of the keyboard explains a failure better."""
    if context.observer.toasts and failure.action_type != "expect_seen":  # which lists them itself
        toast = ("A toast was shown meanwhile: ", AppText(context.observer.toasts[-1]))
        failure = replace(failure, meanwhile=(*failure.meanwhile, toast))
    if Capability.LOGS not in context.driver.capabilities or not context.log.was_used:
        return failure
    known = requests_meanwhile(context)
    if known is None:
        return failure
    failed = [one for one in known.sure if one.failed]
    if not failed and known.errors and failure.action_type != "expect_log":
        logged = ("The app logged meanwhile: ", AppText(shortened(known.errors[-1].message, LONGEST)))
        return replace(failure, meanwhile=(*failure.meanwhile, logged))
    if not failed:
        return failure
    request = one_line(failed[-1].describe(), LONGEST)
    more = f" (and {len(failed) - 1} before it)" if len(failed) > 1 else ""
    failure = replace(failure, meanwhile=(*failure.meanwhile, f"A request failed meanwhile: {request}{more}"))
    covered = failure.snapshot is not None and failure.snapshot.dialog is not None
    if covered or failure.answer is not None:
        return failure
    return replace(failure, advice=(f"see to that request first, as what it was to bring is missing: {request}",))


def keep_log(session: SessionView) -> None:
    """Puts the lines since the test began, and the last toasts, into its trace. A phone in trouble, or without a
    log, leaves none: the log is additional evidence, and never changes the result."""
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
    """At most so many lines: warnings and errors, then the newest; the first says how many are missing."""
    missing = len(lines) - MOST_LINES
    if missing <= 0:
        return tuple(lines)
    by_weight = sorted(range(len(lines)), key=lambda index: (lines[index].level not in _LOUD, -index))
    kept = [lines[index] for index in sorted(by_weight[: MOST_LINES - 1])]
    note = f"{missing + 1} lines of the log are left out; warnings, errors and the newest lines are kept"
    return (LogRecord(kept[0].at_ms, "W", "replicant", note), *kept)
