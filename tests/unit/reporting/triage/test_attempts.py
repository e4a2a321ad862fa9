"""Reading a run out of its trace."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_replicant.kept import normalise, read_attempt
from pytest_replicant.model import ElementRecord


def document(**parts: Any) -> dict[str, Any]:
    resolved = {"class_name": "Button", "label": "x", "resource_id": "id/x", "context": ""}
    steps = [{"stage": "resolve", "duration_ms": 2}, {"stage": "execute", "duration_ms": 1}]
    action = {
        "action_id": "a1",
        "action_type": "tap",
        "target": {"selector": "x", "resolved": resolved},
        "trace": {"steps": [*steps, steps[0]]},
    }
    check = {"kind": "expect_visible", "expected": "x", "observed": "absent"}
    events = [
        {"kind": "action", "id": "a1", "title": "tap x", "start_ms": 0, "duration_ms": 5, "after": "s1"},
        {"kind": "check", "id": "check-0", "title": "expect_visible x", "start_ms": 10, "duration_ms": 2},
        {"kind": "wait", "id": "wait-0", "title": "wait_for x", "start_ms": 20, "error": "waited\nin vain"},
    ]
    events[0]["result"], events[1]["check"] = action, check
    logs = [
        {"at_ms": 25, "level": "F", "tag": "A", "message": "third"},
        {"at_ms": 3, "level": "E", "tag": "A", "message": "first"},
        {"at_ms": 4, "level": "I", "tag": "A", "message": "quiet"},
        {"at_ms": 11, "level": "W", "tag": "B", "message": "second"},
    ]
    return {
        "test": {"nodeid": "t.py::t", "outcome": "passed", "started_at": "2026"},
        "device": {"model": "Pixel 7", "platform": "android", "os_version": "14"},
        "events": events,
        "snapshots": {"s1": {"screen": "Cart", "screen_key": "k", "app": "shop", "outline": "../blobs/1.txt"}},
        "logs": logs,
        "failures": [{"message": "no\nmore", "exception": "KeyError", "source": "t.py:3"}],
        "deaths": [{"after": "a1", "text": "shop died"}],
        **parts,
    }


def test_what_each_step_was() -> None:
    run = read_attempt(document(), {"../blobs/1.txt": "Cart\n  [a1] x"}.__getitem__)
    action, check, wait = run.steps
    assert (action.kind, action.name, action.id, check.id, wait.id) == ("action", "tap", "a1", "check-0", "wait-0")
    assert action.target == ElementRecord("Button", "x", "id/x")
    assert action.stages == (("resolve", 4), ("execute", 1))
    assert action.after.outline == ("Cart", "  [a1] x")
    assert (check.expected, check.observed, wait.name, wait.error) == ("x", "absent", "wait_for", "waited")
    assert [step.logs for step in run.steps] == [("E A: first",), ("W B: second",), ("F A: third",)]
    assert (run.device, run.failure, run.failures[0].source) == (
        "Pixel 7, Android 14",
        "KeyError: no",
        "t.py:3",
    )
    assert [(one.after, one.text) for one in run.deaths] == [("a1", "shop died")]


@pytest.mark.parametrize("value", [None, "9", [], math.inf, math.nan, 1e300, True])
def test_a_time_that_is_none_is_zero(value: object) -> None:
    events = [{"kind": "action", "title": "t", "start_ms": value, "duration_ms": value}]
    (step,) = read_attempt(document(events=events)).steps
    assert step.duration_ms == 0


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ('[k020] "Cart, 2 items"', '  [a111] "Cart, 13 items"'),
        ('"12:30"', '"7:05 pm"'),
        ('"£9.90"', '"£1,250.00"'),
        ("ImageView @540,2255", "ImageView @1,2"),
        ('"id 3f2a9c1b"', '"id 99ffab01"'),
        ('"22 November"', '"3 Dec"'),
        ('"Sunday"', '"Monday"'),
    ],
)
def test_what_changes_by_itself_is_masked(line: str, other: str) -> None:
    assert normalise(line) == normalise(other)


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ('[k020] "Cart"', '[k020] "Card"'),
        ('"May I"', '"Can I"'),
        ('CheckBox "x" [checked]', 'CheckBox "x" [unchecked]'),
        ('"deadbeef"', '"feedface"'),
    ],
)
def test_words_are_not_masked(line: str, other: str) -> None:
    assert normalise(line) != normalise(other)


def test_a_run_without_steps_is_one() -> None:
    assert read_attempt(document(events=[])).steps == ()
    assert read_attempt({}).nodeid == ""
