"""Findings as a person reads them: a group, a line each, and under it what to do next."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from ..reporting.printable import counted, printable

if TYPE_CHECKING:
    from ..pool import Finding, Status

_WIDEST = 110
_NARROWEST = 40
_COLOURS: dict[Status, str] = {"ok": "32", "warn": "33", "fail": "31", "skip": "2"}
_LONGEST = 1000


def width_of(stream: TextIO) -> int:
    """Of the terminal, as far as lines are good to read."""
    columns = shutil.get_terminal_size((_WIDEST, 24)).columns if stream is not None else _WIDEST
    return max(_NARROWEST, min(columns, _WIDEST))


@dataclass(frozen=True)
class Page:
    """``width`` in characters."""

    width: int = _WIDEST
    coloured: bool = False

    def group(self, findings: Sequence[Finding]) -> str:
        """All of one computer or phone."""
        column = max(len(finding.name) for finding in findings)
        lines = [self._bold(printable(findings[0].group))]
        for finding in findings:
            lines += self._told(finding, column)
        return "\n".join(lines) + "\n"

    def _told(self, finding: Finding, column: int) -> list[str]:
        name = printable(finding.name)
        start = f"  {finding.status:<4}  {name:<{column}}  "
        indent = " " * (len(start) if len(start) <= self.width // 3 else 8)
        lines = self._wrapped(finding.found, start, indent)
        lines[0] = lines[0].replace(finding.status, self._in_colour(finding.status, f"{finding.status}"), 1)
        if finding.next:
            lines += self._wrapped(f"Next: {finding.next}", indent, indent)
        return lines

    def _wrapped(self, text: str, first: str, indent: str) -> list[str]:
        """Commands stay in one piece, to be copied."""
        told = printable(" ".join(text.split()), _LONGEST)
        lines = textwrap.wrap(
            told,
            self.width,
            initial_indent=first,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return lines or [first.rstrip()]

    def summary(self, findings: Sequence[Finding]) -> str:
        count = Counter(finding.status for finding in findings)
        if count["fail"]:
            told = f"{counted(count['fail'], 'check')} failed, {counted(count['warn'], 'warning')}."
            return self._in_colour("fail", f"{told} Begin with the first that failed.")
        if count["warn"]:
            return self._in_colour("warn", f"Fine, with {counted(count['warn'], 'warning')}.")
        return self._in_colour("ok", "Fine.")

    def _bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.coloured else text

    def _in_colour(self, status: Status, text: str) -> str:
        return f"\x1b[{_COLOURS[status]}m{text}\x1b[0m" if self.coloured else text
