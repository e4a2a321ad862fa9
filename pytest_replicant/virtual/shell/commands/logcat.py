"""logcat and log."""

from __future__ import annotations

import asyncio
import calendar
import contextlib
import re
import struct
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from ...streams import in_thread
from ...system.logcat import BUFFERS, Level, LogEntry
from ...task_group import end
from ..call import Call, CommandFailed, encoded
from ..registry import table

FORMATS = ("brief", "tag", "raw", "time", "threadtime")
MODIFIERS = frozenset(("epoch", "uid", "usec", "UTC", "year", "zone"))
_PRIORITIES = "VDIWEFS"
_FILTER = re.compile(r"([^:]*)(?::([a-zA-Z*]))?")


@dataclass
class LogFormat:
    """A format's name and its modifiers."""

    name: str = "threadtime"
    modifiers: set[str] = field(default_factory=set)

    def add(self, words: str) -> None:
        """As ``-v`` gives them, with commas or blanks between. Raises ``CommandFailed``."""
        for word in re.split(r"[,\s]+", words.strip()):
            if word in FORMATS:
                self.name = word
            elif word in MODIFIERS:
                self.modifiers.add(word)
            else:
                raise CommandFailed(f"logcat: Invalid parameter '{word}' to -v", 1)

    def moment(self, epoch: float) -> str:
        """As the modifiers want it; the phone's time zone is UTC."""
        whole, fraction = divmod(round(epoch * 1_000_000), 1_000_000)
        digits = (
            f"{fraction:06d}" if self.modifiers & {"usec", "nsec"} else f"{fraction // 1000:03d}"
        )
        if self.modifiers & {"epoch", "monotonic"}:
            return f"{whole:>19}.{digits}"
        pattern = "%Y-%m-%d %H:%M:%S" if "year" in self.modifiers else "%m-%d %H:%M:%S"
        zone = " +0000" if "zone" in self.modifiers else ""
        return f"{time.strftime(pattern, time.gmtime(whole))}.{digits}{zone}"

    def render(self, entry: LogEntry) -> str:
        """One line for each of the message's lines; the long format has one head for all."""
        lines = entry.message.rstrip("\n").split("\n")
        head, tail = self._around(entry)
        if self.name == "long":
            return f"{head}\n" + "\n".join(lines) + "\n\n"
        return "".join(f"{head}{line}{tail}\n" for line in lines)

    def _around(self, entry: LogEntry) -> tuple[str, str]:
        level, tag, pid, tid = entry.level, entry.tag, entry.pid, entry.tid
        uid = f"{entry.uid:>5}:" if "uid" in self.modifiers else ""
        moment = self.moment(entry.epoch)
        heads = {
            "brief": f"{level}/{tag:<8}({uid}{pid:>5}): ",
            "process": f"{level}({uid}{pid:>5}) ",
            "tag": f"{level}/{tag:<8}: ",
            "thread": f"{level}({uid}{pid:>5}:{tid:>5}) ",
            "raw": "",
            "time": f"{moment} {level}/{tag:<8}({uid}{pid:>5}): ",
            "threadtime": f"{moment} {uid.replace(':', ' ')}{pid:>5} {tid:>5} {level} {tag:<8}: ",
            "long": f"[ {moment} {uid}{pid:>5}:{tid:>5} {level}/{tag:<8} ]",
        }
        return heads[self.name], f"  ({tag})" if self.name == "process" else ""


@dataclass(frozen=True)
class LogFilter:
    """Which entries are shown: the lowest priority by tag, and for all other tags."""

    by_tag: Mapping[str, int]
    otherwise: int = 0
    pid: int | None = None
    text: re.Pattern[str] | None = None
    buffers: frozenset[str] = frozenset(("main", "system", "crash"))

    def takes(self, entry: LogEntry) -> bool:
        if entry.buffer not in self.buffers or (self.pid is not None and entry.pid != self.pid):
            return False
        if _PRIORITIES.index(entry.level) < self.by_tag.get(entry.tag.strip(), self.otherwise):
            return False
        return self.text is None or self.text.search(entry.message) is not None


