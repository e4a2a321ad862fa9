"""Deaths of apps, read from what their phone says: uncaught exceptions, fatal signals, apps that
stopped answering, and processes that were gone all at once. What an app caught itself and wrote
down is none of these, nor is the end of an app that the system or a user ended on purpose.

Of an Android phone it is the device log. Of an iPhone it is what a driver of one's own gives: crash
reports (``.ips``, or the older text of ``.crash``), and lines of the system log. WebDriverAgent
gives none of these.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, takewhile
from typing import Any, TypeVar

from .crash import (
    LONGEST_KEPT,
    Crash,
    StackFrame,
    first_of,
    read_stack_trace,
    read_tombstone,
    summed_up,
)
from .logcat import DIED, KILLED, STARTED, LogLine, as_text, read_log

FATAL = re.compile(r"(?:\*\*\* )?FATAL EXCEPTION(?: IN SYSTEM PROCESS)?: (?P<thread>.*)")
WHOSE = re.compile(r"\s*(?:Process: (?P<app>[^,]+), )?PID: (?P<pid>\d{1,10})\s*")
TOMBSTONE = re.compile(r"(?=.* <<<)pid: (?P<pid>\d{1,10}), tid: \d+, name: .*?>>> (?P<app>\S+)")
_LAST_WORDS = r"Fatal signal \d+ (?:.*?, pid (?P<pid>\d{1,10}) \((?P<name>.{0,200})\)$)?"
_NOT_ANSWERING = re.compile(r"ANR in (?P<app>[\w.:]+)")
# Android's names of the state of a process that is neither seen nor waited for, and that it may end
# at any time.
_SPARE = ("cch", "prev", "home", "svc", "svcb", "bkup")


Found = tuple[list[int], Crash]
"""A death, behind the places of its entries in the log."""


class _Deaths:
    """Deaths in a log of Android, and the life and death of processes as the activity manager
    logged them."""

    def __init__(self, lines: Sequence[LogLine]) -> None:
        self._lines = lines
        self._by_tag: dict[str, list[int]] = defaultdict(list)
        for at, line in enumerate(lines):
            self._by_tag[line.tag].append(at)
        self._names: dict[int, str] = {}
        self._killed: set[int] = set()
        self._died: list[tuple[re.Match[str], int]] = []
        self._starts: dict[str, list[int]] = defaultdict(list)  # by process
        self._stops: dict[str, list[int]] = defaultdict(list)  # by package
        for at in self._by_tag["ActivityManager"]:
            message = lines[at].message
            if found := STARTED.match(message):
                self._names[int(found["pid"])] = found["app"]
                self._starts[found["app"]].append(at)
            elif found := DIED.match(message):
                self._names[int(found["pid"])] = found["app"]
                self._died.append((found, at))
            elif found := KILLED.match(message):
                self._killed.add(int(found["pid"]))
            elif found := re.match(r"Force stopping (?P<app>[\w.:]+) ", message):
                self._stops[found["app"]].append(at)

    def all(self) -> list[Found]:
        """In the order of the log."""
        found = [*self._java(), *self._native(), *self._not_answering()]
        found += self._unexplained({crash.pid for _, crash in found})
        return sorted(found, key=lambda one: min(one[0]))

    def _java(self) -> Iterator[Found]:
        for begun, entries in self._blocks("AndroidRuntime", FATAL):
            messages = self._messages(entries)
            pid, app, head = self._lines[entries[0]].pid, "", 0
            for at, line in enumerate(messages[:3]):
                if whose := WHOSE.fullmatch(line):
                    pid, app, head = int(whose["pid"]), whose["app"] or "", at
                    break
            app = app or self._names.get(pid, "")
            if "IN SYSTEM PROCESS" in messages[0]:
                app = "system_server"
            crash = read_stack_trace(messages[head + 1 :], app)
            yield entries, replace(crash, pid=pid, thread=begun["thread"].strip())

    def _native(self) -> Iterator[Found]:
        """Native crashes: the crash handler's account, else the C library's last words, which
        shorten its name to 15 letters."""
        apps: dict[int, str] = {}
        entries: dict[int, list[int]] = defaultdict(list)
        for at in self._by_tag["libc"]:
            if found := re.match(_LAST_WORDS, self._lines[at].message):
                pid = int(found["pid"] or self._lines[at].pid)
                apps.setdefault(pid, self._names.get(pid, found["name"] or ""))
                entries[pid].append(at)
        accounts: set[int] = set()
        for begun, block in self._blocks("DEBUG", TOMBSTONE):
            pid = int(begun["pid"])
            if pid not in accounts:
                accounts.add(pid)
                apps[pid] = begun["app"]
                entries[pid] += block
        for pid, app in apps.items():
            yield entries[pid], replace(read_tombstone(self._messages(entries[pid]), app), pid=pid)

    def _not_answering(self) -> Iterator[Found]:
        for begun, entries in self._blocks("ActivityManager", _NOT_ANSWERING, at_once=True):
            messages = self._messages(entries)
            reason = first_of("^Reason: (.*)", messages).strip()
            whose = next(filter(None, map(WHOSE.fullmatch, messages)), None)
            crash = Crash(
                "anr",
                begun["app"],
                int(whose["pid"]) if whose else 0,
                summary=summed_up("does not answer", reason, ""),
                signature=f"anr {reason.partition('(')[0].strip()}".strip(),
                message=reason[:LONGEST_KEPT],
            )
            yield entries, crash

    def _unexplained(self, known: set[int]) -> Iterator[Found]:
        """Processes that ended for no reported reason, and that may have been in use."""
        for found, at in self._died:
            app, pid, state = found["app"], int(found["pid"]), (found["state"] or "").strip()
            if pid in known or pid in self._killed or state.startswith(_SPARE):
                continue
            # A force-stop in the life that ended there; the two are logged in either order.
            lives = partial(bisect_left, self._starts[app])
            stops = self._stops[app.partition(":")[0]]
            if lives(at) not in map(lives, stops):
                summary = summed_up("its process was gone", "", state)
                crash = Crash("died", app, pid, summary=summary, signature="died", message=state)
                yield [at], crash

    def _blocks(
        self, tag: str, begins: re.Pattern[str], *, at_once: bool = False
    ) -> list[tuple[re.Match[str], list[int]]]:
        """A thread's entries under a tag, each block from an entry that begins one; others may lie
        between. ``at_once`` says that they were written as one: all of one moment and level."""
        blocks: list[tuple[re.Match[str], list[int]]] = []
        latest: dict[tuple[int, int], list[int]] = {}
        for at in self._by_tag[tag]:
            entry = self._lines[at]
            writer = (entry.pid, entry.tid)
            if begun := begins.match(entry.message):
                latest[writer] = [at]
                blocks.append((begun, latest[writer]))
            elif writer in latest:
                first = self._lines[latest[writer][0]]
                if not at_once or (first.time, first.level) == (entry.time, entry.level):
                    latest[writer].append(at)
        return blocks

    def _messages(self, entries: Iterable[int]) -> list[str]:
        return "\n".join(self._lines[at].message for at in entries).split("\n")


def read_deaths(lines: Iterable[str] | str | bytes, platform: str) -> list[Crash]:
    """Deaths in the lines that a driver of that platform gives, in their order. On an iPhone one
    that has a report is not repeated from the log."""
    if platform != "ios":
        return read_crashes(lines)
    text = as_text(lines)
    reports, rest = _reports(text)
    reported = {report.pid for _, report, _ in reports if report.pid}
    found = [(at, replace(report, lines=tuple(raw.split("\n")))) for at, report, raw in reports]
    found += [(at, crash) for at, crash in _deaths(rest) if crash.pid not in reported]
    return [crash for _, crash in sorted(found, key=lambda one: one[0])]


def read_crashes(lines: Iterable[str] | str | bytes) -> list[Crash]:
    """Crashes in the order of the log; ``lines`` are raw, as ``logcat`` prints them in a format
    with the time."""
    log = read_log(lines)
    return [
        replace(crash, time=log.lines[entries[0]].time, lines=tuple(map(log.raw, entries)))
        for entries, crash in _Deaths(log.lines).all()
    ]


MOST_FRAMES = 200
Kind = TypeVar("Kind")
_UNCAUGHT = (
    r"uncaught exception '(?P<name>[^']+)'(?:, reason: '(?P<reason>.*?)')?\s*(?:$|\n|terminating)"
)
_FIELD = r"(?P<name>[A-Z][\w/ ]+?): +(?P<value>\S.*)"
_FRAME = (
    r"\d+ +(?P<image>\S.*?)\s+0x[0-9a-f]+ (?P<where>.+?)(?: \+ \d+)?"
    r"(?: \((?P<file>[^():]+):(?P<line>\d{1,9})\))?\s*"
)


def read_ips(head: Mapping[str, Any], body: Mapping[str, Any]) -> Crash:
    bundle = _get(body, "bundleInfo", dict)
    app = (
        _text(head, "bundleID")
        or _text(bundle, "CFBundleIdentifier")
        or _text(body, "procName")
        or _text(head, "app_name", "name")
    )
    died, thrown = _get(body, "exception", dict), _get(body, "exceptionReason", dict)
    threads = [_as(dict, one) for one in _get(body, "threads", list)]
    thread = next((one for one in threads if one.get("triggered") is True), {})
    stack = _get(body, "lastExceptionBacktrace", list) or _get(thread, "frames", list)
    images = [_as(dict, one) for one in _get(body, "usedImages", list)]
    said = (
        _as(str, line) for lines in _get(body, "asi", dict).values() for line in _as(list, lines)
    )
    crash = Crash(
        "died",
        app,
        _get(body, "pid", int),
        _text(body, "captureTime") or _text(head, "timestamp"),
        exception=_text(thrown, "name"),
        message=_text(thrown, "composed_message"),
        signal=_text(died, "signal", "type"),
        code=_text(died, "subtype"),
        thread=_text(thread, "name", "queue"),
    )
    return _explained(
        crash,
        ended=_ended(_get(body, "termination", dict)),
        said="\n".join(said),
        stack=[_ips_frame(_as(dict, one), images) for one in stack[:MOST_FRAMES]],
    )


def read_crash_text(lines: Sequence[str]) -> Crash:
    """Crash in the lines of one ``.crash`` file."""
    fields: dict[str, str] = defaultdict(str)
    for line in lines:
        if found := re.fullmatch(_FIELD, line.rstrip()):
            fields[found["name"]] = found["value"].strip()
    name, pid = fields["Process"], 0
    if process := re.match(r"(?P<name>.+?) \[(?P<pid>\d{1,10})\]", name):
        name, pid = process["name"], int(process["pid"])
    crashed = _place_of(r"Thread \d+ Crashed", lines)
    thrown = min(_place_of("Last Exception Backtrace:", lines), crashed)
    about = _place_of("Application Specific Info", lines)
    kind = fields["Exception Type"]
    signal = re.search(r"\bSIG[A-Z]{2,8}\b", kind)
    stack: list[tuple[StackFrame, bool]] = []
    for line in _paragraph(lines[thrown + 1 :]):
        if found := re.fullmatch(_FRAME, line):
            image, where = found["image"].strip(), found["where"].strip()
            frame = StackFrame(where, image)
            if found["file"]:
                frame = StackFrame(where, found["file"], int(found["line"]))
            stack.append((frame, image in (name, f"{name}.debug.dylib")))
    crash = Crash(
        "died",
        fields["Identifier"] or name,
        pid,
        fields["Date/Time"],
        signal=signal[0] if signal else kind.partition(" ")[0],
        code=fields["Exception Subtype"],
        thread="".join(lines[max(0, crashed - 1) : crashed]).partition("name:")[2].strip(),
    )
    return _explained(
        crash,
        ended=fields["Termination Reason"] or fields["Termination Description"],
        said="\n".join(_paragraph(lines[about + 1 :])),
        stack=stack,
    )


def _explained(
    crash: Crash, *, ended: str, said: str, stack: Sequence[tuple[StackFrame, bool]]
) -> Crash:
    """Crash of a report of either form, completed. ``ended`` is why the system says that it is
    over, ``said`` what the app and its libraries say; ``stack`` has the innermost frame first, each
    with whether it is the app's own. An exception says more than the signal by which it ended, and
    the system's reason to end it more than both."""
    name, message, kind = crash.exception, crash.message, crash.kind
    if uncaught := re.search(_UNCAUGHT, said, re.DOTALL):
        name, message = name or uncaught["name"], message or uncaught["reason"] or ""
    what = name or crash.signal or "crashed"
    if "8badf00d" in ended.lower() or "SPRINGBOARD" in ended or "RUNNINGBOARD" in ended:
        what = "ended by the system"
        message = message or ended
    else:
        kind = "exception" if name else "native"
        message = message or said.strip() or crash.code or ended
    frames = tuple(frame for frame, _ in stack)
    own = next((frame for frame, is_own in stack if is_own), None)
    shown = own or next(iter(frames), None)
    first = message.partition("\n")[0].strip()
    return replace(
        crash,
        kind=kind,
        summary=summed_up(what, first, (shown.place or shown.where) if shown else ""),
        signature=f"{what} at {shown.where}" if shown else what,
        exception=name,
        message=message[:LONGEST_KEPT],
        frame=own,
        frames=frames,
    )


