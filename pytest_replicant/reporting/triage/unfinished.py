"""Runs that were ended before they could write ``run.json``: their traces are there all the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from ...model import BROKEN
from .baseline import passage_in, read_json
from .cause import TEST_ERROR, Cause
from .run_record import RunRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .passage import Passage

_RETRY = re.compile(r"-retry(\d{1,6})\Z")


def rows_of_traces(paths: Sequence[Path]) -> Iterator[RunRow]:
    """A row for each ``trace.json`` that can be read, with links that start from the folder of their run."""
    for path in sorted(paths):
        try:
            passage = passage_in(path)
            test = read_json(path).get("test")
        except (OSError, ValueError):
            continue
        took = test.get("duration_ms") if isinstance(test, dict) else 0
        if passage.nodeid and passage.outcome:
            yield _row(path, passage, took if isinstance(took, int) and 0 <= took < 1 << 50 else 0)


def _row(path: Path, passage: Passage, took: int) -> RunRow:
    retry = _RETRY.search(path.parent.name)
    page = path.with_name("trace.html")
    cause = Cause(TEST_ERROR, message=passage.failure, source=passage.failed_at)
    return RunRow(
        passage.nodeid,
        int(retry[1]) if retry else 0,
        passage.outcome,
        passage.started_at,
        took,
        passage.device,
        trace=f"{path.parent.name}/{page.name}" if page.is_file() else "",
        failure=passage.failure[:500],
        message=passage.failure,
        cause=cause if passage.outcome in BROKEN else None,
        steps=len(passage.steps),
        trace_json=f"{path.parent.name}/{path.name}",
    )
