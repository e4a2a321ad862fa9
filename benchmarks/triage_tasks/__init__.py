"""Triage tasks: how long a reader of fixed habits takes to the causes of ten red runs, in our index and in
Playwright's HTML report of the same failures."""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.browser.chromium import BROWSER, Tab
from tests.consumers.npm import package

from ..broken_runs.recording import Truth, read_truth, record, run_below
from ..table import Table, Unmeasurable
from .playwright_report import name_of, playwright_report
from .reader import CHARACTERS_A_SECOND, HEIGHT, SECONDS_A_CLICK, SECONDS_A_SCROLL, WIDTH, Effort, Reader
from .witnesses import knows

RUNS = 10
VERSION = "1.65.1"
"""Of Playwright."""
GOALS = ("first cause known", "both causes known", "all failures looked at")
TOOLS = ("our index", "Playwright's report")
_TEST = 'li > div > a[href*="trace.html"]'
"""The name of a test in the card of a cause."""
_NOTE = (
    "Median, and from least to most. A model of a reader, not a person: no person was timed. Ten red runs of the "
    "*held out* suite of `grouping`, drawn by a seed, each with two faults, pictures, and the last pass at hand. "
    f"Playwright {VERSION} reports the same failures: tests of the same names and steps, our messages with the "
    "outline, source lines, picture and device log. The reader "
    f"sees the text that a window of {WIDTH} x {HEIGHT} shows, and no picture. It reads in document order, "
    f"{CHARACTERS_A_SECOND} characters a second, what it has read before in no time. It scrolls a page in "
    f"{SECONDS_A_SCROLL} s and clicks in {SECONDS_A_CLICK} s. In the index it goes from card to card, and "
    "where one does not say enough unfolds its screen, then opens its first test. In Playwright's report it goes "
    "from failed test to failed test, and where one does not say enough unfolds what it printed. A cause is "
    "known when its witness was read: text that is written down for each fault, such as the old and the new "
    "value, or the refused request. The reader then goes on to the next card or test. Playwright's "
    "report does not say how many causes there are: that both are all is known when all failures were looked at. "
    "A failure is understood where the witness that was read of it, or of its card, is one of its own fault. Of "
    "two faults that show on one screen, the first one read stands for both."
)


@dataclass(frozen=True)
class Solved:
    """What one run took in one report: the effort up to each goal, None where it was not reached. Of ``failures``
    the reader understood ``right``. ``loads`` are in seconds."""

    run: str
    tool: str
    efforts: tuple[Effort | None, ...]
    failures: int
    right: int
    loads: tuple[float, ...]


# --- what the reader does -----------------------------------------------------------------------------------


def read_index(reader: Reader, page: Path) -> dict[str, str]:
    """The card of each cause from the top; where it does not say enough, what is folded in it, then its first
    test; at last the other tests of cards that are not understood. Returns the card of each failure by the name of
    the test."""
    parts = "#causes > details"
    reader.open(page.as_uri())
    cards = _cards(reader, parts)
    for card in cards:
        reader.look(card, parts)
        summary = f"document.querySelector('#{card} > summary')"
        if card not in reader.found:
            reader.bring(summary)
            if not reader.tab.run(f"{summary}.parentElement.open"):
                reader.click(summary, goes=False)
            reader.read(card, parts)
        if card not in reader.found:
            folded = f"document.querySelector('#{card} details:not([open]) > summary')"
            if reader.click(folded, goes=False):
                reader.read(card, parts)
        _read_test(reader, card, 0)
    for card, tests in cards.items():
        for at in range(1, len(tests)):
            _read_test(reader, card, at)
    # What a card holds is asked of the page when the reader has gone.
    reader.tab.run("document.querySelectorAll('#causes li.rest button').forEach((rest) => rest.click())")
    return {test: card for card, tests in _cards(reader, parts).items() for test in tests}


def _cards(reader: Reader, parts: str) -> dict[str, list[str]]:
    """The names of the tests that each card lists."""
    found: dict[str, list[str]] = reader.tab.run(
        f"Object.fromEntries([...document.querySelectorAll('{parts}')].map((card) =>"
        f" [card.id, [...card.querySelectorAll('{_TEST}')].map((link) => link.textContent.trim())]))"
    )
    return found


def _read_test(reader: Reader, card: str, at: int) -> None:
    if card not in reader.found:
        reader.click(f"document.querySelectorAll('#{card} {_TEST}')[{at}]")
        reader.read(card)
        reader.back()


