"""What ``logcat`` prints, in whatever format (``-v``), as values. Lines that are no entry belong to the one above
them, and none is lost.

A phone prints ten thousand lines at once: those of the usual format are found by one pattern over the whole text,
and only what lies between them is looked at line by line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .log_forms import (
    LONG_HEAD,
    THREADTIME,
    Form,
    Level,
    LogLine,
    from_long,
    from_threadtime,
    is_notice,
    read_other,
)
from .log_text import as_text

__all__ = ["GRAVITY", "Level", "LogLine", "LogText", "parse_log", "read_log"]

GRAVITY = "VDIWEFS"  # the gravest last


def parse_log(lines: Iterable[str] | str | bytes) -> list[LogLine]:
    """Oldest first. Lines of which logcat itself is the author ("--------- beginning of main") are left out."""
    return read_log(lines).lines


def read_log(lines: Iterable[str] | str | bytes) -> LogText:
    """The same, with an account of every line."""
    text = as_text(lines if isinstance(lines, (str, bytes)) else "\n".join(lines))
    reader = _Reader(text)
    # A message in the long form may look like anything. The first two only save the third.
    if (text.startswith("[ ") or "\n[ " in text) and LONG_HEAD.search(text):
        reader.between(0, reader.stop)
    else:
        reader.threadtime()
    return reader.ended()


@dataclass
class LogText:
    """A log, read. ``before`` are the lines above the first entry; ``notices`` and ``blank`` count those that are
    logcat's own and those that are empty, ``continued`` those that belong to the entry above them."""

    text: str
    lines: list[LogLine] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    notices: int = 0
    blank: int = 0
    continued: int = 0
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
        """The usual format, and whatever lies between its entries."""
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
        """The lines from ``start`` to ``end``, where a line ends."""
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
            self._log.blank += 1
            self._blanks += 1
            return
        if is_notice(line):
            self._log.notices += 1
            self._finish_entry()
            self._form = None
            return
        found = self._entry(line)
        if found is not None:
            self._finish_entry()
            self._form = found[0]
            self._log.lines.append(found[1])
            self._log.starts.append(start)
        elif self._log.lines:
            self._log.continued += 1
            self._more += [*[""] * (self._blanks if self._form == "long" and self._more else 0), line.rstrip()]
        else:
            self._log.before.append(line)
        self._blanks = 0

    def _entry(self, line: str) -> tuple[Form, LogLine] | None:
        """A message in the long form ends at the next head, or at an empty line above the usual form."""
        head = LONG_HEAD.match(line)
        if head:
            return "long", from_long(head)
        within = self._form == "long"
        usual = THREADTIME.match(line) if self._blanks or not within else None
        if usual:
            return "threadtime", from_threadtime(usual)
        return None if within else read_other(line, self._form)

    def _finish_entry(self) -> None:
        if self._more:
            last = self._log.lines[-1]
            told = self._more if self._form == "long" and not last.message else [last.message, *self._more]
            self._log.lines[-1] = last._replace(message="\n".join(told))
            self._more = []
        self._blanks = 0
