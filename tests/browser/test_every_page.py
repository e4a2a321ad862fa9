"""Every page that we write, of real runs: it spells no missing value, and never scrolls
sideways."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from pytest_replicant.model import TestOutcome
from tests.unit.exploring.inspected import inspected, kept
from tests.unit.reporting.pages.written import pages_of

from .chromium import Tab
from .made_runs import APP, RUNS, WORDS, project, ran
from .page_judge import faults
from .test_inspector import leave, line, opened, step

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.ci,
    pytest.mark.timeout(900),
]  # whole runs within

GIVEN = [
    form.format(word)
    for word in (*WORDS, "nan")
    for form in ("[{}]", '"{}"', "'{}'", "-{}-", "{} of it")
]
"""How the words of the hostile app and of the names of its tests stand on a page."""

Report = Callable[[str], Path]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The folder of a run by its name; each is made once."""
    folder = project(tmp_path_factory.mktemp("runs"))
    return cache(lambda name: ran(folder, name))


def judged(tab: Tab, path: Path) -> set[str]:
    tab.open(path.as_uri())
    return faults(tab, GIVEN if "com.acme.hostile" in path.read_text("utf-8") else ())


@pytest.mark.parametrize("name", RUNS)
def test_the_pages_of_a_run(tab: Tab, report: Report, name: str) -> None:
    found = {
        path.relative_to(report(name)).as_posix(): judged(tab, path)
        for path in report(name).rglob("*.html")
    }
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    assert {Path(name).name for name in found} >= {"index.html", "trace.html"}


def test_the_page_of_a_run_without_tests(tab: Tab, tmp_path: Path) -> None:
    assert pages_of(tmp_path) == []
    assert judged(tab, tmp_path / "run" / "index.html") == set()


def test_runs_have_pages_of_every_kind(report: Report) -> None:
    rows = [
        row
        for name in RUNS
        for row in json.loads((report(name) / "run.json").read_text("utf-8"))["tests"]
    ]
    assert {row["outcome"] for row in rows if row["trace"]} == {*get_args(TestOutcome)}
    without = {row["nodeid"].split("::")[1] for row in rows if not row["trace"]}
    assert without == {"test_skipped", "test_wrong_marker", "test_error_before_a_phone"}
    assert (report("red") / "accessibility.html").exists()


def test_what_a_trace_shows_on_demand(tab: Tab, report: Report) -> None:
    (path,) = report("red").glob("test-failed-to-find-*/trace.html")
    tab.open(path.as_uri())
    for key in "l?":
        tab.press(key)
    assert faults(tab) == set()


def test_the_inspector_of_a_phone(tab: Tab, tmp_path: Path) -> None:
    with inspected(tmp_path, APP) as page:
        opened(tab, page)
        tab.click(f"[data-ref={line(tab, 'Button')}]")
        tab.wait_for("!!document.querySelector('#element .actions')")
        for words in ("undefined", "Nothing"):
            step(tab, f"tap(text={words!r}, timeout=0.1)")
        assert faults(tab, [*GIVEN, "-> None"]) == set()
        leave(tab, tmp_path)


def test_the_inspector_of_a_kept_trace(tab: Tab, report: Report, tmp_path: Path) -> None:
    with kept(str(min(report("hostile").glob("test-*")))) as page:
        opened(tab, page)
        assert faults(tab, GIVEN) == set()
        leave(tab, tmp_path)


@pytest.mark.parametrize(
    "body",
    [
        "<p>null",
        "<p>for NaN ms",
        "<p hidden>[object Object]",
        "<details><p>undefined</details>",
        "<b title='Copy: undefined'>",
        "<input aria-label=null>",
        "<a href='trace.html#null'>",
        "<style>p::before { content: 'NaN' }</style><p>",
        "<p style='width: 391px'>wide",
        f"<p style='white-space: nowrap'>{'a wide table' * 99}",
        "<script>console.error('no')</script>",
        "<script>absent()</script>",
    ],
)
def test_the_judge_sees(tab: Tab, tmp_path: Path, body: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><body>{body}", "utf-8")
    assert judged(tab, path) != set()
    tab.console.clear()
