"""The page of accessibility in a real browser: narrowed by rule, screen and words; an app's text is text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.reporting import run_of
from tests.unit.reporting.accessibility.made import crop, finding, reported, screen, seen_by
from tests.unit.reporting.factory import HOSTILE

from .chromium import Tab
from .page_judge import faults

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CART = screen(
    "one",
    finding(picture=crop()),
    finding("touch-target", "Add", message="20 x 20 dp", sources=("pytest-replicant", "Apple")),
    not_run={"text-contrast": "there is no screenshot of this screen"},
    ran=("missing-label", "touch-target"),
)
ORDERS = screen("two", finding("touch-target", "Pay"), screen="Orders", screen_key="c2")
SHOWN = "[...document.querySelectorAll('.rule > ol > li')].filter((one) => one.offsetParent).length"


def opened(tab: Tab, folder: Path, *tests: Any) -> None:
    run = run_of("run", "2026-11-26T18:00:00+00:00", 10, (), {})
    assert reported(*tests).write(run, folder) is not None
    tab.open((folder / "accessibility.html").as_uri())


def shop(tab: Tab, folder: Path) -> None:
    trace = "test-a-1/trace.html"
    opened(tab, folder, seen_by("test_shop.py::test_a", "one", "two", new=[CART, ORDERS], trace=trace))


def texts(tab: Tab, selector: str) -> list[str]:
    found = tab.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.innerText)")
    return [" ".join(text.split()) for text in found]


def choose(tab: Tab, name: str, words: str) -> None:
    """A native list opens outside the page: its choice is made for it."""
    tab.run(
        f"(() => {{ const list = document.getElementById({json.dumps(name)});"
        f" list.value = [...list.options].find((one) => one.text.includes({json.dumps(words)})).value;"
        " list.dispatchEvent(new Event('input')); })()"
    )


def test_findings_stand_by_rule_with_picture_locator_and_tests(tab: Tab, tmp_path: Path) -> None:
    shop(tab, tmp_path)
    assert texts(tab, "h1") == ["3 findings of 3 rules on 2 screens"]
    assert texts(tab, ".rule h3") == ["missing-label 1 finding", "touch-target 2 findings"]
    assert texts(tab, ".finding code") == ['by(resource_id="search")', 'by(text="Add")', 'by(text="Pay")']
    assert tab.run("document.querySelector('.crop img').naturalWidth") > 100
    assert texts(tab, ".finding .chip") == ["pytest-replicant and Apple"]
    assert tab.run("document.querySelector('.tests a').getAttribute('href')") == "test-a-1/trace.html#a2"
    assert "accessible" not in tab.run("document.body.innerText")


def test_what_was_not_run_says_why(tab: Tab, tmp_path: Path) -> None:
    shop(tab, tmp_path)
    (row,) = [text for text in texts(tab, "#ran tbody tr") if text.startswith("text-contrast")]
    assert "not run on 1 screen: there is no screenshot of this screen" in row
    assert row.endswith("1 0")


def test_it_is_narrowed_and_the_address_keeps_it(tab: Tab, tmp_path: Path) -> None:
    shop(tab, tmp_path)
    choose(tab, "rule", "touch-target")
    assert (tab.run(SHOWN), texts(tab, "#found")) == (2, ["2 of 3 findings"])
    choose(tab, "screen", "Orders")
    assert tab.run(SHOWN) == 1
    address = tab.run("location.hash")
    assert "rule=touch-target" in address
    tab.run("window.before = true, location.reload()")
    tab.wait_for("!window.before && document.readyState === 'complete'")
    assert tab.run(SHOWN) == 1
    choose(tab, "rule", "Every rule")
    choose(tab, "screen", "Every screen")
    tab.press("/")
    tab.run("document.getElementById('search').value = 'add 20'")
    tab.run("document.getElementById('search').dispatchEvent(new Event('input'))")
    assert tab.run(SHOWN) == 1
    assert texts(tab, ".rule:not([hidden]) h3") == ["touch-target 2 findings"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_whatever_the_width_and_the_theme(tab: Tab, tmp_path: Path, theme: str) -> None:
    long = "by(resource_id=" + "x" * 300 + ")"
    wide = screen(
        "one", finding(label="y" * 400, locator=long, message="z" * 500, picture=crop()), screen="q" * 200
    )
    opened(tab, tmp_path, seen_by("test_" + "n" * 200, "one", new=[wide]))
    tab.run(f"document.documentElement.dataset.theme = {json.dumps(theme)}")
    assert faults(tab) == set()
    colours = tab.run("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    assert colours[0] != colours[1]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_an_app_shows_is_text(tab: Tab, tmp_path: Path, text: str) -> None:
    shown = screen(
        "one",
        finding(label=text, message=text, locator=text, picture=crop()),
        screen=text,
        app=text,
        screen_key=text,
    )
    opened(tab, tmp_path, seen_by(text, "one", new=[shown], trace=text))
    assert tab.run("document.querySelectorAll('.rule > ol > li').length") == 1
    assert (
        tab.run("document.querySelectorAll('main script, main iframe, main b b, main img:not(.crop img)').length")
        == 0
    )
    links = tab.run("[...document.querySelectorAll('main a')].map((one) => one.getAttribute('href'))")
    assert not [link for link in links if not link.endswith(".html#a2")]


def test_no_findings_are_said_to_be_of_these_rules(tab: Tab, tmp_path: Path) -> None:
    opened(tab, tmp_path, seen_by("test_a", "one", new=[screen("one")]))
    assert texts(tab, "h1") == ["No findings of 3 rules on 1 screen"]
    assert texts(tab, ".nothing") == ["These rules found nothing on these screens."]