def read_filters(words: Iterable[str], *, silent: bool) -> tuple[dict[str, int], int]:
    """Priorities by tag, and the one for other tags, from ``TAG:W``, ``*:S``. Raises
    ``CommandFailed``."""
    by_tag: dict[str, int] = {}
    otherwise = _PRIORITIES.index("S") if silent else 0
    for word in words:
        found = _FILTER.fullmatch(word)
        letter = (found.group(2) or "V").upper() if found else "?"
        if not found or letter not in _PRIORITIES + "*":
            raise CommandFailed(f"logcat: Invalid filter expression '{word}'", 1)
        priority = 0 if letter == "*" else _PRIORITIES.index(letter)
        if found.group(1) == "*":
            otherwise = _PRIORITIES.index("D") if found.group(2) is None else priority
        else:
            by_tag[found.group(1)] = priority
    return by_tag, otherwise


_DEFAULT_BUFFERS = ("main", "system", "crash")
_VALUED = {
    "-v": "format",
    "-t": "tail",
    "-T": "since",
    "-b": "buffer",
    "-e": "regex",
    "-m": "max-count",
    "-G": "buffer-size",
}
_LONE = {
    "-d": "dump",
    "-c": "clear",
    "-s": "silent",
    "-g": "get-buffer-size",
    "-B": "binary",
}
_LONG_VALUED = frozenset((*_VALUED.values(), "pid"))
CHATTER = 0.25  # seconds in which something always happens on a phone that one listens to
CHAT: tuple[Level, str, str] = ("D", "WifiNl80211Manager", "Scan result ready event")
"""No phone's whole log is ever quiet, and adbutils' ``logcat().stop()`` waits for its next line.
This one is of AOSP's WifiNl80211Manager.java. It is written only if it is seen."""
_MOMENT = re.compile(r"(?:(\d{4})-)?(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(\.\d+)?")


@dataclass
class _Options:
    format: LogFormat = field(default_factory=LogFormat)
    buffers: set[str] = field(default_factory=set)
    values: dict[str, str] = field(default_factory=dict)
    filters: list[str] = field(default_factory=list)

    def has(self, name: str) -> bool:
        return name in self.values

    def set(self, name: str, value: str) -> None:
        if name == "format":
            self.format.add(value)
        elif name == "buffer":
            for word in value.split(","):
                if word not in ("all", "default", *BUFFERS):
                    raise CommandFailed(f"logcat: Unknown buffer '{word}'", 1)
                self.buffers |= {"all": set(BUFFERS), "default": set(_DEFAULT_BUFFERS)}.get(
                    word, {word}
                )
        else:
            self.values[name] = value


def _read(call: Call) -> _Options:
    options = _Options()
    pending = list(call.words)
    while pending:
        word = pending.pop(0)
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if name not in _LONG_VALUED and name not in _LONE.values():
                raise CommandFailed(f"logcat: unknown option {word}", 1)
            if not equals and name in _LONG_VALUED and pending:
                value = pending.pop(0)
            options.set(name, value)
        elif word in _LONE:
            options.set(_LONE[word], "")
        elif word[:2] in _VALUED:
            if len(word) == 2 and not pending:
                raise CommandFailed(f"logcat: option requires an argument -- {word[1]}", 1)
            options.set(_VALUED[word[:2]], word[2:] or pending.pop(0))
        elif word.startswith("-"):
            raise CommandFailed(f"logcat: unknown option {word}", 1)
        else:
            options.filters.append(word)
    return options


def _filter(options: _Options) -> LogFilter:
    by_tag, otherwise = read_filters(options.filters, silent=options.has("silent"))
    pid = options.values.get("pid", "")
    if options.has("pid") and not pid.isdecimal():
        raise CommandFailed(f"logcat: --pid {pid} is not a number", 1)
    try:
        text = re.compile(options.values["regex"]) if options.has("regex") else None
    except re.error as error:
        raise CommandFailed(f"logcat: bad regular expression: {error}", 1) from None
    buffers = frozenset(options.buffers or _DEFAULT_BUFFERS)
    return LogFilter(by_tag, otherwise, int(pid) if pid else None, text, buffers)


async def _logcat(call: Call) -> int:
    options = _read(call)
    shown = _filter(options)
    if options.has("clear"):
        call.phone.log.clear(sorted(options.buffers or _DEFAULT_BUFFERS))
        return 0
    if options.has("get-buffer-size") or options.has("buffer-size"):
        for name in sorted(shown.buffers):
            await call.line(
                f"{name}: ring buffer is 1 MiB (0 B consumed), max entry is 5120 B, max payload is "
                "4068 B"
            )
        return 0
    return await _show(call, options, shown)


