"""The table of verbs has every call of a session, an outcome and a locator, and nothing else."""

from __future__ import annotations

import inspect

from pytest_replicant.model import TABLE
from pytest_replicant.session import DeviceSession, Expectation, Locator

SCOPES = {"within", "step", "on_interrupt", "recorded", "pause", "attach"}
NARROWS = {"locator", "row", "filter", "nth", "drag_to", "classify"}
"""Calls that describe an element or an outcome, and ask the phone for nothing; ``drag_to`` is
``drag``."""


def _calls(of: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(of, callable) if not name.startswith("_")}


def test_every_call_has_its_row_and_every_row_its_call() -> None:
    called = set().union(*map(_calls, (DeviceSession, Expectation, Locator))) - SCOPES - NARROWS
    older = {
        f"expect_not_{state}" for state in ("checked", "enabled", "focused", "selected")
    }  # kept for tests
    assert called | older == {one.name for one in TABLE}


def test_what_looks_for_an_image_takes_the_source_that_it_looks_at() -> None:
    calls = {
        name: inspect.signature(getattr(DeviceSession, name)) for name in _calls(DeviceSession)
    }
    by_picture = {name for name, call in calls.items() if "source" in call.parameters} - {"drag"}
    refusing = {one.name for one in TABLE if one.proves == "absence"}  # no picture proves it
    assert by_picture - refusing == {one.name for one in TABLE if one.image}


def test_the_words_of_a_step_are_arguments_of_its_call() -> None:
    for one in TABLE:
        owner = DeviceSession if hasattr(DeviceSession, one.name) else Expectation
        if one.words is None or one.state:
            continue
        parameters = list(inspect.signature(getattr(owner, one.name)).parameters.values())[1:]
        needed = [
            each
            for each in parameters
            if each.default is each.empty and each.kind < each.VAR_KEYWORD
        ]
        assert len(needed) <= len(one.words.split()) <= len(parameters), one.name
