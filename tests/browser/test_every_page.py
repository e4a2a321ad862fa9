"""Every page that we write, of real runs: it spells no missing value, and never scrolls sideways."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from pytest_replicant.clock import SystemClock
from pytest_replicant.exploring.inspector.kept import KeptTrace
from pytest_replicant.exploring.inspector.turns import Turns
from pytest_replicant.model import TestOutcome
from pytest_replicant.reporting.pages import page as pages
from pytest_replicant.reporting.pages.index_page import index_page, write_run
from tests.unit.exploring.inspected import inspected, served
from tests.unit.reporting.made_rows import run

from .chromium import Tab
from .made_runs import APP, WORDS, project, ran
from .page_judge import faults
from .test_inspector import leave, line, opened, step

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.ci]

PHONE = "virtual?latency=0"
AUDIT = "--replicant-accessibility=report"
RUNS = {
    "green": (PHONE, "test_outcomes.py", "-k", "test_passed"),
    "red": (PHONE, "test_outcomes.py", "--reruns=1", "--only-rerun=Sooner", AUDIT),
    "one": (PHONE, "test_outcomes.py::test_passed"),
    "matrix": (
        "virtual:ios?latency=0",
        f"--replicant-device={PHONE}",
        "--replicant-matrix",
        "test_outcomes.py",
        "-k",
        "to_find or a_step",
    ),
    "hostile": (f"{PHONE}&apps=tests.browser.made_runs:APP", "test_hostile.py", AUDIT),
    "replay": ("cassette:red", "test_outcomes.py"),
}
GIVEN = [form.format(word) for word in (*WORDS, "nan") for form in ("[{}]", '"{}"', "'{}'", "-{}-", "{} of it")]
"""How the words of an app and of a test's name may stand on a page."""

Report = Callable[[str], Path]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The folder of a run by its name; each is made once."""
    folder = project(tmp_path_factory.mktemp("runs"))

    @cache
    def made(name: str) -> Path:
        if name == "replay":
            made("red")
            (folder / "edited").touch()
        return ran(folder, "red" if name == "replay" else name, *RUNS[name])

    return made


def judged(tab: Tab, page: Path) -> set[str]:
    tab.open(page.as_uri())
    return faults(tab, GIVEN if "com.acme.hostile" in page.read_text("utf-8") else ())


@pytest.mark.parametrize("name", RUNS)
def test_the_page_of_a_run(tab: Tab, report: Report, name: str) -> None:
    assert judged(tab, report(name) / "index.html") == set()


def test_the_page_of_a_run_without_tests(tab: Tab, tmp_path: Path) -> None:
    page = write_run(run(), tmp_path).index_html
    assert page is not None
    assert judged(tab, page) == set()


@pytest.mark.parametrize("name", RUNS)
def test_the_traces_of_a_run(tab: Tab, report: Report, name: str) -> None:
    found = {page.parent.name: judged(tab, page) for page in report(name).glob("*/trace.html")}
    assert found
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_there_is_a_trace_of_each_outcome(report: Report) -> None:
    rows = [row for name in RUNS for row in json.loads((report(name) / "run.json").read_text("utf-8"))["tests"]]
    assert {row["outcome"] for row in rows if row["trace"]} == set(get_args(TestOutcome))
    without = {row["nodeid"].split("::")[1] for row in rows if not row["trace"]}
    assert without == {"test_skipped", "test_wrong_marker", "test_error_before_a_phone"}


@pytest.mark.parametrize("name", ["red", "hostile"])
def test_the_page_of_accessibility(tab: Tab, report: Report, name: str) -> None:
    assert judged(tab, report(name) / "accessibility.html") == set()


def test_the_inspector_of_a_phone(tab: Tab, tmp_path: Path) -> None:
    with inspected(tmp_path, APP) as page:
        opened(tab, page)
        tab.click(f"[data-ref={line(tab, 'Button')}]")
        tab.wait_for("!!document.querySelector('#element .actions')")
        step(tab, 'tap(text="undefined")')
        step(tab, 'tap(text="Nothing", timeout=0.1)')
        assert faults(tab, [*GIVEN, "-> None"]) == set()
        leave(tab, tmp_path)


@pytest.mark.parametrize("name", ["red", "hostile"])
def test_the_inspector_of_a_kept_trace(tab: Tab, report: Report, tmp_path: Path, name: str) -> None:
    trace = next(
        page.parent
        for page in report(name).glob("*/trace.html")
        if "failed" in page.parent.name or name == "hostile"
    )
    with served(KeptTrace.open(str(trace)), Turns(SystemClock(), 60)) as page:
        opened(tab, page)
        assert faults(tab, GIVEN) == set()
        leave(tab, tmp_path)


def test_what_is_shown_on_demand(tab: Tab, report: Report) -> None:
    (page,) = report("red").glob("test-failed-to-find-*/trace.html")
    tab.open(page.as_uri())
    tab.press("l")
    tab.press("?")
    assert faults(tab) == set()
    tab.run("document.querySelector('dialog[open]').close()")
    tab.press("Enter")
    tab.run("window.dispatchEvent(new Event('beforeprint'))")
    assert faults(tab) == set()


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
        "<p style='white-space: nowrap'>" + "a wide table " * 200,
        "<script>console.error('no')</script>",
        "<script>absent()</script>",
    ],
)
def test_the_judge_sees(tab: Tab, tmp_path: Path, body: str) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><body>{body}", "utf-8")
    assert judged(tab, page) != set()
    tab.console.clear()


@pytest.mark.parametrize(
    "body", ["<p>nullable", "<div style='overflow: auto'><p style='width: 2000px'>", "<q>null</q>"]
)
def test_the_judge_lets_pass(tab: Tab, tmp_path: Path, body: str) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><body>com.acme.hostile{body}", "utf-8")
    assert judged(tab, page) == set()


def test_a_page_that_adds_children_by_the_browser_alone_is_seen(
    tab: Tab, report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = json.loads((report("green") / "run.json").read_text("utf-8"))
    own = pages.asset

    def spoilt(name: str) -> str:
        return own(name).replace(
            "function append(node, ...children) {",
            "function append(node, ...children) { node.append(...children.flat(3)); return node;",
        )

    monkeypatch.setattr(pages, "asset", spoilt)
    page = tmp_path / "index.html"
    page.write_text(index_page(document), "utf-8")
    assert judged(tab, page) == {" null"}
