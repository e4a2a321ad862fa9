"""Checks of the phone: where an app is, what the log says, that no app died. A log is quoted: apps write it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from ...drivers import AppStatus
from ...errors import UsageError
from ...logs import LogLine
from ...model import bare, quoted
from ..device_log.crashes import apps_under_test, format_crash
from ..device_log.lines import WantedLines, check_wanted
from .check import Check, Sample

if TYPE_CHECKING:
    from ..step import SessionContext


def app_is(status: AppStatus, app: str) -> Check:
    """Two reads in a row must agree: an app that is being started or ended is between two of the three."""
    if status not in get_args(AppStatus):
        raise UsageError(
            f'expect_app({status!r}): it is "foreground", "background" or "stopped", and the app comes second: '
            'expect_app("foreground", "dev.replicant.shop")'
        )

    def ask(context: SessionContext) -> Sample:
        now = context.driver.app_status(app)
        return Sample(now == status, now, facts={"status": now}, more=lambda: _instead(context, app))

    return Check("expect_app", f"{app} {status}", wanted={"app": app, "status": status}, problem="app", ask=ask)


def _instead(context: SessionContext, app: str) -> str:
    front = context.driver.app_in_front().app
    return f"In front is {front}." if front and front != app else ""


_MOST_NEAR = 6


@dataclass(frozen=True)
class Wanted(WantedLines):
    """What a line must be like."""

    pattern: str | re.Pattern[str] = ""

    def says(self, line: LogLine) -> bool:
        if isinstance(self.pattern, str):
            return self.pattern in line.message
        return self.pattern.search(line.message) is not None

    def nearly_says(self, line: LogLine) -> bool:
        """In other letters; a pattern has no such thing."""
        return isinstance(self.pattern, str) and self.pattern.casefold() in line.message.casefold()

    def describe(self) -> str:
        told = quoted(self.pattern) if isinstance(self.pattern, str) else f"/{self.pattern.pattern}/"
        given = [f"{name}={getattr(self, name)}" for name in ("level", "tag", "app") if getattr(self, name)]
        return " ".join([told, *given])


def log_says(pattern: str | re.Pattern[str], *, level: str | None, tag: str | None, app: str | None) -> Check:
    """One line will do. Only what was logged since the action was sent counts, whatever was started anew since."""
    wanted = _checked(pattern, level, tag, app)

    def ask(context: SessionContext) -> Sample:
        lines = context.log.lines()
        pids = context.log.pids(wanted.app) if wanted.app else frozenset()
        own = [line for line in lines if wanted.is_from(line, pids)]
        found = next((line for line in own if wanted.says(line)), None)
        if found is not None:
            return Sample(True, told_line(found))
        count = "no such line" if not own else f"none of {len(own)} {'lines' if len(own) > 1 else 'line'}"
        return Sample(False, count, more=lambda: _nearest(wanted, lines, own))

    return Check(
        "expect_log",
        wanted.describe(),
        wanted={"log": wanted.describe()},
        problem="log",
        about_screen=False,
        ask=ask,
        holds="once",
    )


def no_crash(app: str | None) -> Check:
    """Two readings in a row: a death is written down some moments after it. One that is there is final."""

    def ask(context: SessionContext) -> Sample:
        apps = (app,) if app else apps_under_test(context)
        crashes = context.log.crashes(since_action=True)
        own = [crash for crash in crashes if not apps or any(crash.is_of(name) for name in apps)]
        if not own:
            whole = context.log.reaches_action
            return Sample(True, "none died" if whole else f"none died as far as is known: {context.log.gap}")
        lines = [line for crash in own for entry in crash.lines for line in entry.split("\n")][:_MOST_NEAR]
        more = "\n".join(f"  {quoted(line)}" for line in lines)
        return Sample(False, "; ".join(map(format_crash, own)), final=True, more=lambda: more)

    expected = f"of {app}" if app else "of the app"
    return Check(
        "expect_no_crash",
        expected,
        problem="no_crash",
        verifies=False,
        denies_effect=True,
        about_screen=False,
        reports_crash=True,
        ask=ask,
    )


def told_line(line: LogLine) -> str:
    return f"{line.level} {bare(line.tag)}: {quoted(line.message)}"


def _checked(pattern: object, level: str | None, tag: str | None, app: str | None) -> Wanted:
    if isinstance(pattern, re.Pattern):
        if not isinstance(pattern.pattern, str):
            raise UsageError(f"expect_log({pattern.pattern!r}): a log is text, and this is a pattern of bytes")
        if pattern.search("") is not None:
            raise UsageError(f"expect_log({pattern.pattern!r}): the pattern fits every line")
    elif not isinstance(pattern, str) or not pattern.strip():
        raise UsageError(f'expect_log({pattern!r}): give a part of the line, or re.compile("...")')
    check_wanted("expect_log", level, tag, app)
    return Wanted(level, tag, app, pattern)  # type: ignore[arg-type]  # each was looked at


def _nearest(wanted: Wanted, lines: list[LogLine], own: list[LogLine]) -> str:
    """Lines that say it but are another level's, tag's or app's; that say it in other letters; else the last."""
    said = [line for line in lines if wanted.says(line)]
    spelt = [line for line in own if wanted.nearly_says(line)]
    for found, told in (
        (said, "It is said, but not at that level, under that tag or by that app:"),
        (spelt, "It is said in other letters, and case counts:"),
        (own or lines, "Logged since the action was sent, the last of it:"),
    ):
        if found:
            return "\n".join([told, *(f"  {told_line(line)}" for line in found[-_MOST_NEAR:])])
    return "Nothing was logged since the action was sent."
