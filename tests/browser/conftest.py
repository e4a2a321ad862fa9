"""One browser for the tests of a module; each is given a tab that knows nothing of the test before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

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
