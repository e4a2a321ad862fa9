"""Reading a run out of its trace."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.kept_runs import RecordedAttempt, attempt_in, normalise, recorded
from pytest_replicant.model import LogRecord, Redactor, TestTrace

from ..factory import HOSTILE, hostile_trace, tiny_trace, written
from ..story import failing_story

READABLE = [
    text for name, text in HOSTILE.items() if name != "half a pair"
]  # which UTF-8 cannot hold


def kept(trace: TestTrace, folder: Path) -> RecordedAttempt:
    return attempt_in(written(trace, folder).folder / "trace.json")


@pytest.mark.parametrize("trace", [failing_story(), tiny_trace(), *map(hostile_trace, READABLE)])
def test_an_attempt_is_read_from_its_files_as_it_was_recorded(
    trace: TestTrace, tmp_path: Path
) -> None:
    assert kept(trace, tmp_path) == recorded(trace, Redactor())


def test_what_each_step_was(tmp_path: Path) -> None:
    lines = ((3, "E", "first"), (4, "I", "quiet"), (99_000, "F", "last"))
    logs = tuple(LogRecord(at, level, "A", said) for at, level, said in lines)
    run = kept(replace(failing_story(), logs=logs), tmp_path)
    first, *_, last = run.steps
    assert (first.kind, first.name, first.id, first.selector) == ("action", "launch", "a0", "")
    assert (first.logs, last.logs) == (("E A: first",), ("F A: last",))
    assert first.after is run.screens[first.after.id]
    assert first.after.outline[0] == 'Screen "Sign in"'
    assert run.device == "Pixel 7, Android 14"


@pytest.mark.parametrize(
    ("field", "value"), [("start_ms", "9"), ("duration_ms", None), ("kind", "a"), ("more", 1)]
)
def test_a_wrong_field_is_refused_with_its_place(field: str, value: object, tmp_path: Path) -> None:
    file = written(failing_story(), tmp_path).folder / "trace.json"
    document = json.loads(file.read_bytes())
    document["events"][2][field] = value
    file.write_text(json.dumps(document))
    with pytest.raises(
        ValueError, match=r"events\[2\].*" if field != "more" else "no field 'more'"
    ):
        attempt_in(file)


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
