"""What a trace page shows on demand: refs over pictures, the device log, the last pass, keys, paper."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_replicant.model import DeathRecord, LogRecord
from tests.unit.reporting.factory import tiny_trace
from tests.unit.reporting.pages.written import page_of
from tests.unit.reporting.story import failing_story

from .chromium import Tab

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SELECTED = "document.querySelector('[aria-current]').getAttribute('href')"
DIVERGENCE: dict[str, Any] = {
    "sentence": 'Diverged at step 3 of 11, tap text="Add": the last pass led to "Cart"',
    "step": "a3",
    "baseline": "yesterday's run",
    "evidence": [{"kind": "tree", "text": "one line is new", "lines": ['+ [x100] "Sold out"']}],
}


def shown(tab: Tab, selector: str) -> int:
    script = f"[...document.querySelectorAll('{selector}')].filter((one) => one.checkVisibility()).length"
    return int(tab.run(script))


def test_refs_stand_over_the_picture_on_demand(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(failing_story(), tmp_path).as_uri() + "#a2")
    assert shown(tab, ".mark-box") == 0
    tab.press("l")
    assert tab.run("[...document.querySelectorAll('.mark-box b')].map((one) => one.textContent)") == [
        "k427",
        "e210",
    ]
    assert shown(tab, ".mark-box") == 2, "what lies beyond the edge has no place on the picture"
    title = tab.run("document.querySelector('.mark-box[data-ref=k427]').title")
    assert title == '[k427] Button "Sign in"'
    tab.click(".marks-button")
    assert shown(tab, ".mark-box") == 0


def test_an_element_and_its_line_point_at_each_other(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(failing_story(), tmp_path).as_uri() + "#a2")
    tab.run("[...document.querySelectorAll('summary')].find((s) => /Outlines/.test(s.textContent)).click()")
    tab.wait_for("document.querySelector('code[data-ref=k427]') !== null")
    tab.run("document.querySelector('code[data-ref=k427]').dispatchEvent(new MouseEvent('mouseenter'))")
    assert tab.run("document.querySelector('.mark-box[data-ref=k427]').classList.contains('pointed')")
    tab.run("document.querySelector('code[data-ref=k427]').dispatchEvent(new MouseEvent('mouseleave'))")
    assert tab.run("document.querySelectorAll('.pointed').length") == 0


def test_a_step_shows_what_the_phone_logged_meanwhile(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(failing_story(), tmp_path).as_uri() + "#a2")
    assert tab.run("[...document.querySelectorAll('.log .said')].map((one) => one.textContent)") == ["200 for ada"]
    tab.run("location.hash = '#check-4'")
    tab.wait_for(f"{SELECTED} === '#check-4'")
    assert shown(tab, ".log .bad") == 1, "of a failed step the loud lines are open at once"


def test_lines_of_the_app_under_test_stand_out(tab: Tab, tmp_path: Path) -> None:
    logs = tuple(replace(one, app="dev.shop" if one.pid == 4058 else "") for one in failing_story().logs)
    tab.open(page_of(replace(failing_story(), logs=logs), tmp_path).as_uri() + "#about")
    tags = "[...document.querySelectorAll('.log .tag')].map((one) => [one.classList.contains('own'), one.title])"
    assert tab.run(tags) == [
        [False, "process 1402"],
        *[[True, "dev.shop, process 4058"]] * 3,
    ]


def test_the_whole_log_is_searched_and_filtered(tab: Tab, tmp_path: Path) -> None:
    many = tuple(LogRecord(at, "I", "Shop", f"line {at}") for at in range(5000))
    tab.open(page_of(replace(failing_story(), logs=(*many, *failing_story().logs)), tmp_path).as_uri() + "#about")
    assert shown(tab, ".log li") <= 201, "a long log is drawn a piece at a time"
    tab.run(
        "(() => { const level = document.querySelector('.log-tools select'); level.value = 'E';"
        " level.dispatchEvent(new Event('change')); })()"
    )
    assert tab.run("document.querySelector('.log .said').textContent") == "total: expected 19.80, have 9.90"
    assert shown(tab, ".log li") == 1


def test_n_and_p_go_from_failure_to_failure(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(failing_story(), tmp_path).as_uri() + "#a1")
    tab.press("n")
    assert tab.run(SELECTED) == "#check-4"
    tab.press("n")
    assert tab.run(SELECTED) == "#check-4"
    tab.run("location.hash = '#about'")
    tab.wait_for(f"{SELECTED} === '#about'")
    tab.press("p")
    assert tab.run(SELECTED) == "#check-4"


def test_the_keys_are_reported_and_enter_enlarges(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(failing_story(), tmp_path).as_uri())
    tab.press("?")
    assert "refs over the pictures" in tab.run("document.querySelector('#help[open]').textContent")
    tab.press("Escape")
    assert tab.run("document.querySelector('#help[open]')") is None
    tab.press("Enter")
    tab.wait_for("document.querySelector('dialog.enlarged[open] img') !== null")


def test_dark_or_light_is_chosen_against_the_system(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(failing_story(), tmp_path).as_uri())
    before = tab.run("getComputedStyle(document.body).backgroundColor")
    tab.click("button.theme")
    assert tab.run("getComputedStyle(document.body).backgroundColor") != before
    tab.click("button.theme")
    assert tab.run("getComputedStyle(document.body).backgroundColor") == before


def test_where_it_parted_from_the_last_pass_is_reported_above_the_steps(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(failing_story(), tmp_path, DIVERGENCE).as_uri())
    assert "the last pass led to" in tab.run("document.querySelector('.compared').textContent")
    tab.click(".compared summary a")
    tab.wait_for(f"{SELECTED} === '#a3'")
    assert tab.run("document.querySelector('.compared .diff .added').textContent") == '[x100] "Sold out"'


@pytest.mark.parametrize("divergence", [None, {**DIVERGENCE, "baseline": ""}])
def test_that_there_is_no_earlier_pass_is_no_news(
    tab: Tab, tmp_path: Path, divergence: dict[str, Any] | None
) -> None:
    tab.open(page_of(failing_story(), tmp_path, divergence).as_uri())
    assert shown(tab, ".compared") == 0


def test_a_test_in_which_the_app_died_opens_where_it_did(tab: Tab, tmp_path: Path) -> None:
    story = failing_story()
    passed = replace(story, events=story.events[:5], deaths=(DeathRecord("the shop died", "shop", "npe", "a2"),))
    tab.open(page_of(passed, tmp_path).as_uri())
    assert tab.run(SELECTED) == "#a2"


def test_on_paper_stands_every_step_that_failed(tab: Tab, tmp_path: Path) -> None:
    tab.open(page_of(failing_story(), tmp_path).as_uri() + "#a1")
    tab.run("window.dispatchEvent(new Event('beforeprint'))")
    assert "expect_state" in tab.run("document.querySelector('#printed > article').textContent")
    tab.run("window.dispatchEvent(new Event('afterprint'))")
    assert tab.run("document.getElementById('printed').childElementCount") == 0


def test_five_hundred_steps_answer_at_once(tab: Tab, tmp_path: Path) -> None:
    tiny = tiny_trace()
    names = [f"a{number}" for number in range(500)]
    trace = replace(
        tiny,
        events=tuple(
            replace(tiny.events[0], id=name, start_ms=at * 500, before="s1", after="s1")
            for at, name in enumerate(names)
        ),
        logs=tuple(LogRecord(at * 50, "I", "Shop", f"line {at}") for at in range(5000)),
    )
    tab.open(page_of(trace, tmp_path).as_uri())
    took = tab.run(
        "(() => { const began = performance.now();"
        " for (let at = 0; at < 100; at += 1)"
        " document.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));"
        " return performance.now() - began; })()"
    )
    assert tab.run(SELECTED) == "#a100"
    assert tab.run("document.querySelectorAll('.log li').length") == 10
    print(f"100 steps in {took:.0f} ms")  # noqa: T201  # for who measures
