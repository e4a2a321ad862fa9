"""What a trace page answers before anything is clicked, what can be copied from it, and where it leads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_replicant.model import (
    ElementRecord,
    FailureRecord,
    RaisedError,
    Rect,
    Selector,
    ShownElement,
    TestTrace,
)
from pytest_replicant.reporting.pages.index_page import link_pages
from tests.unit.reporting.compared import compared_trace
from tests.unit.reporting.factory import facts, tiny_trace
from tests.unit.reporting.pages.written import page_of, pages_of
from tests.unit.reporting.story import CART, FAILURE, failing_story

from .chromium import Tab

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SELECTED = "document.querySelector('[aria-current=true]').getAttribute('href')"
TOTAL = ElementRecord("android.widget.TextView", "Total £9.90", "", "", "q379")


def absent(error: str = f"{FAILURE}\nNearest: [q379] TextView") -> TestTrace:
    """The story with a check of a text that is not there, and an element that comes near it."""
    story = failing_story()
    selector = Selector(text="Total £19.80")
    record = FailureRecord(
        "expect_visible",
        "VERIFICATION_FAILED",
        selector=selector,
        candidates=(TOTAL,),
        problem="missing",
        snapshot="s4",
    )
    last = story.events[-1]
    assert last.check is not None
    check = replace(last.check, kind="expect_visible", expected='text="Total £19.80"', observed="absent")
    failed = replace(last, failure=record, check=check, target=None, error=error)
    elements = (ShownElement("q379", "TextView", "Total £9.90", Rect(90, 570, 400, 620)),)
    return replace(
        story,
        events=(*story.events[:-1], failed),
        snapshots={**story.snapshots, "s4": replace(story.snapshots["s4"], elements=elements)},
        failures=(RaisedError(FAILURE, "ExpectationFailed", last.source, step=last.id),),
    )


def text_of(tab: Tab, selector: str) -> str:
    return " ".join(str(tab.run(f"document.querySelector('{selector}').textContent")).split())


def test_the_nearest_thing_stands_next_to_what_was_expected(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(absent(), tmp_path).as_uri())
    assert text_of(tab, ".verdict > :first-child") == 'Expectedexpect_visible text="Total £19.80"'
    assert text_of(tab, ".verdict .bad") == (
        'Observedabsentnearest, framed in the picture[q379] copy TextView "Total £9.90"'
    )
    assert tab.run("[...document.querySelectorAll('mark')].map((one) => one.textContent)") == ["1", "8", "9"]
    framed = "[...document.querySelectorAll('.mark-box')].filter((one) => one.checkVisibility())"
    assert tab.run(f"{framed}.map((one) => one.dataset.ref)") == ["q379"]
    line = CART.splitlines()[-1].strip()
    shown = tab.run("document.querySelector('main').parentElement.innerText")
    assert shown.count(line) == 1, "the outline stands on the page once"
    assert "Nearest: " not in shown


def test_the_lines_of_the_test_around_the_failed_one_are_shown(tab: Tab, tmp_path: Path) -> None:
    source = tmp_path / "test_it.py"
    source.write_text("one()\n  two(</script>)\n  three()\nfour()\nfive()\nsix()\n", encoding="utf-8")
    trace = absent()
    last = replace(trace.events[-1], source=f"{source}:3", source_text="three()")
    tab.open(page_of(replace(trace, events=(*trace.events[:-1], last)), tmp_path).as_uri())
    lines = tab.run("[...document.querySelectorAll('#details .source li')].map((one) => one.innerText)")
    assert [line.replace("\n", "") for line in lines] == [
        "1one()", "2  two(</script>)", "3  three()", "4four()", "5five()"
    ]  # fmt: skip
    assert text_of(tab, "#details .source .failed code") == "three()"


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_the_failed_step_is_in_view_in_a_trace_of_five_hundred(
    tab: Tab, tmp_path: Path, width: int, height: int
) -> None:
    trace = absent()
    many = tuple(replace(trace.events[0], id=f"b{at}", start_ms=at) for at in range(490))
    tab.resize(width, height)
    tab.open(page_of(replace(trace, events=(*many, *trace.events)), tmp_path).as_uri())
    assert tab.run(SELECTED) == "#check-4"
    for selector in ("[aria-current=true]", ".verdict"):
        box = f"document.querySelector('{selector}').getBoundingClientRect()"
        tab.wait_for(f"{box}.bottom <= {height}")
        assert tab.run(f"{box}.top") >= 0
    assert tab.run("document.documentElement.scrollWidth") <= width


def test_a_badge_of_an_error_is_as_high_as_any(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(tiny_trace("error"), tmp_path).as_uri())
    assert tab.run("document.querySelector('h1 .badge').offsetHeight") < 30


def test_refs_leave_the_label_of_their_element_in_sight(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(absent(), tmp_path).as_uri())
    apart = (
        "(() => { const [ref, box] = ['.mark-box.near b', '.mark-box.near']"
        ".map((one) => document.querySelector(one).getBoundingClientRect());"
        " return ref.bottom <= box.top + 2 || ref.top >= box.bottom - 2"
        " || ref.left >= box.left + box.width / 2; })()"
    )
    tab.wait_for(apart)
    tab.press("l")
    tab.wait_for(apart)


def test_error_locator_ref_and_command_are_copied(tab: Tab, tmp_path: Path) -> None:
    page = page_of(absent(), tmp_path)
    row = {"attempt": 0, "outcome": "failed", "device": "", "trace": f"{page.parent.name}/trace.html"}
    again = {**row, "rerun": "pytest 'tests/x.py::test_a'"}
    result = {"nodeid": "t.py::test_a", "outcome": "failed", "attempts": [0]}
    link_pages({"tests": [again], "results": [result], "causes": []}, page.parent.parent)
    tab.open(page.as_uri())
    tab.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    copied = {}
    for selector in ("#failures .copy", ".facts dd .copy", ".near .copy", "#around .copy"):
        tab.run(f"(window.copied = null, document.querySelector('{selector}').click())")
        tab.wait_for("window.copied !== null")
        copied[selector] = tab.run("window.copied")
    assert list(copied.values()) == [FAILURE, 'text="Total £19.80"', "q379", "pytest 'tests/x.py::test_a'"]


def test_what_the_clipboard_refuses_is_copied_by_selecting_it(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(absent(), tmp_path).as_uri())
    tab.run(
        "(navigator.clipboard.writeText = async () => { throw new Error('denied'); },"
        " document.execCommand = (name) => { window.copied = [name, document.activeElement.value]; return true; })"
    )
    tab.click("#failures .copy")
    tab.wait_for("window.copied !== undefined")
    assert tab.run("window.copied") == ["copy", FAILURE]
    tab.wait_for("document.querySelector('#failures .copy').textContent === 'Copied'")


def test_keys_and_links_lead_through_the_failures_of_a_run(tab: Tab, tmp_path: Path) -> None:
    again = replace(tiny_trace(attempt=1), test=facts("passed", "t.py::test_b", 1))
    traces = [
        absent(),
        replace(absent("gone"), test=facts("failed", "t.py::test_b")),
        again,
        replace(failing_story(), test=facts("failed", "t.py::</script>")),
    ]
    tab.open(page_of(traces[0], tmp_path).as_uri())
    assert tab.run("document.querySelector('#around').children.length") == 0, "opened before the run has ended"
    pages = pages_of(tmp_path, *traces)

    def arrived(at: int) -> None:
        tab.wait_for(
            f"location.pathname.includes('/{pages[at].parent.name}/') && document.readyState === 'complete'"
        )
        tab.wait_for("document.querySelector('#around a') !== null")

    tab.open(pages[0].as_uri())
    assert text_of(tab, "#around").startswith("← All tests")
    assert "Failure 1 of 2" in text_of(tab, "#around")
    tab.press("N")
    arrived(3)
    tab.press("P")
    arrived(0)
    tab.open(pages[1].as_uri())
    tab.press("a")
    arrived(2)
    assert text_of(tab, "#around .here") == "attempt 2: passed"
    tab.press("i")
    tab.wait_for("document.querySelector('#tests') !== null")


def test_compared_pictures_lie_under_a_slider(tab: Tab, tmp_path: Path) -> None:
    tab.open(f"{page_of(compared_trace(), tmp_path).as_uri()}#check-0")
    assert tab.run("document.querySelectorAll('.look img').length") == 3
    assert tab.run(
        "[...document.querySelectorAll('.look img')].every((one) => one.complete && one.naturalWidth === 360)"
    )
    clip = "getComputedStyle(document.querySelector('.both .over')).clipPath"
    assert "50%" in tab.run(clip)
    tab.click(".look figcaption button")  # all of the expected one
    assert "100%" in tab.run("document.querySelector('.both').style.getPropertyValue('--at')")
    assert "0.247 %" in text_of(tab, ".part .facts")
    assert "system bar (2)" in text_of(tab, ".part .facts")
    tab.run("location.hash = '#check-1'")
    tab.wait_for("document.querySelectorAll('.look img').length === 1")
    assert "not compared" in text_of(tab, ".head .chips")
