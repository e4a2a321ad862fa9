"""The forms in which ``logcat -v`` prints an entry, with what the modifiers (year, zone, usec, nsec, epoch,
monotonic, uid) add to them. No pattern here takes longer than in proportion to a line, whatever an app wrote.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, cast

Level = Literal["V", "D", "I", "W", "E", "F", "S"]
Form = Literal["threadtime", "time", "brief", "process", "thread", "tag", "long"]

_STAMP = r"(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,9}(?: [+-]\d{4})?|\d{1,19}\.\d{3,9}"
_LEVEL = "[VDIWEFS]"
_NUMBER = r"\d{1,10}"
# Up to the colon that ends it: a tag may have some of its own.
_TAG = r"[^:\n]*(?::(?![ \n])[^:\n]*)*"
_REST = r":(?: (.*)|$)"
# As `( 1234)`, `(10123: 1234)`, `( 1234: 1240)`; a user is told as a number or by name.
_WHO = rf"(?:(\w{{1,32}}): *)??({_NUMBER})"

THREADTIME = re.compile(
    rf"^ *({_STAMP}) +(?:(\w{{1,32}}) +)??({_NUMBER}) +({_NUMBER}) +({_LEVEL}) ({_TAG}){_REST}",
    re.MULTILINE | re.ASCII,
)
LONG_HEAD = re.compile(
    rf"^\[ +({_STAMP}) +{_WHO}: *({_NUMBER}) ({_LEVEL})/([^\n]*)\]$",
    re.MULTILINE | re.ASCII,
)
_BEFORE_WHO = rf"[^(]*(?:\((?! *(?:\w{{1,32}}: *)?{_NUMBER}\): )[^(]*)*"
_BRIEF = re.compile(
    rf"(?: *({_STAMP}) +)?({_LEVEL})/({_BEFORE_WHO})\( *{_WHO}\){_REST}\Z",
    re.ASCII | re.DOTALL,
)
_PROCESS = re.compile(rf"({_LEVEL})\( *{_WHO}\) (.*)\Z", re.ASCII | re.DOTALL)
_THREAD = re.compile(rf"({_LEVEL})\( *{_WHO}: *({_NUMBER})\)(?: (.*)|\Z)", re.ASCII | re.DOTALL)
_TAGGED = re.compile(rf"({_LEVEL})/({_TAG}){_REST}\Z", re.ASCII | re.DOTALL)
_new = tuple.__new__
_NOTICE = re.compile(r"-{9} (?:beginning of|switch to) \S+|- waiting for device -|read: unexpected EOF!")


class LogLine(NamedTuple):
    """One entry. ``time`` is as the phone printed it, ``MM-DD hh:mm:ss.mmm`` unless another format was asked for;
    "" and 0 stand for what a format does not print. ``level`` is one of ``VDIWEF``; ``uid`` is who runs the
    process, a number or a name such as ``root``."""

    time: str
    pid: int
    tid: int
    level: Level
    tag: str
    message: str
    uid: str = ""

    @property
    def epoch(self) -> float | None:
        """Seconds since 1970, where the log was printed with ``-v epoch``."""
        seconds = float(self.time) if "." in self.time and ":" not in self.time else 0.0
        return seconds if seconds >= 1e8 else None  # fewer are those since the phone was switched on


def is_notice(line: str) -> bool:
    """Whether it is logcat itself that says it, such as where a buffer begins."""
    return _NOTICE.match(line) is not None


def from_threadtime(found: re.Match[str]) -> LogLine:
    """The one that is called ten thousand times, so that it goes past what only looks at its arguments."""
    time, uid, pid, tid, level, tag, message = found.groups("")
    return _new(LogLine, (time, int(pid), int(tid), level, tag.strip(), message, uid))


def from_long(found: re.Match[str]) -> LogLine:
    """The head alone; its message is in the lines below."""
    time, uid, pid, tid, level, tag = found.groups("")
    return LogLine(time, int(pid), int(tid), cast("Level", level), tag.strip(), "", uid)


def read_other(line: str, form: Form | None) -> tuple[Form, LogLine] | None:
    """An entry in one of the forms without a time and a thread; ``form`` is that of the entries above it. The one
    that has a tag alone is too much like prose to follow upon another."""
    if line[1:2] == "(":
        return _process(line, form) or _thread(line)
    found = _BRIEF.match(line)
    if found:
        time, level, tag, uid, pid, message = found.groups("")
        entry = LogLine(time, int(pid), 0, cast("Level", level), tag.strip(), message, uid)
        return ("time" if time else "brief"), entry
    tagged = _TAGGED.match(line) if form in (None, "tag") else None
    if tagged:
        level, tag, message = tagged.groups("")
        return "tag", LogLine("", 0, 0, cast("Level", level), tag.strip(), message)
    return None


def _process(line: str, form: Form | None) -> tuple[Form, LogLine] | None:
    """It names the tag last, in brackets after two blanks."""
    found = _PROCESS.match(line) if form != "thread" and line.endswith(")") else None
    if not found:
        return None
    level, uid, pid, rest = found.groups("")
    message, blanks, tag = rest.rpartition("  (")
    if not blanks:
        return None
    return "process", LogLine("", int(pid), 0, cast("Level", level), tag[:-1].strip(), message, uid)


def _thread(line: str) -> tuple[Form, LogLine] | None:
    found = _THREAD.match(line)
    if not found:
        return None
    level, uid, pid, tid, message = found.groups("")
    return "thread", LogLine("", int(pid), int(tid), cast("Level", level), "", message, uid)