def _ended(ended: Mapping[str, Any]) -> str:
    """Namespace, code and reasons, in words: the watchdog is known by its code."""
    code = _get(ended, "code", int)
    words = [_text(ended, "namespace"), f"{code:#x}" if code else "", _text(ended, "indicator")]
    words += [_as(str, one) for one in _get(ended, "reasons", list)]
    return " ".join(filter(None, words))


def _ips_frame(
    entry: Mapping[str, Any], images: Sequence[Mapping[str, Any]]
) -> tuple[StackFrame, bool]:
    index = entry.get("imageIndex")
    image = images[index] if type(index) is int and 0 <= index < len(images) else {}
    name, path = _text(image, "name"), _text(image, "path")
    where = _text(entry, "symbol") or f"{name or '?'} + {_get(entry, 'imageOffset', int)}"
    file, line = _text(entry, "sourceFile"), _get(entry, "sourceLine", int)
    frame = StackFrame(where, file or name, line if file and line else None)
    return frame, ".app/" in path and not path.startswith("/System/")


def _place_of(begin: str, lines: Sequence[str]) -> int:
    """Of the first line that begins so; behind the last one if none does."""
    return next((at for at, line in enumerate(lines) if re.match(begin, line)), len(lines))


def _paragraph(lines: Iterable[str]) -> list[str]:
    """Lines up to the first empty one."""
    return list(islice(takewhile(str.strip, lines), MOST_FRAMES))


