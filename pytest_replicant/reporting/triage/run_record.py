"""What a run knows about each of its tests: small, plain, and able to cross from a worker to its controller."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ..findings import recoverable, recovered, unverified, vacuous_checks

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ...model.secret import Redactor
    from ...model.test_trace import TestFacts, TestTrace
    from ..artifacts.trace_files import TraceFiles

RUN_SCHEMA = "replicant.run/1"


_LISTS = ("vacuous", "warnings", "recovered", "recoverable", "deaths")


@dataclass(frozen=True)
class RunRow:
    """One attempt of one test, redacted. ``trace`` is ``trace.html`` seen from the run's folder, or "".

    ``failure`` is the first line of what failed the test, ``unverified`` why a pass proves little, each
    "" where there is none. ``recovered`` says what failed and was mended, ``recoverable`` what would have been
    where recovery is only reported.
    """

    nodeid: str
    attempt: int
    outcome: str
    started_at: str
    duration_ms: int
    device: str
    trace: str = ""
    failure: str = ""
    unverified: str = ""
    vacuous: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    recovered: tuple[str, ...] = ()
    recoverable: tuple[str, ...] = ()
    deaths: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: it may travel in ``report.user_properties``."""
        return {**asdict(self), **{name: list(getattr(self, name)) for name in _LISTS}}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> RunRow:
        return cls(**{**row, **{name: tuple(row[name]) for name in _LISTS}})


@dataclass(frozen=True)
class RunRecord:
    """A whole run. ``started_at`` is ISO 8601 in UTC."""

    run_id: str
    started_at: str
    duration_ms: int
    rows: tuple[RunRow, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": RUN_SCHEMA,
            "run_id": self.run_id,
            "started_at": self.started_at,
            "duration_ms": self.duration_ms,
            "tests": [row.to_dict() for row in self.rows],
        }


def run_row(trace: TestTrace, files: TraceFiles | None, run_folder: Path, redactor: Redactor) -> RunRow:
    """The row of a test. ``files`` is None where traces are off or were not kept."""
    failure = trace.failures[0].partition("\n")[0] if trace.failures else ""
    return RunRow(
        nodeid=redactor.text(trace.test.nodeid),
        attempt=trace.test.attempt,
        outcome=trace.test.outcome,
        started_at=trace.test.started_at,
        duration_ms=trace.test.duration_ms,
        device=redactor.text(device_name(trace.device)),
        trace=_seen_from(run_folder, files.trace_html if files else None),
        failure=redactor.text(failure)[:500],
        unverified=redactor.text(unverified(trace)),
        vacuous=tuple(redactor.text(line) for line in vacuous_checks(trace)),
        warnings=tuple(redactor.text(line) for line in files.warnings) if files else (),
        recovered=tuple(redactor.text(line) for line in recovered(trace)),
        deaths=tuple(redactor.text(line) for line in trace.deaths),
        recoverable=tuple(redactor.text(line) for line in recoverable(trace)),
    )


def bare_row(facts: TestFacts, redactor: Redactor) -> RunRow:
    """What is certain of a test whose trace could not be read."""
    shown = redactor.text(facts.nodeid)
    return RunRow(shown, facts.attempt, facts.outcome, facts.started_at, facts.duration_ms, "")


def device_name(device: Mapping[str, Any]) -> str:
    """``"Pixel 7, android 14"`` out of a phone's facts; "" where nothing is known."""
    system = " ".join(str(device[key]) for key in ("platform", "os_version") if device.get(key))
    return ", ".join(part for part in (str(device.get("model") or device.get("serial") or ""), system) if part)


def _seen_from(folder: Path, path: Path | None) -> str:
    return "" if path is None else os.path.relpath(path, folder).replace(os.sep, "/")
