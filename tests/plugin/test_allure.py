"""Allure's results of whole runs: statuses, history, reruns, workers, folders, and none where none is asked."""

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
    mine = [part for group in groups if row["uuid"] in group.get("children", []) for part in group.get(kind, [])]
    return {part["name"]: [step["name"] for step in part["steps"]] for part in mine if part.get("steps")}


def labels(row: dict[str, Any], name: str) -> list[str]:
    return [label["value"] for label in row["labels"] if label["name"] == name]


def test_statuses_tell_the_app_from_the_tools(run: Run, pytester: pytest.Pytester) -> None:
    source = """
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
        shop.tap(text="Nowhere")

    def test_setup(breaks):
        pass

    @pytest.fixture
    def late(shop):
        yield
        raise DeviceOffline("gone at last", device="virtual")

    def test_both(late, shop):
        shop.tap(text="Nowhere")

    @pytest.mark.xfail(reason="known")
    def test_xfailed(shop):
        shop.tap(text="Nowhere")
    """
    run(SHOP + _flush(source), "--alluredir=allure", "--replicant-trace=off")
    found = {name: rows[0] for name, rows in results(pytester.path / "allure").items()}
    assert {name: row["status"] for name, row in found.items()} == {
        "test_action": "failed",
        "test_soft": "failed",
        "test_infra": "broken",
        "test_error": "broken",
        "test_setup": "failed",
        "test_both": "failed",
        "test_xfailed": "skipped",
    }
    assert 'text="Two"' in found["test_soft"]["statusDetails"]["message"]
    assert labels(found["test_infra"], "tag") == labels(found["test_infra"], "replicant_outcome") == ["infra"]
    assert labels(found["test_error"], "failure_class") == ["TestError"]
    assert [step["name"] for step in found["test_action"]["steps"]][-1] == 'tap text="Nowhere"'


def test_what_a_teardown_did_is_there_too(run: Run, pytester: pytest.Pytester) -> None:
    source = """
    @pytest.fixture
    def late(shop):
        yield
        shop.tap(text="Forgot password?").expect_screen("Reset password")

    def test_it(late, shop):
        shop.expect_screen("Sign in")
    """
    run(SHOP + _flush(source), "--alluredir=allure", "--replicant-output=out")
    (row,) = results(pytester.path / "allure")["test_it"]
    assert [step["name"] for step in row["steps"]] == ["expect_screen Sign in"]
    (page,) = (one["value"] for one in row["parameters"] if one["name"] == "trace")
    assert (pytester.path / page).is_file()
    assert row.get("attachments", []) == []
    assert fixtures(pytester.path / "allure", row, "befores") == {"shop": ["launch dev.replicant.shop"]}
    (torn,) = fixtures(pytester.path / "allure", row, "afters").items()
    assert torn[0].startswith("late::")
    assert torn[1] == ['tap text="Forgot password?"']


def test_what_a_fixture_did_that_failed_stands_in_it(run: Run, pytester: pytest.Pytester) -> None:
    source = """
    @pytest.fixture
    def broken(shop):
        shop.tap(text="Nowhere", timeout=0.1)

    def test_it(broken):
        pass
    """
    run(SHOP + _flush(source), "--alluredir=allure", "-n", "1")
    (row,) = results(pytester.path / "allure")["test_it"]
    did = fixtures(pytester.path / "allure", row, "befores")
    assert did == {"shop": ["launch dev.replicant.shop"], "broken": ['tap text="Nowhere"']}
    assert "steps" not in row
    (title,) = labels(row, "cause")
    assert row["statusDetails"]["trace"].endswith(f"\ncause: {title}")
    categories = json.loads((pytester.path / "allure" / "categories.json").read_text("utf-8"))
    assert categories[0]["name"] == title


def test_the_history_of_a_test_is_the_same_on_any_phone(run: Run, pytester: pytest.Pytester) -> None:
    source = """
    from pytest_replicant.stash import SESSIONS

    def test_it(shop, request):
        (entry,) = request.node.stash[SESSIONS]
        entry.recorder.device = {**entry.recorder.device, "serial": os.environ["SERIAL"], "model": "other"}
    """
    told = []
    for name in ("one", "two"):
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("SERIAL", name)
            run(SHOP + _flush(source), f"--alluredir={name}")
        told += results(pytester.path / name)["test_it"]
    serials = [one["value"] for row in told for one in row["parameters"] if one["name"] == "serial"]
    assert serials == ["one", "two"]
    assert told[0]["historyId"] == told[1]["historyId"]


def test_each_attempt_is_a_result_of_its_own(run: Run, pytester: pytest.Pytester) -> None:
    source = """
    TRIES = []

    @pytest.mark.flaky(reruns=2)
    def test_it(shop):
        TRIES.append(1)
        shop.expect_screen("Sign in" if len(TRIES) > 2 else "Nowhere")
    """
    run(SHOP + _flush(source), "--alluredir=allure", "--replicant-output=out")
    attempts = results(pytester.path / "allure")["test_it"]
    assert [row["status"] for row in attempts] == ["failed", "failed", "passed"]
    assert len({row["historyId"] for row in attempts}) == 1
    assert [labels(row, "tag") for row in attempts] == [[], [], ["flaky"]]
    for row in attempts:
        assert fixtures(pytester.path / "allure", row, "befores") == {"shop": ["launch dev.replicant.shop"]}
        assert len(row["steps"]) == 1
    assert [[one["name"] for one in row.get("attachments", [])].count("trace.html") for row in attempts] == [
        1,
        1,
        0,
    ]
    assert [len(labels(row, "cause")) for row in attempts] == [1, 1, 0]