def _as(kind: type[Kind], value: object) -> Kind:
    """A value of that type as it is, any other as an empty one."""
    return value if type(value) is kind else kind()


def _text(facts: Mapping[str, Any], *names: str) -> str:
    return next(filter(None, (_get(facts, name, str) for name in names)), "")


def _get(facts: Mapping[str, Any], name: str, kind: type[Kind]) -> Kind:
    return _as(kind, facts.get(name))


# what iOS calls reports of this kind; others are of memory, of hangs, of energy
_CRASHES = ("309", "109", "308")
_STAMP = (
    r"(?P<time>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.\d]*[+-]?\d*)"
)
_WRITER = re.compile(
    _STAMP + r".{0,200}?\b(?P<writer>ReportCrash|SpringBoard|launchd|runningboardd|assertiond)\b"
)
# The next report begins, or the log goes on.
_FOLLOWING = re.compile(rf"\n(?=Incident Identifier:|\{{|{_WRITER.pattern})")
_CORPSE = re.compile(
    r"Formulating (?:fatal \d+ |crash )?report for "
    r"(?:corpse\[(?P<pid>\d{1,10})\] |process )(?P<name>[^\[\n]+)(?:\[(?P<old>\d{1,10})\])?"
)
_EXITED = re.compile(
    r"Process exited: <\w+: 0x[0-9a-f]+; (?P<name>[^(;>\n]+?) \((?P<app>[\w.-]+)\); pid: (?P<pid>\d{1,10})"  # noqa: E501
)
# By a signal that it raised itself: one that it was sent, such as SIGKILL, may be the test's own
# doing.
_SERVICE = re.compile(
    r"UIKitApplication:(?P<app>[\w.-]+)\[0x[0-9a-f]+\](?:\[[a-z-]+\])?(?:\[(?P<pid>\d{1,10})\])?[^\n]*?"
    r"(?:\bcrashed\b|exited [^\n]*?"
    r"\b(?P<signal>SIG(?:ABRT|SEGV|BUS|ILL|TRAP|FPE|SYS)|signal (?:4|5|6|8|10|11|12))\b)"
)


