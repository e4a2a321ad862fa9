"""Rows on their way from the process that ran a test to the one that a person watches.

They travel as JSON in an attribute of the test's report, which crosses processes as it does. User properties are
no place for them: other reports print those.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .artifacts.storage import write_whole
from .triage.run_record import RunRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pytest

_ROWS = "replicant_rows"
_LEFT = "interrupted-"
_encode = json.JSONEncoder().encode  # while the report is made, a test's replacement of json.dumps is in force


def put_rows(report: pytest.TestReport, rows: Sequence[RunRow]) -> None:
    setattr(report, _ROWS, _json(rows))


def rows_of(report: pytest.TestReport) -> Iterator[RunRow]:
    """Nothing where the report carries none."""
    for row in json.loads(getattr(report, _ROWS, "[]")):
        yield RunRow.from_dict(row)


def leave_rows(rows: Sequence[RunRow], run_folder: Path, worker: str) -> None:
    """For a worker that was interrupted: its reports are not collected any more. Raises ``OSError``."""
    if rows:
        write_whole(run_folder / f"{_LEFT}{worker}.json", _json(rows).encode("ascii"))


def left_rows(run_folder: Path) -> list[RunRow]:
    """What interrupted workers left, each once. Raises ``OSError``."""
    found: list[RunRow] = []
    for path in sorted(run_folder.glob(f"{_LEFT}*.json")):
        found += map(RunRow.from_dict, json.loads(path.read_bytes()))
        path.unlink()
    return found


def _json(rows: Sequence[RunRow]) -> str:
    return _encode([row.to_dict() for row in rows])
