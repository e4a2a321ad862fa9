"""Which processes an app had, as its system tells: an app that is started anew has another one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .logcat import LogLine

_TOLD = (
    re.compile(r"Start proc (?P<pid>\d+):(?P<app>[\w.:]+)"),
    re.compile(r"Process (?P<app>[\w.:]+) \(pid (?P<pid>\d+)\) has died"),
    re.compile(r"Killing (?P<pid>\d+):(?P<app>[\w.:]+)"),
)
_FATAL = re.compile(r"Process: (?P<app>[\w.:]+), PID: (?P<pid>\d+)")


def pids_of(app: str, lines: Iterable[LogLine]) -> set[int]:
    """Those that the lines tell of; one that ran before and still does is in none of them."""
    found: set[int] = set()
    for line in lines:
        if line.tag == "ActivityManager":
            told = next((match for pattern in _TOLD if (match := pattern.match(line.message))), None)
        elif line.tag == "AndroidRuntime":
            told = _FATAL.search(line.message)
        else:
            continue
        if told and (told["app"] == app or told["app"].startswith(f"{app}:")):
            found.add(int(told["pid"]))
    return found
