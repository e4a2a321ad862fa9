"""What the page of a test shows: its failure first, the step that is open, what stands next to
it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.model import (
    DeathRecord,
    ElementRecord,
    FailureRecord,
    LogRecord,
    RaisedError,
    Rect,
    Selector,
    ShownElement,
    TestTrace,
    TraceEvent,
)
from pytest_replicant.reporting import link_pages
from tests.unit.reporting.compared import compared_trace
from tests.unit.reporting.factory import HOSTILE, hostile_trace, recovered_trace, tiny_trace
from tests.unit.reporting.pages.written import page_of
from tests.unit.reporting.story import CART, FAILURE, failing_story

from .chromium import SELECTED, Tab
from .page_judge import faults

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DIVERGENCE: dict[str, Any] = {
    "sentence": 'Diverged at step 3 of 11, tap text="Add": the last pass led to "Cart"',
    "step": "a3",
    "baseline": "yesterday's run",
    "evidence": [{"kind": "tree", "text": "one line is new", "lines": ['+ [x100] "Sold out"']}],
}
CRASHED = FailureRecord("expect_no_crash", "VERIFICATION_FAILED", problem="death")
DEATH = DeathRecord(
    'shop died: no cart after tap text="Sign in" (a2, tests/test_shop.py:9)', "shop", "npe", "a2"
)
CRASH = RaisedError(
    f"{DEATH.text}\nThe checks saw nothing of it.", "ExpectationFailed", failure=CRASHED
)


def show(
    tab: Tab, folder: Path, trace: TestTrace, step: str = "", parted: dict[str, Any] | None = None
) -> None:
    tab.open(page_of(trace, folder, parted).as_uri() + step)


def go(tab: Tab, step: str) -> None:
    tab.run(f"location.hash = '{step}'")
    tab.wait_for(f"{SELECTED} === '{step}'")


# --- the timeline and the step that is open -------------------------------------------------------


def test_every_step_is_in_the_timeline_and_the_failure_is_open(story: Tab) -> None:
    steps = story.run(
        "[...document.querySelectorAll('#steps .step:not(.around) a')].map((one) => one.hash)"
    )
    assert steps == [f"#{event.id}" for event in failing_story().events]
    assert story.run(SELECTED) == "#check-4"
    for words in ("expect_state", "in 6 reads", "Total £19.80"):
        assert words in story.text("#details")


def test_a_step_shows_both_screens_the_touch_and_what_changed(story: Tab) -> None:
    go(story, "#a2")
    assert story.count("#details .glass img") == 2
    assert story.run("['x', 'y', 'width'].map((one) => "
        "document.querySelector('.target').getAttribute(one))") == [
        "90", "2090", "900",
    ]  # fmt: skip
    assert story.run("document.querySelector('.touch').getAttribute('cx')") == "540"
    assert (story.count("#details li.added"), story.count("#details li.removed")) == (3, 3)
    assert story.count(".bar.resolve.success, .bar.execute.success, .bar.stabilize.success") == 3


def test_a_failed_step_is_in_view_in_a_trace_of_five_hundred(tab: Tab, tmp_path: Path) -> None:
    story = failing_story()
    many = tuple(replace(story.events[0], id=f"b{at}", start_ms=at) for at in range(490))
    tab.resize(390, 844)
    show(tab, tmp_path, replace(story, events=(*many, *story.events)))
    assert tab.run(SELECTED) == "#check-4"
    assert tab.count("#steps .step:not(.around)") == 501
    for selector in ("[aria-current=true]", ".verdict"):
        box = f"document.querySelector('{selector}').getBoundingClientRect()"
        tab.wait_for(f"{box}.bottom <= 844")
        assert tab.run(f"{box}.top") >= 0
    assert tab.run("document.documentElement.scrollWidth") <= 390


def test_outlines_stand_side_by_side_with_unchanged_parts_folded(story: Tab) -> None:
    go(story, "#a3")
    story.run(
        "[...document.querySelectorAll('summary')].find((s) => "
        "/Outlines/.test(s.textContent)).click()"
    )
    story.wait_for("document.querySelector('.sides .row') !== null")
    assert story.texts(".sides .removed") == ['[c081] Button "Cart, 0 items"']
    assert story.texts(".sides .added") == ['[c081] Button "Cart, 1 items"']
    assert "unchanged lines" in story.text(".sides .more")
    before = story.count(".sides .row")
    story.run("document.querySelector('.sides .more').click()")
    assert story.count(".sides .row") > before


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_stays_text(tab: Tab, tmp_path: Path, name: str) -> None:
    show(tab, tmp_path, hostile_trace(HOSTILE[name]), "#a1")
    assert tab.run("document.title") != "owned"
    assert tab.count("img, iframe, body script:not([type]):not(:last-of-type)") == 0
    assert not set(tab.run("document.body.innerText")) & set("\u202e\u2066\x00\x1b")


def test_a_trace_of_an_unknown_phone_spells_nothing_that_is_missing(
    tab: Tab, tmp_path: Path
) -> None:
    show(tab, tmp_path, replace(failing_story(), device={"model": None, "size": [None, None]}))
    assert faults(tab) == set()


# --- what failed, and where that leads ------------------------------------------------------------


def absent() -> TestTrace:
    """The story with a check of a text that is not there, and an element that comes near it."""
    story = failing_story()
    last, screen = story.events[-1], story.snapshots["s4"]
    assert last.check is not None
    check = replace(
        last.check, kind="expect_visible", expected='text="Total £19.80"', observed="absent"
    )
    total = ElementRecord("android.widget.TextView", "Total £9.90", ref="q379")
    wanted = Selector(text="Total £19.80")
    record = FailureRecord(
        check.kind,
        "VERIFICATION_FAILED",
        selector=wanted,
        candidates=(total,),
        problem="missing",
        snapshot="s4",
    )
    failed = replace(
        last, failure=record, check=check, target=None, error=f"{FAILURE}\nNearest: [q379] TextView"
    )
    shown = (ShownElement("q379", "TextView", "Total £9.90", Rect(90, 570, 400, 620)),)
    return replace(
        story,
        events=(*story.events[:-1], failed),
        snapshots={**story.snapshots, "s4": replace(screen, elements=shown)},
        failures=(RaisedError(FAILURE, "ExpectationFailed", last.source, step=last.id),),
    )


def test_the_nearest_thing_stands_next_to_what_was_expected(tab: Tab, tmp_path: Path) -> None:
    show(tab, tmp_path, absent())
    assert tab.text(".verdict > :first-child") == 'Expectedexpect_visible text="Total £19.80"'
    assert tab.text(".verdict .bad") == (
        'Observedabsentnearest, framed in the picture[q379] copy TextView "Total £9.90"'
    )
    assert tab.texts("mark") == ["1", "8", "9"]
    assert tab.count(".mark-box[data-ref=q379]", visible=True) == 1
    shown = tab.run("document.body.innerText")
    assert shown.count(CART.splitlines()[-1].strip()) == 1, "the outline stands on the page once"
    assert "Nearest: " not in shown


def test_the_lines_of_the_test_around_the_failed_one_are_shown(tab: Tab, tmp_path: Path) -> None:
    source = tmp_path / "test_it.py"
    source.write_text(
        "one()\n  two(</script>)\n  three()\nfour()\nfive()\nsix()\n", encoding="utf-8"
    )
    *others, last = absent().events
    last = replace(last, source=f"{source}:3", source_text="three()")
    show(tab, tmp_path, replace(absent(), events=(*others, last)))
    assert tab.texts("#details .source li", "textContent") == [
        "1one()", "2 two(</script>)", "3 three()", "4four()", "5five()"
    ]  # fmt: skip
    assert tab.text("#details .source .failed code") == "three()"


def test_error_locator_ref_and_command_are_copied(tab: Tab, tmp_path: Path) -> None:
    page = page_of(absent(), tmp_path)
    row = {
        "attempt": 0,
        "outcome": "failed",
        "device": "",
        "trace": f"{page.parent.name}/trace.html",
    }
    result = {"nodeid": "t.py::test_a", "outcome": "failed", "attempts": [0]}
    link_pages(
        {"tests": [{**row, "rerun": "pytest x"}], "results": [result], "causes": []},
        page.parent.parent,
    )
    tab.open(page.as_uri())
    tab.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    expected = {
        "#failures .copy": FAILURE,
        ".facts dd .copy": 'text="Total £19.80"',
        ".near .copy": "q379",
        "#around .copy": "pytest x",
    }
    for selector, words in expected.items():
        tab.run(f"(window.copied = null, document.querySelector('{selector}').click())")
        tab.wait_for("window.copied !== null")
        assert tab.run("window.copied") == words


def test_what_the_clipboard_refuses_is_copied_by_selecting_it(story: Tab) -> None:
    story.run(
        "(navigator.clipboard.writeText = async () => { throw new Error('denied'); }, "
        "document.execCommand = (name) => { window.copied = [name, document.activeElement.value]; "
        "return true; })"
    )
    story.click("#failures .copy")
    story.wait_for("window.copied !== undefined")
    assert story.run("window.copied") == ["copy", FAILURE]
    story.wait_for("document.querySelector('#failures .copy').textContent === 'Copied'")


def healthy(*failures: RaisedError, deaths: tuple[DeathRecord, ...] = ()) -> TestTrace:
    """The steps of the story that passed, in a test that failed all the same."""
    story = failing_story()
    return replace(story, events=story.events[:5], failures=failures, deaths=deaths)


def test_a_crash_that_failed_the_test_is_reported_once_and_leads_to_its_step(
    tab: Tab, tmp_path: Path
) -> None:
    show(tab, tmp_path, healthy(CRASH, deaths=(DEATH,)))
    assert tab.run(SELECTED) == "#a2"
    assert tab.count("#news .news") == 0
    assert tab.text('.blame a[href="#a2"]') == "Show the step"
    assert tab.text("[aria-current] small") == "the app died after this"
    tab.press("k")
    tab.press("n")
    assert tab.run(SELECTED) == "#a2", "a step after which the app died is one of those that failed"


def test_an_assert_of_the_test_leads_to_the_last_step_before_it(tab: Tab, tmp_path: Path) -> None:
    failure = RaisedError(
        "sums do not add up", "AssertionError", "tests/test_sums.py:8", "teardown"
    )
    show(tab, tmp_path, healthy(failure))
    assert tab.run(SELECTED) == "#check-1"
    assert tab.text(".blame .go a") == "Show the last step before it"
    assert tab.text(".blame small") == "AssertionError · tests/test_sums.py:8 · in teardown"
    show(tab, tmp_path, healthy(failure, deaths=(DEATH,)))
    assert tab.run(SELECTED) == "#a2", "a test in which the app died opens where it did"
    assert tab.count("#news .news") == 1


def test_where_it_parted_from_the_last_pass_is_reported_above_the_steps(
    tab: Tab, tmp_path: Path
) -> None:
    show(tab, tmp_path, failing_story(), "", DIVERGENCE)
    assert "the last pass led to" in tab.text(".compared")
    tab.click(".compared summary a")
    tab.wait_for(f"{SELECTED} === '#a3'")
    assert tab.text(".compared .diff .added") == '[x100] "Sold out"'
    show(tab, tmp_path, failing_story(), "", {**DIVERGENCE, "baseline": ""})
    assert tab.count(".compared") == 0, "that there is no earlier pass is no news"


def test_paper_has_every_step_that_failed_and_what_is_folded_on_the_screen(
    tab: Tab, tmp_path: Path
) -> None:
    show(tab, tmp_path, replace(failing_story(), failures=(CRASH,), deaths=(DEATH,)), "#a1")
    tab.run("window.dispatchEvent(new Event('beforeprint'))")
    assert tab.run("document.querySelector('#failures details').open")
    assert [
        "Sign in" in tab.text("#printed > article"),
        "expect_state" in tab.text("#printed"),
    ] == [True, True]
    tab.run("window.dispatchEvent(new Event('afterprint'))")
    assert tab.count("#printed *, #failures details[open]") == 0


# --- recoveries, waits, replays, looks ------------------------------------------------------------


def test_recoveries_deaths_and_waits_in_vain_are_told_step_by_step(
    tab: Tab, tmp_path: Path
) -> None:
    show(tab, tmp_path, recovered_trace("failed"))
    died, recovered, asked = tab.texts("#news .news", "textContent")
    assert died.startswith("dev.replicant.shop died: no cart (Cart.kt:4)")
    assert tab.run("document.querySelector('#news [href$=\".txt\"]').textContent") == "Stack trace"
    assert 'tap text="Sign in": a notice was in the way' in recovered
    assert 'tap Button "OK", then state_refresh by notices' in recovered
    assert asked.startswith("Recovery would have tried expect_visible")
    go(tab, "#a1")
    first, second = tab.texts(".answers > li")
    assert "state_refresh by a notice was in the way" in first
    assert "done, then tried again" in first
    assert "not carried out: refused: a notice was in the way" in second
    for words in (
        "ELEMENT_NOT_FOUND (TargetResolutionFailure)",
        "1 of 3",
        "waited: disabled 1.5 s a notice was in the way",
        "never at rest, so left out of account here: ProgressBar",
        "2 reads failed",
        "Attempt 2 recovery a1.r1",
    ):
        assert words in tab.text("#details")
    go(tab, "#check-0")
    assert tab.texts(".reads li") == [
        "0.00 s absent not yet",
        "0.20 s read failed: the phone said nothing no read",
        '0.30 s interrupt: text="Rate us" no read',
        "0.40 – 2.00 s absent not yet",
    ]
    assert "nothing was tried: the failure stands" in tab.text("#details")
    go(tab, "#wait-0")
    assert "✕ waited in vain" in tab.text("#details .chips")
    assert "timed out after 400 ms" in tab.text("#details")


def test_a_recovered_test_opens_at_its_recovery(tab: Tab, tmp_path: Path) -> None:
    details = {
        "awaited": 'text="Go"',
        "result": "met",
        "observed": "[k1]",
        "reads": 3,
        "failed_reads": 1,
    }
    wait = TraceEvent("wait", 'wait_for text="Go"', 0, 9, id="wait-0", details=details)
    trace = recovered_trace()
    show(tab, tmp_path, replace(trace, events=(wait, trace.events[0]), deaths=()))
    assert tab.run(SELECTED) == "#a1"
    assert "recovered: a notice was in the way" in tab.text("#steps")
    go(tab, "#wait-0")
    assert "waited until it was so" in tab.text("#details")
    assert "3, 1 more failed" in tab.text("#details")


def test_a_replay_says_so_and_leads_to_what_was_recorded(tab: Tab, tmp_path: Path) -> None:
    trace = tiny_trace("holds on the recording")
    page = page_of(trace, tmp_path)
    tab.open(page.as_uri())
    assert (
        tab.text("#top .replay") == "Replay. What the phone shows and when is as it was recorded."
    )
    nodeid, path = trace.test.nodeid, page.relative_to(page.parents[1]).as_posix()
    row = {
        "nodeid": nodeid,
        "attempt": 0,
        "outcome": trace.test.outcome,
        "device": "P",
        "trace": path,
    }
    ended = {
        "nodeid": nodeid,
        "wanted": "reproduced",
        "sentence": "to step 1 of 1",
        "recorded": "../x/trace.html",
    }
    results = [{"nodeid": nodeid, "outcome": trace.test.outcome, "attempts": [0]}]
    replay = {"run": "nightly.zip", "tests": [ended]}
    link_pages(
        {"tests": [row], "results": results, "causes": [], "replay": replay}, page.parents[1]
    )
    tab.open(page.as_uri())
    assert (
        tab.run("document.querySelector('.replay a').getAttribute('href')") == "../../x/trace.html"
    )
    for words in (
        "Replay of nightly.zip",
        "Holds on the recording to step 1 of 1",
        "Expected: reproduced",
    ):
        assert words in tab.text("#top .replay")


def test_compared_pictures_lie_under_a_slider(tab: Tab, tmp_path: Path) -> None:
    show(tab, tmp_path, compared_trace(), "#check-0")
    assert (
        tab.run("[...document.querySelectorAll('.look img')].map((one) => one.naturalWidth)")
        == [360] * 3
    )
    clip = "getComputedStyle(document.querySelector('.both .over')).clipPath"
    assert "50%" in tab.run(clip)
    tab.click(".look figcaption button")  # all of the expected one
    assert "100%" in tab.run("document.querySelector('.both').style.getPropertyValue('--at')")
    for words in ("0.247 %", "system bar (2)"):
        assert words in tab.text(".part .facts")
    go(tab, "#check-1")
    assert tab.count(".look img") == 1
    assert "not compared" in tab.text(".head .chips")


# --- refs over the pictures -----------------------------------------------------------------------


def test_refs_stand_over_the_picture_on_demand_and_point_at_their_lines(story: Tab) -> None:
    go(story, "#a2")
    assert story.count(".mark-box", visible=True) == 0
    story.resize(
        1280, 1500
    )  # with refs the pictures are larger, and a click needs its place in the window
    story.press("l")
    assert story.count(".mark-box", visible=True) == 2
    story.click(".marks-button")
    assert story.count(".mark-box", visible=True) == 0
    story.press("l")
    assert story.texts(".mark-box b") == ["k427", "e210"], (
        "what lies beyond the edge has no place on the picture"
    )
    story.click(".mark-box[data-ref=k427]")
    story.wait_for("document.querySelector('.sides code.pinned') !== null")
    assert story.text(".sides code.pinned") == story.text(".named") == '[k427] Button "Sign in"'
    story.run(
        "document.querySelector('code[data-ref=e210]').dispatchEvent(new MouseEvent('mouseenter'))"
    )
    assert story.run(
        "document.querySelector('.mark-box[data-ref=e210]').classList.contains('pointed')"
    )


def screen(**changes: Any) -> TestTrace:
    story = failing_story()
    return replace(
        story, snapshots={**story.snapshots, "s1": replace(story.snapshots["s1"], **changes)}
    )


def test_refs_of_a_crowded_screen_cover_no_other(tab: Tab, tmp_path: Path) -> None:
    corners = [(column * 60, row * 50) for row in range(8) for column in range(18)]
    keys = [
        ShownElement(f"k{at:03}", "Key", "q", Rect(x, y, x + 60, y + 50))
        for at, (x, y) in enumerate(corners)
    ]
    show(tab, tmp_path, screen(elements=tuple(keys)), "#a2")
    tab.press("l")
    placed, overlapping = tab.run(
        "(() => { const boxes = [...document.querySelectorAll('.mark-box:not(.crowded) "
        "b')].map((one) => one.getBoundingClientRect()); const hit = (a, b) => a.left < b.right - "
        "1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1; return "
        "[boxes.length, boxes.some((a, at) => boxes.slice(at + 1).some((b) => hit(a, b)))]; })()"
    )
    assert (placed >= 5, overlapping) == (True, False)
    assert tab.count(".mark-box.crowded") == len(keys) - placed


def test_a_picture_of_another_shape_carries_no_marks_and_says_so(tab: Tab, tmp_path: Path) -> None:
    show(tab, tmp_path, screen(size=(2400, 1080)), "#a2")
    assert tab.count(".overlay, .mark-box") == 0
    assert "the screen was read as 2400 × 1080" in tab.text(".turned")


# --- the device log -------------------------------------------------------------------------------


def test_a_step_shows_what_the_phone_logged_meanwhile(story: Tab) -> None:
    go(story, "#a2")
    assert story.texts(".log .said", "textContent") == ["200 for ada"]
    go(story, "#check-4")
    assert story.count(".log .bad", visible=True) == 1, (
        "of a failed step the loud lines are open at once"
    )


def test_the_whole_log_is_searched_and_filtered(tab: Tab, tmp_path: Path) -> None:
    own = [replace(one, app="dev.shop" if one.pid == 4058 else "") for one in failing_story().logs]
    many = [LogRecord(at, "I", "Shop", f"line {at}") for at in range(5000)]
    show(tab, tmp_path, replace(failing_story(), logs=(*own, *many)), "#about")
    tags = (
        "[...document.querySelectorAll('.log .tag')].slice(0, 2).map((one) => [one.className, "
        "one.title])"
    )
    assert tab.run(tags) == [["tag", "process 1402"], ["tag own", "dev.shop, process 4058"]]
    assert tab.count(".log li", visible=True) <= 201, "a long log is drawn a piece at a time"
    tab.run("document.querySelector('.log-tools select').id = 'level'")
    tab.run("(level.value = 'E', level.dispatchEvent(new Event('change')))")
    assert tab.texts(".log .said") == ["total: expected 19.80, have 9.90"]


# --- the page of a pass, which unpacks itself -----------------------------------------------------


def test_a_packed_page_draws_itself_and_away_from_its_run_it_misses_its_pictures(
    tab: Tab, tmp_path: Path
) -> None:
    story = failing_story()
    page = page_of(replace(story, test=replace(story.test, outcome="passed", attempt=0)), tmp_path)
    tab.open(page.as_uri() + "#a2")
    tab.wait_for(f"document.querySelector('[aria-current]') !== null && {SELECTED} === '#a2'")
    sizes = (
        "[...document.querySelectorAll('.glass img')].map((one) => one.complete && "
        "one.naturalWidth > 0)"
    )
    tab.wait_for(f"{sizes}.length === 2 && {sizes}.every(Boolean)")
    assert tab.console == []
    alone = tmp_path / "trace.html"
    shutil.copy(page, alone)
    tab.open(alone.as_uri() + "#a2")
    tab.wait_for("document.querySelectorAll('.glass.missing').length === 2")
    assert "in the folder of the run" in tab.text(".glass.missing")
    assert all("ERR_FILE_NOT_FOUND" in said for said in tab.console)
    tab.console.clear()