async def _show(call: Call, options: _Options, shown: LogFilter) -> int:
    await in_thread(call.phone.version)  # timers due by now are in the log, polled or not
    log = call.phone.log
    entries = log.entries()
    last = entries[-1].number if entries else log.last_number
    start = options.values.get("tail", options.values.get("since"))
    printer = _Printer(call, options, shown)
    if not await printer.print(_from(entries, start, shown) if start is not None else entries):
        return 0
    if options.has("dump") or options.has("tail"):
        return 0
    system = (await in_thread(call.phone.processes)).get("system_server", 1)
    quiet = not shown.takes(LogEntry(0, 0.0, *CHAT, system, system))
    async with contextlib.aclosing(log.follow(last)) as fresh:
        entry = asyncio.ensure_future(anext(fresh))
        try:
            while True:
                await asyncio.wait({entry}, timeout=None if quiet else CHATTER)
                if not entry.done():
                    log.append(*CHAT, system)
                elif await printer.print([entry.result()]):
                    entry = asyncio.ensure_future(anext(fresh))
                else:
                    return 0
        finally:
            await end(entry)


class _Printer:
    """Writes entries, with a line where a buffer begins, up to the wanted number of them."""

    def __init__(self, call: Call, options: _Options, shown: LogFilter) -> None:
        self._call = call
        self._format = options.format
        self._shown = shown
        self._begun: set[str] = set()
        count = options.values.get("max-count", "")
        self._left = int(count) if count.isdecimal() else -1
        self._binary = options.has("binary")

    async def print(self, entries: list[LogEntry]) -> bool:
        """False once enough has been printed."""
        text = b""
        for entry in entries:
            if not self._shown.takes(entry):
                continue
            if self._left == 0:
                break
            self._left -= 1
            if self._binary:
                text += _logger_entry(entry)
                continue
            if entry.buffer not in self._begun:
                self._begun.add(entry.buffer)
                text += f"--------- beginning of {entry.buffer}\n".encode()
            text += encoded(self._format.render(entry))
        if text:
            await self._call.channels.write(text)
        return self._left != 0


def _logger_entry(entry: LogEntry) -> bytes:
    """``struct logger_entry`` of liblog's log_read.h, and behind it priority, tag and message."""
    seconds, rest = divmod(entry.epoch, 1)
    buffer = {"main": 0, "radio": 1, "events": 2, "system": 3, "crash": 4}.get(entry.buffer, 0)
    payload = (
        bytes([2 + "VDIWEF".index(entry.level)]) + encoded(f"{entry.tag}\0{entry.message}\0")[:4067]
    )
    numbers = entry.pid, entry.tid, int(seconds), int(rest * 1e9), buffer, entry.uid
    return struct.pack("<HHiIIIII", len(payload), 28, *numbers) + payload


def _from(entries: list[LogEntry], start: str, shown: LogFilter) -> list[LogEntry]:
    """The last so many, or those from the first one on that is of that moment or later: logd looks
    for no other behind that, though the clock was set back. Raises ``CommandFailed``."""
    if start.isdecimal():
        kept = [
            each
            for each in entries
            if each.buffer in shown.buffers and shown.pid in (None, each.pid)
        ]
        return kept[max(0, len(kept) - int(start)) :]
    moment = _moment(start)
    own = (
        entry
        for entry in entries
        if entry.buffer in shown.buffers and shown.pid in (None, entry.pid)
    )
    first = next((entry.number for entry in own if entry.epoch >= moment), None)
    return [entry for entry in entries if first is not None and entry.number >= first]


def _moment(word: str) -> float:
    if re.fullmatch(r"\d+\.\d+", word):
        return float(word)
    found = _MOMENT.fullmatch(word)
    if not found:
        raise CommandFailed(f'logcat: -t "{word}" not in "%m-%d %H:%M:%S.%q" time format', 1)
    year, *numbers, fraction = found.groups()
    month, day, hour, minute, second = (int(number) for number in numbers)
    whole = calendar.timegm((int(year or time.gmtime().tm_year), month, day, hour, minute, second))
    return whole + float(fraction or 0)


async def _log(call: Call) -> int:
    """``log [-p LEVEL] [-t TAG] MESSAGE``: writes into the log, as a marker in a test does."""
    words, level, tag = list(call.words), "I", "log"
    while len(words) > 1 and words[0] in ("-p", "-t"):
        option, value = words.pop(0), words.pop(0)
        if option == "-p":
            level = value.upper()[:1]
        else:
            tag = value
    if level not in "VDIWEF" or not level:
        raise CommandFailed("log: Bad -p")
    call.phone.log.append(cast("Level", level), tag, " ".join(words), 4242, uid=2000)
    return 0


COMMANDS = {**table("shell", logcat=_logcat), **table("free", log=_log)}
