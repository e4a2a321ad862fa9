"""Deaths of apps, read from the device log: uncaught exceptions, fatal signals, apps that stopped answering, and
processes that were gone all at once. What an app caught itself and wrote down is none of these, nor is the end of
an app that the system or a user ended on purpose.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .crash import LONGEST_KEPT, Crash, CrashKind, read_stack_trace, read_tombstone, summed_up
from .ios_crashes import read_ios_crashes
from .logcat import DIED, KILLED, STARTED, LogLine, LogText, read_log

FATAL = re.compile(r"(?:\*\*\* )?FATAL EXCEPTION(?: IN SYSTEM PROCESS)?: (?P<thread>.*)")
WHOSE = re.compile(r"(?:Process: (?P<app>[^,]+), )?PID: (?P<pid>\d{1,10})")
TOMBSTONE = re.compile(r"(?=.* <<<)pid: (?P<pid>\d{1,10}), tid: \d+, name: (?P<thread>.*?)>>> (?P<app>\S+)")
_NOT_ANSWERING = re.compile(r"ANR in (?P<app>[\w.:]+)")
# Android's names of the state of a process that is neither seen nor waited for, and that it may end at any time.
_SPARE = ("cch", "prev", "home", "svc", "svcb", "bkup")


@dataclass
class Block:
    """Entries that belong together, by their places in the log; ``at`` is that of the first one."""

    kind: CrashKind
    at: int
    app: str
    pid: int
    entries: list[int]


@dataclass
class _Lives:
    """Life and death of processes, as the activity manager logged them, with their places in the log."""

    names: dict[int, str] = field(default_factory=dict)
    killed: set[int] = field(default_factory=set)
    died: list[tuple[re.Match[str], int]] = field(default_factory=list)
    starts: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))  # by process
    stops: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))  # by package

    def was_stopped(self, at: int, app: str) -> bool:
        """Whether the app was force-stopped in the life that ended there; the two are logged in either order."""
        starts, stops = self.starts.get(app, []), self.stops.get(app.partition(":")[0], [])
        later = bisect_left(starts, at)
        begun = starts[later - 1] if later else -1
        ended = starts[later] if later < len(starts) else None
        first = bisect_left(stops, begun)
        return first < len(stops) and (ended is None or stops[first] < ended)


def find_blocks(lines: Sequence[LogLine]) -> list[Block]:
    """Blocks in the order of the log."""
    by_tag: dict[str, list[int]] = {tag: [] for tag in ("AndroidRuntime", "DEBUG", "libc", "ActivityManager")}
    for at, line in enumerate(lines):
        if line.tag in by_tag:
            by_tag[line.tag].append(at)
    lives = _lives(lines, by_tag["ActivityManager"])
    blocks = [
        *_java(lines, by_tag["AndroidRuntime"], lives.names),
        *_native(lines, by_tag["DEBUG"], by_tag["libc"], lives.names),
        *_not_answering(lines, by_tag["ActivityManager"]),
    ]
    blocks += _died(lives, known={block.pid for block in blocks})
    return sorted(blocks, key=lambda block: block.at)


def _lives(lines: Sequence[LogLine], places: Iterable[int]) -> _Lives:
    lives = _Lives()
    for at in places:
        message = lines[at].message
        if found := STARTED.match(message):
            lives.names[int(found["pid"])] = found["app"]
            lives.starts[found["app"]].append(at)
        elif found := DIED.match(message):
            lives.names[int(found["pid"])] = found["app"]
            lives.died.append((found, at))
        elif found := KILLED.match(message):
            lives.killed.add(int(found["pid"]))
        elif found := re.match(r"Force stopping (?P<app>[\w.:]+) ", message):
            lives.stops[found["app"]].append(at)
    return lives


def _java(lines: Sequence[LogLine], places: Iterable[int], names: Mapping[int, str]) -> Iterator[Block]:
    for block in _blocks("java", lines, places, FATAL):
        messages = _beginning(lines, block)
        whose = next((found for message in messages if (found := WHOSE.fullmatch(message.strip()))), None)
        pid = int(whose["pid"]) if whose else block.pid
        app = (whose["app"] if whose else "") or names.get(pid, "")
        if "IN SYSTEM PROCESS" in messages[0]:
            app = "system_server"
        yield replace(block, pid=pid, app=app)


def _native(
    lines: Sequence[LogLine], handler: Iterable[int], libc: Iterable[int], names: Mapping[int, str]
) -> list[Block]:
    """Native crashes: the crash handler's account, else the C library's last words, which shorten its name to 15
    letters."""
    found: dict[int, Block] = {}
    for block in _blocks("native", lines, handler, TOMBSTONE):
        named = TOMBSTONE.match(lines[block.at].message)
        pid, app = (int(named["pid"]), named["app"]) if named else (block.pid, "")
        found.setdefault(pid, replace(block, pid=pid, app=app))
    last_words: dict[int, list[int]] = defaultdict(list)
    for at in libc:
        if not re.match(r"Fatal signal \d+ ", lines[at].message):
            continue
        named = re.search(r", pid (?P<pid>\d{1,10}) \((?P<name>.{0,200})\)$", lines[at].message)
        pid = int(named["pid"]) if named else lines[at].pid
        last_words[pid].append(at)
        if pid not in found:
            found[pid] = Block("native", at, names.get(pid, named["name"] if named else ""), pid, [])
    for pid, places in last_words.items():
        block = found[pid]
        found[pid] = replace(block, at=min(block.at, places[0]), entries=[*places, *block.entries])
    return list(found.values())


def _not_answering(lines: Sequence[LogLine], places: Iterable[int]) -> Iterator[Block]:
    for block in _blocks("anr", lines, places, _NOT_ANSWERING, at_once=True):
        named = _NOT_ANSWERING.match(lines[block.at].message)
        said = (line for at in block.entries for line in lines[at].message.split("\n"))
        whose = next((found for line in said if (found := WHOSE.fullmatch(line.strip()))), None)
        yield replace(block, app=named["app"] if named else "", pid=int(whose["pid"]) if whose else 0)


def _died(lives: _Lives, known: set[int]) -> Iterator[Block]:
    """Processes that ended for no reported reason, and that may have been in use."""
    for found, at in lives.died:
        pid, state = int(found["pid"]), (found["state"] or "").strip()
        on_purpose = pid in lives.killed or lives.was_stopped(at, found["app"])
        if pid not in known and not on_purpose and not state.startswith(_SPARE):
            yield Block("died", at, found["app"], pid, [at])


def _blocks(
    kind: CrashKind,
    lines: Sequence[LogLine],
    places: Iterable[int],
    begins: re.Pattern[str],
    *,
    at_once: bool = False,
) -> list[Block]:
    """Blocks of a thread's entries under a tag, each from an entry that begins one; others may lie between.
    ``at_once`` says that they were written as one: all of one moment and level."""
    blocks: list[Block] = []
    latest: dict[tuple[int, int], Block] = {}
    for at in places:
        entry = lines[at]
        thread = (entry.pid, entry.tid)
        if begins.match(entry.message):
            latest[thread] = Block(kind, at, "", entry.pid, [])
            blocks.append(latest[thread])
        block = latest.get(thread)
        if block is not None and (not at_once or _moment(lines[block.at]) == _moment(entry)):
            block.entries.append(at)
    return blocks


def _moment(entry: LogLine) -> tuple[str, str]:
    return entry.time, entry.level


def _beginning(lines: Sequence[LogLine], block: Block) -> list[str]:
    """First few lines of its messages."""
    return [line for at in block.entries[:3] for line in lines[at].message.split("\n", 3)[:3]][:3]


def read_deaths(lines: Iterable[str], platform: str) -> list[Crash]:
    """Deaths in the lines that a driver of that platform gives."""
    return read_ios_crashes(lines) if platform == "ios" else read_crashes(lines)


def read_crashes(lines: Iterable[str] | str | bytes) -> list[Crash]:
    """Crashes in the order of the log; ``lines`` are raw, as ``logcat`` prints them in a format with the time."""
    log = read_log(lines)
    return [_crash(block, log) for block in find_blocks(log.lines)]


def _crash(block: Block, log: LogText) -> Crash:
    messages = [line for at in block.entries for line in log.lines[at].message.split("\n")]
    lines = tuple(log.raw(at) for at in block.entries)
    time, thread = log.lines[block.entries[0]].time, _thread(messages)
    return replace(_account(block, messages), pid=block.pid, time=time, lines=lines, thread=thread)


def _account(block: Block, messages: list[str]) -> Crash:
    """Crash as the block's messages describe it."""
    if block.kind == "java":
        head = next((index for index, line in enumerate(messages[:3]) if WHOSE.fullmatch(line.strip())), 0)
        return read_stack_trace(messages[head + 1 :], block.app)
    if block.kind == "native":
        return read_tombstone(messages, block.app)
    if block.kind == "anr":
        reason = next((found[1].strip() for line in messages if (found := re.match(r"Reason: (.*)", line))), "")
        signature = f"anr {reason.partition('(')[0].strip()}".strip()
        summary = summed_up("does not answer", reason, "")
        return Crash("anr", block.app, summary=summary, signature=signature, message=reason[:LONGEST_KEPT])
    state = DIED.match(messages[0])
    shown = state["state"].strip() if state and state["state"] else ""
    summary = summed_up("its process was gone", "", shown)
    return Crash("died", block.app, summary=summary, signature="died", message=shown)


def _thread(messages: list[str]) -> str:
    found = FATAL.match(messages[0])
    for line in messages if found is None else ():
        found = TOMBSTONE.match(line) or re.search(r" in tid \d+ \((?P<thread>.{0,200}?)\), pid ", line)
        if found:
            break
    return found["thread"].strip() if found else ""
