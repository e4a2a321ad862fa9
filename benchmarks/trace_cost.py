"""What the trace costs: the same steps with it and without it, in turns, on one virtual phone."""

from __future__ import annotations

import statistics
import time
from typing import Any

from pytest_replicant import by
from pytest_replicant.pool import OpenDevice, open_device
from pytest_replicant.session import build_session

from .table import Table

ROUNDS = 12
STEPS = 8
SETUPS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("default latencies", "virtual", {}),
    ("latency 0, no pause between reads", "virtual?latency=0", {"interval": 0.0, "quiet": 0.0}),
)


def measure() -> Table:
    rows = tuple((name, *_compared(uri, settings)) for name, uri, settings in SETUPS)
    return Table(
        "trace_cost",
        "What the trace costs",
        "python -m benchmarks trace_cost",
        ("phone", "step without ms", "step with ms", "ratio", "of the processor", "ratio of the processor"),
        rows,
        f"Median of {ROUNDS} rounds of {STEPS} steps `mobile.tap(...).expect_state(...)` each way, in turns, with "
        "`trace` on and off and no pictures, which are counted apart. Processor time is the whole process's, the "
        "virtual phone included. What is written at the end of a test is not in it.",
    )


def _compared(uri: str, settings: dict[str, Any]) -> tuple[object, ...]:
    with open_device(uri) as opened:
        _round(opened, settings, trace=True)  # libraries are loaded, fonts measured
        pairs = [
            (_round(opened, settings, trace=False), _round(opened, settings, trace=True)) for _ in range(ROUNDS)
        ]
    without, with_trace = ([row[index] for row in pairs] for index in (0, 1))
    wall = [statistics.median(row[0] for row in rows) for rows in (without, with_trace)]
    own = [statistics.median(row[1] for row in rows) for rows in (without, with_trace)]
    ratio = statistics.median(b[0] / a[0] for a, b in pairs)
    own_ratio = statistics.median(b[1] / a[1] for a, b in pairs)
    return (
        round(wall[0], 2),
        round(wall[1], 2),
        round(ratio, 3),
        f"{own[0]:.2f} → {own[1]:.2f} ms",
        round(own_ratio, 3),
    )


def _round(opened: OpenDevice, settings: dict[str, Any], *, trace: bool) -> tuple[float, float]:
    """Milliseconds a step: on the clock, and of the processor."""
    session, recorder = build_session(opened.driver, trace=trace, screenshots=False, **settings)
    session.launch("dev.replicant.shop").expect_screen("Sign in")
    began, busy = time.perf_counter(), time.process_time()
    for number in range(STEPS):
        session.tap(text="Remember me").expect_state(by(text="Remember me"), checked=number % 2 == 0)
    took, spent = time.perf_counter() - began, time.process_time() - busy
    recorder.close()
    return took * 1000 / STEPS, spent * 1000 / STEPS
