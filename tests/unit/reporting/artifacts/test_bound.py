"""What is written of a run that may not take more: pictures go first, traces of failures last."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.model import Attachment, Redactor
from pytest_replicant.reporting import TraceFiles, write_trace
from pytest_replicant.reporting.artifacts.storage import ArtifactBound, NoRoom

from ..factory import tiny_trace
from ..story import failing_story


def written(folder: Path, megabytes: float, *, news: bool) -> TraceFiles:
    story = failing_story()
    facts = replace(story.test, outcome="failed" if news else "passed")
    trace = replace(story, test=facts, attachments=(Attachment("notes", "text/plain", b"x" * 1000),))
    return write_trace(trace, folder, "run", Redactor(), bound=ArtifactBound(megabytes))


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> float:
    """Megabytes that the story takes without a bound."""
    folder = tmp_path_factory.mktemp("whole")
    assert written(folder, 0, news=True).warnings == ()
    return size_of(folder) / 1e6


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.01, 0.3, 0.9, 100.0])
def test_a_passing_test_stays_under_it_and_says_what_was_lost(tmp_path: Path, whole: float, share: float) -> None:
    files = written(tmp_path, whole * share, news=False)
    assert size_of(tmp_path) <= whole * share * 1e6
    assert ["replicant_max_artifacts_mb" in line for line in files.warnings] == [True] * (share < 1)


@pytest.mark.slow
def test_the_trace_of_a_failure_is_written_all_the_same(tmp_path: Path, whole: float) -> None:
    files = written(tmp_path, whole * 0.0001, news=True)
    assert files.trace_html is not None
    assert files.trace_json is not None
    assert json.loads(files.trace_json.read_text("utf-8"))["test"]["outcome"] == "failed"
    assert "replicant_max_artifacts_mb" in files.warnings[0]


def test_pictures_go_before_hierarchies() -> None:
    bound = ArtifactBound(1)
    bound.spend("used", 650_000)
    with pytest.raises(NoRoom, match=r"replicant_max_artifacts_mb = 1\)"):
        bound.check("picture", 1, news=False)
    bound.check("hierarchy", 1, news=False)
    bound.check("picture", 1, news=True)
    bound.spend("more", 200_000)
    with pytest.raises(NoRoom):
        bound.check("trace", 1, news=False)
    bound.check("trace", 1, news=True)


def test_workers_share_it_and_a_file_written_again_counts_once() -> None:
    bound = ArtifactBound(1, workers=4)
    for _ in range(9):
        bound.spend("trace.json", 100_000)
    bound.check("trace", 90_000, news=False)
    with pytest.raises(NoRoom, match="4 workers share it"):
        bound.check("trace", 110_000, news=False)
    ArtifactBound(0).check("picture", 10**15, news=False)


def test_a_blob_that_is_there_already_needs_no_room(tmp_path: Path) -> None:
    write_trace(tiny_trace(), tmp_path, "run", Redactor())
    again = tiny_trace(nodeid="test_x.py::test_other")
    files = write_trace(again, tmp_path, "run", Redactor(), bound=ArtifactBound(0.02))
    assert not any("hierarchy" in line or "screenshot" in line for line in files.warnings)
