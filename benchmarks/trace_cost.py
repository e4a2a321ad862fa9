"""What the trace costs: the same steps with it and without it, in turns, on one virtual phone."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from pytest_replicant import by
from pytest_replicant.pool import OpenDevice, open_device
from pytest_replicant.session import DeviceSession, Recorder, build_session

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
        wall, own = in_turns(lambda trace: _round(opened, settings, trace=trace))
    return (
        round(wall.without, 2),
        round(wall.with_it, 2),
        round(wall.ratio, 3),
        f"{own.without:.2f} → {own.with_it:.2f} ms",
        round(own.ratio, 3),
    )


def _round(opened: OpenDevice, settings: dict[str, Any], *, trace: bool) -> Round:
    session, recorder = build_session(opened.driver, trace=trace, screenshots=False, **settings)
    session.launch("dev.replicant.shop").expect_screen("Sign in")
    return timed_steps(session, recorder)


Round = tuple[float, float]
"""Milliseconds a step: on the clock, and of the processor."""


class Compared(NamedTuple):
    """Medians of milliseconds a step, and of the ratios of the rounds."""

    without: float
    with_it: float
    ratio: float


def in_turns(measured: Callable[[bool], Round]) -> tuple[Compared, Compared]:
    """Rounds without something and with it, in turns: on the clock, and of the processor."""
    measured(True)  # libraries are loaded, fonts measured
    pairs = [(measured(False), measured(True)) for _ in range(ROUNDS)]
    wall, own = (
        Compared(
            statistics.median(without[of] for without, _ in pairs),
            statistics.median(with_it[of] for _, with_it in pairs),
            statistics.median(with_it[of] / without[of] for without, with_it in pairs),
        )
        for of in (0, 1)
    )
    return wall, own


def timed_steps(session: DeviceSession, recorder: Recorder) -> Round:
    """On the shop's first screen, which is launched here."""
    session.launch("dev.replicant.shop").expect_screen("Sign in")
    began, busy = time.perf_counter(), time.process_time()
    for number in range(STEPS):
        session.tap(text="Remember me").expect_state(by(text="Remember me"), checked=number % 2 == 0)
    took, spent = time.perf_counter() - began, time.process_time() - busy
    recorder.close()
    return took * 1000 / STEPS, spent * 1000 / STEPS
