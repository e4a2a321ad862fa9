"""Keyboard and mouse on the page of a test, and from one page of a run to the next."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.unit.reporting.factory import facts, tiny_trace
from tests.unit.reporting.pages.written import page_of, pages_of
from tests.unit.reporting.story import failing_story

from .chromium import SELECTED, Tab

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOWN = ".step:not(.around):not([hidden])"


def test_keys_move_the_selection_and_the_address(story: Tab) -> None:
    assert story.run(SELECTED) == "#check-4"
    moves = {
        "k": "#a5",
        "ArrowUp": "#check-3",
        "ArrowDown": "#a5",
        "n": "#check-4",
        "j": "#about",
        "p": "#check-4",
    }
    for key, step in moves.items():
        story.press(key)
        assert [story.run(SELECTED), story.run("location.hash")] == [step, step]


def test_slash_searches_and_escape_ends_it(story: Tab) -> None:
    story.press("/")
    assert story.run("document.activeElement.id") == "search"
    for key in "sign":
        story.press(key)
    assert (story.count(SHOWN), story.text("#found")) == (1, "1 of 11")
    story.press("ArrowDown")
    assert story.run(SELECTED) == "#a2"
    story.press("Escape")
    assert story.count(SHOWN) == 11


def test_the_mouse_selects_filters_and_enlarges(story: Tab) -> None:
    story.click('#steps a[href="#a2"]')
    story.wait_for(f"{SELECTED} === '#a2'")
    story.click("button.glass")
    story.wait_for("document.querySelector('dialog[open] img') !== null")
    story.press("Escape")
    story.wait_for("document.querySelector('dialog.enlarged') === null")
    story.press("Enter")
    before = story.run("document.querySelector('dialog.enlarged img').alt")
    story.press("ArrowRight")
    assert story.run("document.querySelector('dialog.enlarged img').alt") != before
    story.press("Escape")
    story.wait_for("document.querySelector('dialog.enlarged') === null")
    story.click("#only-problems")
    assert story.count(SHOWN) == 1


def test_keys_and_links_lead_through_the_failures_of_a_run(tab: Tab, tmp_path: Path) -> None:
    story = failing_story()
    traces = [
        story,
        replace(story, test=facts("failed", "t.py::test_b")),
        replace(tiny_trace(attempt=1), test=facts("passed", "t.py::test_b", 1)),
        replace(story, test=facts("failed", "t.py::</script>")),
    ]
    tab.open(page_of(traces[0], tmp_path).as_uri())
    assert tab.count("#around *") == 0, "opened before the run has ended"
    pages = pages_of(tmp_path, *traces)

    def arrived(at: int) -> None:
        folder = f"/{pages[at].parent.name}/"
        tab.wait_for(
            f"location.pathname.includes('{folder}') && document.readyState === 'complete'"
        )
        tab.wait_for("document.querySelector('#around a') !== null")

    tab.open(pages[0].as_uri())
    assert tab.text("#around").startswith("← All tests")
    assert "Failure 1 of 2" in tab.text("#around")
    tab.press("N")
    arrived(3)
    tab.press("P")
    arrived(0)
    tab.open(pages[1].as_uri())
    tab.press("a")
    arrived(2)
    assert tab.text("#around .here") == "attempt 2: passed"
    tab.press("i")
    tab.wait_for("document.querySelector('#tests') !== null")
