"""A worker that dies or is stopped in the middle of a test: the test is in every report, and the
others ran."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET

import pytest

from tests.conftest import Run, outcomes_of, run_record

from .test_junit import facts

pytest.importorskip("xdist")

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SOURCE = """
import os

def start(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_before(mobile):
    start(mobile)

def test_dies(mobile):
    start(mobile)
    os._exit(3)

def test_after(mobile):
    start(mobile)
"""


@pytest.mark.parametrize("schedule", ["load", "worksteal"])
def test_the_test_is_in_every_report(run: Run, pytester: pytest.Pytester, schedule: str) -> None:
    files = ("--replicant-output=out", "--junitxml=junit.xml", "--html=report.html")
    result = run(SOURCE, "-n", "1", "--dist", schedule, *files)
    result.assert_outcomes(passed=2, failed=1)
    assert outcomes_of(pytester.path) == {
        "test_before": "passed",
        "test_dies": "error",
        "test_after": "passed",
    }
    (died,) = (row for row in run_record(pytester.path)["tests"] if row["outcome"] == "error")
    assert died["cause"]["failure_class"] == "WorkerDied"
    assert died["worker"] == "gw0"
    assert died["location"].endswith(".py:9")
    result.stdout.fnmatch_lines(
        [
            "1 failure, 1 cause",
            "ERROR WorkerDied",
            "  test: *::test_dies, line 9 on gw0",
            "replicant: 2 passed, 1 error (1 cause) on *",
        ]
    )
    cases = {
        case.attrib["name"]: case for case in ET.parse(pytester.path / "junit.xml").iter("testcase")
    }
    assert len(cases) == 3
    assert facts(cases["test_dies"])["failure_class"] == ["WorkerDied"]
    (error,) = cases["test_dies"].iter("error")
    assert "crashed while running" in error.attrib["message"]
    assert "test_dies" in (pytester.path / "report.html").read_text("utf-8")


def test_a_rerun_after_a_death_is_flaky(run: Run, pytester: pytest.Pytester) -> None:
    once = (
        "if not os.path.exists('tried'):\n        open('tried', 'w').close()\n        os._exit(3)"
    )
    source = SOURCE.replace("os._exit(3)", once)
    result = run(source, "-n", "1", "--reruns=1", "--replicant-output=out")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        [
            "flaky (1):",
            "  *::test_dies passed at attempt 2; attempt 1: *died*",
            "replicant: 2 passed, 1 flaky on *",
        ]
    )


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C reaches processes in another way")
def test_ctrl_c_leaves_the_row_of_the_test_that_was_running(
    run: Run, pytester: pytest.Pytester
) -> None:
    """A terminal sends it to the controller and to the worker; who runs in the background may
    ignore it."""
    pytester.makeconftest("import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)")
    stop = "[os.kill(each, signal.SIGINT) for each in (os.getppid(), os.getpid())]"
    source = "import signal\n" + SOURCE.replace("os._exit(3)", stop)
    result = run(source, "-n", "1", "--replicant-output=out")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert outcomes_of(pytester.path) == {"test_before": "passed", "test_dies": "error"}
    (run_file,) = (pytester.path / "out").glob("*/run.json")
    assert all(
        (run_file.parent / row["trace"]).is_file() for row in run_record(pytester.path)["tests"]
    )
    assert [path.name for path in run_file.parent.glob("*.json")] == ["run.json"]
