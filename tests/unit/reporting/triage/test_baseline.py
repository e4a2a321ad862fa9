"""Finding the last pass: in folders of traces, in the cache, and never in what is broken or
foreign."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.kept_runs import attempt_in, recorded
from pytest_replicant.model import RaisedError, Redactor, TestTrace
from pytest_replicant.reporting import Baselines, Divergence, TraceFolders, write_trace

from ..factory import HOSTILE, hostile_trace, snapshot, tiny_trace, written

NOTHING = Redactor()


def compare(baselines: Baselines, trace: TestTrace, redactor: Redactor = NOTHING) -> Divergence:
    return baselines.compare(trace.test.nodeid, recorded(trace, redactor), redactor)


def a_pass(began: str = "2026-11-20T19:00:00Z", **changes: Any) -> TestTrace:
    trace = tiny_trace("passed")
    return replace(trace, test=replace(trace.test, started_at=began), **changes)


def a_failure() -> TestTrace:
    """The tap led nowhere."""
    trace = tiny_trace("failed")
    stuck = replace(trace.snapshots["s1"], id="s2")
    events = (trace.events[0], replace(trace.events[1], error="expect_screen Catalogue: Sign in"))
    failures = (RaisedError("expect_screen Catalogue: Sign in", "ExpectationFailed"),)
    return replace(
        trace, snapshots={**trace.snapshots, "s2": stuck}, events=events, failures=failures
    )


def keyed(trace: TestTrace) -> TestTrace:
    return replace(
        trace,
        snapshots={
            name: replace(one, screen_key=one.screen) for name, one in trace.snapshots.items()
        },
    )


def sentence(baselines: Baselines) -> str:
    return compare(baselines, keyed(a_failure())).sentence


DIVERGED = (
    'Diverged at step 1 of 2, tap text="Sign in": the last pass went on to '
    '"Catalogue", this run reached "Sign in".'
)


def test_the_newest_pass_in_a_folder_of_many_runs_wins(tmp_path: Path) -> None:
    write_trace(keyed(a_pass("2026-11-20T10:00:00Z")), tmp_path, "20261120", NOTHING)
    write_trace(keyed(a_pass("2026-11-22T10:00:00Z")), tmp_path, "20261122", NOTHING)
    write_trace(keyed(a_pass("2026-11-21T10:00:00Z")), tmp_path, "20261121", NOTHING)
    write_trace(keyed(tiny_trace("recovered")), tmp_path, "20261123", NOTHING)
    write_trace(keyed(tiny_trace("failed")), tmp_path, "20261124", NOTHING)
    divergence = compare(Baselines(tmp_path, None), keyed(a_failure()))
    assert divergence.sentence == DIVERGED
    assert "20261122" in divergence.baseline
    assert divergence.baseline.endswith("(2026-11-22T10:00:00Z)")
    assert divergence.step == "a1"


@pytest.mark.parametrize("inner", ["", "20261120", "20261120/nested"])
def test_a_run_a_test_and_a_nested_download_are_folders_too(tmp_path: Path, inner: str) -> None:
    files = write_trace(keyed(a_pass()), tmp_path / "nested" / "deep", "20261120", NOTHING)
    folder = {"": tmp_path, "20261120": files.folder.parent, "20261120/nested": files.folder}[inner]
    assert sentence(Baselines(folder, None)) == DIVERGED


def test_of_passes_before_and_after_a_moment_the_one_before_counts(tmp_path: Path) -> None:
    for began in ("2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z", "2026-11-23T10:00:00Z"):
        write_trace(a_pass(began), tmp_path, began[:10], NOTHING)
    digest = next(tmp_path.glob("*/*/trace.json")).parent.name[-8:]
    now = recorded(a_failure(), NOTHING)
    found = TraceFolders((tmp_path,)).last_pass(now, digest, "2026-11-22T00:00:00Z")
    assert found is not None
    assert found.started_at == "2026-11-21T10:00:00Z"
    first = TraceFolders((tmp_path,)).last_pass(now, digest, "2026-11-01T00:00:00Z")
    assert first is not None
    assert first.started_at == "2026-11-23T10:00:00Z"


def test_a_replay_is_no_baseline(tmp_path: Path) -> None:
    write_trace(keyed(a_pass("2026-11-20T10:00:00Z")), tmp_path, "20261120", NOTHING)
    write_trace(keyed(a_pass("2026-11-22T10:00:00Z")), tmp_path, "20261122-replay", NOTHING)
    write_trace(keyed(tiny_trace("holds on the recording")), tmp_path, "20261123", NOTHING)
    divergence = compare(Baselines(tmp_path, None), keyed(a_failure()))
    assert divergence.baseline.endswith("(2026-11-20T10:00:00Z)")


def test_another_test_or_platform_is_no_baseline(tmp_path: Path) -> None:
    written(a_pass(), tmp_path)
    other = replace(a_failure(), test=replace(a_failure().test, nodeid="t.py::other"))
    elsewhere = replace(a_failure(), device={**a_failure().device, "platform": "ios"})
    for failure in (other, elsewhere):
        compared = compare(Baselines(tmp_path, None), failure)
        assert compared.sentence == f"No earlier pass of this test is at hand: none in {tmp_path}."
        assert (compared.step, compared.baseline, compared.evidence) == ("", "", ())


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    assert sentence(Baselines(tmp_path / "x", None)).endswith(f"{tmp_path / 'x'} is no folder.")
    assert sentence(Baselines(None, None)) == "No earlier pass of this test is at hand."


BROKEN = {
    "empty": b"",
    "cut short": b'{"schema": "replicant.trace/2", "test": {',
    "no object": b"[]",
    "another schema": b'{"schema": "replicant.trace/9", "test": {"outcome": "passed"}}',
    "not UTF-8": b"\xff\xfe\x00",
    "nested": b"[" * 200_000,
    "nothing in it": b'{"schema": "replicant.trace/2"}',
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_trace_is_no_baseline_and_no_crash(tmp_path: Path, name: str) -> None:
    files = written(a_pass(), tmp_path)
    assert files.trace_json is not None
    files.trace_json.write_bytes(BROKEN[name])
    assert sentence(Baselines(tmp_path, None)).startswith("No earlier pass")


@pytest.mark.parametrize("name", ["trace", "test", "events", "snapshots", "logs", "device"])
def test_a_trace_that_is_not_whole_is_no_pass(tmp_path: Path, name: str) -> None:
    files = written(a_pass(), tmp_path)
    assert files.trace_json is not None
    document = json.loads(files.trace_json.read_text("utf-8"))
    files.trace_json.write_text(json.dumps({**document, name: [[]]}))
    assert sentence(Baselines(tmp_path, None)).startswith("No earlier pass")


def test_a_trace_names_no_other_file_of_this_machine(tmp_path: Path) -> None:
    secret = tmp_path / "private.txt"
    secret.write_text("Sign in\nthe key of the house\n")
    forged = tmp_path / "blobs" / f"{'0' * 32}.txt"
    forged.parent.mkdir()
    forged.symlink_to(secret)
    files = written(keyed(a_pass()), tmp_path)
    assert files.trace_json is not None
    document = json.loads(files.trace_json.read_text("utf-8"))
    for path in (
        "../../private.txt",
        str(secret),
        f"../../blobs/{'0' * 32}.txt",
        "../../blobs",
        "\0",
    ):
        document["snapshots"]["s2"]["outline"] = path
        files.trace_json.write_text(json.dumps(document))
        assert all(step.after.outline == () for step in attempt_in(files.trace_json).steps), path


def test_the_cache_holds_the_last_pass(tmp_path: Path) -> None:
    baselines = Baselines(None, tmp_path / "cache")
    assert sentence(baselines).startswith("No earlier pass")
    baselines.keep(keyed(a_pass()), NOTHING)
    divergence = compare(baselines, keyed(a_failure()))
    assert divergence.sentence == DIVERGED
    assert divergence.baseline == "the cache of an earlier run (2026-11-20T19:00:00Z)"
    (kept,) = (tmp_path / "cache").iterdir()
    baselines.keep(keyed(a_pass("2026-11-21T19:00:00Z")), NOTHING)
    assert list((tmp_path / "cache").iterdir()) == [kept]
    assert "2026-11-21" in compare(baselines, a_failure()).baseline


def test_a_folder_that_was_asked_for_goes_before_the_cache(tmp_path: Path) -> None:
    written(a_pass("2026-11-01T00:00:00Z"), tmp_path / "out")
    both = Baselines(tmp_path / "out", tmp_path / "cache")
    both.keep(a_pass("2026-11-20T00:00:00Z"), NOTHING)
    assert "2026-11-01" in compare(both, a_failure()).baseline
    empty = Baselines(tmp_path / "none", tmp_path / "cache")
    assert "2026-11-20" in compare(empty, a_failure()).baseline


def test_no_secret_is_cached(tmp_path: Path) -> None:
    redactor = Redactor(["Catalogue", "ada@example.com"])
    trace = a_pass(
        snapshots={"s2": snapshot("s2", "Catalogue", 'Catalogue\n[a1] "ada@example.com"', 0)}
    )
    Baselines(None, tmp_path).keep(trace, redactor)
    (kept,) = tmp_path.iterdir()
    assert b"ada@example.com" not in gzip.decompress(kept.read_bytes())
    assert b"Catalogue" not in gzip.decompress(kept.read_bytes())
    Baselines(None, tmp_path).keep(trace, NOTHING)
    assert b"ada@example.com" in gzip.decompress(kept.read_bytes())


def test_a_pass_that_is_too_large_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_replicant.reporting.triage.baseline.LARGEST_PASS", 100)
    Baselines(None, tmp_path).keep(a_pass(), NOTHING)
    assert not [*tmp_path.iterdir()]


def test_a_secret_learnt_since_is_not_reported(tmp_path: Path) -> None:
    baselines = Baselines(None, tmp_path)
    baselines.keep(keyed(a_pass()), NOTHING)
    compared = str(compare(baselines, keyed(a_failure()), Redactor(["Catalogue"])))
    assert "Catalogue" not in compared


zipped = partial(gzip.compress, mtime=0)


@pytest.mark.parametrize("data", [b"", BROKEN["cut short"], zipped(b"[]"), zipped(b"{}")[:-3]])
def test_a_broken_cache_is_no_baseline(tmp_path: Path, data: bytes) -> None:
    baselines = Baselines(None, tmp_path)
    baselines.keep(a_pass(), NOTHING)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(data)
    assert sentence(baselines).startswith("No earlier pass")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_traces_are_compared(tmp_path: Path, name: str) -> None:
    hostile = hostile_trace(HOSTILE[name])
    baselines = Baselines(None, tmp_path)
    baselines.keep(replace(hostile, test=replace(hostile.test, outcome="passed")), NOTHING)
    divergence = compare(baselines, hostile)
    assert divergence.baseline or name == "half a pair"  # which no file can name
    assert divergence.sentence.isprintable()
