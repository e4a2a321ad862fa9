"""A verified step, a tap and the check of what it did, on the virtual phone: time, dumps and commands."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pytest_replicant import by
from pytest_replicant.pool import open_device
from pytest_replicant.session import build_session

from . import against_uiautomator2, settling
from .processes import run_pytest
from .table import Table

STEPS = 30
LEAST_DUMP_MS = 45  # a dump takes 60 on this phone; a stage without one a few
PHONES = (("Android", "virtual:android"), ("iPhone", "virtual:ios"))
SETUPS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("latency 0, no pause between reads", "?latency=0", {"interval": 0.0, "screenshots": False}),
    ("latency 0", "?latency=0", {"screenshots": False}),
    ("default latencies", "", {"screenshots": False}),
    ("default latencies, with screenshots", "", {}),
)


def measure() -> list[Table]:
    return [_verified(), against_uiautomator2.table(), settling.table(), _last_reads()]


def _last_reads() -> Table:
    """How many gestures of the example tests pay for a read of their own, as the trace says."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        run_pytest("-n", "2", "example_app_tests", f"--replicant-output={folder}")
        for path in Path(folder).rglob("trace.json"):
            counts += Counter(_reads(json.loads(path.read_text(encoding="utf-8"))["events"]))
    gestures = sum(counts.values())
    return Table(
        "last_reads",
        "The last read before a gesture",
        "python -m benchmarks verified_step",
        ("gestures of the example tests", "by a read that was made anyway", "share", "with one more"),
        ((gestures, counts["none"], f"{100 * counts['none'] / max(gestures, 1):.0f} %", counts["one"]),),
        "On the default phone, at default latencies. One that follows the read before it within 150 ms goes by "
        "that, and its step takes two dumps. Any other takes three.",
    )


def _reads(events: Iterable[dict[str, Any]]) -> Iterator[str]:
    for event in events:
        result = event.get("result") or {}
        stages = [stage for stage in (result.get("trace") or {}).get("steps", ()) if stage["stage"] == "resolve"]
        if stages:
            yield "one" if sum(stage["duration_ms"] for stage in stages) >= LEAST_DUMP_MS else "none"


def _verified() -> Table:
    rows = tuple(
        (f"{phone}, {name}", *_steps(uri + knobs, settings))
        for name, knobs, settings in SETUPS
        for phone, uri in PHONES
    )
    return Table(
        "verified_step",
        "A verified step",
        "python -m benchmarks verified_step",
        (
            "phone",
            "step ms",
            "of which the phone's own ms",
            "beyond it ms",
            "ratio",
            "dumps",
            "commands",
            "pictures",
        ),
        rows,
        f"Median of {STEPS} steps `mobile.tap(...).expect_state(checked=...)` on a settled screen. Commands are "
        "gestures and other calls apart from dumps and pictures. The box takes its state, and nothing else "
        "changes: so the second read may follow 50 ms after the first one, and a read takes longer than that.",
    )


def _steps(uri: str, settings: dict[str, Any]) -> tuple[object, ...]:
    with open_device(uri) as opened:
        assert opened.phone is not None
        pace = opened.phone.pace
        session, recorder = build_session(opened.driver, **settings)
        session.launch("dev.replicant.shop").expect_screen("Sign in")
        spent: list[float] = []
        own: list[float] = []
        calls = pace.calls.copy()
        for number in range(STEPS):
            waited, began = pace.waited_ms, time.perf_counter()
            session.tap(text="Remember me").expect_state(by(text="Remember me"), checked=number % 2 == 0)
            spent.append((time.perf_counter() - began) * 1000)
            own.append(pace.waited_ms - waited)
        made = pace.calls - calls
        recorder.close()
    step, phone = statistics.median(spent), statistics.median(own)
    commands = sum(count for name, count in made.items() if name not in ("dump", "screenshot"))
    return (
        round(step, 1),
        round(phone),
        round(step - phone, 1),
        round(step / phone, 2) if phone else "-",
        round(made["dump"] / STEPS, 2),
        round(commands / STEPS, 2),
        round(made["screenshot"] / STEPS, 2),
    )
