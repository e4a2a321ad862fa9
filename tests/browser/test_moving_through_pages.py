"""Keyboard and mouse in a real browser, wide and narrow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.model import TestTrace
from tests.unit.reporting.factory import HOSTILE, hostile_trace
from tests.unit.reporting.pages.written import page_of
from tests.unit.reporting.story import failing_story

from .chromium import Tab
from .page_judge import faults

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SELECTED = "document.querySelector('[aria-current]').getAttribute('href')"
SHOWN = "document.querySelectorAll('.step:not(.around):not([hidden])').length"


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page_of(failing_story(), tmp_path_factory.mktemp("out")).as_uri()


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
    tab.wait_for("document.querySelector('dialog.enlarged') === null")
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


UNKNOWN = replace(failing_story(), device={"model": None, "size": [None, None]})


@pytest.mark.parametrize("trace", [UNKNOWN, hostile_trace(HOSTILE["long"])], ids=["unknown", "long"])
def test_a_trace_fits_the_window_and_spells_nothing_that_is_missing(
    tab: Tab, tmp_path: Path, trace: TestTrace
) -> None:
    tab.open(page_of(trace, tmp_path).as_uri())
    assert faults(tab) == set()
