"""What we add to the page of pytest-html, in a real browser: rows, links, summaries, hostile text
as text."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Run

from .chromium import Tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SOURCE = """
import pytest
from pytest_replicant import DeviceOffline

HOSTILE = "</td></script><img src=x onerror=document.title='owned'>"

def start(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_pass(mobile):
    start(mobile)

@pytest.mark.parametrize("text", [HOSTILE], ids=["hostile"])
def test_hostile(mobile, text):
    start(mobile)
    mobile.tap(text=text)

def test_flaky(mobile, request):
    start(mobile)
    if request.node.execution_count == 1:
        mobile.expect_screen("Catalogue")

def test_offline(mobile):
    start(mobile)
    raise DeviceOffline("the cable is out", device="virtual")
"""

ROWS = """[...document.querySelectorAll('#results-table tbody.results-table-row')].map((row) => [
    row.querySelector('.col-testId').textContent.replace(/.*::/, ''),
    row.querySelector('.col-result').textContent,
    getComputedStyle(row.querySelector('.col-result'), '::after').content,
    [...row.querySelectorAll('.col-links a')].map((link) => link.textContent),
])"""


def test_every_attempt_has_a_row_a_link_and_a_summary(
    run: Run, pytester: pytest.Pytester, tab: Tab
) -> None:
    files = ("--replicant-output=out", "--html=report.html", "--self-contained-html")
    run(SOURCE, *files, "--reruns=1", "--only-rerun=Catalogue")
    tab.open((pytester.path / "report.html").as_uri())
    rows: list[list[Any]] = tab.run(ROWS)
    found = {(name, result, mark.strip('"')): links for name, result, mark, links in rows}
    trace = "Replicant trace"
    assert found == {
        ("test_pass", "Passed", "none"): [trace],
        ("test_hostile[hostile]", "Failed", "none"): [trace],
        ("test_flaky", "Rerun", "none"): [f"{trace}, attempt 1"],
        ("test_flaky", "Passed", ", flaky"): [f"{trace}, attempt 1", f"{trace}, attempt 2"],
        ("test_offline", "Failed", ", infra"): [trace],
    }
    assert len(rows) == len(found)
    assert tab.run("document.title") == "report.html"
    assert tab.count("img[src=x]") == 0
    row = "[...document.querySelectorAll('tbody')].find((row) => /hostile/.test(row.textContent))"
    text: str = tab.run(f"{row}.querySelector('.extraHTML').innerText")
    assert "Attempt 1: failed" in text
    assert "tap text=\"</td></script><img src=x onerror=document.title='owned'>\"" in text
    assert tab.run(f"{row}.querySelector('.extraHTML img').naturalWidth") > 100
    assert tab.run(f"{row}.querySelector('.extraHTML').getBoundingClientRect().height") > 200
    tab.open(tab.run(f"{row}.querySelector('.col-links a').href"))
    assert tab.count("#steps .step:not(.around)") == 3
