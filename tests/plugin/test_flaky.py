"""A test that passes only when it is run again: every attempt is kept, and the run calls it flaky."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import Run

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SOURCE = """
from pathlib import Path

def test_flaky(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    tried = Path("tried")
    if not tried.exists():
        tried.touch()
        mobile.tap(text="Sign on")

def test_broken(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.tap(text="Sign on")

def test_fine(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
"""


def record(pytester: pytest.Pytester) -> dict[str, Any]:
    (path,) = (pytester.path / "out").glob("*/run.json")
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["here", "worker"])
def test_each_attempt_is_kept(run: Run, pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    run(SOURCE, "--reruns=1", "--replicant-output=out", *workers)
    told = record(pytester)
    results = {one["nodeid"].rpartition("::")[2]: one for one in told["results"]}
    assert {name: one["outcome"] for name, one in results.items()} == {
        "test_flaky": "flaky",
        "test_broken": "failed",
        "test_fine": "passed",
    }
    rows = told["tests"]
    attempts = [(rows[at]["attempt"], rows[at]["outcome"]) for at in results["test_flaky"]["attempts"]]
    assert attempts == [(0, "failed"), (1, "passed")]
    (cause,) = told["causes"]
    assert cause["failures"] == 1
    assert [rows[at]["nodeid"].rpartition("::")[2] for at in cause["tests"]] == [
        "test_flaky",
        *["test_broken"] * 2,
    ]
    assert [rows[at]["attempt"] for at in cause["earlier"]] == [0, 0]
    assert told["environment"]["pytest"] == pytest.__version__


def test_without_reruns_nothing_is_flaky(run: Run, pytester: pytest.Pytester) -> None:
    run(SOURCE, "--replicant-output=out")
    told = record(pytester)
    assert [one["outcome"] for one in told["results"]] == ["failed", "failed", "passed"]
    assert [one["earlier"] for one in told["causes"]] == [[]]


def test_further_phones_belong_to_the_same_result(run: Run, pytester: pytest.Pytester) -> None:
    run(
        """
        def test_two(mobile, new_mobile):
            other = new_mobile()
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
            other.launch("dev.replicant.shop").expect_screen("Nowhere")
        """,
        "--replicant-output=out",
    )
    told = record(pytester)
    assert len(told["tests"]) == 2
    (result,) = told["results"]
    assert (result["nodeid"].rpartition("::")[2], result["attempts"]) == ("test_two", [0, 1])
    (cause,) = told["causes"]
    assert (cause["failures"], cause["tests"]) == (1, [0, 1])
