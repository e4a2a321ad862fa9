"""Triage tasks: how long a reader of fixed habits takes to the causes of ten red runs, in our index and in Playwright's
HTML report of the same failures."""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_replicant.reporting.triage.runs import FoundRun
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


@dataclass(frozen=True)
class Solved:
    """What one run took in one report: the effort up to each goal, None where it was not reached. ``right`` are the
    failures of whose cause the reader read a witness where the report has them, of ``failures``."""

    run: str
    tool: str
    efforts: tuple[Effort | None, ...]
    failures: int
    right: int
    loads: tuple[float, ...]


# --- what the reader does -----------------------------------------------------------------------------------


def read_index(reader: Reader, page: Path) -> dict[str, str]:
    """The card of each cause from the top, then its first test, then the next card; at last the other tests of
    cards that are not understood. Returns the card of each failure by the name of the test."""
    reader.part = "#causes > details"
    reader.open(page.as_uri())
    reader.look()
    cards: dict[str, list[str]] = reader.tab.run(
        f"Object.fromEntries([...document.querySelectorAll('{reader.part}')].map((card) =>"
        " [card.id, [...card.querySelectorAll('li a[href*=\"trace.html\"]')].map((link) => link.innerText)]))"
    )
    for card in cards:
        summary = f"document.querySelector('#{card} > summary')"
        reader.bring(summary)
        if not reader.tab.run(f"{summary}.parentElement.open"):
            reader.click(summary, goes=False)
        if not reader.read_part(card):
            _read_test(reader, card, 0)
    for card, tests in cards.items():
        for at in range(1, len(tests)):
            if card not in reader.found:
                _read_test(reader, card, at)
    return {test: card for card, tests in cards.items() for test in tests}


def _read_test(reader: Reader, card: str, at: int) -> None:
    reader.click(f"document.querySelectorAll('#{card} li a[href*=\"trace.html\"]')[{at}]")
    reader.read_page(card)
    reader.back()


def read_playwright(reader: Reader, page: Path) -> dict[str, str]:
    """The failed tests alone, one after the other; its output too where the page has no witness. Returns itself
    of each failure, by the name of the test."""
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
        if not reader.read_page(name):
            output = "[...document.querySelectorAll('[role=treeitem] *')].find((one) => one.innerText === 'stdout')"
            if reader.click(output, goes=False):
                reader.read_page(name)
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
                pages = run.folders[0] / "index.html", playwright_report(run, made / name, packages / "node_modules")
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
    right = sum(
        cause in reader.found.get(units.get(name_of(test), ""), ()) for test, cause in truth.cause.items()
    )
    return Solved(run, tool, efforts, len(truth.cause), right, tuple(reader.loads))


def table(solved: Sequence[Solved]) -> Table:
    rows = []
    for tool in TOOLS:
        own = [one for one in solved if one.tool == tool]
        for at, goal in enumerate(GOALS):
            reached = [one.efforts[at] for one in own]
            efforts = [one for one in reached if one is not None]
            rows.append((tool, goal, f"{len(efforts)} of {len(own)}", *_spread(efforts)))
    right = {tool: sum(one.right for one in solved if one.tool == tool) for tool in TOOLS}
    loads = {tool: statistics.median(load for one in solved if one.tool == tool for load in one.loads) for tool in TOOLS}
    failures = sum(one.failures for one in solved) // len(TOOLS)
    return Table(
        "triage_tasks",
        "Seconds and clicks to the causes of a red run",
        "python -m benchmarks triage_tasks",
        ("report", "goal", "reached", "clicks", "scrolls", "characters read", "modelled seconds"),
        tuple(rows),
        "",
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
    with tempfile.TemporaryDirectory() as made:
        solved = list(solve(chosen.keep, Path(made), chosen.only))
    for one in solved:
        efforts = [f"{each.clicks} clicks, {each.seconds:.0f} s" if each else "never" for each in one.efforts]
        print(f"{one.run}, {one.tool}: {'; '.join(efforts)}; {one.right} of {one.failures} right")
    return [table(solved)]


def measure() -> Table:
    with tempfile.TemporaryDirectory() as recorded, tempfile.TemporaryDirectory() as made:
        record("held_out", Path(recorded), most=RUNS, pictures=True)
        return table(list(solve(Path(recorded), Path(made))))
