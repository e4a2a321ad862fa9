"""The page of accessibility in a real browser: narrowed by rule, screen and words; an app's text is
text."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_replicant.reporting import run_of
from tests.unit.reporting.accessibility.made import crop, finding, reported, screen, seen_by
from tests.unit.reporting.factory import HOSTILE

from .chromium import Tab
from .page_judge import faults

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOWN = ".rule > ol > li"


def show(tab: Tab, folder: Path, *tests: object) -> None:
    run = run_of("run", "2026-11-26T18:00:00+00:00", 10, (), {})
    assert reported(*tests).write(run, folder) is not None  # type: ignore[arg-type]
    tab.open((folder / "accessibility.html").as_uri())


@pytest.fixture
def shop(tab: Tab, tmp_path: Path) -> Tab:
    """Three findings on two screens."""
    small = finding(
        "touch-target", "Add", message="20 x 20 dp", sources=("pytest-replicant", "Apple")
    )
    bare = {"text-contrast": "there is no screenshot of this screen"}
    cart = screen(
        "one", finding(picture=crop()), small, not_run=bare, ran=("missing-label", "touch-target")
    )
    orders = screen("two", finding("touch-target", "Pay"), screen="Orders", screen_key="c2")
    trace = "test-a-1/trace.html"
    show(
        tab,
        tmp_path,
        seen_by("test_shop.py::test_a", "one", "two", new=[cart, orders], trace=trace),
    )
    return tab


def test_findings_stand_by_rule_with_picture_locator_and_tests(shop: Tab) -> None:
    assert shop.texts("h1") == ["3 findings of 3 rules on 2 screens"]
    assert shop.texts(".rule h3") == ["missing-label 1 finding", "touch-target 2 findings"]
    assert shop.texts(".finding code") == [
        'by(resource_id="search")',
        'by(text="Add")',
        'by(text="Pay")',
    ]
    assert shop.run("document.querySelector('.crop img').naturalWidth") > 100
    assert shop.texts(".finding .chip") == ["pytest-replicant and Apple"]
    assert (
        shop.run("document.querySelector('.tests a').getAttribute('href')")
        == "test-a-1/trace.html#a2"
    )
    assert "accessible" not in shop.run("document.body.innerText")
    (row,) = [text for text in shop.texts("#ran tbody tr") if text.startswith("text-contrast")]
    assert "not run on 1 screen: there is no screenshot of this screen" in row
    assert row.endswith("1 0")


def test_it_is_narrowed_and_the_address_keeps_it(shop: Tab) -> None:
    shop.enter("#rule", "touch-target")
    assert (shop.count(SHOWN, visible=True), shop.texts("#found")) == (2, ["2 of 3 findings"])
    shop.enter("#screen", "Orders")
    assert "rule=touch-target" in shop.run("location.hash")
    shop.run("window.before = true, location.reload()")
    shop.wait_for("!window.before && document.readyState === 'complete'")
    assert shop.count(SHOWN, visible=True) == 1
    shop.enter("#rule", "Every rule")
    shop.enter("#screen", "Every screen")
    shop.press("/")
    assert shop.run("document.activeElement.id") == "search"
    shop.enter("#search", "add 20")
    assert shop.count(SHOWN, visible=True) == 1
    assert shop.texts(".rule:not([hidden]) h3") == ["touch-target 2 findings"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_an_app_shows_is_text(tab: Tab, tmp_path: Path, text: str) -> None:
    shown = finding(label=text, message=text, locator=text, picture=crop())
    one = screen("one", shown, screen=text, app=text, screen_key=text)
    show(tab, tmp_path, seen_by(text, "one", new=[one], trace=text))
    assert (tab.count(SHOWN), faults(tab)) == (1, set())
    assert tab.count("main script, main iframe, main b b, main img:not(.crop img)") == 0
    links = tab.run(
        "[...document.querySelectorAll('main a')].map((one) => one.getAttribute('href'))"
    )
    assert not [link for link in links if not link.endswith(".html#a2")]


def test_no_findings_are_said_to_be_of_these_rules(tab: Tab, tmp_path: Path) -> None:
    show(tab, tmp_path, seen_by("test_a", "one", new=[screen("one")]))
    assert tab.texts("h1, .nothing") == [
        "No findings of 3 rules on 1 screen",
        "These rules found nothing on these screens.",
    ]
