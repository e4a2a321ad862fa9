"""One benchmark's result: a table that people read and JSON that programs do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class Unmeasurable(Exception):
    """Something that a benchmark needs is not there; the message says what."""


@dataclass(frozen=True)
class Table:
    """``note`` says how it was measured. A ``detail`` is what another table sums up. The command of
    a table prints both; the page of figures has neither."""

    name: str
    title: str
    command: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""
    detail: bool = False

    def markdown(self) -> str:
        """With its note."""
        return f"{self.for_page()}\n{self.note}\n" if self.note else self.for_page()

    def for_page(self) -> str:
        rule = "|" + "---|" * len(self.columns)
        lines = [_line(self.columns), rule, *map(_line, self.rows)]
        return "\n".join([f"## {self.title}\n\n`{self.command}`\n", *lines, ""])

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "command": self.command,
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
        }


def percent(part: int, whole: int, digits: int = 1) -> str:
    """A share as a cell shows it, with so many digits after the point."""
    return f"{part / whole:.{digits}%}" if whole else "-"


def _line(cells: tuple[Any, ...]) -> str:
    return f"| {' | '.join(map(_shown, cells))} |"


def _shown(cell: object) -> str:
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)
