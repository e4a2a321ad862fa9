"""What ``logcat`` prints in its usual format (``-v threadtime``), as values. Lines that are no entry belong to the
one above them, and none is lost.

A phone prints ten thousand lines at once: those of the usual format are found by one pattern over the whole text,
and only what lies between them is looked at line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

_COLOURS = r"^(?:\x1b\[[\d;]*m)+|(?:\x1b\[[\d;]*m)+$"
_SAMPLE = 400  # bytes that tell whether every second one is NUL


def as_text(data: Iterable[str] | str | bytes) -> str:
    """Lines end with a newline alone. Bytes in no known encoding become U+FFFD."""
    said = _decoded(data) if isinstance(data, bytes) else data
    text = said if isinstance(said, str) else "\n".join(said)
    if "\r" in text:
        text = re.sub(r"\r+$", "", text, flags=re.MULTILINE)
    if "\ufeff" in text:  # one file after another
        text = text.replace("\n\ufeff", "\n").lstrip("\ufeff")
    return re.sub(_COLOURS, "", text, flags=re.MULTILINE) if "\x1b[" in text else text


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    sample = data[:_SAMPLE]
    for encoding, first in (("utf-16-le", 1), ("utf-16-be", 0)):
        nuls = sample[first::2].count(0)
        if nuls and nuls * 4 > len(sample):  # more than half of these
            return data.decode(encoding, "replace")
    return data.decode("utf-8-sig", "replace")


Level = Literal["V", "D", "I", "W", "E", "F", "S"]

_STAMP = r"(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,9}(?: [+-]\d{4})?|\d{1,19}\.\d{3,9}"
_LEVEL = "[VDIWEFS]"
_NUMBER = r"\d{1,10}"
# Up to the colon that ends it: a tag may have some of its own.
_TAG = r"[^:\n]*(?::(?![ \n])[^:\n]*)*"
_REST = r":(?: (.*)|$)"

THREADTIME = re.compile(
    rf"^ *({_STAMP}) +(?:(\w{{1,32}}) +)??({_NUMBER}) +({_NUMBER}) +({_LEVEL}) ({_TAG}){_REST}",
    re.MULTILINE | re.ASCII,
)
_new = tuple.__new__
_NOTICE = r"-{9} (?:beginning of|switch to) \S+|- waiting for device -|read: unexpected EOF!"


class LogLine(NamedTuple):
    """One entry. ``time`` is as the phone printed it, ``MM-DD hh:mm:ss.mmm`` unless another form of it was asked
    for. ``level`` is one of ``VDIWEF``; ``uid`` is who runs the process, a number or a name such as ``root``."""

    time: str
    pid: int
    tid: int
    level: Level
    tag: str
    message: str
    uid: str = ""

    @property
    def epoch(self) -> float | None:
        """Seconds since 1970, if the log was printed with ``-v epoch``."""
        seconds = float(self.time) if "." in self.time and ":" not in self.time else 0.0
        return seconds if seconds >= 1e8 else None  # fewer are those since the phone was switched on


def is_notice(line: str) -> bool:
    """Whether logcat itself wrote it, such as where a buffer begins."""
    return re.match(_NOTICE, line) is not None


def from_threadtime(found: re.Match[str]) -> LogLine:
    """Entry in the usual form. Called ten thousand times, so it bypasses the checks of the constructor."""
    time, uid, pid, tid, level, tag, message = found.groups("")
    return _new(LogLine, (time, int(pid), int(tid), level, tag.strip(), message, uid))


GRAVITY = "VDIWEFS"  # the gravest last


def parse_log(lines: Iterable[str] | str | bytes) -> list[LogLine]:
    """Oldest first. Lines of which logcat itself is the author ("--------- beginning of main") are left out."""
    return read_log(lines).lines


def read_log(lines: Iterable[str] | str | bytes) -> LogText:
    """The entries, and where each begins."""
    text = as_text(lines)
    log, end = LogText(text), 0
    for found in THREADTIME.finditer(text):
        log.take_between(end, found.start())
        log.lines.append(from_threadtime(found))
        log.starts.append(found.start())
        end = found.end() + 1
    log.take_between(end, len(text))
    return log


@dataclass
class LogText:
    """A log, read."""

    text: str
    lines: list[LogLine] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)  # of each entry in the text

    def take_between(self, start: int, end: int) -> None:
        """What lies between two entries belongs to the first, but for what logcat itself wrote."""
        said = self._said(start, end) if start < end else ""
        if said and self.lines:
            last = self.lines[-1]
            self.lines[-1] = last._replace(message=f"{last.message}\n{said}")

    def raw(self, index: int) -> str:
        """An entry as it was printed, with the lines that belong to it."""
        end = self.starts[index + 1] if index + 1 < len(self.starts) else len(self.text)
        return self._said(self.starts[index], end)

    def _said(self, start: int, end: int) -> str:
        lines = self.text[start:end].split("\n")
        return "\n".join(line.rstrip() for line in lines if line.strip() and not is_notice(line))


STARTED = re.compile(r"Start proc (?P<pid>\d{1,10}):(?P<app>[\w.:]+)")
DIED = re.compile(r"Process (?P<app>[\w.:]+) \(pid (?P<pid>\d{1,10})\) has died(?:: (?P<state>.*))?")
KILLED = re.compile(r"Killing (?P<pid>\d{1,10}):(?P<app>[\w.:]+)")
_NAMED = (STARTED, DIED, KILLED)


def pids_of(app: str, lines: Iterable[LogLine]) -> set[int]:
    """Processes that the lines mention; one that ran before and still does is in none of them."""
    found: set[int] = set()
    for line in lines:
        if line.tag == "ActivityManager":
            named = next((match for pattern in _NAMED if (match := pattern.match(line.message))), None)
        elif line.tag == "AndroidRuntime":
            named = re.search(r"Process: (?P<app>[\w.:]+), PID: (?P<pid>\d+)", line.message)
        else:
            continue
        if named and (named["app"] == app or named["app"].startswith(f"{app}:")):
            found.add(int(named["pid"]))
    return found
