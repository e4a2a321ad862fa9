"""Allure's results of whole runs: statuses, fixtures, attempts, workers, folders, and none where
none is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SHOP = """
import os
import pytest
from pytest_replicant import DeviceOffline

@pytest.fixture
def shop(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    return mobile
"""
ENDINGS = """
def test_action(shop):
    shop.tap(text="Nowhere")

def test_soft(shop):
    shop.soft.expect_visible(text="One")
    shop.soft.expect_visible(text="Two")

def test_infra(shop):
    raise DeviceOffline("the cable is out", device="virtual")

def test_error(shop):
    raise ValueError("of the test")

@pytest.fixture
def breaks(shop):
    shop.tap(text="Nowhere", timeout=0.1)

def test_setup(breaks):
    pass

@pytest.fixture
def late(shop):
    yield
    shop.tap(text="Forgot password?").expect_screen("Reset password")
    raise DeviceOffline("gone at last", device="virtual")

def test_both(late, shop):
    shop.tap(text="Nowhere")

@pytest.mark.xfail(reason="known")
def test_xfailed(shop):
    shop.tap(text="Nowhere")

TRIES = []

@pytest.mark.flaky(reruns=2)
def test_flaky(shop):
    TRIES.append(1)
    shop.expect_screen("Sign in" if len(TRIES) > 2 else "Nowhere")
"""
STATUSES = {
    "test_action": ["failed"],
    "test_soft": ["failed"],
    "test_infra": ["broken"],
    "test_error": ["broken"],
    "test_setup": ["failed"],
    "test_both": ["failed"],
    "test_xfailed": ["skipped"],
    "test_flaky": ["failed", "failed", "passed"],
}
PASSES = "\ndef test_it(shop):\n    pass\n"


def results(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """By the name of the test, in the order in which its attempts began."""
    found: dict[str, list[dict[str, Any]]] = {}
    rows = [json.loads(path.read_text("utf-8")) for path in folder.glob("*-result.json")]
    for row in sorted(rows, key=lambda row: row["start"]):
        found.setdefault(row["name"], []).append(row)
    return found


def fixtures(folder: Path, row: dict[str, Any], kind: str) -> dict[str, list[str]]:
    """What the fixtures of a result did, as titles of steps, of those that did something."""
    groups = [json.loads(path.read_text("utf-8")) for path in folder.glob("*-container.json")]
    mine = [
        part
        for group in groups
        if row["uuid"] in group.get("children", [])
        for part in group.get(kind, [])
    ]
    return {
        part["name"].partition("::")[0]: [step["name"] for step in part["steps"]]
        for part in mine
        if part.get("steps")
    }


def labels(row: dict[str, Any], name: str) -> list[str]:
    return [label["value"] for label in row["labels"] if label["name"] == name]


def test_statuses_tell_the_app_from_the_tools_and_fixtures_have_their_steps(
    run: Run, pytester: pytest.Pytester
) -> None:
    run(SHOP + ENDINGS, "--alluredir=allure", "--replicant-output=out", "-n", "1")
    folder = pytester.path / "allure"
    attempts = results(folder)
    found = {name: rows[0] for name, rows in attempts.items()}
    assert {name: [row["status"] for row in rows] for name, rows in attempts.items()} == STATUSES
    assert 'text="Two"' in found["test_soft"]["statusDetails"]["message"]
    assert (
        labels(found["test_infra"], "tag")
        == labels(found["test_infra"], "replicant_outcome")
        == ["infra"]
    )
    assert labels(found["test_error"], "failure_class") == ["TestError"]
    assert [step["name"] for step in found["test_action"]["steps"]][-1] == 'tap text="Nowhere"'
    launched = {"shop": ["launch dev.replicant.shop"]}
    broken = found["test_setup"]
    assert fixtures(folder, broken, "befores") == {**launched, "breaks": ['tap text="Nowhere"']}
    assert "steps" not in broken
    (title,) = labels(broken, "cause")
    assert broken["statusDetails"]["trace"].endswith(f"\ncause: {title}")
    assert title in [
        one["name"] for one in json.loads((folder / "categories.json").read_text("utf-8"))
    ]
    assert fixtures(folder, found["test_both"], "afters") == {
        "late": ['tap text="Forgot password?"']
    }
    flaky = attempts["test_flaky"]
    assert len({row["historyId"] for row in flaky}) == 1
    assert [labels(row, "tag") for row in flaky] == [[], [], ["flaky"]]
    assert [fixtures(folder, row, "befores") for row in flaky] == [launched] * 3
    assert [len(row["steps"]) for row in flaky] == [1, 1, 1]
    attached = [[one["name"] for one in row.get("attachments", [])] for row in flaky]
    assert [names.count("trace.html") for names in attached] == [1, 1, 0]
    (page,) = (one["value"] for one in flaky[2]["parameters"] if one["name"] == "trace")
    assert (pytester.path / page).is_file()


def test_a_test_whose_worker_died_joins_its_history_and_the_next_worker_takes_no_results(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
class TestShop:
    @pytest.mark.parametrize(("word", "number"), [("a::b[1]", 7)])
    def test_dies(self, word, number, shop):
        if os.environ.get("DIES"):
            os._exit(3)

def test_lives(shop):
    pass
"""
    folder = pytester.path / "dead"
    folder.mkdir()
    (folder / "old-result.json").write_text('{"name": "old", "start": 1}')
    run(SHOP + source, "--alluredir=alive", "-n", "1")
    monkeypatch.setenv("DIES", "1")
    run(SHOP + source, "--alluredir=dead", "--clean-alluredir", "-n", "1")
    found = results(folder)
    (alive,) = (
        rows[0] for name, rows in results(pytester.path / "alive").items() if "dies" in name
    )
    (dead,) = found.pop(alive["name"])
    assert {name: rows[0]["status"] for name, rows in found.items()} == {"test_lives": "passed"}
    assert dead["status"] == "broken"
    assert "crashed while running" in dead["statusDetails"]["message"]
    for name in ("fullName", "historyId", "testCaseId", "titlePath"):
        assert dead[name] == alive[name]
    assert labels(dead, "suite") == labels(alive, "suite")
    assert labels(dead, "replicant_outcome") == ["died"]


def test_a_run_says_with_what_it_was_made(run: Run, pytester: pytest.Pytester) -> None:
    folder = pytester.path / "allure"
    folder.mkdir()
    mine = '[{"name": "Known bugs", "messageRegex": ".*"}]'
    (folder / "categories.json").write_text(mine)
    (folder / "environment.properties").write_text("stand = 7\n")
    run(SHOP + PASSES, "--alluredir=allure", "-n", "2")
    assert (folder / "categories.json").read_text() == mine
    told = (folder / "environment.properties").read_text()
    assert told.startswith("stand = 7\n")
    assert "phones=Virtual Phone, Android 14\n" in told
    assert "App crashed" in (folder / "allurerc.json").read_text()


def test_what_cannot_be_written_fails_nothing(run: Run, pytester: pytest.Pytester) -> None:
    folder = pytester.path / "allure"
    for name in ("categories.json", "allurerc.json", "environment.properties"):
        (folder / name).mkdir(parents=True)
    run(SHOP + PASSES, "--alluredir=allure").assert_outcomes(passed=1)
    assert len(results(folder)["test_it"]) == 1
