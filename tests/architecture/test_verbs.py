"""The table of verbs has every call of a session, an outcome and a locator, and nothing else."""

from __future__ import annotations

import inspect

from pytest_replicant.model import TABLE
from pytest_replicant.session import DeviceSession, Expectation, Locator

SCOPES = {"within", "step", "on_interrupt", "recorded", "pause", "attach"}
NARROWS = {"locator", "row", "filter", "nth", "drag_to", "classify"}
"""Calls that describe an element or an outcome, and ask the phone for nothing; ``drag_to`` is ``drag``."""


def _calls(of: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(of, callable) if not name.startswith("_")}


def test_every_call_has_its_row_and_every_row_its_call() -> None:
    called = set().union(*map(_calls, (DeviceSession, Expectation, Locator))) - SCOPES - NARROWS
    older = {f"expect_not_{state}" for state in ("checked", "enabled", "focused", "selected")}  # kept for tests
    assert called | older == {one.name for one in TABLE}