_ACCOUNTS = (_CORPSE, _EXITED, _SERVICE)


def _reports(text: str) -> tuple[list[tuple[int, Crash, str]], list[tuple[int, str]]]:
    """Reports in the text, each with its place and its raw text, and the lines outside of them."""
    reports: list[tuple[int, Crash, str]] = []
    rest: list[tuple[int, str]] = []
    at = 0
    while at < len(text):
        end = _line_end(text, at)
        line = text[at:end]
        stop = end
        if line.startswith("{"):
            report, stop = _ips(text, at)
        elif re.match(r"Incident Identifier: +\S", line):
            following = _FOLLOWING.search(text, end)
            stop = following.start() if following else len(text)
            report = read_crash_text(text[at:stop].split("\n"))
        else:
            report = None
        if report:
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
        is_body = {"procName", "exception"} <= head.keys()
        return (read_ips({}, head) if is_body else None), _line_end(text, end)
    begins = len(text) - len(text[end:].lstrip())
    body, stop = _json(text, begins)
    if body is None or "bug_type" in body:  # the next one's head: this one was cut off
        body, stop = {}, end
    kind = head["bug_type"]
    return (read_ips(head, body) if str(kind) in _CRASHES else None), _line_end(text, stop)


def _json(text: str, at: int) -> tuple[dict[str, Any] | None, int]:
    try:
        value, end = json.JSONDecoder().raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, at
    return (value, end) if isinstance(value, dict) else (None, at)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


