"""A plugin that takes the time of a run's tests, of the phone's pictures, and of what is written after a test."""

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

_METERED = ((AndroidDriver, "screenshot", "pictures"), (Publisher, "publish", "writing"))
_spent = {"tests": 0.0, "pictures": 0.0, "writing": 0.0}


def _timed(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def timed(*args: Any, **more: Any) -> Any:
        began = time.perf_counter()
        try:
            return call(*args, **more)
        finally:
            _spent[name] += time.perf_counter() - began

    return timed


def pytest_runtestloop(session: pytest.Session) -> None:
    for owner, method, name in _METERED:
        setattr(owner, method, _timed(name, getattr(owner, method)))
    _spent["tests"] = time.perf_counter()


def pytest_sessionfinish() -> None:
    _spent["tests"] = time.perf_counter() - _spent["tests"]
    Path(os.environ["REPLICANT_METER"]).write_text(json.dumps(_spent), encoding="utf-8")
