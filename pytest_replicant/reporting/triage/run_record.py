"""What a run knows about each of its tests: small, plain, and able to cross from a worker to its controller."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from .cause import Cause

if TYPE_CHECKING:
    from collections.abc import Mapping

RUN_SCHEMA = "replicant.run/1"


_LISTS = ("vacuous", "warnings", "recovered", "recoverable", "deaths")


@dataclass(frozen=True)
class SlowStep:
    """One step of a test: its title, its length, and its id in the trace page."""

    title: str
    duration_ms: int
    step: str


@dataclass(frozen=True)
class Healed:
    """A target that was found again by another description. ``target`` is what the test said, ``found`` the
    element it turned out to be, ``selector`` the code that would hold, "" where none is unique."""

    target: str
    found: str
    selector: str
    source: str
    step: str


@dataclass(frozen=True)
class RunRow:
    """One attempt of one test, redacted. ``trace`` is ``trace.html`` seen from the run's folder, or "".

    ``failure`` is the first line of what failed the test, ``message`` all of it up to a length, ``cause`` its
    facts; ``unverified`` why a pass proves little; each "" or None where there is none. ``recovered`` says what
    failed and was mended, ``recoverable`` what would have been where recovery is only reported. ``location`` is
    where the test stands, ``worker`` the process that ran it, "" where that is the run's own. ``steps`` counts
    actions, checks and waits, of which ``slowest`` are a few.
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
    location: str = ""
    worker: str = ""
    message: str = ""
    cause: Cause | None = None
    steps: int = 0
    slowest: tuple[SlowStep, ...] = ()
    healed: tuple[Healed, ...] = ()
    trace_json: str = ""
    trace_zip: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: it may travel in ``report.user_properties``."""
        row = asdict(self)
        return {**row, **{name: list(row[name]) for name in (*_LISTS, "slowest", "healed")}}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> RunRow:
        """Raises ``TypeError`` and ``KeyError`` for what is no row."""
        cause = row["cause"]
        return cls(
            **{
                **row,
                **{name: tuple(row[name]) for name in _LISTS},
                "cause": Cause.from_dict(cause) if cause else None,
                "slowest": tuple(SlowStep(**one) for one in row["slowest"]),
                "healed": tuple(Healed(**one) for one in row["healed"]),
            }
        )


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
