"""Rows on their way from the process that ran a test to the one that a person watches.

They travel as JSON in an attribute of the test's report, which crosses processes as it does. User properties are
no place for them: other reports print those.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .triage.run_record import RunRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pytest

_ROWS = "replicant_rows"


def put_rows(report: pytest.TestReport, rows: Sequence[RunRow]) -> None:
    setattr(report, _ROWS, json.dumps([row.to_dict() for row in rows]))


def rows_of(report: pytest.TestReport) -> Iterator[RunRow]:
    """Nothing where the report carries none."""
    for row in json.loads(getattr(report, _ROWS, "[]")):
        yield RunRow.from_dict(row)
