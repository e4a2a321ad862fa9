"""Deaths of apps on an iPhone, from what a driver of one's own gives: crash reports (``.ips``, or the older text
of ``.crash``), and lines of the system log. WebDriverAgent gives none of these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from ..log_text import as_text
from .crash import Crash, crash_of
from .crash_blocks import CrashKind
from .frames import Told
from .ios_reports import Report, read_crash_text, read_ips

_CRASHES = ("309", "109", "308")  # what iOS calls reports of this kind; others are of memory, of hangs, of energy
_BEGINS_TEXT = re.compile(r"Incident Identifier: +\S")
_STAMP = r"(?P<time>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.\d]*[+-]?\d*)"
_WRITER = re.compile(_STAMP + r".{0,200}?\b(?P<writer>ReportCrash|SpringBoard|launchd|runningboardd|assertiond)\b")
_CORPSE = re.compile(
    r"Formulating (?:fatal \d+ |crash )?report for "
    r"(?:corpse\[(?P<pid>\d{1,10})\] |process )(?P<name>[^\[\n]+)(?:\[(?P<old>\d{1,10})\])?"
)
_EXITED = re.compile(
    r"Process exited: <\w+: 0x[0-9a-f]+; (?P<name>[^(;>\n]+?) \((?P<app>[\w.-]+)\); pid: (?P<pid>\d{1,10})"
)
# By a signal that it raised itself: one that it was sent, such as SIGKILL, may be the test's own doing.
_SERVICE = re.compile(
    r"UIKitApplication:(?P<app>[\w.-]+)\[0x[0-9a-f]+\](?:\[[a-z-]+\])?(?:\[(?P<pid>\d{1,10})\])?[^\n]*?"
    r"(?:\bcrashed\b|exited [^\n]*?"
    r"\b(?P<signal>SIG(?:ABRT|SEGV|BUS|ILL|TRAP|FPE|SYS)|signal (?:4|5|6|8|10|11|12))\b)"
)


@dataclass
class _Line:
    """What the system log says of one process."""

    pid: int
    name: str
    app: str
    time: str
    signal: str
    text: str
    died: bool
    at: int


def read_ios_crashes(lines: Iterable[str] | str | bytes) -> list[Crash]:
    """In the order in which they are told. One that has a report is not told again from the log."""
    text = as_text(lines if isinstance(lines, (str, bytes)) else "\n".join(lines))
    reports, rest = _reports(text)
    told = {report.pid for _, report, _ in reports if report.pid}
    found = [(at, _crash(report, raw)) for at, report, raw in reports]
    found += [(line.at, _line_crash(line)) for line in _deaths(rest) if line.pid not in told or not line.pid]
    return [crash for _, crash in sorted(found, key=lambda one: one[0])]


def _reports(text: str) -> tuple[list[tuple[int, Report, str]], list[tuple[int, str]]]:
    """Those in the text with where they begin and as they are, and the lines that are of none."""
    reports: list[tuple[int, Report, str]] = []
    rest: list[tuple[int, str]] = []
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end]
        stop = end
        if line.startswith("{"):
            report, stop = _ips(text, at)
        elif _BEGINS_TEXT.match(line):
            stop = _end_of_text(text, end)
            report = read_crash_text(text[at:stop].split("\n"))
        else:
            report = None
        if report is not None:
            reports.append((at, report, text[at:stop].rstrip()))
        elif stop == end:
            rest.append((at, line))
        at = stop + 1
    return reports, rest


def _ips(text: str, at: int) -> tuple[Report | None, int]:
    """The report whose head or body begins there, and where it ends; None for other JSON."""
    head, end = _json(text, at)
    if head is None:
        return None, _line_end(text, at)
    if "bug_type" not in head:
        body = {"procName", "exception"} <= head.keys()
        return (read_ips({}, head) if body else None), _line_end(text, end)
    begins = len(text) - len(text[end:].lstrip())
    body_told, stop = _json(text, begins) if text[begins : begins + 1] == "{" else (None, end)
    if body_told is None or "bug_type" in body_told:  # the next one's head: this one was cut off
        body_told, stop = {}, end
    kind = head["bug_type"]
    return (read_ips(head, body_told) if str(kind) in _CRASHES else None), _line_end(text, stop)


def _json(text: str, at: int) -> tuple[dict[str, Any] | None, int]:
    try:
        value, end = json.JSONDecoder().raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, at
    return (value, end) if isinstance(value, dict) else (None, at)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _end_of_text(text: str, at: int) -> int:
    """Where the next report begins, or the log goes on."""
    nexts = (text.find(begin, at) for begin in ("\nIncident Identifier:", "\n{"))
    logged = re.compile(rf"\n(?={_WRITER.pattern})").search(text, at)
    ends = [found for found in nexts if found >= 0] + ([logged.start()] if logged else [])
    return min(ends, default=len(text))


def _deaths(lines: Iterable[tuple[int, str]]) -> Iterator[_Line]:
    """One a process, by all that is said of it. That it exited is no death by itself: every app does."""
    found: dict[tuple[int, str], _Line] = {}
    for at, text in lines:
        told = _told_of(at, text)
        if told is None:
            continue
        key = (told.pid, "" if told.pid else told.app or told.name)
        known = found.setdefault(key, told)
        known.app, known.name = known.app or told.app, known.name or told.name
        known.signal = known.signal or told.signal
        if known is not told:
            known.text = f"{known.text}\n{text}"
        known.died = known.died or told.died
    return (line for line in found.values() if line.died)


def _told_of(at: int, text: str) -> _Line | None:
    writer = _WRITER.match(text[:400])
    if not writer:
        return None
    said, time = text[writer.end() : writer.end() + 2000], writer["time"]
    if corpse := _CORPSE.search(said):
        pid = int(corpse["pid"] or corpse["old"] or 0)
        return _Line(pid, corpse["name"].strip(), "", time, "", text, True, at)
    if exited := _EXITED.search(said):
        return _Line(int(exited["pid"]), exited["name"], exited["app"], time, "", text, False, at)
    if service := _SERVICE.search(said):
        signal = service["signal"] or ""
        return _Line(int(service["pid"] or 0), "", service["app"], time, signal, text, True, at)
    return None


def _crash(report: Report, raw: str) -> Crash:
    kind = cast("CrashKind", report.kind)
    return crash_of(kind, report.app, report.pid, report.time, report.told, tuple(raw.split("\n")), report.thread)


def _line_crash(line: _Line) -> Crash:
    what = line.signal or "the system wrote a crash report of it"
    told = Told(what, line.signal or "died")
    told = replace(told, signal=line.signal if line.signal.startswith("SIG") else "")
    lines = tuple(line.text.split("\n"))
    return crash_of("native" if line.signal else "died", line.app or line.name, line.pid, line.time, told, lines)