def read_playwright(reader: Reader, page: Path) -> dict[str, str]:
    """The failed tests alone, one after the other; what a test printed too, where its page has no witness. Returns
    the name of each failed test by itself."""
    reader.open(page.as_uri())
    reader.look()
    reader.click("document.querySelector('a[href*=\"s%3Afailed\"]')")
    reader.look()
    links = "[...document.querySelectorAll('a[href*=\"testId=\"]')].reverse()"
    tests: list[str] = reader.tab.run(
        f"[...new Map({links}.map((link) => [link.href, link.innerText])).values()].reverse()"
    )
    reader.click("document.querySelector('a[href*=\"testId=\"]')")
    for at, name in enumerate(tests):
        if at:
            reader.click("[...document.querySelectorAll('a')].find((link) => link.innerText.startsWith('next'))")
        reader.read(name)
        if name not in reader.found:
            printed = "[...document.querySelectorAll('span')].find((one) => one.innerText === 'stdout')"
            if reader.click(printed, goes=False):
                reader.read(name)
    return {name: name for name in tests}


# --- ten runs -----------------------------------------------------------------------------------------------


def solve(folder: Path, made: Path, only: str = "") -> Iterator[Solved]:
    """Each recorded run in both reports; those of Playwright are written to ``made``."""
    if BROWSER is None:
        raise Unmeasurable("no chromium on PATH")
    packages, reason = package("playwright", VERSION)
    if packages is None:
        raise Unmeasurable(reason)
    tab = Tab(made / "profile", WIDTH, HEIGHT)
    try:
        tab.resize(WIDTH, HEIGHT)
        for name, truth in sorted(read_truth(folder).items()):
            if only in ("", name):
                run = run_below(folder / name)
                pages = (
                    run.folders[0] / "index.html",
                    playwright_report(run, made / name, packages / "node_modules"),
                )
                for tool, page, read in zip(TOOLS, pages, (read_index, read_playwright), strict=True):
                    reader = Reader(tab, name.split("+"), knows)
                    units = read(reader, page)
                    yield _solved(name, tool, reader, units, truth)
    finally:
        tab.close()


def _solved(run: str, tool: str, reader: Reader, units: Mapping[str, str], truth: Truth) -> Solved:
    both = [reader.known.get(cause) for cause in reader.causes]
    known = sorted((one for one in both if one is not None), key=lambda one: one.seconds)
    efforts = (known[0] if known else None, known[-1] if None not in both else None, reader.effort)
    right = sum(reader.found.get(units.get(name_of(test), "")) == cause for test, cause in truth.cause.items())
    return Solved(run, tool, efforts, len(truth.cause), right, tuple(reader.loads))


def table(solved: Sequence[Solved]) -> Table:
    rows: list[tuple[str, ...]] = []
    loads: list[str] = []
    for tool in TOOLS:
        own = [one for one in solved if one.tool == tool]
        for at, goal in enumerate(GOALS):
            efforts = [one.efforts[at] for one in own]
            reached = [effort for effort in efforts if effort is not None]
            rows.append((tool, goal, f"{len(reached)} of {len(own)} runs", *_spread(reached)))
        understood = f"{sum(one.right for one in own)} of {sum(one.failures for one in own)} failures understood"
        rows[-1] = (tool, GOALS[-1], understood, *rows[-1][3:])
        loads.append(f"{statistics.median(load for one in own for load in one.loads):.2f} s")
    return Table(
        "triage_tasks",
        "Seconds and clicks to the causes of a red run",
        "python -m benchmarks triage_tasks",
        ("report", "goal", "reached", "clicks", "scrolls", "characters read", "modelled seconds"),
        tuple(rows),
        f"{_NOTE} A page is at rest after {loads[0]} and {loads[1]} (medians, measured).",
    )


def _spread(efforts: Sequence[Effort]) -> Iterator[str]:
    """Median and range of what they took."""
    for values in (
        [one.clicks for one in efforts],
        [one.scrolls for one in efforts],
        [one.characters for one in efforts],
        [one.seconds for one in efforts],
    ):
        yield f"{statistics.median(values):.0f} ({min(values):.0f} to {max(values):.0f})" if values else "-"


def alone(options: Sequence[str]) -> list[Table]:
    """``triage_tasks`` with options: one run, kept recordings and reports."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks triage_tasks", description=alone.__doc__)
    parser.add_argument("--only", metavar="RUN", default="", help="one run, such as freeze_refused+limit_wrong")
    parser.add_argument("--keep", metavar="DIR", type=Path, required=True, help="record into this folder")
    parser.add_argument("--again", action="store_true", help="read what is recorded there")
    chosen = parser.parse_args(options)
    if not chosen.again:
        record("held_out", chosen.keep, most=RUNS, pictures=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        solved = list(solve(chosen.keep, Path(made), chosen.only))
    for one in solved:
        efforts = [f"{each.clicks} clicks, {each.seconds:.0f} s" if each else "never" for each in one.efforts]
        print(f"{one.run}, {one.tool}: {'; '.join(efforts)}; {one.right} of {one.failures} right")
    return [table(solved)]


def measure() -> Table:
    # Chromium may still be writing to its profile when it has gone.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        record("held_out", Path(made, "runs"), most=RUNS, pictures=True)
        return table(list(solve(Path(made, "runs"), Path(made))))
