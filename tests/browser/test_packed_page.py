"""The page of a test that passed, in a real browser: it unpacks itself, and shows the pictures of its run."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.reporting.pages.written import page_of
from tests.unit.reporting.story import failing_story

from .chromium import Tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = "[...document.querySelectorAll('.glass img')].map((one) => one.complete && one.naturalWidth > 0)"


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    story = failing_story()
    passed = replace(story, test=replace(story.test, outcome="passed", attempt=0))
    return page_of(passed, tmp_path_factory.mktemp("out"))


def test_it_draws_itself_at_the_step_of_its_address(tab: Tab, packed: Path) -> None:
    tab.open(packed.as_uri() + "#a2")
    tab.wait_for("document.querySelector('[aria-current]') !== null")
    assert tab.run("document.querySelector('[aria-current]').getAttribute('href')") == "#a2"
    tab.wait_for(f"{SIZES}.length === 2 && {SIZES}.every(Boolean)")
    assert tab.console == []


def test_away_from_its_run_it_says_that_its_pictures_are_missing(tab: Tab, packed: Path, tmp_path: Path) -> None:
    alone = tmp_path / "trace.html"
    shutil.copy(packed, alone)
    tab.open(alone.as_uri() + "#a2")
    tab.wait_for("document.querySelectorAll('.glass.missing').length === 2")
    assert "in the folder of the run" in tab.run("document.querySelector('.glass.missing').textContent")
    assert all("ERR_FILE_NOT_FOUND" in said for said in tab.console)
    tab.console.clear()
