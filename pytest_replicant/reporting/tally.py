"""A run in one line: how many tests ended how, and by how many causes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..model import BROKEN
from .printable import counted

if TYPE_CHECKING:
    from .triage.run_record import CauseGroup, RunRecord

_ORDER = ("passed", "recovered", "requeued", "flaky", "xpassed", "xfailed", "skipped", "failed", "error", "infra")


def summary_line(run: RunRecord) -> str:
    """``"18 passed, 4 recovered, 1 flaky, 2 failed, 1 infra (2 causes)"``: tests that use a phone, each once."""
    counts = Counter(result.outcome for result in run.results)
    told = ", ".join(
        counted(counts[name], name) if name == "error" else f"{counts[name]} {name}"
        for name in _ORDER
        if counts[name]
    )
    causes = len(failing(run))
    return f"{told} ({counted(causes, 'cause')})" if causes else told


def headline(run: RunRecord) -> str:
    """``"12 failures, 2 causes"``; "" where nothing failed in the end."""
    failures = sum(result.outcome in BROKEN for result in run.results)
    return f"{counted(failures, 'failure')}, {counted(len(failing(run)), 'cause')}" if failures else ""


def failing(run: RunRecord) -> tuple[CauseGroup, ...]:
    """The causes by which tests ended broken; others passed when they were run again."""
    return tuple(cause for cause in run.causes if cause.failures)


def broken_places(run: RunRecord, cause: CauseGroup) -> list[int]:
    """The rows of a cause that no later attempt came after, one a test."""
    tests: dict[str, int] = {}
    for at in cause.tests:
        if at not in cause.earlier:
            tests.setdefault(run.rows[at].test or run.rows[at].nodeid, at)
    return list(tests.values())
