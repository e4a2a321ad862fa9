"""Allure 3 over the results of a real run, in a real browser: what a reader of the report finds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.browser.chromium import BROWSER, Tab

from .allure_cli import generate, installed, served
from .every_outcome import run_every_outcome

pytestmark = [
    pytest.mark.allure,
    pytest.mark.slow,
    pytest.mark.skipif(
        BROWSER is None, reason="no chromium on PATH: the report is read in a real browser"
    ),
]

STATUSES = {
    "test_passed": "passed",
    "test_failed_check": "failed",
    "test_failed_action": "failed",
    "test_soft": "failed",
    "test_broken": "broken",
    "test_infra": "broken",
    "test_skipped": "skipped",
    "test_xfailed": "skipped",
    "test_recovered": "passed",
    "test_flaky[</script><i>one</i>]": "passed",
    "test_unverified": "passed",
    "test_crash": "failed",
    "test_worker_dies[7]": "broken",
    "test_no_phone": "broken",
}

CATEGORIES = {
    "test_failed_check": "Check failed",
    "test_failed_action": "Target not found",
    "test_soft": "Check failed",
    "test_broken": "Test error",
    "test_infra": "Phone or tool in trouble",
    "test_no_phone": "Phone or tool in trouble",
    "test_crash": "App crashed",
    "test_worker_dies[7]": "Test process died",
    "test_recovered": "Recovered",
}


TITLES = (
    "[...document.querySelectorAll('[data-testid=test-result-step-title]')].map(e => e.innerText)"
)


@dataclass
class Report:
    """The report in a tab. ``ids`` are those of the tests by their names."""

    tab: Tab
    address: str
    ids: dict[str, str]

    def open(self, name: str) -> str:
        """Opens the page of a test and returns its text."""
        self.go(f"#{self.ids[name]}", "test-result-info-title")
        assert self.all("test-result-info-title") == [name]
        return self.text()

    def go(self, fragment: str, until: str) -> None:
        """Opens a page of the report again and waits for an element of that kind."""
        self.tab.open(f"{self.address}{fragment}")
        self.tab.wait_for(f"document.querySelector('[data-testid=\"{until}\"]') !== null")

    def unfold(self, kind: str, words: str) -> None:
        """The element of that kind with a line of these words."""
        found = f"[...document.querySelectorAll('[data-testid={kind}]')]"
        line = f"e => e.innerText.split('\\n').includes({json.dumps(words)})"
        self.tab.run(f"{found}.find({line}).querySelector('button').click()")

    def text(self) -> str:
        text: str = self.tab.run("document.body.innerText")
        return text

    def all(self, kind: str, script: str = "e.innerText") -> list[Any]:
        """What a script says of each element of that kind."""
        found: list[Any] = self.tab.run(
            f"[...document.querySelectorAll('[data-testid=\"{kind}\"]')].map(e => {script})"
        )
        return found


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("every")
    output = run_every_outcome(
        folder, "--alluredir=results", "--clean-alluredir", "--replicant-output=out"
    )
    assert "INTERNALERROR" not in output, output
    return folder / "results"


@pytest.fixture(scope="module")
def report(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Report]:
    program, reason = installed()
    if program is None:
        pytest.skip(reason)
    folder = results.parent / "report"
    generate(program, results, folder, "--config", str(results / "allurerc.json"))
    tree = json.loads((folder / "widgets" / "default" / "tree.json").read_text("utf-8"))
    ids = {leaf["name"]: key for key, leaf in tree["leavesById"].items()}
    with served(folder) as address:
        tab = Tab(tmp_path_factory.mktemp("profile"), 1300, 1400)
        try:
            yield Report(tab, address, ids)
        finally:
            tab.close()


def test_every_test_is_listed_as_it_ended(report: Report) -> None:
    report.go("", "tree-leaf")
    report.tab.wait_for(
        f"document.querySelectorAll('[data-testid=\"tree-leaf\"]').length === {len(STATUSES)}"
    )
    status = "e.querySelector('[data-testid^=tree-leaf-status]').dataset.testid.split('-').pop()"
    title = "e.querySelector('[data-testid=tree-leaf-title]').innerText"
    assert dict(report.all("tree-leaf", f"[{title}, {status}]")) == STATUSES
    retried = report.all(
        "tree-leaf", f"e.querySelector('[data-testid=tree-leaf-retries]') ? {title} : ''"
    )
    assert set(retried) == {"", "test_flaky[</script><i>one</i>]"}
    assert report.all("tree-leaf-flaky") != []
    assert report.tab.run("document.title") != "owned"


def test_the_environment_is_shown(report: Report) -> None:
    report.go("", "metadata-list")
    shown = dict(
        zip(report.all("metadata-item-key"), report.all("metadata-item-value"), strict=False)
    )
    assert shown["pytest"] == pytest.__version__
    assert shown["phones"] == "Virtual Phone, Android 14"
    assert {"python", "platform", "pytest-replicant"} <= set(shown)


def test_a_failure_is_in_its_category(report: Report) -> None:
    assert {
        name: f"Category: {one}" in report.open(name) for name, one in CATEGORIES.items()
    } == dict.fromkeys(CATEGORIES, True)
    report.go("#categories", "tree-section-title")
    assert set(report.all("tree-section-title")) >= set(CATEGORIES.values())


def test_steps_stand_as_the_test_wrote_them(report: Report) -> None:
    report.open("test_failed_check")
    group = "Ask <b>again</b><img src=x onerror=document.title='owned'>"
    titles = report.all("test-result-step-title")
    begin = titles.index(group)
    assert titles[begin + 1] == 'tap text="Forgot password?"'
    assert "expect_screen Nowhere" in titles[begin + 2 :]
    assert (
        report.tab.run("document.querySelectorAll('[data-testid=test-result-step-title] b').length")
        == 0
    )
    assert report.tab.run("document.title") != "owned"


def test_what_a_fixture_did_stands_under_set_up(report: Report) -> None:
    text = report.open("test_passed")
    assert text.index("Set up") < text.index("\nshop\n") < text.index("Test body")
    assert not [
        title for title in report.all("test-result-step-title") if title.startswith("launch")
    ]
    report.unfold("test-result-step-header", "shop")
    report.tab.wait_for(f"{TITLES}.some(title => title.startsWith('launch'))")
    assert "request <b>log</b>" in text
    assert "hunter2" not in text
    report.unfold("test-result-step-header", "of the test")
    report.tab.wait_for(
        f"{TITLES}.some(title => title.startsWith('fill'))"
    )  # what happened in it stands there


def test_the_failed_check_has_its_evidence(report: Report) -> None:
    text = report.open("test_failed_check")
    assert "missed" not in text
    attached = [text.split("\n") for text in report.all("test-result-attachment-header")]
    names = {part for parts in attached for part in parts}
    assert {
        "after",
        "reads",
        "screen",
        "device log",
        "what changed",
        "trace.html",
        "trace.json",
    } <= names
    assert {"failure_class", "VerificationFailure", "serial", "device"} <= set(text.split("\n"))

    report.unfold("test-result-attachment-header", "after")
    report.tab.wait_for("[...document.querySelectorAll('img')].some(e => e.naturalWidth === 1080)")


def test_what_else_there_is_to_say_of_a_test_is_said(report: Report) -> None:
    lines = report.open("test_failed_action").split("\n")
    assert "Not there at all" in lines[lines.index("cause") + 1]
    report.open("test_soft")
    (message, *_) = report.all("test-result-error-message")
    assert ["One that is not" in message, "Two that is not" in message] == [True, True]
    said = {
        "test_recovered": ("what was recovered", "recover by renamed: success, attempt 2"),
        "test_worker_dies[7]": ("crashed while running",),
    }
    for name, words in said.items():
        text = report.open(name)
        assert [one for one in ("replicant_outcome", *words) if one not in text] == []


def test_no_result_is_lost_and_no_secret_is_found(results: Path) -> None:
    names = [json.loads(path.read_text("utf-8"))["name"] for path in results.glob("*-result.json")]
    assert sorted(names) == sorted([*STATUSES, "test_flaky[</script><i>one</i>]"])
    for path in results.iterdir():
        assert b"hunter2" not in path.read_bytes(), path
