"""What is written of a run that may not take more: pictures go first, traces of failures last."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.model import Attachment, Redactor
from pytest_replicant.reporting import TraceFiles, write_trace
from pytest_replicant.reporting.artifacts.storage import ArtifactBound

from ..factory import tiny_trace
from ..story import failing_story


def written(folder: Path, megabytes: float, *, news: bool) -> TraceFiles:
    story = failing_story()
    facts = replace(story.test, outcome="failed" if news else "passed")
    trace = replace(
        story, test=facts, attachments=(Attachment("notes", "text/plain", b"x" * 1000),)
    )
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
def test_a_passing_test_stays_under_it_and_says_what_was_lost(
    tmp_path: Path, whole: float, share: float
) -> None:
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


def test_failures_have_what_passes_leave_and_workers_share_it() -> None:
    bound = ArtifactBound(1, workers=4)
    for _ in range(9):
        bound.spend("trace.json", 100_000)  # written again, it counts once
    assert bound.refusal(80_000, news=False) == ""
    refused = [
        bound.refusal(*size, news=news) for size, news in (((90_000,), False), ((160_000,), True))
    ]
    assert all("replicant_max_artifacts_mb = 1, 4 workers share it" in one for one in refused)
    assert bound.refusal(140_000, news=True) == ArtifactBound(0).refusal(10**15, news=False) == ""


def test_a_blob_that_is_there_already_needs_no_room(tmp_path: Path) -> None:
    write_trace(tiny_trace(), tmp_path, "run", Redactor())
    again = tiny_trace(nodeid="test_x.py::test_other")
    files = write_trace(again, tmp_path, "run", Redactor(), bound=ArtifactBound(0.02))
    assert not any("hierarchy" in line or "screenshot" in line for line in files.warnings)
