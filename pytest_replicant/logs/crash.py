"""Deaths of apps, read from the device log: uncaught exceptions, fatal signals, apps that stopped answering, and
processes that were gone all at once. What an app caught itself and wrote down is none of these, nor is the end of
an app that the system or a user ended on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from .logcat import LogLine, parse_threadtime
from .stack_trace import LONGEST_MESSAGE, Told, read_stack_trace
from .tombstone import read_tombstone

CrashKind = Literal["java", "native", "anr", "died"]

_FATAL = re.compile(r"(?:\*\*\* )?FATAL EXCEPTION(?: IN SYSTEM PROCESS)?: ")
_WHOSE = re.compile(r"(?:Process: (?P<app>[^,]+), )?PID: (?P<pid>\d+)")
_SIGNALLED = re.compile(r"Fatal signal \d+ ")
_PROCESS = re.compile(r", pid (?P<pid>\d+) \((?P<name>.*)\)$")
_TOMBSTONE = re.compile(r"pid: (?P<pid>\d+), tid: \d+, name: .*?>>> (?P<app>\S+).* <<<")
_NOT_ANSWERING = re.compile(r"ANR in (?P<app>[\w.:]+)")
_REASON = re.compile(r"Reason: (.*)")
_DIED = re.compile(r"Process (?P<app>[\w.:]+) \(pid (?P<pid>\d+)\) has died(?:: (?P<state>.*))?")
_KILLED = re.compile(r"Killing (?P<pid>\d+):(?P<app>[\w.:]+)")
_STARTED = re.compile(r"Start proc (?P<pid>\d+):(?P<app>[\w.:]+)")
_STOPPED = re.compile(r"Force stopping (?P<app>[\w.:]+) ")
# What Android calls the state of a process that nobody sees or waits for, and that it may end at any time.
_SPARE = ("cch", "prev", "home", "svc", "svcb", "bkup")


@dataclass(frozen=True)
class Crash:
    """``time`` as the phone printed it; ``pid`` is 0 where the log does not say. ``summary`` is for people, the
    ``signature`` the same whenever the same thing happens again. ``lines`` are raw."""

    kind: CrashKind
    app: str
    pid: int
    time: str
    summary: str
    signature: str
    lines: tuple[str, ...]

    def is_of(self, app: str) -> bool:
        """Whether it is the app's, or that of a further process of the app."""
        return self.app == app or self.app.startswith(f"{app}:")


@dataclass
class _Block:
    """Lines that belong together, and where the first one stands in the log."""

    kind: CrashKind
    at: int
    app: str
    pid: int
    entries: list[tuple[str, LogLine]]

    @property
    def messages(self) -> list[str]:
        return [line for _, entry in self.entries for line in entry.message.split("\n")]


def read_crashes(lines: Iterable[str]) -> list[Crash]:
    """In the order of the log; ``lines`` are raw, as ``logcat -v threadtime`` prints them."""
    entries = _entries(lines)
    names = {int(match["pid"]): match["app"] for kind in (_STARTED, _DIED) for match, _ in _said(entries, kind)}
    blocks = [*_java(entries, names), *_native(entries, names), *_not_answering(entries)]
    blocks += _died(entries, told={block.pid for block in blocks})
    return [_crash(block) for block in sorted(blocks, key=lambda block: block.at)]


def _entries(lines: Iterable[str]) -> list[tuple[str, LogLine]]:
    """Each entry with its raw text."""
    entries: list[tuple[str, LogLine]] = []
    for line in lines:
        parsed = parse_threadtime([line])
        if parsed:
            entries.append((line.rstrip("\r\n"), parsed[0]))
        elif entries and line.strip() and not line.startswith("---------"):
            raw, entry = entries[-1]
            entries[-1] = f"{raw}\n{line.rstrip()}", replace(entry, message=f"{entry.message}\n{line.rstrip()}")
    return entries


def _java(entries: list[tuple[str, LogLine]], names: Mapping[int, str]) -> list[_Block]:
    blocks = _blocks("java", entries, "AndroidRuntime", _FATAL)
    for block in blocks:
        whose = next(
            (found for message in block.messages[:3] if (found := _WHOSE.fullmatch(message.strip()))), None
        )
        block.pid = int(whose["pid"]) if whose else block.pid
        block.app = (whose["app"] if whose else "") or names.get(block.pid, "")
        if "IN SYSTEM PROCESS" in block.messages[0]:
            block.app = "system_server"
    return blocks


