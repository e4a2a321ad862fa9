"""How soon the index of a run answers: opened from a file in Chromium, until a click has had its effect."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from pytest_replicant.reporting.pages.index_page import index_page
from tests.browser.chromium import BROWSER, Tab
from tests.unit.reporting.big_run import big_run

from .table import Table, Unmeasurable

ROUNDS = 7
RUNS = ((100, 20), (1_000, 100), (1_000, 1_000), (10_000, 1_000))  # tests, and how many of them failed
MESSAGE = 2_000  # characters of what each failure said

DRAWN = "document.readyState === 'complete' && document.querySelector('#tests > li') !== null"
FILTERED = "/ of /.test(document.getElementById('found').textContent)"
BUILT = "performance.timing.domComplete - performance.timing.navigationStart"


def measure() -> Table:
    """Raises ``Unmeasurable`` where there is no Chromium."""
    if BROWSER is None:
        raise Unmeasurable("no chromium on PATH")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        rows = tuple(_row(tests, failing, Path(folder)) for tests, failing in RUNS)
    return Table(
        "index_page",
        "The index of a run",
        "python -m benchmarks index_page",
        ("tests", "failed", "file, kB", "written in ms", "loaded after ms", "answered a click after ms"),
        rows,
        f"Medians of {ROUNDS} visits in headless Chromium, from the navigation on. Each test has 20 steps; "
        f"failures have 12 causes and messages of {MESSAGE:,} characters. The click filters the list, and its "
        "effect is seen from outside the browser.",
    )


def _row(tests: int, failing: int, folder: Path) -> tuple[object, ...]:
    document = big_run(tests, failing, message_length=MESSAGE)
    began = time.perf_counter()
    page = index_page(document)
    took = time.perf_counter() - began
    path = folder / f"{tests}-{failing}.html"
    path.write_text(page, encoding="utf-8")
    visits = _visits(path, folder / f"profile-{tests}-{failing}")
    loaded, answered = (round(statistics.median(visit[index] for visit in visits)) for index in (0, 1))
    return f"{tests:,}", f"{failing:,}", round(path.stat().st_size / 1000), round(took * 1000), loaded, answered


def _visits(page: Path, profile: Path) -> list[tuple[float, float]]:
    tab = Tab(profile, 1280, 900)
    try:
        return [_visit(tab, page) for _ in range(ROUNDS)]
    finally:
        tab.close()


def _visit(tab: Tab, page: Path) -> tuple[float, float]:
    """Milliseconds until the page was loaded, and until a click was answered."""
    tab.open("about:blank#")
    began = time.perf_counter()
    tab.open(page.as_uri())
    tab.wait_for(DRAWN)
    tab.click("#totals button")
    tab.wait_for(FILTERED)
    answered = (time.perf_counter() - began) * 1000
    return tab.run(BUILT), answered