def test_a_test_whose_worker_died_joins_its_history(run: Run, pytester: pytest.Pytester) -> None:
    source = """
    class TestShop:
        @pytest.mark.parametrize(("word", "number"), [("a::b[1]", 7)])
        def test_dies(self, word, number, shop):
            if os.environ.get("DIES"):
                os._exit(3)

    def test_lives(shop):
        pass
    """
    run(SHOP + _flush(source), "--alluredir=alive", "-n", "1")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("DIES", "1")
        run(SHOP + _flush(source), "--alluredir=dead", "--clean-alluredir", "-n", "1")
    (alive,) = (rows[0] for name, rows in results(pytester.path / "alive").items() if "dies" in name)
    (dead,) = (rows[0] for name, rows in results(pytester.path / "dead").items() if "dies" in name)
    assert dead["status"] == "broken"
    assert "crashed while running" in dead["statusDetails"]["message"]
    for name in ("name", "fullName", "historyId", "testCaseId", "titlePath"):
        assert dead[name] == alive[name]
    assert labels(dead, "suite") == labels(alive, "suite")
    assert labels(dead, "replicant_outcome") == ["died"]
    assert results(pytester.path / "dead")["test_lives"][0]["status"] == "passed"


def test_a_worker_that_begins_later_takes_no_results(run: Run, pytester: pytest.Pytester) -> None:
    """The one that takes the place of a dead one begins when there are results already."""
    source = """
    def test_before(shop):
        pass

    def test_dies(shop):
        os._exit(3)

    def test_after(shop):
        pass
    """
    (pytester.path / "allure").mkdir()
    (pytester.path / "allure" / "old-result.json").write_text('{"name": "old", "start": 1}')
    run(SHOP + _flush(source), "--alluredir=allure", "--clean-alluredir", "-n", "1")
    found = results(pytester.path / "allure")
    assert {name: rows[0]["status"] for name, rows in found.items()} == {
        "test_before": "passed",
        "test_dies": "broken",
        "test_after": "passed",
    }


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["here", "workers"])
def test_a_run_says_with_what_it_was_made(run: Run, pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    folder = pytester.path / "allure"
    folder.mkdir()
    mine = '[{"name": "Known bugs", "messageRegex": ".*"}]'
    (folder / "categories.json").write_text(mine)
    (folder / "environment.properties").write_text("stand = 7\n")
    run(SHOP + "\ndef test_it(shop):\n    pass\n", "--alluredir=allure", *workers)
    assert (folder / "categories.json").read_text() == mine
    told = (folder / "environment.properties").read_text()
    assert told.startswith("stand = 7\n")
    assert "phones=Virtual Phone, Android 14\n" in told
    assert "App crashed" in (folder / "allurerc.json").read_text()


def test_files_of_ours_are_written_anew(run: Run, pytester: pytest.Pytester) -> None:
    folder = pytester.path / "allure"
    source = SHOP + "\ndef test_it(shop):\n    pass\n"
    run(source, "--alluredir=allure")
    rows = json.loads((folder / "categories.json").read_text())
    (folder / "categories.json").write_text(json.dumps(rows[:1]))
    run(source, "--alluredir=allure")
    assert json.loads((folder / "categories.json").read_text()) == rows
    assert (folder / "environment.properties").read_text().count("\npytest=") == 1


def test_what_cannot_be_written_fails_nothing(run: Run, pytester: pytest.Pytester) -> None:
    folder = pytester.path / "allure"
    for name in ("categories.json", "allurerc.json", "environment.properties"):
        (folder / name).mkdir(parents=True)
    result = run(SHOP + "\ndef test_it(shop):\n    pass\n", "--alluredir=allure")
    assert result.ret == 0
    assert "INTERNALERROR" not in result.stdout.str()
    assert len(results(folder)["test_it"]) == 1


@pytest.mark.parametrize("options", [(), ("-p", "no:allure_pytest")], ids=["not asked for", "not there"])
def test_where_allure_is_not_at_work_nothing_is_written(
    run: Run, pytester: pytest.Pytester, options: tuple[str, ...]
) -> None:
    before = set(pytester.path.iterdir())
    result = run(SHOP + "\ndef test_it(shop):\n    pass\n", "--replicant-output=out", *options)
    result.assert_outcomes(passed=1)
    new = {path.name for path in set(pytester.path.iterdir()) - before}
    assert not {"categories.json", "allurerc.json", "environment.properties", "allure"} & new
    assert not list(pytester.path.rglob("*-result.json"))


def _flush(source: str) -> str:
    import textwrap

    return "\n" + textwrap.dedent(source)
