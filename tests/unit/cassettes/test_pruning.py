"""Which recordings of old runs go, and that nothing else does."""

from __future__ import annotations

import json
import os
from datetime import datetime, timezone
from pathlib import Path

import pytest

from pytest_replicant.cassettes import FILE_NAME
from pytest_replicant.errors import UsageError
from pytest_replicant.kept_runs import carry_out, lines_of, newest_at, plan_of

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


def files(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_size for path in folder.rglob("*") if path.is_file()}


def test_the_newest_runs_are_kept_with_all_that_they_need(report: Path) -> None:
    before = files(report)
    plan = plan_of([report, report], keep=1)
    assert files(report) == before  # a plan does nothing
    carry_out(plan)
    gone = before.keys() - files(report).keys()
    assert gone == {*plan.cassettes, *plan.blobs}
    assert [path.name for path in plan.cassettes] == [FILE_NAME] * 4
    assert plan.freed == sum(before[path] for path in gone) > 0
    said = f"0.0 MB: 4 cassettes and {len(plan.blobs)} blobs of 2 runs"
    assert [lines_of(plan, dry=dry)[0] for dry in (True, False)] == [
        f"would free {said}",
        f"freed {said}",
    ]
    (newest,) = newest_at(str(report), FILE_NAME)
    assert all(newest.blob(name) for name in newest.load().blobs)
    for trace in report.glob("*/*/trace.json"):  # what a page shows is still there
        shown = json.loads(trace.read_text())["snapshots"]["s1"]["blob"]
        assert (trace.parent / shown).is_file()
    assert lines_of(plan_of([report], keep=9), dry=False)[0].startswith("freed nothing")


def test_runs_that_began_before_a_moment_go(report: Path) -> None:
    before = datetime(2026, 11, 4, tzinfo=timezone.utc)
    plan = plan_of([report], before=before.timestamp())
    assert {path.parent.parent.name[:8] for path in plan.cassettes} == {"20261102", "20261103"}
    assert plan_of([report]).cassettes == []


def test_if_a_trace_cannot_be_read_the_blobs_stay(report: Path) -> None:
    next(next(report.glob("20261102*")).glob("*/trace.json")).unlink()
    plan = plan_of([report], keep=2)
    assert (len(plan.cassettes), plan.blobs) == (3, [])
    assert any("its blobs stay, as" in note for note in plan.notes)


@pytest.mark.parametrize(
    "content", [None, "{", '{"schema": "other/1"}', '{"schema": "replicant.run/1"}']
)
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
    run = next(report.glob("20261102*"))
    os.symlink(outside, report / "20261101-link")
    os.symlink(outside / Kept(tape(PASSED)).folder, run / "test-99999999")
    blobs = next(report.glob("20261103*")) / "blobs"
    blobs.rename(tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", blobs)
    before = files(outside), files(tmp_path / "elsewhere")
    plan = plan_of([report], keep=0)
    carry_out(plan)
    assert (files(outside), files(tmp_path / "elsewhere")) == before
    assert sum("a link" in note for note in plan.notes) == 2


def test_a_folder_without_a_run_of_ours_is_a_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such folder"):
        plan_of([tmp_path / "none"], keep=1)
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "cassette.json.gz").write_bytes(b"")
    with pytest.raises(UsageError, match="no run of ours is in it, and nothing was deleted"):
        plan_of([tmp_path], keep=0)
