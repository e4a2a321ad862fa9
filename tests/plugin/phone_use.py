"""Which phone each test used, and when, as its trace says; and whether two had one phone at once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from pathlib import Path


@dataclass(frozen=True)
class Use:
    """From the first thing that a test did with a phone to the last, in epoch seconds."""

    phone: str
    test: str
    begin: float
    end: float


def uses(*outputs: Path) -> list[Use]:
    return [_use(path) for output in outputs for path in sorted(output.glob("*/*/trace.json"))]


def _use(path: Path) -> Use:
    trace = json.loads(path.read_text(encoding="utf-8"))
    start = datetime.fromisoformat(trace["test"]["started_at"]).timestamp()
    spans = [(each["start_ms"], each["start_ms"] + each["duration_ms"]) for each in trace["events"]]
    assert spans, f"{path}: a test that used no phone"
    begin, end = min(each[0] for each in spans), max(each[1] for each in spans)
    return Use(trace["device"]["uri"], trace["test"]["nodeid"], start + begin / 1000, start + end / 1000)


def overlaps(found: Iterable[Use]) -> list[tuple[Use, Use]]:
    return [
        (one, other)
        for one, other in combinations(sorted(found, key=lambda use: use.begin), 2)
        if one.phone == other.phone and other.begin < one.end
    ]
