"""Failures by their causes: which of them are one thing gone wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .results import results_of
from .run_record import CauseGroup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .run_record import RunRow


def group(rows: Sequence[RunRow]) -> tuple[CauseGroup, ...]:
    """The causes of what broke, that of the most tests first."""
    places: dict[object, list[int]] = {}
    for index, row in enumerate(rows):
        if row.is_broken and row.cause is not None:
            cause = row.cause
            places.setdefault((cause.crash, cause.exception, cause.message), []).append(index)
    last = {at for result in results_of(rows) for at in result.attempts if _is_last(rows, result.attempts, at)}
    groups = [_group(rows, found, last) for found in places.values()]
    return tuple(sorted(groups, key=lambda one: (-one.failures, -len(one.tests), one.tests)))


def _is_last(rows: Sequence[RunRow], attempts: tuple[int, ...], at: int) -> bool:
    return rows[at].attempt == rows[attempts[-1]].attempt


def _group(rows: Sequence[RunRow], found: list[int], last: set[int]) -> CauseGroup:
    cause = rows[found[0]].cause
    assert cause is not None
    failures = len({rows[at].test or rows[at].nodeid for at in found if at in last})
    title = cause.crash or cause.message
    return CauseGroup(title, cause, tuple(found), failures, tuple(at for at in found if at not in last))
