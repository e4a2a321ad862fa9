"""Keyboard and mouse in a real browser, wide and narrow."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_replicant.model.secret import Redactor
from pytest_replicant.reporting.artifacts.trace_files import write_trace
from pytest_replicant.reporting.pages.index_page import write_run
from pytest_replicant.reporting.triage.run_record import RunRecord
from pytest_replicant.reporting.triage.run_row import run_row
from tests.unit.reporting.factory import tiny_trace
from tests.unit.reporting.story import failing_story

from .chromium import BROWSER, Tab

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no chromium on PATH: the pages are used in a real browser"),
]

SELECTED = "document.querySelector('[aria-current]').getAttribute('href')"
SHOWN = "document.querySelectorAll('.step:not(.around):not([hidden])').length"


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> str:
    files = write_trace(failing_story(), tmp_path_factory.mktemp("out"), "run", Redactor())
    assert files.trace_html is not None
    return files.trace_html.as_uri()


@pytest.fixture
def tab(tmp_path: Path) -> Iterator[Tab]:
    opened = Tab(tmp_path / "profile", 1280, 900)
    yield opened
    opened.close()
    assert opened.console == []


def test_keys_move_the_selection_and_the_address(tab: Tab, story: str) -> None:
    tab.open(story)
    assert tab.run(SELECTED) == "#check-4"
    tab.press("k")
    assert tab.run(SELECTED) == "#a5"
    tab.press("ArrowUp")
    assert tab.run(SELECTED) == "#check-3"
    tab.press("ArrowDown")
    tab.press("j")
    assert tab.run(SELECTED) == "#check-4"
    assert tab.run("location.hash") == "#check-4"


def test_slash_searches_and_escape_ends_it(tab: Tab, story: str) -> None:
    tab.open(story)
    tab.press("/")
    assert tab.run("document.activeElement.id") == "search"
    for key in "sign":
        tab.press(key)
    assert tab.run(SHOWN) == 1
    assert tab.run("document.getElementById('found').textContent") == "1 of 11"
    tab.press("ArrowDown")
    assert tab.run(SELECTED) == "#a2"
    tab.press("Escape")
    assert tab.run(SHOWN) == 11


def test_the_mouse_selects_filters_and_enlarges(tab: Tab, story: str) -> None:
    tab.open(story)
    tab.click('#steps a[href="#a2"]')
    tab.wait_for(f"{SELECTED} === '#a2'")
    tab.click("button.glass")
    tab.wait_for("document.querySelector('dialog[open] img') !== null")
    tab.press("Escape")
    tab.wait_for("document.querySelector('dialog') === null")
    tab.click("#only-problems")
    tab.wait_for(f"{SHOWN} === 1")


def test_outlines_stand_side_by_side_with_unchanged_parts_folded(tab: Tab, story: str) -> None:
    tab.open(story + "#a3")
    tab.run("[...document.querySelectorAll('summary')].find((s) => /Outlines/.test(s.textContent)).click()")
    tab.wait_for("document.querySelector('.sides .row') !== null")
    removed, added = (
        tab.run(f"[...document.querySelectorAll('.sides .{kind}')].map((line) => line.textContent.trim())")
        for kind in ("removed", "added")
    )
    assert removed == ['[c081] Button "Cart, 0 items"']
    assert added == ['[c081] Button "Cart, 1 items"']
    assert "unchanged lines" in tab.run("document.querySelector('.sides .more').textContent")
    before = tab.run("document.querySelectorAll('.sides .row').length")
    tab.run("document.querySelector('.sides .more').click()")
    assert tab.run("document.querySelectorAll('.sides .row').length") > before


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(tab: Tab, story: str, width: int) -> None:
    tab.open(story + "#a3")
    tab.resize(width, 850)
    assert tab.run("innerWidth") == width
    assert tab.run("document.documentElement.scrollWidth") <= width


def test_an_index_of_a_thousand_tests_answers_at_once(tab: Tab, tmp_path: Path) -> None:
    row = run_row(tiny_trace(), None, tmp_path, Redactor())
    rows = tuple(
        replace(
            row,
            nodeid=f"tests/test_many.py::test_case[{number}]",
            outcome="failed" if number % 9 == 0 else "passed",
        )
        for number in range(1000)
    )
    index = write_run(RunRecord("run", "2026-11-20T19:18:52Z", 4200, rows), tmp_path).index_html
    assert index is not None
    assert index.stat().st_size < 5_000_000
    tab.open(index.as_uri())
    assert tab.run("performance.timing.domComplete - performance.timing.navigationStart") < 2000
    tab.click('#filters button[data-outcome="failed"]')
    tab.wait_for("document.getElementById('found').textContent === '112 of 1,000 tests'")
    tab.press("/")
    for key in "999":
        tab.press(key)
    assert tab.run("document.querySelectorAll('#tests li:not([hidden])').length") == 1
