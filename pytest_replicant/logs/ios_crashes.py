"""Deaths of apps on an iPhone, from what a driver of one's own gives: crash reports (``.ips``, or the older text
of ``.crash``), and lines of the system log. WebDriverAgent gives none of these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .crash import LONGEST_KEPT, Crash, CrashKind, StackFrame, summed_up
from .logcat import as_text

MOST_FRAMES = 200
_WATCHDOG = "8badf00d"
_UNCAUGHT = re.compile(
    r"uncaught exception '(?P<name>[^']+)'(?:, reason: '(?P<reason>.*?)')?\s*(?:$|\n|terminating)", re.DOTALL
)
_SIGNAL = re.compile(r"\bSIG[A-Z]{2,8}\b")
_FIELD = re.compile(r"(?P<name>[A-Z][\w/ ]+?): +(?P<value>\S.*)")
_PROCESS = re.compile(r"(?P<name>.+?) \[(?P<pid>\d{1,10})\]")
_FRAME = re.compile(
    r"\d+ +(?P<image>\S.*?)\s+0x[0-9a-f]+ (?P<where>.+?)(?: \+ \d+)?"
    r"(?: \((?P<file>[^():]+):(?P<line>\d{1,9})\))?\s*"
)


@dataclass(frozen=True)
class _Facts:
    """Reason and place, from a report of either form."""

    signal: str
    subtype: str
    ended: str  # why the system says that it is over
    said: str  # by the app and its libraries
    stack: Sequence[tuple[StackFrame, bool]]  # the innermost first, and whether it is the app's own
    name: str = ""  # of the exception, where the report has it apart
    reason: str = ""


def read_ips(head: Mapping[str, Any], body: Mapping[str, Any]) -> Crash:
    bundle = _dict(body.get("bundleInfo"))
    app = _text(head.get("bundleID")) or _text(bundle.get("CFBundleIdentifier")) or _text(body.get("procName"))
    app = app or _text(head.get("app_name")) or _text(head.get("name"))
    died = _dict(body.get("exception"))
    ended = _dict(body.get("termination"))
    thrown = _dict(body.get("exceptionReason"))
    threads = [_dict(one) for one in _list(body.get("threads"))]
    thread = next((one for one in threads if one.get("triggered") is True), {})
    stack = _list(body.get("lastExceptionBacktrace")) or _list(thread.get("frames"))
    images = [_dict(one) for one in _list(body.get("usedImages"))]
    facts = _Facts(
        signal=_text(died.get("signal")) or _text(died.get("type")),
        subtype=_text(died.get("subtype")),
        ended=_ended(ended),
        said="\n".join(_text(line) for lines in _dict(body.get("asi")).values() for line in _list(lines)),
        stack=[_ips_frame(_dict(one), images) for one in stack[:MOST_FRAMES]],
        name=_text(thrown.get("name")),
        reason=_text(thrown.get("composed_message")),
    )
    time = _text(body.get("captureTime")) or _text(head.get("timestamp"))
    return _report(
        app, _number(body.get("pid")), time, facts, _text(thread.get("name")) or _text(thread.get("queue"))
    )


def read_crash_text(lines: Sequence[str]) -> Crash:
    """Crash in the lines of one ``.crash`` file."""
    fields = {
        found["name"]: found["value"].strip() for line in lines if (found := _FIELD.fullmatch(line.rstrip()))
    }
    process = _PROCESS.match(fields.get("Process", ""))
    name = process["name"] if process else fields.get("Process", "")
    crashed = next((at for at, line in enumerate(lines) if re.match(r"Thread \d+ Crashed", line)), len(lines))
    thrown = next((at for at, line in enumerate(lines) if line.startswith("Last Exception Backtrace:")), crashed)
    about = next((at for at, line in enumerate(lines) if line.startswith("Application Specific Info")), len(lines))
    kind = fields.get("Exception Type", "")
    signal = _SIGNAL.search(kind)
    facts = _Facts(
        signal=signal[0] if signal else kind.partition(" ")[0],
        subtype=fields.get("Exception Subtype", ""),
        ended=fields.get("Termination Reason", "") or fields.get("Termination Description", ""),
        said="\n".join(_paragraph(lines[about + 1 :])),
        stack=[_text_frame(line, name) for line in _paragraph(lines[thrown + 1 :]) if _FRAME.fullmatch(line)],
    )
    thread = next((line.partition("name:")[2].strip() for line in lines[max(0, crashed - 1) : crashed]), "")
    app = fields.get("Identifier", "") or name
    pid = int(process["pid"]) if process else 0
    return _report(app, pid, fields.get("Date/Time", ""), facts, thread)


def _report(app: str, pid: int, time: str, facts: _Facts, thread: str) -> Crash:
    """Crash of these facts. An exception says more than the signal by which it ended, and the system's reason to
    end it more than both."""
    uncaught = _UNCAUGHT.search(facts.said)
    name = facts.name or (uncaught["name"] if uncaught else "")
    reason = facts.reason or ((uncaught["reason"] or "") if uncaught else "")
    killed = _WATCHDOG in facts.ended.lower() or "SPRINGBOARD" in facts.ended or "RUNNINGBOARD" in facts.ended
    kind: CrashKind = "died" if killed else "exception" if name else "native"
    message = reason or (facts.ended if killed else facts.said.strip() or facts.subtype or facts.ended)
    frames = tuple(frame for frame, _ in facts.stack)
    own = next((frame for frame, is_own in facts.stack if is_own), None)
    shown = own or next(iter(frames), None)
    what = "ended by the system" if killed else name or facts.signal or "crashed"
    first = message.partition("\n")[0].strip()
    return Crash(
        kind,
        app,
        pid,
        time,
        summary=summed_up(what, first, (shown.place or shown.where) if shown else ""),
        signature=f"{what} at {shown.where}" if shown else what,
        exception=name,
        message=message[:LONGEST_KEPT],
        frame=own,
        frames=frames,
        signal=facts.signal,
        code=facts.subtype,
        thread=thread,
    )


def _ended(ended: Mapping[str, Any]) -> str:
    """Namespace, code and reasons, in words: the watchdog is known by its code."""
    code = _number(ended.get("code"))
    words = [_text(ended.get("namespace")), f"{code:#x}" if code else "", _text(ended.get("indicator"))]
    reasons = [_text(one) for one in _list(ended.get("reasons"))]
    return " ".join(filter(None, [*words, *reasons]))


def _ips_frame(entry: Mapping[str, Any], images: Sequence[Mapping[str, Any]]) -> tuple[StackFrame, bool]:
    index = _number(entry.get("imageIndex"), -1)
    image = images[index] if 0 <= index < len(images) else {}
    name, path = _text(image.get("name")), _text(image.get("path"))
    where = _text(entry.get("symbol")) or f"{name or '?'} + {_number(entry.get('imageOffset'))}"
    file, line = _text(entry.get("sourceFile")), _number(entry.get("sourceLine"))
    frame = StackFrame(where, file, line) if file and line else StackFrame(where, file or name)
    return frame, ".app/" in path and not path.startswith("/System/")


def _text_frame(line: str, app: str) -> tuple[StackFrame, bool]:
    found = _FRAME.fullmatch(line)
    assert found is not None
    image, where = found["image"].strip(), found["where"].strip()
    frame = StackFrame(where, found["file"], int(found["line"])) if found["file"] else StackFrame(where, image)
    return frame, image in (app, f"{app}.debug.dylib")


def _paragraph(lines: Iterable[str]) -> list[str]:
    """Lines up to the first empty one."""
    found: list[str] = []
    for line in lines:
        if not line.strip() or len(found) >= MOST_FRAMES:
            break
        found.append(line)
    return found


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object, otherwise: int = 0) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


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


_ACCOUNTS = (_CORPSE, _EXITED, _SERVICE)


def read_ios_crashes(lines: Iterable[str] | str | bytes) -> list[Crash]:
    """Crashes in the order of the text. One that has a report is not repeated from the log."""
    text = as_text(lines)
    reports, rest = _reports(text)
    reported = {report.pid for _, report, _ in reports if report.pid}
    found = [(at, replace(report, lines=tuple(raw.split("\n")))) for at, report, raw in reports]
    found += [(at, crash) for at, crash in _deaths(rest) if crash.pid not in reported]
    return [crash for _, crash in sorted(found, key=lambda one: one[0])]


def _reports(text: str) -> tuple[list[tuple[int, Crash, str]], list[tuple[int, str]]]:
    """Reports in the text, each with its place and its raw text, and the lines outside of them."""
    reports: list[tuple[int, Crash, str]] = []
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


def _ips(text: str, at: int) -> tuple[Crash | None, int]:
    """Report whose head or body begins there, and its end; None for other JSON."""
    head, end = _json(text, at)
    if head is None:
        return None, _line_end(text, at)
    if "bug_type" not in head:
        body = {"procName", "exception"} <= head.keys()
        return (read_ips({}, head) if body else None), _line_end(text, end)
    begins = len(text) - len(text[end:].lstrip())
    found_body, stop = _json(text, begins) if text[begins : begins + 1] == "{" else (None, end)
    if found_body is None or "bug_type" in found_body:  # the next one's head: this one was cut off
        found_body, stop = {}, end
    kind = head["bug_type"]
    return (read_ips(head, found_body) if str(kind) in _CRASHES else None), _line_end(text, stop)


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
    """Place where the next report begins, or the log goes on."""
    nexts = (text.find(begin, at) for begin in ("\nIncident Identifier:", "\n{"))
    logged = re.compile(rf"\n(?={_WRITER.pattern})").search(text, at)
    ends = [found for found in nexts if found >= 0] + ([logged.start()] if logged else [])
    return min(ends, default=len(text))


def _deaths(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Crash]]:
    """Deaths, one a process, by all lines about it. That it exited is no death by itself: every app does."""
    accounts: dict[tuple[int, str], list[tuple[int, str, re.Match[str], str]]] = {}
    for at, text in lines:
        writer = _WRITER.match(text[:400])
        said = text[writer.end() : writer.end() + 2000] if writer else ""
        found = next((found for form in _ACCOUNTS if (found := form.search(said))), None)
        if writer and found:
            pid = int(_said("pid", found) or _said("old", found) or 0)
            who = "" if pid else _said("app", found) or _said("name", found)
            accounts.setdefault((pid, who), []).append((at, text, found, writer["time"]))
    for (pid, _), account in accounts.items():
        matches = [found for _, _, found, _ in account]
        if all(found.re is _EXITED for found in matches):
            continue
        at, _, _, time = account[0]
        signal = _said("signal", *matches)
        yield (
            at,
            Crash(
                "native" if signal else "died",
                _said("app", *matches) or _said("name", *matches),
                pid,
                time,
                summary=signal or "the system wrote a crash report of it",
                signature=signal or "died",
                lines=tuple(line for _, text, _, _ in account for line in text.split("\n")),
                signal=signal if signal.startswith("SIG") else "",
            ),
        )


def _said(name: str, *found: re.Match[str]) -> str:
    """The first value of a group that is given."""
    return next((text.strip() for one in found if (text := one.groupdict().get(name))), "")
