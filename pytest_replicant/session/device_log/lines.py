"""Lines of the device log: filtered, as evidence of an action, and kept in a test's trace."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from ...drivers import Capability
from ...errors import DeviceError, UsageError
from ...logs import GRAVITY, Level, LogLine, Request, pids_of, read_requests
from ...model import LogRecord, one_line, quoted, shortened
from .crashes import LONGEST, apps_under_test

if TYPE_CHECKING:
    from collections.abc import Collection

    from ...logs import LogLine
    from ..step import HasContext, SessionContext


@dataclass(frozen=True)
class WantedLines:
    """``level`` is the least grave that counts; None stands for any."""

    level: Level | None = None
    tag: str | None = None
    app: str | None = None

    def is_from(self, line: LogLine, pids: Collection[int]) -> bool:
        """``pids`` are the processes of the app."""
        grave = self.level is None or GRAVITY.index(line.level) >= GRAVITY.index(self.level)
        return grave and self.tag in (None, line.tag) and (self.app is None or line.pid in pids)


def check_wanted(verb: str, level: object, tag: object, app: object) -> None:
    """Raises ``UsageError`` for what can be none of these."""
    if level is not None and level not in get_args(Level):
        raise UsageError(f"{verb}(level={level!r}): a level is one of {', '.join(get_args(Level))}")
    for name, value in (("tag", tag), ("app", app)):
        if value is not None and (not isinstance(value, str) or not value):
            raise UsageError(f"{verb}({name}={value!r}): {name} is a string that says something")


_LONGEST = 100


def logged_since(context: SessionContext) -> str:
    """Why the log does not speak for it that the last action had no effect; "" where it does, or where this phone
    has none. Which of an app's lines come of the action nobody can tell, so that any of them will do."""
    if Capability.LOGS not in context.driver.capabilities:
        return ""
    try:
        whole = context.log.lines(whole=True)
        pids = {
            pid
            for app in apps_under_test(context)
            for pid in (*pids_of(app, whole), *context.driver.pids(app))
        }  # fmt: skip
        own = [line for line in context.log.lines() if line.pid in pids]
    except DeviceError as error:
        return f"the log cannot be read: {one_line(str(error), _LONGEST)}"
    return f"the app logged {quoted(one_line(own[0].message, _LONGEST))} since" if own else ""


def requests_meanwhile(context: SessionContext) -> tuple[Request, ...] | None:
    """Those of the apps under test; another app's are nobody's fault here. None where the log cannot be read."""
    apps = apps_under_test(context)
    try:
        lines = context.log.lines()
        pids = {pid for app in apps for pid in context.log.pids(app)}
    except DeviceError:
        return None
    return tuple(read_requests(line for line in lines if line.pid in pids))


def failed_meanwhile(context: SessionContext) -> str:
    """For the message of a failure: the last request that failed since the action, "" where none is known of."""
    if Capability.LOGS not in context.driver.capabilities or not context.log.was_used:
        return ""
    failed = [one for one in requests_meanwhile(context) or () if one.failed]
    more = f" (and {len(failed) - 1} before it)" if len(failed) > 1 else ""
    return f"A request failed meanwhile: {one_line(failed[-1].describe(), LONGEST)}{more}" if failed else ""


MOST_LINES = 2_000
LONGEST_LINE = 2_000  # characters
_LOUD = frozenset("WEF")


def keep_log(session: HasContext) -> None:
    """Puts the lines since the test began into its trace. A phone in trouble, or one without a log, leaves none:
    the log is evidence beside the result, never a reason for one."""
    context = session._context
    if not context.log.was_used or not context.recorder.keeps_screens:
        return
    with suppress(DeviceError):
        lines = context.log.since_the_test_began()
        apps = _owners(context, [line for _, line in lines])
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
        context.recorder.logs = (*gap, *bounded(records))


def _owners(context: SessionContext, lines: list[LogLine]) -> dict[int, str]:
    """The apps under test by each of the processes that they had in the test."""
    return {pid: app for app in apps_under_test(context) for pid in context.log.told_pids(app, lines)}


def bounded(lines: list[LogRecord]) -> tuple[LogRecord, ...]:
    """At most so many lines: warnings and errors first, then what is newest; how many are missing is said."""
    missing = len(lines) - MOST_LINES
    if missing <= 0:
        return tuple(lines)
    by_weight = sorted(range(len(lines)), key=lambda index: (lines[index].level not in _LOUD, -index))
    kept = [lines[index] for index in sorted(by_weight[: MOST_LINES - 1])]
    told = f"{missing + 1} lines of the log are left out; warnings, errors and the newest lines are kept"
    return (LogRecord(kept[0].at_ms, "W", "replicant", told), *kept)