@dataclass
class _Account:
    """What the lines about one process say; the first value of each fact counts."""

    at: int
    time: str
    lines: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    is_death: bool = False

    def take(self, text: str, facts: dict[str, str], *, is_death: bool) -> None:
        self.lines += text.split("\n")
        self.facts = facts | self.facts
        self.is_death |= is_death


def _deaths(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Crash]]:
    """Deaths, one a process, by all lines about it. That it exited is no death by itself: every app
    does."""
    accounts: dict[tuple[int, str], _Account] = {}
    for at, text in lines:
        writer = _WRITER.match(text[:400])
        said = text[writer.end() : writer.end() + 2000] if writer else ""
        found = next((found for form in _ACCOUNTS if (found := form.search(said))), None)
        if writer and found:
            facts = {name: value.strip() for name, value in found.groupdict().items() if value}
            pid = int(facts.get("pid") or facts.get("old", 0))
            who = "" if pid else facts.get("app") or facts["name"]
            account = accounts.setdefault((pid, who), _Account(at, writer["time"]))
            account.take(text, facts, is_death=found.re is not _EXITED)
    for (pid, _), account in accounts.items():
        if not account.is_death:
            continue
        facts = account.facts
        signal = facts.get("signal", "")
        crash = Crash(
            "native" if signal else "died",
            facts.get("app") or facts["name"],
            pid,
            account.time,
            summary=signal or "the system wrote a crash report of it",
            signature=signal or "died",
            lines=tuple(account.lines),
            signal=signal if signal.startswith("SIG") else "",
        )
        yield account.at, crash
