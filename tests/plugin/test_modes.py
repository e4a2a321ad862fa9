"""What is kept of which test: every mode of traces and pictures, over every way a test can end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run, run_record

from .test_recovery import POLICY, RENAMED

pytestmark = [pytest.mark.slow, pytest.mark.thorough]
PICTURES = True  # some tests here look at them

SOURCE = """
import pytest
from pytest_replicant import DeviceError, by

START = "dev.replicant.shop"

@pytest.fixture
def breaks_late(mobile):
    yield
    raise RuntimeError("late")

def test_passes(mobile):
    mobile.launch(START).expect_screen("Sign in")

def test_fails(mobile):
    mobile.launch(START).expect_screen("Nowhere", timeout=0.1)

def test_breaks_late(mobile, breaks_late):
    mobile.launch(START).expect_screen("Sign in")

@pytest.mark.xfail
def test_expected_to_fail(mobile):
    mobile.launch(START).expect_screen("Nowhere", timeout=0.1)

def test_skips(mobile):
    mobile.launch(START).expect_screen("Sign in")
    pytest.skip("not today")

def test_phone_trouble(mobile):
    mobile.launch(START).expect_screen("Sign in")
    raise DeviceError("gone")

def test_soft(mobile):
    mobile.launch(START).soft.expect_screen("Nowhere", timeout=0.1)

class Times:
    count = 0

@pytest.mark.flaky(reruns=1)
def test_flaky(mobile):
    Times.count += 1
    mobile.launch(START).expect_screen("Sign in" if Times.count > 1 else "Nowhere", timeout=0.2)
"""
NEWS = {"fails", "breaks-late", "phone-trouble", "soft", "flaky"}
COMPARED = {*NEWS, "flaky-retry1"}
"""With the pass that a failure before it is compared with."""
ALL = {"passes", "expected-to-fail", "skips", "flaky-retry1", *NEWS}


def kept(output: Path) -> tuple[set[str], set[str]]:
    """Tests by name whose trace was kept, and of those the ones whose screens have pictures."""
    traces = {path: json.loads(path.read_text("utf-8")) for path in output.glob("*/*/trace.json")}
    assert {path.parent for path in traces} == {
        path.parent for path in output.glob("*/*/trace.html")
    }
    pictured = [
        trace
        for path, trace in traces.items()
        for shown in trace["snapshots"].values()
        if shown["screenshot"] and (path.parent / shown["screenshot"]["blob"]).is_file()
    ]
    return set(map(_name, traces.values())), set(map(_name, pictured))


def _name(trace: Any) -> str:
    test = trace["test"]
    name = test["nodeid"].rpartition("::test_")[2].replace("_", "-")
    return f"{name}-retry{test['attempt']}" if test["attempt"] else str(name)


@pytest.mark.parametrize(
    ("trace", "screenshot", "traces", "pictures"),
    [
        ("on", "on", ALL, ALL),
        ("on", "only-on-failure", ALL, NEWS),
        ("retain-on-failure", "on", COMPARED, COMPARED),
        ("off", "on", set(), set()),
    ],
)
def test_what_is_kept(
    run: Run,
    pytester: pytest.Pytester,
    trace: str,
    screenshot: str,
    traces: set[str],
    pictures: set[str],
) -> None:
    options = (
        f"--replicant-trace={trace}",
        f"--replicant-screenshot={screenshot}",
        "--replicant-output=out",
    )
    result = run(SOURCE, *options)
    counted = result.parseoutcomes()
    assert [counted[name] for name in ("passed", "failed", "errors", "skipped", "xfailed")] == [
        3,
        2,
        2,
        1,
        1,
    ]
    assert kept(pytester.path / "out") == (traces, pictures)
    assert (pytester.path / "out").exists() is bool(traces)


def test_a_recovered_and_an_interrupted_test_are_kept_as_failures_are(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(POLICY)
    source = """
def test_passes(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_stopped(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    raise KeyboardInterrupt
"""
    options = ("--replicant-trace=retain-on-failure", "--replicant-screenshot=only-on-failure")
    run(RENAMED + source, *options, "--replicant-output=out")
    assert kept(pytester.path / "out") == ({"renamed", "stopped"},) * 2


INI = """
replicant_trace = retain-on-failure
replicant_screenshot = off
replicant_output = from-ini
replicant_recovery = report
"""


def test_ini_keys_stand_where_no_flag_is_given(run: Run, pytester: pytest.Pytester) -> None:
    run(SOURCE, "-k", "passes or fails", ini=INI).assert_outcomes(passed=1, failed=1)
    assert kept(pytester.path / "from-ini") == ({"fails"}, set())
    flags = ("--replicant-trace=on", "--replicant-screenshot=on", "--replicant-output=out")
    run(SOURCE, "-k", "passes or fails", *flags, ini=INI).assert_outcomes(passed=1, failed=1)
    assert kept(pytester.path / "out") == ({"passes", "fails"}, {"passes", "fails"})
    assert len(run_record(pytester.path)["tests"]) == 2
