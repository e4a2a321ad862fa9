"""Playwright's own HTML report of our failures, which the triage tasks compare with: it says what ours says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.broken_runs.recording import run_below
from benchmarks.triage_tasks import VERSION, read_playwright
from benchmarks.triage_tasks.playwright_report import playwright_report
from benchmarks.triage_tasks.reader import HEIGHT, WIDTH, Reader
from tests.browser.chromium import BROWSER, Tab
from tests.conftest import Run

from .npm import package

pytestmark = [
    pytest.mark.viewer,
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no chromium on PATH: the report is read in a real browser"),
]

SUITE = """
def test_green(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_red(mobile):
    mobile.launch("dev.replicant.shop")
    mobile.expect_visible(text="Nowhere", timeout=0.3)

def test_plain(mobile):
    assert 17 == 18
"""
SAID = (
    "After the verdict: not in 3 s more.",
    'Button "Sign in"',
    '> 6 | mobile.expect_visible(text="Nowhere", timeout=0.3)',
    "launch dev.replicant.shop",
    "I ActivityTaskManager: Displayed dev.replicant.shop",
)


def test_it_has_the_message_the_outline_the_source_line_and_the_picture(
    run: Run, pytester: pytest.Pytester, tmp_path: Path
) -> None:
    packages, reason = package("playwright", VERSION)
    if packages is None:
        pytest.skip(reason)
    run(SUITE, "--replicant-output=out", "--replicant-screenshot=on").assert_outcomes(passed=1, failed=2)
    recorded = run_below(pytester.path / "out")
    page = playwright_report(recorded, tmp_path / "report", packages / "node_modules", pytester.path)
    tab = Tab(tmp_path / "profile", WIDTH, HEIGHT)
    try:
        tab.resize(WIDTH, HEIGHT)
        for text in SAID:
            reader = Reader(tab, [text], lambda cause, read: cause in read)
            units = read_playwright(reader, page)
            assert sorted(units) == ["test_plain", "test_red"]
            assert reader.found == {"test_red": text}
        tab.run("[...document.querySelectorAll('a')].find((link) => /previous/.test(link.innerText)).click()")
        tab.wait_for("[...document.querySelectorAll('img')].some((one) => one.naturalWidth > 500)")
    finally:
        tab.close()
