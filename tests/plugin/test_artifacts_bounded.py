"""Disks that are full, closed or gone, and bounds that are reached: every test ends as it would
have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run, trace_records

pytestmark = [pytest.mark.slow, pytest.mark.thorough]
PICTURES = True  # some tests here look at them

SOURCE = """
def test_passes(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.tap(text="Forgot password?").expect_screen("Reset password")

def test_fails(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Nowhere", timeout=0.1)
"""

FULL_DISK = """
import resource
def pytest_runtestloop():
    resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
"""

NO_REPLACE = """
import errno, os
def refuse(*paths):
    raise OSError(errno.ENOSPC, "No space left on device")
os.replace = refuse
"""

VANISHING = """
import shutil, pytest
@pytest.fixture(autouse=True)
def cleaner(request):
    yield
    shutil.rmtree(request.config.rootpath / "out", ignore_errors=True)
"""

BROKEN_SPOOL = """
import tempfile
def refuse(*more, **others):
    raise FileNotFoundError(2, "No usable temporary directory found")
tempfile.TemporaryFile = refuse
"""


def test_a_full_disk_costs_evidence_and_no_result(run: Run, pytester: pytest.Pytester) -> None:
    pytest.importorskip("resource")
    pytester.makeconftest(
        FULL_DISK.format(limit=40_000)
    )  # which leaves room for what pytest itself writes
    result = run(SOURCE, "--replicant-output=out", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["not recorded in full*", "*File too large*"])
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
    assert "ResourceWarning" not in result.stderr.str()
    assert not list((pytester.path / "out").rglob(".writing-*"))


@pytest.mark.parametrize("conftest", [NO_REPLACE, BROKEN_SPOOL], ids=["replace", "spool"])
def test_a_disk_that_refuses_midway(run: Run, pytester: pytest.Pytester, conftest: str) -> None:
    pytester.makeconftest(conftest)
    result = run(SOURCE, "--replicant-output=out", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["not recorded in full*", "*the test's result stands*"])
    assert not list((pytester.path / "out").rglob(".writing-*"))
    for document in trace_records(pytester.path):
        assert {event["before"] for event in document["events"]} - {None} <= set(
            document["snapshots"]
        )


def test_a_folder_that_vanishes_is_made_again(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(VANISHING)
    run(SOURCE, "--replicant-output=out").assert_outcomes(passed=1, failed=1)
    assert list((pytester.path / "out").glob("*/index.html"))


@pytest.mark.parametrize("output", ["x" * 200 + "/" + "y" * 300, "a-file/below", "/proc/none"])
def test_an_output_that_is_no_folder(run: Run, pytester: pytest.Pytester, output: str) -> None:
    (pytester.path / "a-file").write_text("in the way")
    result = run(SOURCE, f"--replicant-output={output}")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["not recorded in full*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert (pytester.path / "a-file").read_text() == "in the way"


MANY = """
import pytest

@pytest.mark.parametrize("number", range(4))
def test_passes(mobile, number):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.tap(text="Forgot password?").expect_screen("Reset password")
    mobile.attach("noise", bytes(150_000), "application/octet-stream")

def test_zz_fails(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Nowhere", timeout=0.1)
"""


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_run_keeps_to_its_bound(run: Run, pytester: pytest.Pytester, workers: str) -> None:
    ini = "replicant_max_artifacts_mb = 0.7\n"
    result = run(MANY, "--replicant-output=out", "-n", workers, ini=ini)
    result.assert_outcomes(passed=4, failed=1)
    size = sum(path.stat().st_size for path in _written(pytester.path / "out"))
    assert 100_000 < size <= 700_000
    result.stdout.fnmatch_lines(["not recorded in full*", "*replicant_max_artifacts_mb = 0.7*"])
    (trace,) = (pytester.path / "out").glob("*/*test-zz-fails*/trace.json")
    assert json.loads(trace.read_text("utf-8"))["test"]["outcome"] == "failed"
    assert trace.with_name("trace.html").is_file()


def _written(output: Path) -> list[Path]:
    """What tests left there; what is said of the run as a whole is apart."""
    apart = {"index.html", "run.json", "failures.txt", "history.json"}
    return [path for path in output.rglob("*") if path.is_file() and path.name not in apart]


def test_a_run_s_folder_taken_alone_is_whole(run: Run, pytester: pytest.Pytester) -> None:
    run(SOURCE, "--replicant-output=out", "--junitxml=junit.xml").assert_outcomes(
        passed=1, failed=1
    )
    (run_file,) = (pytester.path / "out").glob("*/run.json")
    moved = run_file.parent.rename(pytester.path / "moved")
    document = json.loads((moved / "run.json").read_text("utf-8"))
    named = [
        moved / row[name]
        for row in document["tests"]
        for name in ("screenshot", "trace", "trace_json")
    ]
    for path in moved.glob("*/trace.json"):
        records = json.loads(path.read_text("utf-8"))["snapshots"].values()
        blobs = [blob for record in records for blob in (record["blob"], record["outline"])]
        blobs += [record["screenshot"]["blob"] for record in records if record["screenshot"]]
        named += [path.parent / blob for blob in blobs]
    assert len(named) > 12
    assert [
        path for path in named if not path.resolve().is_relative_to(moved) or not path.is_file()
    ] == []
