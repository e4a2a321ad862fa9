"""Checks of the phone: where an app is, what the log says, that no app died. A log is quoted: apps
write it."""

from __future__ import annotations

import re
from functools import partial
from typing import get_args

from ...drivers import AppStatus
from ...errors import UsageError, did_you_mean
from ...logs import Crash, LogLine
from ...model import AppText, Explanation, bare
from ...snapshots import Snapshot, clean
from ..device_log.evidence import LineFilter, apps_under_test, format_crash
from ..step import SessionContext
from .check import Check, CheckInput, Failed, Held, Verdict, undecided, verdict
from .elements import check_pattern

_MOST_NEAR = 6


def app_is(status: AppStatus, app: str) -> Check:
    """The app's status on two reads in a row, since an app that starts or ends is between two."""
    if status not in get_args(AppStatus):
        meant = did_you_mean(str(status), get_args(AppStatus), form='"{}"')
        raise UsageError(
            f'expect_app({status!r}): it is "foreground", "background" or "stopped", and the app '
            f'comes second: expect_app("foreground", "dev.replicant.shop").{meant}'
        )

    def ask(context: SessionContext) -> Verdict:
        now = context.driver.app_status(app)
        if now == status == "stopped":
            context.refuse_unknown_app("expect_app", app)
        return verdict(now == status, now, {"status": now})

    def then(before: Snapshot) -> bool | None:
        """By whose screen it was: that of an app is in front."""
        if before.app == app:
            return status == "foreground"
        return False if status == "foreground" else None

    return Check(
        "expect_app",
        f"{app} {status}",
        wanted={"app": app, "status": status},
        problem="app",
        ask=ask,
        then=then,
        explains=partial(_instead, app=app),
    )


def _instead(look: CheckInput, app: str) -> Explanation:
    front = look.snapshot.app
    return Explanation((f"In front is {front}.",) if front and front != app else ())


def log_says(
    pattern: str | re.Pattern[str], *, level: str | None, tag: str | None, app: str | None
) -> Check:
    """At least one line fits, since the action was sent, across restarts of the app."""
    if isinstance(pattern, re.Pattern):
        check_pattern("expect_log", pattern, shown="a log is", every="line")
    elif not isinstance(pattern, str) or not clean(pattern):
        raise UsageError(f'expect_log({pattern!r}): give a part of the line, or re.compile("...")')
    wanted = LineFilter.checked("expect_log", level, tag, app, pattern)

    def ask(context: SessionContext) -> Verdict:
        window = context.log.window()
        pids = context.log.pids(wanted.app) if wanted.app else frozenset()
        own = [line for line in window.sure if wanted.is_from(line, pids)]
        for line in own:
            if wanted.says(line):
                return Held(format_line(line))
        more = _nearest(wanted, window.sure, own)
        for line in window.doubtful:
            if wanted.is_from(line, pids) and wanted.says(line):
                before = f"{context.log.doubt}, and it may have been logged before the action: "
                return undecided((before, *format_line(line)), more=more)
        if window.reaches is False:
            return undecided(
                "the phone keeps no log of the first time after the action: it was overwritten "
                "or cleared",
                more=more,
            )
        return Failed("no such line", more=more)

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
    """No crash on two reads in a row, since it is logged some moments late. A logged crash is
    final."""

    def ask(context: SessionContext) -> Verdict:
        apps = (app,) if app else apps_under_test(context)
        found = context.log.found(since_action=True)
        own = [one for one in found if not apps or one.crash.is_of(*apps)]
        sure = [one.crash for one in own if one.sure]
        crashes = sure or [one.crash for one in own]
        died, more = "; ".join(map(format_crash, crashes)), _lines_of(crashes)
        if sure:
            return Failed(died, final=True, more=more)
        if crashes:
            return undecided(
                f"{context.log.doubt}, and it may have died before the action: {died}", more=more
            )
        if app is not None:
            context.refuse_unknown_app("expect_no_crash", app)
        missing = context.log.missing
        return undecided(missing) if missing else Held("none died")

    return Check(
        "expect_no_crash",
        f"of {app or 'the app'}",
        problem="no_crash",
        verifies=False,
        denies_effect=True,
        about_screen=False,
        reports_crash=True,
        ask=ask,
    )


def _lines_of(crashes: list[Crash]) -> Explanation:
    lines = [line for crash in crashes for entry in crash.lines for line in entry.split("\n")][
        :_MOST_NEAR
    ]
    return Explanation(tuple(("  ", AppText(line)) for line in lines))


def format_line(line: LogLine) -> tuple[str, AppText]:
    return f"{line.level} {bare(line.tag)}: ", AppText(line.message)


def _nearest(wanted: LineFilter, lines: list[LogLine], own: list[LogLine]) -> Explanation:
    """Near misses: lines of another level, tag or app; else the last lines."""
    said = [line for line in lines if wanted.says(line)]
    heading = "It is said, but not at that level, under that tag or by that app:"
    if not said:
        said, heading = own or lines, "Logged since the action was sent, the last of it:"
    if not said:
        heading = "Nothing was logged since the action was sent."
    return Explanation((heading, *(("  ", *format_line(line)) for line in said[-_MOST_NEAR:])))
