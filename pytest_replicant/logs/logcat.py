"""What ``logcat`` prints, in any format (``-v``), as values. Lines that are no entry belong to the
one above them, and none is lost.

A phone prints ten thousand lines at once: those of the usual format are found by one pattern over
the whole text, and only what lies between them is looked at line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast

_COLOURS = r"^(?:\x1b\[[\d;]*m)+|(?:\x1b\[[\d;]*m)+$"
_SAMPLE = 400  # bytes that tell whether every second one is NUL


def as_text(data: Iterable[str] | str | bytes) -> str:
    """Lines end with a newline alone. Bytes in no known encoding become U+FFFD."""
    if isinstance(data, bytes):
        data = _decoded(data)
    text = data if isinstance(data, str) else "\n".join(data)
    if "\r" in text:
        text = re.sub(r"\r+$", "", text, flags=re.MULTILINE)
    if "\ufeff" in text:  # one file after another
        text = text.replace("\n\ufeff", "\n").lstrip("\ufeff")
    if "\x1b[" in text:
        text = re.sub(_COLOURS, "", text, flags=re.MULTILINE)
    return text


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
Form = Literal["threadtime", "time", "brief", "process", "thread", "tag", "long"]

_STAMP = r"(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,9}(?: [+-]\d{4})?|\d{1,19}\.\d{3,9}"
_LEVEL = "[VDIWEFS]"
_NUMBER = r"\d{1,10}"
# Up to the colon that ends it: a tag may have some of its own.
_TAG = r"[^:\n]*(?::(?![ \n])[^:\n]*)*"
_REST = r":(?: (.*)|$)"
# As `( 1234)`, `(10123: 1234)`, `( 1234: 1240)`; a user is given as a number or by name.
_WHO = rf"(?:(?P<uid>\w{{1,32}}): *)??(?P<pid>{_NUMBER})"

THREADTIME = re.compile(
    rf"^ *({_STAMP}) +(?:(\w{{1,32}}) +)??({_NUMBER}) +({_NUMBER}) +({_LEVEL}) ({_TAG}){_REST}",
    re.MULTILINE | re.ASCII,
)
LONG_HEAD = re.compile(
    rf"^\[ +(?P<time>{_STAMP}) +{_WHO}: *(?P<tid>{_NUMBER}) (?P<level>{_LEVEL})/(?P<tag>[^\n]*)\]$",
    re.MULTILINE | re.ASCII,
)
_BEFORE_WHO = rf"[^(]*(?:\((?! *(?:\w{{1,32}}: *)?{_NUMBER}\): )[^(]*)*"
_BRIEF = rf"(?P<level>{_LEVEL})/(?P<tag>{_BEFORE_WHO})\( *{_WHO}\)"
_MESSAGE = r":(?: (?P<message>.*)|$)\Z"
_FLAGS = re.ASCII | re.DOTALL
_OTHERS: Mapping[Form, re.Pattern[str]] = {
    "time": re.compile(rf" *(?P<time>{_STAMP}) +{_BRIEF}{_MESSAGE}", _FLAGS),
    "brief": re.compile(rf"{_BRIEF}{_MESSAGE}", _FLAGS),
    "process": re.compile(
        rf"(?P<level>{_LEVEL})\( *{_WHO}\) (?P<message>.*)  \((?P<tag>.*)\)\Z", _FLAGS
    ),
    "thread": re.compile(
        rf"(?P<level>{_LEVEL})\( *{_WHO}: *(?P<tid>{_NUMBER})\)(?: (?P<message>.*)|\Z)", _FLAGS
    ),
    "tag": re.compile(rf"(?P<level>{_LEVEL})/(?P<tag>{_TAG}){_MESSAGE}", _FLAGS),
}
"""The forms without a time and a thread, or one of them. The process form names the tag last, in
brackets."""
_new = tuple.__new__
_NOTICE = r"-{9} (?:beginning of|switch to) \S+|- waiting for device -|read: unexpected EOF!"


class LogLine(NamedTuple):
    """One entry. ``time`` is as the phone printed it, ``MM-DD hh:mm:ss.mmm`` unless another format
    was asked for; "" and 0 stand for what a format does not print. ``level`` is one of ``VDIWEF``;
    ``uid`` is who runs the process, a number or a name such as ``root``."""

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
        return seconds if seconds >= 1e8 else None  # fewer: those since the phone was switched on


def is_notice(line: str) -> bool:
    """Whether logcat itself wrote it, such as where a buffer begins."""
    return re.match(_NOTICE, line) is not None


def from_threadtime(found: re.Match[str]) -> LogLine:
    """Entry in the usual form. Called ten thousand times, so it bypasses the checks of the
    constructor."""
    time, uid, pid, tid, level, tag, message = found.groups("")
    return _new(LogLine, (time, int(pid), int(tid), level, tag.strip(), message, uid))


def from_named(found: re.Match[str]) -> LogLine:
    """Entry in any other form. A head of the long form is alone; its message is in the lines
    below."""
    said = found.groupdict("")
    pid, tid, level = int(said.get("pid", 0)), int(said.get("tid", 0)), cast("Level", said["level"])
    tag, message = said.get("tag", "").strip(), said.get("message", "")
    return LogLine(said.get("time", ""), pid, tid, level, tag, message, said.get("uid", ""))


GRAVITY = "VDIWEFS"  # the gravest last


def parse_log(lines: Iterable[str] | str | bytes) -> list[LogLine]:
    """Oldest first. Lines of which logcat itself is the author ("--------- beginning of main") are
    left out."""
    return read_log(lines).lines


def read_log(lines: Iterable[str] | str | bytes) -> LogText:
    """The entries, and where each begins."""
    text = as_text(lines)
    reader = _Reader(text)
    # A message in the long form may look like anything. The first two only save the third.
    if (text.startswith("[ ") or "\n[ " in text) and LONG_HEAD.search(text):
        reader.between(0, reader.stop)
    else:
        reader.threadtime()
    return reader.ended()


@dataclass
class LogText:
    """A log, read."""

    text: str
    lines: list[LogLine] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)  # of each entry in the text

    def raw(self, index: int) -> str:
        """An entry as it was printed, with the lines that belong to it."""
        end = self.starts[index + 1] if index + 1 < len(self.starts) else len(self.text)
        lines = self.text[self.starts[index] : end].split("\n")
        return "\n".join(line.rstrip() for line in lines if line.strip() and not is_notice(line))


class _Reader:
    def __init__(self, text: str) -> None:
        self._log = LogText(text)
        self.stop = len(text) - text.endswith("\n") if text else -1  # where its last line ends
        self._form: Form | None = None  # of the latest entry since logcat itself said something
        self._more: list[str] = []  # lines that belong to the latest entry
        self._blanks = 0  # empty lines since the latest one that was not

    def threadtime(self) -> None:
        """Reads the usual format, and the lines between its entries."""
        text, end = self._log.text, 0
        add, begins_at = self._log.lines.append, self._log.starts.append
        for found in THREADTIME.finditer(text):
            start = found.start()
            if start != end:
                self._form = "threadtime" if self._log.lines else None
                self.between(end, start - 1)
            add(from_threadtime(found))
            begins_at(start)
            end = found.end() + 1
        self._form = "threadtime" if self._log.lines else None
        self.between(end, self.stop)

    def between(self, start: int, end: int) -> None:
        """Reads the lines from ``start`` to ``end``, where a line ends."""
        if start > end:
            return
        for line in self._log.text[start:end].split("\n"):
            self._read(line, start)
            start += len(line) + 1
        self._finish_entry()

    def ended(self) -> LogText:
        self._finish_entry()
        return self._log

    def _read(self, line: str, start: int) -> None:
        if not line.strip():
            self._blanks += 1
            return
        if is_notice(line):
            self._finish_entry()
            self._form = None
            return
        if found := self._entry(line):
            self._finish_entry()
            self._form = found[0]
            self._log.lines.append(found[1])
            self._log.starts.append(start)
        elif self._log.lines:
            if self._form == "long" and self._more:
                self._more += [""] * self._blanks
            self._more.append(line.rstrip())
        self._blanks = 0

    def _entry(self, line: str) -> tuple[Form, LogLine] | None:
        """Entry that begins in a line. A message in the long form ends at the next head, or at an
        empty line above the usual form."""
        if head := LONG_HEAD.match(line):
            return "long", from_named(head)
        within = self._form == "long"
        usual = THREADTIME.match(line) if self._blanks or not within else None
        if usual:
            return "threadtime", from_threadtime(usual)
        if within:
            return None
        # One of the forms without a time and a thread. The one that has a tag alone is too much
        # like prose to follow another.
        forms: tuple[Form, ...] = ("time", "brief")
        if line[1:2] == "(":
            forms = ("thread",) if self._form == "thread" else ("process", "thread")
        elif self._form in (None, "tag"):
            forms = ("time", "brief", "tag")
        for each in forms:
            if found := _OTHERS[each].match(line):
                return each, from_named(found)
        return None

    def _finish_entry(self) -> None:
        if self._more:
            last = self._log.lines[-1]
            message = [last.message, *self._more]
            if self._form == "long" and not last.message:
                message = self._more
            self._log.lines[-1] = last._replace(message="\n".join(message))
            self._more = []
        self._blanks = 0


STARTED = re.compile(r"Start proc (?P<pid>\d{1,10}):(?P<app>[\w.:]+)")
DIED = re.compile(
    r"Process (?P<app>[\w.:]+) \(pid (?P<pid>\d{1,10})\) has died(?:: (?P<state>.*))?"
)
KILLED = re.compile(r"Killing (?P<pid>\d{1,10}):(?P<app>[\w.:]+)")


def pids_of(app: str, lines: Iterable[LogLine]) -> set[int]:
    """Processes that the lines mention; one that ran before and still does is in none of them."""
    found: set[int] = set()
    for line in lines:
        named = None
        if line.tag == "ActivityManager":
            for pattern in (STARTED, DIED, KILLED):
                named = named or pattern.match(line.message)
        elif line.tag == "AndroidRuntime":
            named = re.search(r"Process: (?P<app>[\w.:]+), PID: (?P<pid>\d+)", line.message)
        if named and (named["app"] == app or named["app"].startswith(f"{app}:")):
            found.add(int(named["pid"]))
    return found