def _native(entries: list[tuple[str, LogLine]], names: Mapping[int, str]) -> list[_Block]:
    """The crash handler's account, else the C library's last words, which name the process by fifteen letters."""
    found: dict[int, _Block] = {}
    for block in _blocks("native", entries, "DEBUG", _TOMBSTONE):
        told = _TOMBSTONE.match(block.messages[0])
        block.pid, block.app = (int(told["pid"]), told["app"]) if told else (block.pid, "")
        found.setdefault(block.pid, block)
    for at, (raw, entry) in enumerate(entries):
        if entry.tag != "libc" or not _SIGNALLED.match(entry.message):
            continue
        named = _PROCESS.search(entry.message)
        pid = int(named["pid"]) if named else entry.pid
        name = names.get(pid, named["name"] if named else "")
        block = found.setdefault(pid, _Block("native", at, name, pid, []))
        block.entries.insert(0, (raw, entry))
        block.at = min(block.at, at)
    return list(found.values())


def _not_answering(entries: list[tuple[str, LogLine]]) -> list[_Block]:
    blocks = _blocks("anr", entries, "ActivityManager", _NOT_ANSWERING, at_once=True)
    for block in blocks:
        named = _NOT_ANSWERING.match(block.messages[0])
        whose = next((found for message in block.messages if (found := _WHOSE.fullmatch(message.strip()))), None)
        block.app = named["app"] if named else ""
        block.pid = int(whose["pid"]) if whose else 0
    return blocks


def _died(entries: list[tuple[str, LogLine]], told: set[int]) -> list[_Block]:
    """Processes that are gone without a word of why, and that somebody may have been looking at."""
    killed = {int(found["pid"]) for found, _ in _said(entries, _KILLED)}
    blocks = []
    for found, at in _said(entries, _DIED):
        pid, state = int(found["pid"]), (found["state"] or "").strip()
        on_purpose = pid in killed or _was_stopped(entries, at, found["app"])
        if pid not in told and not on_purpose and not state.startswith(_SPARE):
            blocks.append(_Block("died", at, found["app"], pid, [entries[at]]))
    return blocks


def _was_stopped(entries: list[tuple[str, LogLine]], at: int, app: str) -> bool:
    """Whether the app was stopped by force in the life that ended there; the two are told in either order."""
    package = app.partition(":")[0]
    stops = [place for found, place in _said(entries, _STOPPED) if found["app"] == package]
    starts = [place for found, place in _said(entries, _STARTED) if found["app"] == app]
    return any(not any(min(stop, at) < start < max(stop, at) for start in starts) for stop in stops)


def _blocks(
    kind: CrashKind,
    entries: list[tuple[str, LogLine]],
    tag: str,
    begins: re.Pattern[str],
    *,
    at_once: bool = False,
) -> list[_Block]:
    """A thread's entries under a tag, each time from one that begins such a block on; others may lie between.
    ``at_once`` says that they were written as one: all of one moment and level."""
    blocks: list[_Block] = []
    latest: dict[tuple[int, int], _Block] = {}
    for at, (raw, entry) in enumerate(entries):
        if entry.tag != tag:
            continue
        thread = (entry.pid, entry.tid)
        if begins.match(entry.message):
            latest[thread] = _Block(kind, at, "", entry.pid, [])
            blocks.append(latest[thread])
        block = latest.get(thread)
        if block is not None and (not at_once or _same_moment(block, entry)):
            block.entries.append((raw, entry))
    return blocks


def _same_moment(block: _Block, entry: LogLine) -> bool:
    first = block.entries[0][1] if block.entries else entry
    return (first.time, first.level) == (entry.time, entry.level)


def _said(entries: list[tuple[str, LogLine]], pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], int]]:
    """What the activity manager said of that kind, and where."""
    for at, (_, entry) in enumerate(entries):
        found = pattern.match(entry.message) if entry.tag == "ActivityManager" else None
        if found:
            yield found, at


def _crash(block: _Block) -> Crash:
    told = _told(block)
    first = block.entries[0][1]
    lines = tuple(raw for raw, _ in block.entries)
    return Crash(block.kind, block.app, block.pid, first.time, told.summary, told.signature, lines)


def _told(block: _Block) -> Told:
    messages = block.messages
    if block.kind == "java":
        head = next((index for index, line in enumerate(messages[:3]) if _WHOSE.fullmatch(line.strip())), 0)
        return read_stack_trace(messages[head + 1 :], block.app)
    if block.kind == "native":
        return read_tombstone(messages)
    if block.kind == "anr":
        reason = next((found[1].strip() for line in messages if (found := _REASON.match(line))), "")
        summary = f"does not answer: {reason[:LONGEST_MESSAGE]}" if reason else "does not answer"
        return Told(summary, f"anr {reason.partition('(')[0].strip()}".strip())
    state = _DIED.match(messages[0])
    shown = state["state"].strip() if state and state["state"] else ""
    return Told(f"its process was gone ({shown})" if shown else "its process was gone", "died")
