"""Output that went through PowerShell: what a program wrote to its error stream stands in records, broken at the
width of the window. Taken out of them, it reads as it was written."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator

_RECORD = re.compile(r"\S.{0,200}? : (?=\S)")
_ANEW = re.compile(r"\s|$|[ew]: |[>*+] |FAILURE|BUILD |\[Incubating|\[KOTLIN|Caused by|\d+ actionable")
_LAST_OF_RECORD = "+ FullyQualifiedErrorId"
_MOST_LINES = 400
_MOST_DETAILS = 12


def unwrapped(lines: Iterable[str]) -> Iterator[str]:
    """The lines of the program. What PowerShell never touched comes out as it is.

    The first record names the command (``.\\gradlew.bat : e: ...``) and is followed by where it was called from,
    in the language of the system; the others are only broken.
    """
    ahead = _Ahead(lines)
    width = 0
    for line in ahead:
        found = _RECORD.match(line)
        record = ahead.record() if found else None
        if found and record is not None:
            width = max(width, *(len(each) for each in (line, *record)))
            yield from _mended([line, *record], width, skip=found.end())
        elif width and line.startswith(("e: ", "w: ")):
            pieces = [line, *ahead.continuation()]
            width = max(width, *map(len, pieces))
            yield from _mended(pieces, width)
        else:
            yield line


def _mended(pieces: list[str], width: int, skip: int = 0) -> Iterator[str]:
    """A line was broken after a space, which stays at its end, or in a word that had no room."""
    text, before = pieces[0][skip:], pieces[0]
    for piece in pieces[1:]:
        if before.endswith(" ") or len(before) >= width:
            text += piece
        else:
            yield text
            text = piece
        before = piece
    yield text


class _Ahead:
    """Lines, of which some were looked at before it was their turn."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._source = iter(lines)
        self._seen: deque[str] = deque()
        self._barren = 0  # so many of the next lines are known to be in no record

    def __iter__(self) -> Iterator[str]:
        while (line := self._next()) is not None:
            yield line

    def record(self) -> list[str] | None:
        """The rest of a record that was just begun, taken with all that PowerShell adds; None where it is none."""
        if self._barren:
            return None
        text: list[str] = []
        while len(text) < _MOST_LINES and (line := self._peek(len(text))) is not None:
            if line.startswith("+ ") and text:
                return self._without_details(text)
            if _ANEW.match(line):
                break
            text.append(line)
        self._barren = len(text)
        return None

    def _without_details(self, text: list[str]) -> list[str] | None:
        """``text`` and what PowerShell adds to it are taken. The last line of it says where the command stands."""
        for at in range(len(text), len(text) + _MOST_DETAILS):
            line = self._peek(at)
            if line is not None and line.lstrip().startswith(_LAST_OF_RECORD):
                self._drop(at + 1)
                return text[:-1]
        self._barren = len(text)
        return None

    def continuation(self) -> list[str]:
        text: list[str] = []
        while len(text) < _MOST_LINES and (line := self._peek(0)) is not None and not _ANEW.match(line):
            text.append(line)
            self._drop(1)
        return text

    def _next(self) -> str | None:
        self._barren = max(self._barren - 1, 0)
        return self._seen.popleft() if self._seen else next(self._source, None)

    def _peek(self, at: int) -> str | None:
        while len(self._seen) <= at:
            line = next(self._source, None)
            if line is None:
                return None
            self._seen.append(line)
        return self._seen[at]

    def _drop(self, count: int) -> None:
        for _ in range(count):
            self._seen.popleft()
