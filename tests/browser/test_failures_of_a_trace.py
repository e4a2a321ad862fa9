"""Where a trace page leads from what failed, and how refs stand over a crowded or turned screen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_replicant.model import DeathRecord, FailureRecord, RaisedError, Rect, ShownElement, TestTrace
from tests.unit.reporting.pages.written import page_of
from tests.unit.reporting.story import failing_story

from .chromium import Tab

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SELECTED = "document.querySelector('[aria-current]').getAttribute('href')"
CRASHED = FailureRecord("expect_no_crash", "VERIFICATION_FAILED", problem="death")
DEATH = DeathRecord('shop died: no cart after tap text="Sign in" (a2, tests/test_shop.py:9)', "shop", "npe", "a2")


def healthy(*failures: RaisedError, deaths: tuple[DeathRecord, ...] = ()) -> TestTrace:
    """The steps of the story that passed, in a test that failed all the same."""
    story = failing_story()
    return replace(story, events=story.events[:5], failures=failures, deaths=deaths)


def test_a_crash_that_failed_the_test_is_reported_once_and_leads_to_its_step(tab: Tab, tmp_path: Path) -> None:
    failure = RaisedError(f"{DEATH.text}\nThe checks saw nothing of it.", "ExpectationFailed", failure=CRASHED)
    tab.open(page_of(healthy(failure, deaths=(DEATH,)), tmp_path).as_uri())
    assert tab.run(SELECTED) == "#a2"
    assert tab.run("document.querySelectorAll('#news .news').length") == 0
    assert tab.run("document.querySelector('.blame a[href=\"#a2\"]').textContent") == "Show the step"
    row = tab.run("document.querySelector('[aria-current] small').textContent")
    assert row == "the app died after this"
    tab.press("k")
    tab.press("n")
    assert tab.run(SELECTED) == "#a2", "a step after which the app died is one of those that failed"


def test_a_crash_beside_another_failure_is_reported_as_well(tab: Tab, tmp_path: Path) -> None:
    tab.open(
        page_of(healthy(RaisedError("sums do not add up", "AssertionError"), deaths=(DEATH,)), tmp_path).as_uri()
    )
    assert tab.run("document.querySelectorAll('#news .news').length") == 1


def test_an_assert_of_the_test_leads_to_the_last_step_before_it(tab: Tab, tmp_path: Path) -> None:
    failure = RaisedError("sums do not add up", "AssertionError", "tests/test_sums.py:8", "teardown")
    tab.open(page_of(healthy(failure), tmp_path).as_uri())
    assert tab.run(SELECTED) == "#check-1"
    assert tab.run("document.querySelector('.blame .go a').textContent") == "Show the last step before it"
    blamed = tab.run("document.querySelector('.blame small').textContent")
    assert blamed == "AssertionError  ·  tests/test_sums.py:8  ·  in teardown"


def crowded(elements: tuple[ShownElement, ...]) -> TestTrace:
    story = failing_story()
    first = replace(story.snapshots["s1"], elements=elements)
    return replace(story, snapshots={**story.snapshots, "s1": first})


def test_refs_of_a_crowded_screen_cover_no_other(tab: Tab, tmp_path: Path) -> None:
    keys = tuple(
        ShownElement(
            f"k{row}{column:02d}", "Key", "q", Rect(column * 60, row * 50, column * 60 + 60, row * 50 + 50)
        )
        for row in range(8)
        for column in range(18)
    )
    tab.open(page_of(crowded(keys), tmp_path).as_uri() + "#a2")
    tab.press("l")
    clear = (
        "(() => { const boxes = [...document.querySelectorAll('.mark-box:not(.crowded) b')]"
        ".map((one) => one.getBoundingClientRect());"
        " const hit = (a, b) => a.left < b.right - 1 && b.left < a.right - 1"
        " && a.top < b.bottom - 1 && b.top < a.bottom - 1;"
        " return [boxes.length, boxes.some((a, at) => boxes.slice(at + 1).some((b) => hit(a, b)))]; })()"
    )
    placed, overlapping = tab.run(clear)
    assert placed >= 5
    assert not overlapping
    assert tab.run("document.querySelectorAll('.mark-box.crowded').length") == len(keys) - placed


def test_a_click_on_a_ref_names_the_element_and_finds_its_line(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(failing_story(), tmp_path).as_uri() + "#a2")
    tab.resize(1280, 1500)  # with refs the pictures are larger, and a click needs its place in the window
    tab.press("l")
    tab.click(".mark-box[data-ref=k427]")
    tab.wait_for("document.querySelector('.sides code.pinned') !== null")
    assert tab.run("document.querySelector('.sides code.pinned').textContent").strip() == '[k427] Button "Sign in"'
    assert tab.run("document.querySelector('.named').textContent") == '[k427] Button "Sign in"'


def test_a_picture_of_another_shape_carries_no_marks_and_says_so(tab: Tab, tmp_path: Path) -> None:
    story = failing_story()
    turned = replace(story.snapshots["s1"], size=(2400, 1080))
    tab.open(page_of(replace(story, snapshots={**story.snapshots, "s1": turned}), tmp_path).as_uri() + "#a2")
    assert tab.run("document.querySelectorAll('.overlay, .mark-box').length") == 0
    assert "the screen was read as 2400 × 1080" in tab.run("document.querySelector('.turned').textContent")


def test_arrows_compare_the_two_large_pictures(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(failing_story(), tmp_path).as_uri() + "#a2")
    tab.press("Enter")
    after = tab.run("document.querySelector('dialog.enlarged img').alt")
    tab.press("ArrowLeft")
    assert tab.run("document.querySelector('dialog.enlarged img').alt") != after
    assert tab.run(SELECTED) == "#a2"


def test_paper_has_what_is_folded_on_the_screen(tab: Tab, tmp_path: Path) -> None:
    failure = RaisedError(f"{DEATH.text}\nThe checks saw nothing of it.", "ExpectationFailed", failure=CRASHED)
    tab.open(page_of(replace(failing_story(), failures=(failure,), deaths=(DEATH,)), tmp_path).as_uri())
    tab.run("window.dispatchEvent(new Event('beforeprint'))")
    assert tab.run("document.querySelector('#failures details').open")
    assert "Sign in" in tab.run("document.querySelector('#printed > article h2').textContent")
    tab.run("window.dispatchEvent(new Event('afterprint'))")
    assert not tab.run("document.querySelector('#failures details').open")
