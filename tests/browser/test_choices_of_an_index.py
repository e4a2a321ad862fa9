"""Choices on the index of a run that its address carries, and what it says of earlier runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_replicant.reporting.pages.index_page import index_page
from tests.unit.reporting.big_run import big_run

from .chromium import Tab

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOUND = "document.getElementById('found').firstChild.textContent"


def open_index(tab: Tab, folder: Path, document: dict[str, Any]) -> str:
    page = folder / "index.html"
    page.write_text(index_page(document), encoding="utf-8")
    tab.open(page.as_uri())
    return page.as_uri()


def texts(tab: Tab, selector: str) -> list[str]:
    found = tab.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.innerText)")
    return [" ".join(text.split()) for text in found]


def test_what_is_chosen_is_in_the_address_and_comes_back_with_it(tab: Tab, tmp_path: Path) -> None:
    address = open_index(tab, tmp_path, big_run(40, 20, causes=4))
    tab.run("document.querySelector('#totals [data-outcome=flaky]').click()")
    tab.run("(search.value = 'mug & <b>', search.dispatchEvent(new Event('input')))")
    tab.run(
        "(document.getElementById('cause-1').open = false, document.getElementById('note-slowest').open = true)"
    )
    tab.wait_for("location.hash.includes('note-slowest')")
    chosen = tab.run("location.hash")
    assert chosen == "#q=mug+%26+%3Cb%3E&outcome=flaky&open=cause-1.note-slowest"
    tab.open(address + chosen)
    assert tab.run("search.value") == "mug & <b>"
    assert tab.run("document.querySelector('#totals [aria-pressed=true]').dataset.outcome") == "flaky"
    assert not tab.run("document.getElementById('cause-1').open")
    assert tab.run("document.getElementById('note-slowest').open")
    tab.run("location.hash = '#outcome=flaky'")
    tab.wait_for(f"{FOUND} === '4 of 40 tests'")
    tab.press("Escape")
    tab.wait_for("location.hash === ''")


@pytest.mark.parametrize("choice", ["outcome=<img>&q=%00&device=x&order=__proto__&open=..%22", "%", "cause-2"])
def test_an_address_may_say_anything(tab: Tab, tmp_path: Path, choice: str) -> None:
    address = open_index(tab, tmp_path, big_run(40, 20, causes=4))
    tab.open(f"{address}#{choice}")
    assert tab.run("document.querySelectorAll('#causes .cause').length") == 4
    assert tab.run("document.getElementById('cause-2').open") == (choice == "cause-2")


def test_the_last_runs_of_a_test_are_signs_and_words(tab: Tab, tmp_path: Path) -> None:
    document = big_run(3, 0)
    document["results"][0]["history"] = "ppfnk-"
    document["results"][1]["history"] = ""
    open_index(tab, tmp_path, document)
    assert tab.run("document.querySelectorAll('.dots').length") == 1
    assert tab.run("document.querySelector('.dots').getAttribute('aria-label')") == (
        "Last 6 runs, oldest first: 2 passed, 1 failed, 1 known flaky, 1 flaky, 1 did not run"
    )
    titles = tab.run("[...document.querySelectorAll('.dots i')].map((one) => [one.textContent, one.title])")
    assert titles == [
        ["••", "runs 1 to 2 of 6: passed"],
        ["✕", "run 3 of 6: failed"],
        ["≈", "run 4 of 6: known flaky"],
        ["⇄", "run 5 of 6: flaky"],
        ["·", "run 6 of 6: did not run"],
    ]


def test_a_known_flaky_test_fails_nothing_and_has_its_own_filter(tab: Tab, tmp_path: Path) -> None:
    document = big_run(6, 2, causes=1)
    document["results"][1]["outcome"] = document["tests"][1]["outcome"] = "known flaky"
    document["tests"][1]["known_flaky"] = "SHOP-7, until 2026-12-24"
    open_index(tab, tmp_path, document)
    assert tab.run("document.querySelector('h1').textContent") != "1 failure, 1 cause"
    assert texts(tab, ".cause .size") == ["1 test + 1 retried"]
    assert "known: SHOP-7, until 2026-12-24" in texts(tab, ".case")[-1]
    tab.run("document.querySelector('#totals .known-flaky').click()")
    assert tab.run(FOUND) == "1 of 6 tests"
    badge = "getComputedStyle(document.querySelector('#tests .badge.known-flaky')).backgroundColor"
    assert tab.run(badge) != tab.run("getComputedStyle(document.querySelector('#tests')).backgroundColor")


def test_flaky_tests_are_listed_by_cause(tab: Tab, tmp_path: Path) -> None:
    entry = {
        "test": "t.py::test_a", "cause": '"Pay" not found', "key": "0a1b2c3d", "failed": 3, "runs": 20,
        "low": 0.05, "high": 0.36, "first_seen": "2026-11-20T19:18:52Z", "phones": ["Pixel 7"],
        "passed_on": ["iPhone 15"], "parts_at": 'tap text="Add"', "kind": "timing", "history": "pf",
    }  # fmt: skip
    open_index(tab, tmp_path, {**big_run(3, 0), "flaky": [entry]})
    (shown,) = texts(tab, "#flaky li")
    for part in ("15 % test_a looks like timing", '"Pay" not found', "failed in 3 of 20 attempts: 5 % to 36 %"):
        assert part in shown
    assert "on Pixel 7" in shown
    assert "passed on iPhone 15" in shown
    open_index(tab, tmp_path, big_run(3, 0))
    assert tab.run("document.getElementById('flaky').children.length") == 0


def test_a_cause_is_headed_by_what_its_tests_are_and_keeps_clear_of_its_size(tab: Tab, tmp_path: Path) -> None:
    document = big_run(560, 500, causes=1)
    first = document["tests"][1]
    first["outcome"] = document["results"][1]["outcome"] = "error"
    first["cause"] = {
        **first["cause"],
        "failure_class": "VerificationFailure",
        "failure_code": "VERIFICATION_FAILED",
    }
    open_index(tab, tmp_path, document)
    assert texts(tab, ".cause .kinds .chip") == [
        "399 failed, 1 error",
        "ELEMENT_NOT_FOUND × 499",
        "VERIFICATION_FAILED × 1",
        "TargetResolutionFailure × 499",
        "VerificationFailure × 1",
    ]
    size, title = "document.querySelector('.size')", "document.querySelector('.cause .title')"
    gap = f"{title}.getBoundingClientRect().left - {size}.getBoundingClientRect().right"
    assert tab.run(gap) >= 10
    assert tab.run(f"{size}.scrollWidth <= {size}.offsetWidth")


def test_a_red_test_of_two_phones_opens_the_phone_that_failed(tab: Tab, tmp_path: Path) -> None:
    document = big_run(2, 2, causes=1)
    document["tests"] = document["tests"][:2]
    document["tests"][0]["cause"]["step"] = ""
    document["results"] = [{"nodeid": "t.py::test_two", "outcome": "failed", "attempts": [0, 1]}]
    document["causes"][0] |= {"tests": [0, 1], "earlier": []}
    open_index(tab, tmp_path, document)
    links = tab.run("[...document.querySelectorAll('.case a')].map((one) => one.getAttribute('href'))")
    one, other = (row["trace"] for row in document["tests"])
    assert links == [f"{other}#a7", one, f"{other}#a7"]


def test_the_command_that_runs_a_failure_again_is_copied(tab: Tab, tmp_path: Path) -> None:
    document = big_run(3, 1, causes=1)
    for row in document["tests"]:
        row["rerun"] = "pytest 'tests/x.py::test_a[b c]'"
    open_index(tab, tmp_path, document)
    tab.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    assert tab.run("document.querySelectorAll('#tests .copy').length") == 1, "a pass needs no other run"
    tab.run("document.querySelector('.case .copy').click()")
    tab.wait_for("window.copied !== undefined")
    assert tab.run("window.copied") == "pytest 'tests/x.py::test_a[b c]'"
