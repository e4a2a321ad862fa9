"""What a call says in the viewer's log: how each stage went, what each read saw, what it changed."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from .wording import line, spelled_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .calls import Call

MOST_LINES = 300
"""Lines of one call; from the middle of more, some are left out."""

_NO_READ = ("read failed: ", "interrupt: ")
"""How a read begins that is evidence of nothing."""

Line = tuple[float, str]


def log_lines(call: Call, diff: Mapping[str, Any] | None) -> list[Line]:
    """In the order in which it happened, every line at its moment within the call."""
    said = [*_stages(call), *_reads(call), *_touch(call)]
    said.sort(key=lambda one: one[0])
    if diff is not None:
        said += [(call.end, line(text)) for text in (f"changed: {diff['summary']}", *diff["lines"])]
    if len(said) > MOST_LINES:
        half = MOST_LINES // 2
        left_out = (said[half][0], f"… {len(said) - MOST_LINES} more lines")
        said = [*said[:half], left_out, *said[-half:]]
    return [(min(max(at, call.start), call.end), text) for at, text in said]


def stages_of(call: Call) -> Sequence[Mapping[str, Any]]:
    stages: Sequence[Mapping[str, Any]] = (call.record.get("trace") or {}).get("steps", ())
    return stages


def moment_of(call: Call, stage: Mapping[str, Any]) -> float:
    """When a stage began. Its stamp is a date, of which only the distance from the first is known to fit."""
    began: int = stages_of(call)[0]["timestamp"]
    return call.start + float(stage["timestamp"] - began)


def _stages(call: Call) -> Iterator[Line]:
    for stage in stages_of(call):
        attempt = f" (attempt {stage['attempt_index'] + 1})" if stage["attempt_index"] > 0 else ""
        by = f" by {stage['policy']}" if stage.get("policy") else ""
        notes = "; ".join(f"{name}: {value}" for name, value in spelled_pairs(stage.get("metadata", {})).items())
        told = f"{stage['stage']}{attempt}{by}: {stage['result']}, {stage['duration_ms']} ms"
        yield moment_of(call, stage), line(f"{told} · {notes}" if notes else told)


def _reads(call: Call) -> Iterator[Line]:
    alike = groupby(call.record.get("reads", ()), key=lambda read: (read["observed"], read["held"]))
    for (observed, held), reads in alike:
        first, *others = reads
        verdict = "held" if held else "no read" if observed.startswith(_NO_READ) else "not yet"
        count = f" ({1 + len(others)} reads)" if others else ""
        yield call.start + first["at"] * 1000, line(f"read{count}: {observed} · {verdict}")


def _touch(call: Call) -> Iterator[Line]:
    if call.touch:
        points = " → ".join(f"({x}, {y})" for x, y in call.touch)
        executed = next((one for one in stages_of(call) if one["stage"] == "execute"), None)
        yield moment_of(call, executed) if executed else call.start, f"touch at {points}"
