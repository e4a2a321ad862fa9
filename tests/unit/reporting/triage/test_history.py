"""The last runs in one small file: what is kept, how files are joined, and what is never
believed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.kept_runs import RunRow, Shard, TestCause
from pytest_replicant.reporting import (
    KeptRun,
    TestInRun,
    find_runs,
    history_json,
    history_of,
    joined_history,
    kept_run,
    letters,
    read_history,
    remember,
)

from ..made_rows import row
from .test_runs import keep

A, B = "tests/a.py::test_it", "tests/b.py::test_it"
PASSED = TestInRun("p", "Pixel 7")


def kept(day: int, *rows: RunRow, shard: Shard | None = None, run_id: str = "") -> KeptRun:
    return kept_run(
        run_id or f"run-{day}", f"2026-11-{day:02}T10:00:00.000+00:00", rows, shard=shard
    )


@pytest.mark.parametrize(
    ("rows", "letter"),
    [
        ([row("a")], "p"),
        ([row("a", "recovered")], "r"),
        ([row("a", "failed", "no")], "f"),
        ([row("a", "error", "no")], "e"),
        ([row("a", "infra", "no")], "i"),
        ([row("a", "failed", "no"), row("a", attempt=1)], "k"),
        (
            [
                replace(row("a", "infra", "no"), lost="gone"),
                replace(row("a", attempt=1), requeues=1),
            ],
            "q",
        ),
        ([row("a", "known flaky", "no")], "n"),
        ([row("a", "skipped")], "s"),
        ([row("a", "xfailed")], "x"),
    ],
)
def test_a_run_is_a_letter(rows: list[RunRow], letter: str) -> None:
    run = kept(20, *rows)
    assert letters([kept(19, row("b")), run], A) == f"-{letter}"
    assert letters([run], "another test") == ""


def test_each_failed_attempt_has_its_cause_and_phone_but_for_those_that_lost_it() -> None:
    lost = replace(row("a", "infra", "no"), lost="gone")
    failed = [
        replace(row("a", "failed", "boom", attempt=at), requeues=1, divergence="at step 2")
        for at in (1, 2)
    ]
    (one, other) = kept(20, lost, *failed).tests[A].failures
    assert one == other
    assert (one.title, one.phone, one.parts) == ("E at tests/a.py:7: boom", "Pixel 7", "at step 2")
    assert len(one.key) == 8


def test_a_test_that_the_end_of_the_run_cut_short_did_not_run() -> None:
    cut = row("a", "error", "Interrupted")
    assert cut.cause is not None
    run = kept(20, replace(cut, cause=replace(cut.cause, exception="KeyboardInterrupt")), row("b"))
    assert [*run.tests] == [B]


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    runs = [
        kept(19, row("a", "failed", "no"), row("b"), shard=Shard(1, 2, 2, 4, "f00")),
        kept(20, row("a"), row("cé", "failed", "\x1b[31m</script>")),
    ]
    path = tmp_path / "history.json"
    path.write_bytes(history_json(runs))
    assert read_history(path) == tuple(runs)


def test_runs_are_kept_once_and_only_the_last_twenty() -> None:
    runs = [kept(day, row("a"), *([row("b")] if day == 1 else [])) for day in range(1, 22)]
    known = joined_history([*runs, *reversed(runs)])
    assert [run.ids for run in known] == [(f"run-{day}",) for day in range(2, 22)]
    assert b"tests/b.py" not in history_json(known)  # it has not run for twenty runs
    assert letters(runs, A) == "p" * 20


def test_parts_of_one_plan_are_one_run_however_often_they_are_joined() -> None:
    def part(index: int, day: int, name: str) -> KeptRun:
        return kept(day, row(name), shard=Shard(index, 2, 1, 2, "f00"), run_id=f"{day}-{index}")

    first = joined_history([part(1, 19, "a"), part(2, 19, "b")])
    assert [(run.ids, [*run.tests]) for run in first] == [(("19-1", "19-2"), [A, B])]
    again = joined_history([*first, part(2, 19, "b"), part(1, 20, "a"), part(2, 20, "b")])
    assert [run.ids for run in again] == [("19-1", "19-2"), ("20-1", "20-2")]
    assert letters(again, B) == "pp"


def test_a_run_is_added_to_what_is_known(tmp_path: Path) -> None:
    path = tmp_path / "out" / "history.json"
    runs, problem = remember([kept(19, row("a"))], path)
    assert (letters(runs, A), problem) == ("p", "")
    runs, problem = remember([kept(20, row("a", "failed", "no"))], path)
    assert (letters(runs, A), problem) == ("pf", "")
    assert letters(read_history(path), A) == "pf"


def damaged() -> dict[str, bytes]:
    whole = history_json([kept(20, row("a", "failed", "no"))])

    def changed(**parts: object) -> bytes:
        return json.dumps({**json.loads(whole), **parts}).encode()

    run = [["r"], "2026", "", "", []]
    return {
        "empty": b"",
        "cut short": whole[: len(whole) // 2],
        "nested": b"[" * 100_000,
        "newer": changed(schema="replicant.history/2"),
        "one id twice": changed(runs=[run, run], tests=[]),
        "more runs than are kept": changed(
            runs=[[[str(at)], "2026", "", "", []] for at in range(21)], tests=[]
        ),
        "another letter": changed(tests=[[A, "z", "1", []]]),
        "a cause that is not in it": changed(tests=[[A, "f", "1", [[0, 7, 0, 0]]]]),
        "a cause counted from the end": changed(tests=[[A, "f", "1", [[0, -1, 0, 0]]]]),
    }


@pytest.mark.parametrize("name", damaged())
def test_a_file_that_is_not_whole_counts_as_absent_and_is_reported(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / "history.json"
    path.write_bytes(damaged()[name])
    with pytest.raises(ValueError):  # noqa: PT011  # whichever
        read_history(path)
    runs, problem = remember([kept(20, row("a"))], path)
    assert letters(runs, A) == "p"
    assert problem.startswith("history.json could not be read (")
    assert remember([kept(21, row("a"))], path)[1] == ""


def test_a_file_of_another_tool_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    path.write_text('{"uid": 1}')
    with pytest.raises(ValueError, match="another tool's"):
        remember([kept(20, row("a"))], path)
    assert path.read_text() == '{"uid": 1}'
    found = find_runs([tmp_path])
    assert (found.kept, len(found.foreign), found.troubles) == ((), 1, ())


def test_runs_at_hand_and_histories_are_one_history(tmp_path: Path) -> None:
    cause = TestCause(message="no")
    old = RunRow("t.py::a", 0, "failed", "2026-11-19T10:00:00Z", 9, "Pixel 7", cause=cause)
    (tmp_path / "history.json").write_bytes(
        history_json([kept(19, old), kept(20, row("a"), run_id="r2")])
    )
    keep(
        tmp_path / "r2",
        "r2",
        replace(old, outcome="passed", cause=None),
        began="2026-11-20T10:00:00.000+00:00",
    )
    known = history_of(find_runs([tmp_path]))
    assert [run.ids for run in known] == [("run-19",), ("r2",)]
    assert letters(known, "t.py::a") == "fp"
