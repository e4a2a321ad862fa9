"""One browser for the tests of a module; each is given a tab that knows nothing of the test
before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.reporting.pages.written import page_of
from tests.unit.reporting.story import failing_story

from .chromium import BROWSER, Tab

SIZE = (1280, 900)


@pytest.fixture(autouse=True, scope="package")
def chromium() -> None:
    if BROWSER is None:
        pytest.skip("no chromium on PATH: the pages are used in a real browser")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    opened = Tab(tmp_path_factory.mktemp("profile"), *SIZE)
    yield opened
    opened.close()


@pytest.fixture
def tab(browser: Tab) -> Iterator[Tab]:
    """Its console must be empty in the end."""
    browser.resize(*SIZE)
    yield browser
    browser.run("localStorage.clear()")
    assert browser.console == []


@pytest.fixture(scope="package")
def story_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the failing story."""
    return page_of(failing_story(), tmp_path_factory.mktemp("out"))


@pytest.fixture
def story(tab: Tab, story_page: Path) -> Tab:
    """That page in the tab."""
    tab.open(story_page.as_uri())
    return tab
