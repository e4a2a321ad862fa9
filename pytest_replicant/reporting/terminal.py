"""The last lines of a run: what passed without proof, and where the report is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .printable import printable
from .triage.run_record import in_trouble

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from .triage.run_record import PhoneHealth, RunRow

LISTED = 10
"""Lines a list takes at most in a terminal; the index of the run has them all."""


def trouble_lines(phones: Sequence[PhoneHealth]) -> list[str]:
    """Phones that were lost or whose tool trouble ended a test; nothing where all were sound."""
    return [printable(line) for line in _listed("phones in trouble", in_trouble(phones))]


def closing_lines(rows: Sequence[RunRow], index_html: Path | None, warnings: Sequence[str] = ()) -> list[str]:
    """Lines without colour, safe to print: control characters of app text are shown, not obeyed."""
    lines: list[str] = []
    unproven = [f"{row.nodeid} {row.unverified}" for row in rows if row.unverified]
    vacuous = [f"{row.nodeid} {line}" for row in rows for line in row.vacuous]
    unstored = [*warnings, *(warning for row in rows for warning in row.warnings)]
    lines += _listed("recovered", [f"{row.nodeid} {line}" for row in rows for line in row.recovered])
    asked = [f"{row.nodeid} {line}" for row in rows for line in row.recoverable]
    lines += _listed("recovery would have been tried", asked)
    lines += _listed("apps that died", [f"{row.nodeid} {line}" for row in rows for line in row.deaths])
    lines += _listed("passed without proof", unproven)
    lines += _listed("checks that held before their action", vacuous)
    lines += _listed("not recorded in full", unstored)
    if index_html is not None:
        lines.append(f"report: {index_html}")
    return [printable(line) for line in lines]


def _listed(title: str, lines: Sequence[str]) -> Iterator[str]:
    if not lines:
        return
    yield f"{title} ({len(lines)}):"
    yield from (f"  {line}" for line in lines[:LISTED])
    if len(lines) > LISTED:
        yield f"  and {len(lines) - LISTED} more"
