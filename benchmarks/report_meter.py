"""A plugin that takes the time of a run's tests, of the phone's pictures, and of what is written
after a test; and the processor time of all of it, without the virtual phone's drawing."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.reporting.publisher import Publisher
from pytest_replicant.virtual.shell.commands import pictures

_METERED: tuple[tuple[Any, str, str, Callable[[], float]], ...] = (
    (AndroidDriver, "screenshot", "pictures", time.perf_counter),
    (Publisher, "publish", "writing", time.perf_counter),
    (pictures, "render_png", "drawing", time.thread_time),
)
_spent = {"tests": 0.0, "processor": 0.0, "pictures": 0.0, "writing": 0.0, "drawing": 0.0}


def _timed(name: str, call: Callable[..., Any], clock: Callable[[], float]) -> Callable[..., Any]:
    def timed(*args: Any, **more: Any) -> Any:
        began = clock()
        try:
            return call(*args, **more)
        finally:
            _spent[name] += clock() - began

    return timed


def pytest_runtestloop(session: pytest.Session) -> None:
    for owner, method, name, clock in _METERED:
        setattr(owner, method, _timed(name, getattr(owner, method), clock))
    _spent["tests"], _spent["processor"] = time.perf_counter(), time.process_time()


def pytest_sessionfinish() -> None:
    _spent["tests"] = time.perf_counter() - _spent["tests"]
    _spent["processor"] = time.process_time() - _spent["processor"] - _spent.pop("drawing")
    Path(os.environ["REPLICANT_METER"]).write_text(json.dumps(_spent), encoding="utf-8")
