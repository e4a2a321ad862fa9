"""Which recordings of old runs go, and that nothing else does."""

from __future__ import annotations

import json
import os
from datetime import datetime, timezone
from pathlib import Path

import pytest

from pytest_replicant.cassettes import FILE_NAME
from pytest_replicant.errors import UsageError
from pytest_replicant.kept import carry_out, lines_of, newest_at, plan_of

from .kept import Kept, keep, tape

PASSED, FAILED, LATE = "passed", "failed", "late"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Three runs: the oldest has a failure and a pass that share screens, and a late one."""
    report = tmp_path / "replicant-report"
    keep(report, Kept(tape(FAILED)), Kept(tape(PASSED), attempt=1), Kept(tape(LATE)))
    keep(report, Kept(tape(PASSED)), began="2026-11-03T10:00:00Z")
    keep(report, Kept(tape(PASSED)), began="2026-11-04T10:00:00+00:00")
    return report


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_the_newest_runs_are_kept_with_all_that_they_need(report: Path) -> None:
    before = files(report)
    whole = size(report)
    plan = plan_of([report], keep=1)
    assert files(report) == before  # a plan does nothing
    carry_out(plan)
    gone = before - files(report)
    assert {path.name for path in plan.cassettes} == {"cassette.json.gz"}
    assert gone == {path.relative_to(report).as_posix() for path in (*plan.cassettes, *plan.blobs)}
    assert len(plan.cassettes) == 4
    assert plan.freed == whole - size(report) > 0
    assert not any(name.endswith(("trace.json", "trace.html", "run.json")) for name in gone)
    newest = newest_at(str(report), FILE_NAME)
    assert len(newest) == 1
    for name in newest[0].load().blobs:
        assert newest[0].blob(name)
    for trace in report.glob("*/*/trace.json"):  # what a page shows is still there
        shown = json.loads(trace.read_text())["snapshots"]["s1"]["blob"]
        assert (trace.parent / shown).is_file()


def test_runs_that_began_before_a_moment_go(report: Path) -> None:
    before = datetime(2026, 11, 4, tzinfo=timezone.utc)
    plan = plan_of([report], before=before.timestamp())
    assert {path.parent.parent.name[:8] for path in plan.cassettes} == {"20261102", "20261103"}
    assert plan_of([report], before=0).cassettes == []


def test_a_bound_takes_the_oldest_and_failures_last(report: Path) -> None:
    everything = plan_of([report], max_bytes=0)
    order = [(path.parent.parent.name[:8], path.parent.name) for path in everything.cassettes]
    folders = [Kept(tape(PASSED), attempt=1).folder, Kept(tape(LATE)).folder]
    assert sorted(order[:2]) == sorted(("20261102", folder) for folder in folders)
    assert order[2:] == [
        ("20261103", Kept(tape(PASSED)).folder),
        ("20261104", Kept(tape(PASSED)).folder),
        ("20261102", Kept(tape(FAILED)).folder),
    ]
    assert everything.left == 0
    total = everything.freed
    assert plan_of([report], max_bytes=total).cassettes == []
    one = plan_of([report], max_bytes=total - 1)
    assert len(one.cassettes) == 1
    assert one.left == total - one.freed < total


def test_a_screen_that_another_cassette_of_the_run_needs_stays(tmp_path: Path) -> None:
    run = keep(tmp_path, Kept(tape(FAILED)), Kept(tape(PASSED), attempt=1))
    shared = set(tape(FAILED).cassette.blobs) & set(tape(PASSED).cassette.blobs)
    assert len(shared) > 2
    assert shared & {path.name for path in plan_of([run], keep=0).blobs}
    one = plan_of([run], max_bytes=plan_of([run], keep=0).freed - 1)
    assert {path.parent.name for path in one.cassettes} == {Kept(tape(PASSED), attempt=1).folder}
    assert not shared & {path.name for path in one.blobs}
    carry_out(one)
    left = newest_at(str(run), FILE_NAME)
    assert len(left) == 1
    for name in left[0].load().blobs:
        assert left[0].blob(name) is not None


def test_where_a_trace_cannot_be_read_the_blobs_stay(report: Path) -> None:
    run = next(report.glob("20261102*"))
    (next(run.glob("*/trace.json"))).unlink()
    plan = plan_of([report], keep=2)
    assert len(plan.cassettes) == 3
    assert plan.blobs == []
    assert any("its blobs stay, as" in note and "has no trace.json" in note for note in plan.notes)


def test_where_a_cassette_cannot_be_read_the_blobs_stay(report: Path) -> None:
    run = next(report.glob("20261102*"))
    broken = sorted(run.glob("*/cassette.json.gz"))[0]
    broken.write_bytes(b"broken")
    plan = plan_of([report], keep=2)
    assert broken in plan.cassettes
    assert plan.blobs == []
    assert any("one of its cassettes cannot be read" in note for note in plan.notes)


@pytest.mark.parametrize("content", [None, "{", '{"schema": "other/1"}', '{"schema": "replicant.run/1"}'])
def test_only_runs_of_ours_that_have_ended_are_touched(report: Path, content: str | None) -> None:
    run = next(report.glob("20261102*"))
    (run / "run.json").unlink()
    if content is not None:
        (run / "run.json").write_text(content)
    plan = plan_of([report], keep=0)
    assert not any(path.is_relative_to(run) for path in (*plan.cassettes, *plan.blobs))
    assert len(plan.cassettes) == 2
    assert any(str(run) in note and "passed over" in note for note in plan.notes)


def test_no_link_is_followed(report: Path, tmp_path: Path) -> None:
    outside = keep(tmp_path / "outside", Kept(tape(PASSED)))
    before = files(outside)
    run = next(report.glob("20261102*"))
    os.symlink(outside, report / "20261101-link")
    os.symlink(outside / Kept(tape(PASSED)).folder, run / "test-99999999")
    blobs = next(report.glob("20261103*")) / "blobs"
    (blobs.parent / "elsewhere").mkdir()
    for blob in blobs.iterdir():
        blob.rename(blobs.parent / "elsewhere" / blob.name)
    blobs.rmdir()
    os.symlink(blobs.parent / "elsewhere", blobs)
    plan = plan_of([report], keep=0)
    carry_out(plan)
    assert files(outside) == before
    assert len(list((blobs.parent / "elsewhere").iterdir())) > 3
    assert sum("a link" in note for note in plan.notes) == 2


def test_a_folder_without_a_run_of_ours_is_a_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such folder"):
        plan_of([tmp_path / "none"], keep=1)
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "cassette.json.gz").write_bytes(b"")
    with pytest.raises(UsageError, match="no run of ours is in it, and nothing was deleted"):
        plan_of([tmp_path], keep=0)


def test_it_says_what_it_frees(report: Path) -> None:
    plan = plan_of([report, report], keep=1)
    blobs = len(plan.blobs)
    assert lines_of(plan, dry=True)[0].startswith("would free 0.0 MB: 4 cassettes and ")
    assert f"{blobs} blobs of 2 runs; 0.0 MB of cassettes would be left" in lines_of(plan, dry=True)[0]
    assert lines_of(plan_of([report], keep=9), dry=False)[0].startswith("freed nothing")
