"""A trace as calls: nesting, times, logs, errors, and the version of the format."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pytest_replicant.model import (
    RaisedError,
    Read,
    Redactor,
    TestTrace,
    shortened,
)
from pytest_replicant.reporting import write_trace, zip_of

from ..factory import recovered_trace, tiny_trace, with_parts
from ..story import failing_story

Event = dict[str, Any]


def _events(trace: TestTrace, divergence: dict[str, Any] | None = None) -> list[Event]:
    with TemporaryDirectory() as folder:
        files = write_trace(trace, Path(folder), "run", Redactor(), divergence)
        with zipfile.ZipFile(BytesIO(zip_of(files.folder))) as archive:
            return list(map(json.loads, archive.read("trace.trace").splitlines()))


def _of(events: list[Event], kind: str) -> list[Event]:
    return [event for event in events if event["type"] == kind]


def _logs(events: list[Event], call: str) -> list[str]:
    return [event["message"] for event in _of(events, "log") if event["callId"] == call]


def test_the_first_line_says_what_test_it_was_and_when() -> None:
    first = _events(failing_story())[0]
    assert (first["type"], first["version"], first["origin"]) == (
        "context-options",
        8,  # a newer one is refused by the viewer
        "library",
    )
    assert first["title"] == failing_story().test.nodeid
    assert first["wallTime"] == 1_795_202_332_004
    assert first["browserName"] == "Android 14"
    assert first["options"]["viewport"] == {"width": 412, "height": 916}


def test_every_call_begins_and_ends_once_and_not_before_its_parent() -> None:
    events = _events(failing_story())
    begun = {event["callId"]: event for event in _of(events, "before")}
    ended = {event["callId"]: event for event in _of(events, "after")}
    assert list(begun) == list(ended)
    assert len(_of(events, "before")) == len(begun) == 15
    for name, event in begun.items():
        assert event["startTime"] <= ended[name]["endTime"]
        if parent := event.get("parentId"):
            assert begun[parent]["startTime"] < event["startTime"]
            assert ended[parent]["endTime"] >= ended[name]["endTime"]
    assert len({event["startTime"] for event in begun.values()}) == len(begun), "an order for each"


def test_a_failure_is_reported_by_what_failed_and_by_nothing_else() -> None:
    ended = _of(_events(failing_story()), "after")
    errors = {one["callId"]: one["error"]["message"] for one in ended if "error" in one}
    assert set(errors) == {"group-0", "group-1", "check-4"}
    assert len(set(errors.values())) == 1


def test_what_no_call_failed_by_is_a_call_of_its_own() -> None:
    failures = (
        RaisedError("no", "KeyError", "tests/test_a.py:3", "setup"),
        RaisedError("", "", "", "call"),
    )
    events = _events(replace(tiny_trace("error"), failures=failures))
    begun = {event["callId"]: event for event in _of(events, "before")}
    assert begun["failure-0"]["title"] == "setup: KeyError"
    assert begun["failure-0"]["stack"] == [
        {"file": "tests/test_a.py", "line": 3, "column": 0, "function": ""}
    ]
    ended = {event["callId"]: event for event in _of(events, "after")}
    assert ended["failure-0"]["error"] == {"name": "KeyError", "message": "no"}
    assert ended["failure-1"]["error"]["message"] == "failure", (
        "the viewer shows no error without words"
    )


def test_a_second_entry_of_one_action_has_a_name_of_its_own_and_braces_are_not_filled_in() -> None:
    event = replace(tiny_trace().events[0], title="tap {target} {")
    begun = _of(_events(replace(tiny_trace(), events=(event, event))), "before")
    assert [one["callId"] for one in begun] == ["a1", "step-1", "end"]
    assert begun[0]["title"] == "tap ｛target｝ {"


def test_a_read_that_was_none_is_no_evidence_and_each_line_lies_within_its_call() -> None:
    events = _events(recovered_trace("failed"))
    assert _logs(events, "check-0") == [
        "verify: failure, 2000 ms · observed: absent; reads: 16",
        "read: absent · not yet",
        "read: read failed: the phone said nothing · no read",
        'read: interrupt: text="Rate us" · no read',
        "read (2 reads): absent · not yet",
    ]
    starts, ends = (
        {one["callId"]: one[at] for one in _of(events, kind)}
        for kind, at in (("before", "startTime"), ("after", "endTime"))
    )
    assert all(
        starts[one["callId"]] <= one["time"] <= ends[one["callId"]] for one in _of(events, "log")
    )


def test_thousands_of_reads_are_a_bounded_log() -> None:
    trace = tiny_trace()
    reads = tuple(Read(number / 100, f"state {number}", False) for number in range(5000))
    logs = _logs(
        _events(with_parts(trace, checks=[replace(trace.checks[0], reads=reads)])), "check-0"
    )
    assert len(logs) == 300 + 1
    assert any("more lines" in line for line in logs)
    assert "state 4999" in logs[-1]


def test_the_end_lists_recoveries_deaths_missing_parts_and_what_differed() -> None:
    parted = {
        "sentence": "Since the last pass",
        "evidence": [{"kind": "tree", "text": "one more", "lines": ['+ [k1] Text "Sold out"']}],
    }
    trace = replace(recovered_trace("failed"), losses=("screenshot of s1 not stored: disk full",))
    logged = _logs(_events(trace, {"step": "", "baseline": "", "source": "", **parted}), "end")
    assert logged[:3] == [
        "unlike the last pass: Since the last pass",
        "tree: one more",
        '+ [k1] Text "Sold out"',
    ]
    assert [shortened(text, 40) for text in logged[3:]] == [
        "died: dev.replicant.shop died: no cart …",
        "recovered: ELEMENT_NOT_FOUND of tap (a1…",
        "recovery would have been tried: VERIFIC…",
        "recovery in vain: ELEMENT_NOT_FOUND of …",
        "warning: screenshot of s1 not stored: d…",
    ]
