"""The device log of a test, for its trace: read once, when the test is over."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ...errors import DeviceError
from ...model import LogRecord, shortened
from .deaths import apps_under_test

if TYPE_CHECKING:
    from ...logs import LogLine
    from ..device_session import DeviceSession
    from ..step import SessionContext

MOST_LINES = 2_000
LONGEST_LINE = 2_000  # characters
_LOUD = frozenset("WEF")


def keep_log(session: DeviceSession) -> None:
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
