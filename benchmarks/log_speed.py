"""What reading a phone's log costs, beside a pattern that is only matched against each of its lines."""

from __future__ import annotations

import gc
import re
import time
from typing import TYPE_CHECKING

from pytest_replicant.logs import parse_log, read_crashes
from pytest_replicant.logs.logcat import THREADTIME

from .captures import corpus
from .table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

LINES = 10_000
ROUNDS = 9
_PLAIN = re.compile(THREADTIME.pattern, THREADTIME.flags & ~re.MULTILINE)
_WORDS = ("Config changes=20", "Slow operation: 812ms so far", "{1.0 ?mcc?mnc [en_US] ldltr}", "onPause: x=1, y=2")
_TRACE = (
    "FATAL EXCEPTION: main",
    "Process: com.example.shop, PID: 4058",
    "java.lang.RuntimeException: Unable to start activity",
    "\tat android.app.ActivityThread.performLaunchActivity(ActivityThread.java:3449)",
    "Caused by: java.lang.NullPointerException: no cart",
    "\tat com.example.shop.CartStore.total(CartStore.kt:42)",
    "\t... 11 more",
)


def measure() -> Table:
    texts = {"made-up lines": made_up(LINES), "the same, each of two lines": broken(made_up(LINES // 2))}
    if (real := _real()) is not None:
        texts["lines of a real phone, over and over"] = real
    rows = tuple(_row(name, text) for name, text in texts.items())
    return Table(
        "log_speed",
        "A phone's log",
        "python -m benchmarks log_speed",
        (f"{LINES:,} lines", "matched line by line ms", "read ms", "ratio", "deaths read ms"),
        rows,
        f"Processor time, the least of {ROUNDS} rounds in turns. Matched line by line is `re.match` of the same "
        "pattern alone, without a value of what it found. Lines that are no entry belong to the one above them.",
    )


def made_up(count: int) -> str:
    """As ``logcat -v threadtime`` prints it, with a crash now and then."""
    lines = []
    for number in range(count):
        stamp = f"11-22 10:{number // 6000 % 60:02d}:{number // 100 % 60:02d}.{number % 1000:03d}"
        turn = number % 500
        if turn < len(_TRACE):
            lines.append(f"{stamp}  4058  4058 E AndroidRuntime: {_TRACE[turn]}")
        else:
            lines.append(
                f"{stamp}  {1000 + turn:4}  {1000 + turn:4} I Tag{turn % 7:<5}: {_WORDS[turn % 4]} {number}"
            )
    return "\n".join([*lines, ""])


def broken(text: str) -> str:
    """As a log looks that another program has wrapped."""
    return text.replace("\n", "\n  and what did not fit\n")


def _real() -> str | None:
    folder = corpus()
    paths = sorted((folder / "logs").rglob("*logcat.txt")) if folder is not None else []
    if not paths:
        return None
    text = paths[0].read_text(encoding="utf-8")
    lines = (text * (LINES // text.count("\n") + 1)).split("\n")
    return "\n".join([*lines[:LINES], ""])


def _row(name: str, text: str) -> tuple[object, ...]:
    lines = text.split("\n")
    plain, read, deaths = _least(
        lambda: [_PLAIN.match(line) for line in lines], lambda: parse_log(text), lambda: read_crashes(text)
    )
    return name, plain * 1000, read * 1000, read / plain, deaths * 1000


def _least(*works: Callable[[], object]) -> list[float]:
    least = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for number, work in enumerate(works):
            gc.collect()
            began = time.process_time()
            work()
            least[number] = min(least[number], time.process_time() - began)
    return least
