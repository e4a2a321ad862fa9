"""A verified step, a tap and the check of what it did, on the virtual phone: time, dumps and
commands."""

from __future__ import annotations

import statistics
import time
from typing import Any

from pytest_replicant import by
from pytest_replicant.pool import open_device
from pytest_replicant.session import build_session

from . import settling
from .table import Table

STEPS = 30
PHONES = (("Android", "virtual:android"), ("iPhone", "virtual:ios"))
SETUPS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("latency 0, no pause between reads", "?latency=0", {"interval": 0.0, "screenshots": False}),
    ("latency 0", "?latency=0", {"screenshots": False}),
    ("default latencies", "", {"screenshots": False}),
    ("default latencies, with screenshots", "", {}),
)


def measure() -> list[Table]:
    return [_verified(), settling.table()]


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
        f"Median of {STEPS} steps `mobile.tap(...).expect_state(checked=...)` on a settled screen. "
        "Commands are gestures and other calls apart from dumps and pictures. The box takes its "
        "state, and nothing else changes: so the second read may follow 50 ms after the first "
        "one, and a read takes longer than that.",
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
            session.tap(text="Remember me").expect_state(
                by(text="Remember me"), checked=number % 2 == 0
            )
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
