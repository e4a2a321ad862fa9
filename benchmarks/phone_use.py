"""Which test used which phone, and when, by the traces that they left; and whether two did at
once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, order=True)
class Use:
    """From the first action to the last one, in seconds since 1970."""

    phone: str
    begin: float
    end: float
    test: str


def uses_in(report: Path) -> Iterator[Use]:
    """Of every test below the folder that did anything on its phone."""
    for path in sorted(report.rglob("trace.json")):
        trace = json.loads(path.read_text(encoding="utf-8"))
        events = trace["events"]
        if not events:
            continue
        began = datetime.fromisoformat(trace["test"]["started_at"]).timestamp()
        last = max(event["start_ms"] + event["duration_ms"] for event in events)
        first = min(event["start_ms"] for event in events)
        phone = f"{trace['device']['uri']} {trace['device']['serial']}"
        yield Use(phone, began + first / 1000, began + last / 1000, trace["test"]["nodeid"])


def overlaps(uses: Iterable[Use]) -> list[tuple[Use, Use]]:
    """Pairs of tests that used one phone at the same time."""
    found: list[tuple[Use, Use]] = []
    latest: Use | None = None
    for use in sorted(uses):
        if latest is not None and latest.phone == use.phone and use.begin < latest.end:
            found.append((latest, use))
        if latest is None or latest.phone != use.phone or use.end > latest.end:
            latest = use
    return found
