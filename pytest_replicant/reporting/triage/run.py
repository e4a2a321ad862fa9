"""A whole run from its rows: what became of each test, and which failures have one cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .groups import group
from .phones import phones_of
from .results import results_of
from .run_record import RunRecord

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .run_record import RunRow


def run_of(
    run_id: str,
    started_at: str,
    duration_ms: int,
    rows: Sequence[RunRow],
    environment: Mapping[str, str] | None = None,
) -> RunRecord:
    """``started_at`` is ISO 8601 in UTC; ``environment`` says what it ran with."""
    return RunRecord(
        run_id,
        started_at,
        duration_ms,
        tuple(rows),
        group(rows),
        results_of(rows),
        dict(environment or {}),
        phones_of(rows),
    )
