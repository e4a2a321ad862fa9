"""Finding and merging runs: shards, copies, nightly runs, and files that are none."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.kept_runs import DeathCause, RunRow, TestCause
from pytest_replicant.model import plain
from pytest_replicant.reporting import FoundRow, find_runs, latest, linked_from

ROW = RunRow("t.py::a", 0, "passed", "2026-11-20T10:00:00Z", 900, "Pixel 7", trace="a/trace.html")
BROKEN = replace(ROW, outcome="failed", failure="no", cause=TestCause(message="no"))


def keep(
    folder: Path, run_id: str, *rows: RunRow, began: str = "2026-11-20T10:00:00Z", **parts: Any
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    document = {
        "schema": "replicant.run/2",
        "run_id": run_id,
        "started_at": began,
        "duration_ms": 1000,
        "tests": plain(rows),
        **parts,
    }
    (folder / "run.json").write_text(json.dumps(document), "utf-8")
    return folder


def standing(folder: Path) -> list[RunRow]:
    return [found.row for found in latest(find_runs([folder]).runs)]


def test_runs_are_found_at_any_depth_in_the_order_in_which_they_began(tmp_path: Path) -> None:
    keep(tmp_path / "night-2" / "artifact" / "deep", "r2", ROW, began="2026-11-22T00:00:00Z")
    keep(tmp_path, "r1", replace(ROW, started_at="2026-11-21"), began="2026-11-21T00:00:00Z")
    keep(tmp_path / "blobs", "never", ROW)
    found = find_runs([tmp_path])
    assert [run.run_id for run in found.runs] == ["r1", "r2"]
    assert (found.foreign, found.troubles) == ((), ())


def test_shards_of_one_run_are_one_run(tmp_path: Path) -> None:
    other = replace(ROW, nodeid="t.py::b")
    keep(tmp_path / "shard-1", "r1", ROW, began="2026-11-20T10:00:05Z")
    keep(tmp_path / "shard-2", "r1", other, duration_ms=5000)
    (run,) = find_runs([tmp_path]).runs
    assert {found.row.nodeid for found in run.rows} == {"t.py::a", "t.py::b"}
    assert (run.started_at, run.duration_ms, len(run.folders)) == ("2026-11-20T10:00:00Z", 5000, 2)


def test_a_replay_is_passed_over_and_said_where_it_is_asked_for(tmp_path: Path) -> None:
    keep(tmp_path / "r1", "r1", ROW)
    other = replace(BROKEN, started_at="2026-11-21")
    asked = keep(tmp_path / "r2-replay", "r2-replay", other, replay={"run": "r1"})
    (asked / "t-0a1b2c3d").mkdir()
    (asked / "t-0a1b2c3d" / "trace.json").write_text("{}")
    found = find_runs([tmp_path])
    assert ([run.run_id for run in found.runs], found.troubles) == (["r1"], ())
    renamed = keep(tmp_path / "download", "r3", other, replay={"run": "r1"})
    for folder in (asked, renamed):
        found = find_runs([folder])
        assert found.runs == ()
        (trouble,) = found.troubles
        assert trouble.endswith("run.json: a replay, which says nothing of how its tests stand")


def test_a_copy_counts_once(tmp_path: Path) -> None:
    one = keep(tmp_path / "one", "r1", ROW, BROKEN)
    shutil.copytree(one, tmp_path / "two")
    keep(tmp_path / "merged", "triage-1", ROW, BROKEN)
    for roots in ([tmp_path], [tmp_path, tmp_path], [tmp_path / "one", tmp_path / "two"]):
        (run,) = find_runs(roots).runs
        assert [found.row for found in run.rows] == [ROW, BROKEN]


def test_a_test_stands_as_the_newest_run_that_it_took_part_in_says(tmp_path: Path) -> None:
    keep(
        tmp_path / "1", "r1", BROKEN, replace(ROW, nodeid="t.py::old"), began="2026-11-20T10:00:00Z"
    )
    again = replace(ROW, started_at="2026-11-21T10:00:00Z")
    keep(
        tmp_path / "2",
        "r2",
        replace(again, outcome="failed"),
        replace(again, attempt=1),
        began="2026-11-21",
    )
    rows = standing(tmp_path)
    assert [(row.nodeid, row.attempt, row.outcome) for row in rows] == [
        ("t.py::old", 0, "passed"),
        ("t.py::a", 0, "failed"),
        ("t.py::a", 1, "passed"),
    ]


def test_on_another_kind_of_phone_it_is_a_test_of_its_own(tmp_path: Path) -> None:
    """A job for each of two versions: that it passes on one takes nothing from its failure on the
    other."""
    on_11, on_14 = (
        replace(BROKEN, device="Pixel, Android 11"),
        replace(ROW, device="Pixel, Android 14"),
    )
    keep(tmp_path / "11", "r1", on_11, began="2026-11-20T10:00:00Z")
    keep(tmp_path / "14", "r2", replace(on_14, nodeid=BROKEN.nodeid), began="2026-11-20T10:00:01Z")
    rows = standing(tmp_path)
    expected = [
        (f"{BROKEN.nodeid} on Pixel, Android {version}", outcome)
        for version, outcome in ((11, "failed"), (14, "passed"))
    ]
    assert [(row.nodeid, row.outcome) for row in rows] == expected
    keep(tmp_path / "merged", "triage-1", *rows, began="2026-11-20T10:00:00Z")
    again = standing(tmp_path)
    assert [(row.nodeid, row.outcome) for row in again] == expected


def test_a_newer_run_with_both_kinds_of_phones_counts_alone(tmp_path: Path) -> None:
    old = replace(BROKEN, device="Pixel, Android 11")
    keep(tmp_path / "1", "r1", old, began="2026-11-20T10:00:00Z")
    new = replace(
        ROW, nodeid=BROKEN.nodeid, device="Pixel, Android 14", started_at="2026-11-21T10:00:00Z"
    )
    other = replace(
        ROW, nodeid="t.py::other", device="Pixel, Android 11", started_at="2026-11-21T10:00:00Z"
    )
    keep(tmp_path / "2", "r2", new, other, began="2026-11-21T10:00:00Z")
    rows = standing(tmp_path)
    assert [(row.nodeid, row.outcome) for row in rows] == [
        (BROKEN.nodeid, "passed"),
        ("t.py::other", "passed"),
    ]


BAD = {
    "empty": "",
    "cut short": '{"schema": "replicant.run/2", "tests": [',
    "of tomorrow": '{"schema": "replicant.run/3", "tests": []}',
    "no tests": '{"schema": "replicant.run/2"}',
    "a list": "[]",
    "nested": "[" * 100_000,
}


@pytest.mark.parametrize("name", BAD)
def test_a_broken_file_is_reported_and_the_others_are_read(tmp_path: Path, name: str) -> None:
    keep(tmp_path / "good", "r1", ROW)
    (tmp_path / "run.json").write_text(BAD[name])
    found = find_runs([tmp_path])
    assert [run.run_id for run in found.runs] == ["r1"]
    (trouble,) = found.troubles
    assert str(tmp_path / "run.json") in trouble


def test_another_tools_file_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"name": "somebody else\'s"}')
    found = find_runs([tmp_path])
    assert (found.runs, found.troubles, len(found.foreign)) == ((), (), 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names on this system")
def test_a_pipe_and_a_link_to_itself_are_reported(tmp_path: Path) -> None:
    keep(tmp_path / "good", "r1", ROW)
    os.mkfifo(tmp_path / "run.json")
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / "run.json").symlink_to(tmp_path / "loop" / "run.json")
    found = find_runs([tmp_path])
    assert len(found.runs) == 1
    assert len(found.troubles) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": None},
        {"warnings": [1]},
        {"cause": "x"},
        {"slowest": [{"title": 1, "duration_ms": 2, "step": ""}]},
    ],
)
def test_a_file_with_anything_wrong_in_a_row_is_refused_with_the_place(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    keep(tmp_path, "r1", tests=[plain(ROW), {**plain(ROW), **change}])
    found = find_runs([tmp_path])
    assert found.runs == ()
    assert f"run.json: tests[1].{next(iter(change))}" in found.troubles[0]


def test_a_run_of_the_version_before_is_read(tmp_path: Path) -> None:
    old = {"failure_class": "TestError", "message": "no", "step": "a1", "subject": "", "late": ""}
    died = {**old, "failure_class": "AppCrash", "crash": "java.lang.Error"}
    rows = [{**plain(BROKEN), "cause": cause} for cause in (old, died)]
    keep(tmp_path, "r1", schema="replicant.run/1", tests=rows, causes=[{"cause": old}])
    (run,) = find_runs([tmp_path]).runs
    assert [type(found.row.cause) for found in run.rows] == [TestCause, DeathCause]


@pytest.mark.parametrize(
    "link",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "C:/x",
        "javascript:alert(1)",
        "a\\..\\..\\x",
        "a/../../b",
        "\0",
    ],
)
def test_a_link_out_of_its_run_leads_nowhere(tmp_path: Path, link: str) -> None:
    found = FoundRow(replace(ROW, trace=link, trace_json=link), tmp_path)
    assert found.opens(link) is None
    assert linked_from(found, tmp_path).trace == ""


def test_links_are_seen_from_the_new_place(tmp_path: Path) -> None:
    row = linked_from(FoundRow(ROW, tmp_path / "out" / "r1"), tmp_path / "merged" / "m")
    assert row.trace == "../../out/r1/a/trace.html"
    assert row.trace_json == ""
