"""The index of a run in a real browser: causes first, everything else within a key or a click."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_replicant.model import Redactor
from pytest_replicant.reporting import run_of
from pytest_replicant.reporting.pages.index_page import index_page
from pytest_replicant.reporting.publisher import run_row
from tests.unit.reporting.big_run import big_run
from tests.unit.reporting.factory import HOSTILE, recovered_trace, tiny_trace
from tests.unit.reporting.made_rows import replay
from tests.unit.reporting.pages.written import pages_of
from tests.unit.reporting.story import failing_story

from .chromium import Tab
from .page_judge import faults

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_replicant.model import TestTrace

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROWS = "document.querySelectorAll('#tests > li').length"
FOUND = "document.getElementById('found').firstChild.textContent"
FOCUSED = "document.activeElement"


def _open(tab: Tab, folder: Path, document: dict[str, Any]) -> None:
    page = folder / "index.html"
    page.write_text(index_page(document), encoding="utf-8")
    tab.open(page.as_uri())


def _written(tab: Tab, output: Path, *traces: TestTrace) -> list[str]:
    """Opens the index of a run that left these traces, whose pages it returns."""
    pages = pages_of(output, *traces)
    tab.open((output / "run" / "index.html").as_uri())
    return [page.relative_to(output / "run").as_posix() for page in pages]


def _shown(tab: Tab, selector: str) -> str:
    """All that stands in an element, folded or not, in one line."""
    text = tab.run(f"document.querySelector({json.dumps(selector)}).textContent")
    return " ".join(str(text).split())


def _texts(tab: Tab, selector: str) -> list[str]:
    return [" ".join(text.split()) for text in _each(tab, selector, "innerText")]


def _held(tab: Tab, selector: str) -> list[str]:
    """The same, of what the browser has not drawn yet as well."""
    return _each(tab, selector, "textContent")


def _each(tab: Tab, selector: str, what: str) -> list[str]:
    found: list[str] = tab.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.{what})")
    return found


def _click(tab: Tab, selector: str) -> None:
    tab.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
    tab.click(selector)


def _pick(tab: Tab, name: str, words: str) -> None:
    """A native list opens outside the page: its choice is made for it."""
    tab.run(
        f"(() => {{ const list = document.getElementById({json.dumps(name)});"
        f" list.value = [...list.options].find((one) => one.text.includes({json.dumps(words)})).value;"
        " list.dispatchEvent(new Event('change')); })()"
    )


def test_the_causes_come_first_and_the_biggest_of_them(tab: Tab, tmp_path: Path) -> None:
    _open(tab, tmp_path, big_run(40, 20, causes=4))
    assert tab.run("document.querySelector('h1').textContent") == "16 failures, 4 causes"
    assert tab.run("document.querySelector('main section').id") == "causes"
    sizes = [int(size) for size in _held(tab, ".size b")]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(sizes) == 16
    assert _texts(tab, ".cause .title")[0] == 'ELEMENT_NOT_FOUND: text="Check out" on "Cart"'
    assert tab.run("document.querySelector('.cause').open")
    shown = _shown(tab, ".cause")
    assert "TargetResolutionFailure" in shown
    assert 'Target text="Check out"' in " ".join(tab.run("document.querySelector('.known').innerText").split())
    assert "Next: scroll_to, or another selector." in shown
    link = tab.run("document.querySelector('.case a.open').getAttribute('href')")
    assert link.endswith("/trace.html#a7")


def test_the_screen_of_a_message_is_folded(tab: Tab, tmp_path: Path) -> None:
    _open(tab, tmp_path, big_run(4, 1, causes=1))
    assert "Screen" not in tab.run("document.querySelector('.said').textContent")
    assert not tab.run("document.querySelector('.cause .outline').open")
    _click(tab, ".cause .outline summary")
    assert 'Button "Fewer"' in tab.run("document.querySelector('.cause .outline pre').innerText")


def test_the_screen_of_a_real_message_is_folded_and_its_path_left_out(tab: Tab, tmp_path: Path) -> None:
    document = big_run(4, 1, causes=1)
    shown = ["expect_visible: absent (9 reads)", "It did not hold before the action either."]
    screen = [
        "Sign in  (dev.replicant.shop)",
        '[f544] "Good things"',
        '[m987] Button "Sign in"',
        "(keyboard open)",
    ]
    after = ["Open: /builds/7/replicant-report/trace.html#a1", "Checked at tests/test_x.py:64: soft"]
    document["tests"][0]["message"] = "\n".join([*shown, *screen, *after])
    _open(tab, tmp_path, document)
    assert tab.run("document.querySelector('.said').textContent").split("\n") == [*shown, after[1]]
    assert _held(tab, ".cause .outline") == ["The screen, 4 lines" + "\n".join(screen)]


def test_a_replay_says_so_and_leads_to_what_was_recorded(tab: Tab, tmp_path: Path) -> None:
    odd = [("a", "fails on the recording", "at step 2: E: no"), ("d", "diverged", "at step 3: recorded back")]
    holds = [(name, "holds on the recording", "to step 3 of 3") for name in "bc"]
    _open(tab, tmp_path, replay(*odd, *holds).to_dict())
    assert tab.run("document.querySelector('h1').textContent") == "2 of 4 replays did not end as expected"
    assert _shown(tab, ".replay").startswith("Replay of recorded: recorded 20 Nov 2026, 19:00:00 UTC, on Pixel 7")
    assert tab.run("document.querySelector('.replay a').getAttribute('href')") == "../recorded/index.html"
    assert _held(tab, "#totals button") == ["⊘1 fails on the recording", "≠1 diverged", "○2 hold on the recording"]
    rows = _held(tab, "#tests > li .what")
    assert ["at step 2" in rows[0], "expected: holds on the recording" in rows[0]] == [True, True]
    assert "expected" not in rows[2]
    links = tab.run("[...document.querySelectorAll('#tests .note a')].map((one) => one.getAttribute('href'))")
    assert links == [f"../recorded/{name}/trace.html" for name in "adbc"]
    colours = tab.run("[...document.querySelectorAll('#tests .badge')].map((one) => getComputedStyle(one).color)")
    assert len({*colours}) == 3
    for sign in ("No test ran on a phone", "no passes"):
        assert sign in _shown(tab, ".replay")
    assert tab.run("document.getElementById('phones').children.length") == 0


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_of_a_replay_is_text(tab: Tab, tmp_path: Path, name: str) -> None:
    document = replay(("a", "diverged", HOSTILE[name])).to_dict()
    document["replay"] |= dict.fromkeys(("run", "phone", "app", "revision"), HOSTILE[name])
    document["replay"]["tests"][0]["recorded"] = f"../{HOSTILE[name]}/trace.html"
    _open(tab, tmp_path, document)
    assert tab.run("document.querySelectorAll('img, script[src], iframe').length") == 0
    assert _held(tab, "#tests .badge") == ["Diverged"]


def test_attempts_that_were_tried_again_are_shown_apart(tab: Tab, tmp_path: Path) -> None:
    _open(tab, tmp_path, big_run(12, 5, causes=1))
    assert tab.run("document.querySelector('h1').textContent") == "4 failures, 1 cause"
    assert _texts(tab, ".cause .size") == ["4 tests + 1 retried"]
    last = _texts(tab, ".case")[-1]
    assert "passed later" in last
    assert "attempt 1" in last
    flaky = _held(tab, "#tests > li.flaky .attempts .what")
    assert [text.split("ELEMENT")[0] for text in flaky] == ["Attempt 1 failed", "Attempt 2 passed"]


def test_phones_of_one_attempt_are_no_attempts(tab: Tab, tmp_path: Path) -> None:
    document = big_run(2, 0)
    document["results"] = [{"nodeid": "tests/test_chat.py::test_two", "outcome": "passed", "attempts": [0, 1]}]
    _open(tab, tmp_path, document)
    assert _held(tab, "#tests .name") == ["test_two"]
    assert _held(tab, "#tests .attempts .open") == ["Attempt 1, phone 1", "Attempt 1, phone 2"]


def test_every_outcome_has_its_count_its_mark_and_its_words(tab: Tab, tmp_path: Path) -> None:
    outcomes = ("passed", "failed", "error", "infra", "recovered", "flaky", "skipped", "xfailed", "xpassed")
    document = big_run(len(outcomes), 0)
    for outcome, result in zip(outcomes, document["results"], strict=True):
        result["outcome"] = outcome
    _open(tab, tmp_path, document)
    shown = _texts(tab, "#totals button")
    assert len({text.split()[0] for text in shown}) == len(outcomes), "each has a mark of its own"
    colours = tab.run("[...document.querySelectorAll('#totals b')].map((one) => getComputedStyle(one).color)")
    assert len(set(colours)) == len(outcomes)
    assert [" ".join(text.split()[1:]) for text in shown] == [
        "1 failed",
        "1 error",
        "1 infra",
        "1 unexpected pass",
        "1 flaky",
        "1 recovered",
        "1 passed",
        "1 expected failure",
        "1 skipped",
    ]
    assert tab.run("[...document.querySelectorAll('.mark')].every((one) => one.getAttribute('aria-label'))")


def test_keys_walk_from_cause_to_cause_and_into_their_tests(tab: Tab, tmp_path: Path) -> None:
    _open(tab, tmp_path, big_run(40, 20, causes=4))
    tab.press("j")
    assert tab.run(f"{FOCUSED}.closest('.cause').id") == "cause-1"
    tab.press("Enter")
    tab.wait_for("!document.getElementById('cause-1').open")
    tab.press("ArrowDown")
    assert tab.run(f"{FOCUSED}.closest('.cause').id") == "cause-2"
    tab.press("Enter")
    tab.wait_for("document.getElementById('cause-2').open")
    tab.press("j")
    assert tab.run(f"{FOCUSED}.matches('#cause-2 .case a')")
    tab.press("k")
    tab.press("k")
    assert tab.run(f"{FOCUSED}.closest('.cause').id") == "cause-1"


def test_slash_searches_and_escape_ends_it(tab: Tab, tmp_path: Path) -> None:
    _open(tab, tmp_path, big_run(40, 10, causes=2))
    tab.press("/")
    assert tab.run(f"{FOCUSED}.id") == "search"
    for key in "jmug":
        tab.press(key)
    assert tab.run("document.getElementById('search').value") == "jmug", "letters are no moves here"
    tab.run("(search.value = 'mug pixel 7', search.dispatchEvent(new Event('input')))")
    assert tab.run(FOUND) == "2 of 40 tests"
    tab.press("ArrowDown")
    assert tab.run(f"{FOCUSED}.matches('#tests > li:first-child a')")
    tab.press("Escape")
    assert tab.run(FOUND) == "40 tests"


def test_enter_opens_the_trace_at_the_step_that_failed(tab: Tab, tmp_path: Path) -> None:
    pages = _written(tab, tmp_path, failing_story(), tiny_trace(nodeid="tests/test_x.py::test_calm"))
    assert tab.run("document.querySelector('h1').textContent") == "1 failure, 1 cause"
    for trace in pages:
        assert (tmp_path / "run" / trace).is_file()
        assert tab.run(f"document.querySelectorAll('#tests a[href=\"{trace}\"]').length") == 1
    tab.press("j")
    tab.press("j")
    tab.press("Enter")
    tab.wait_for("document.querySelector('#steps') !== null && document.readyState === 'complete'")
    assert pages[0] in tab.run("location.href")


def test_a_question_mark_tells_the_keys(tab: Tab, tmp_path: Path) -> None:
    _open(tab, tmp_path, big_run(3, 0))
    tab.press("?")
    tab.wait_for("document.querySelector('#help[open]') !== null")
    assert "search tests" in _shown(tab, "#help")
    tab.press("Escape")
    tab.wait_for("document.querySelector('dialog[open]') === null")
    _click(tab, ".corner button[aria-label='Keys']")
    tab.wait_for("document.querySelector('#help[open]') !== null")
    _click(tab, "#help button")
    tab.wait_for("document.querySelector('dialog[open]') === null")


def test_the_mouse_filters_orders_and_asks_for_more(tab: Tab, tmp_path: Path) -> None:
    _open(tab, tmp_path, big_run(200, 40, causes=2))
    _click(tab, "#totals button[data-outcome='failed']")
    assert tab.run(FOUND) == "32 of 200 tests"
    assert tab.run("document.querySelector('#totals [aria-pressed=true]').dataset.outcome") == "failed"
    _pick(tab, "device", "Pixel 4a")
    assert tab.run(FOUND) == "8 of 200 tests"
    assert set(_held(tab, "#tests .device")) == {"Pixel 4a, Android 12 · gw1zipjson"}
    _click(tab, "#found button")
    assert tab.run(FOUND) == "200 tests"
    _pick(tab, "order", "Slowest")
    first, second = _held(tab, "#tests > li > .side > span:first-child")[:2]
    assert float(first.split()[0]) >= float(second.split()[0])
    _pick(tab, "order", "File")
    tab.wait_for(f"{ROWS} === 200")
    places = [text.partition(":") for text in _held(tab, "#tests .path")]
    assert places == sorted(places, key=lambda place: (place[0], int(place[2])))
    before = tab.run("document.querySelectorAll('#cause-1 .case').length")
    _click(tab, "#cause-1 .rest button")
    assert tab.run("document.querySelectorAll('#cause-1 .case').length") > before
    assert (
        tab.run(f"[...document.querySelectorAll('#cause-1 .case')].indexOf({FOCUSED}.closest('.case'))") == before
    )


def test_a_failure_leads_to_its_cause(tab: Tab, tmp_path: Path) -> None:
    _open(tab, tmp_path, big_run(40, 20, causes=4))
    assert not tab.run("document.getElementById('cause-2').open")
    tab.run("[...document.querySelectorAll('.to-cause')].find((one) => one.textContent === 'cause 2').click()")
    assert tab.run("document.getElementById('cause-2').open")
    assert tab.run("location.hash") == "#cause-2"


def test_a_cause_is_copied_as_markdown_that_its_text_cannot_break(tab: Tab, tmp_path: Path) -> None:
    document = big_run(4, 2, causes=1)
    document["tests"][0]["message"] = "before\n```\n# not a heading\n```` x"
    _open(tab, tmp_path, document)
    tab.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    _click(tab, ".copy")
    tab.wait_for("window.copied !== undefined")
    lines = tab.run("window.copied").split("\n")
    assert lines[0] == '**2 tests:** `ELEMENT_NOT_FOUND: text="Check out" on "Cart"`'
    fence = lines.index("`````text")
    assert lines[fence + 1 : fence + 6] == ["before", "```", "# not a heading", "```` x", "`````"]
    assert sum(line.startswith("- `tests/test_") for line in lines) == 2


def test_what_is_worth_a_look_is_folded_and_reported_once(tab: Tab, tmp_path: Path) -> None:
    document = big_run(200, 9, causes=3)
    document["tests"][150]["warnings"] = ["trace.html not stored: No space left on device"]
    document["tests"][0] |= {"unverified_actions": 1, "open_actions": document["tests"][49]["open_actions"]}
    document["tests"][152]["divergence"] = "No earlier pass of this test is at hand."
    document["tests"][151]["recoverable"] = ["STALE_REFERENCE of tap k427, re_resolve"]
    _open(tab, tmp_path, document)
    summaries = _texts(tab, "#notes > details > summary")
    assert summaries == [
        "3 tests took another way than when they last passed",
        "3 tests in which something had to be recovered",
        "3 targets found again under another description",
        "1 test where recovery would have been tried",
        "1 test in which an app died",
        "4 tests prove less than they seem to",
        "8 actions that no check verified in tests that passed (4 listed)",
        "2 tests have checks that were true before their action",
        "1 test could not be recorded in full",
        "Slowest steps, up to 5.69 s",
    ]
    assert not tab.run("document.querySelector('#notes > details[open]') !== null")
    healed = _shown(tab, "#notes .healed")
    assert 'Saidid="btn_pay"' in healed
    assert 'Would holdtext="Pay now", class_name="Button"' in healed
    assert healed.count("Would hold") == 1, "three lines of tests, one change"
    assert "tests/test_cart.py:60" in healed
    assert tab.run("document.querySelector('#notes .healed a').hash") == "#a7"
    assert len(_held(tab, "#notes .slowest > ol > li")) == 20


def test_recoveries_and_deaths_are_shown_with_their_test(tab: Tab, tmp_path: Path) -> None:
    _written(tab, tmp_path, recovered_trace("failed"))
    shown = _shown(tab, "#notes")
    assert "1 test in which an app died" in shown
    assert "1 test in which something had to be recovered" in shown
    assert "1 test where recovery would have been tried" in shown
    row = _shown(tab, "#tests")
    assert "dev.replicant.shop died: no cart (Cart.kt:4)" in row
    assert 'recovered: ELEMENT_NOT_FOUND of tap text="Sign in", state_refresh by notices' in row
    assert "recovery would have been tried: VERIFICATION_FAILED of expect_visible, step_back by bold" in row
    assert "in vain" not in row, "what did not help is said by the failure"


def test_a_green_run_says_so_and_what_it_did_not_prove(tab: Tab, tmp_path: Path) -> None:
    loose = tiny_trace(nodeid="t.py::loose")
    bare = replace(loose, events=loose.events[:1])
    _written(tab, tmp_path, tiny_trace(), bare)
    assert tab.run("document.querySelector('h1').textContent") == "All 2 tests passed"
    assert tab.run("document.querySelector('#causes').children.length") == 0
    assert "1 test proves less than it seems to" in _shown(tab, "#notes")


def test_a_run_without_phones_is_a_page_as_well(tab: Tab, tmp_path: Path) -> None:
    _open(tab, tmp_path, {**big_run(0, 0), "started_at": "soon"})
    assert tab.run("document.querySelector('h1').textContent") == "No test used a phone"
    assert "soon" in _shown(tab, "#top")
    assert tab.run("document.getElementById('all').hidden")


def test_a_test_without_a_trace_says_all_it_said_here(tab: Tab, tmp_path: Path) -> None:
    document = big_run(2, 1, causes=1)
    document["tests"][0] |= {"trace": "", "trace_zip": "", "trace_json": ""}
    _open(tab, tmp_path, document)
    assert tab.run("document.querySelectorAll('#causes a, #tests > li.failed a').length") == 0
    assert "Next: scroll_to" in _shown(tab, "#tests .outline pre")


def _poisoned(value: Any, text: str) -> Any:
    """``text`` in place of every string of a document."""
    if isinstance(value, dict):
        return {name: _poisoned(item, text) for name, item in value.items()}
    if isinstance(value, list):
        return [_poisoned(item, text) for item in value]
    return text if isinstance(value, str) else value


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_stays_text_wherever_it_stands(tab: Tab, tmp_path: Path, name: str) -> None:
    document = _poisoned(big_run(70, 5, causes=2), HOSTILE[name])
    document["tests"] = document["tests"][:8] + document["tests"][60:62]
    result = {"nodeid": HOSTILE[name], "outcome": HOSTILE[name]}
    document["results"] = [{**result, "attempts": [at]} for at in range(10)]
    _open(tab, tmp_path, document)
    assert tab.run("document.title") != "owned"
    assert tab.run("document.querySelectorAll('img, iframe, object, body script:not([type])').length") == 1
    shown = tab.run("document.body.textContent")
    assert not set(shown) & set("\u202e\u2066\x00\x1b")
    assert tab.run("document.querySelectorAll('#tests > li').length") == 10
    assert faults(tab) == set()


HOSTILE_PATHS = (
    "javascript:alert(1)//trace.html",
    "JavaScript:alert(1)/trace.html",
    "data:text/html,<script>alert(1)</script>.html",
    "//evil.example/trace.html",
    "https://evil.example/trace.html",
    "/etc/trace.html",
    "C:\\temp\\trace.html",
    "\\\\evil.example\\trace.html",
    "java\tscript:alert(1)/trace.html",
    "a/\ud800/trace.html",
    "a/trace.exe",
    '"><img src=x onerror=alert(1)>',
)


@pytest.mark.parametrize("path", HOSTILE_PATHS)
def test_a_path_that_is_no_file_of_the_report_is_no_link(tab: Tab, tmp_path: Path, path: str) -> None:
    document = big_run(2, 1, causes=1)
    for row in document["tests"]:
        row |= {"trace": path, "trace_zip": path, "trace_json": path, "screenshot": path}
    _open(tab, tmp_path, document)
    links = tab.run("[...document.links].map((one) => one.getAttribute('href'))")
    assert [link for link in links if not link.startswith("#")] == []


@pytest.mark.parametrize("folder", ["50% off #1?", 'quote"d', "ümlaut", "../up", "a:b/c"])
def test_a_folder_may_be_called_anything(tab: Tab, tmp_path: Path, folder: str) -> None:
    document = big_run(1, 1, causes=1)
    (tmp_path / "run").mkdir()
    for row in document["tests"]:
        row |= {"trace": f"x/{folder}/trace.html"}
        row["cause"] = {**(row["cause"] or {}), "step": 'a1" onclick="alert(1)'}
    _open(tab, tmp_path / "run", document)
    path = tab.run("decodeURIComponent(new URL(document.querySelector('#causes a').href).pathname)")
    assert path == str((tmp_path / "run" / "x" / folder / "trace.html").resolve())
    assert tab.run("document.querySelector('#causes a').hash") == ""


def test_a_name_of_any_length_is_cut_and_can_be_seen_whole(tab: Tab, tmp_path: Path) -> None:
    document = big_run(1, 0)
    document["results"][0]["nodeid"] = f"t.py::test_{'x' * 100_000}"
    _open(tab, tmp_path, document)
    assert tab.run("document.querySelector('#tests').innerText.length") < 1000
    _click(tab, "#tests .more")
    assert tab.run("document.querySelector('#tests').innerText.length") > 100_000
    assert tab.run("document.documentElement.scrollWidth") <= 1280


def test_a_long_run_fits_the_window_and_spells_nothing_that_is_missing(tab: Tab, tmp_path: Path) -> None:
    document = big_run(120, 20)
    document["environment"]["seed"] = {"own": None}
    document["results"][0]["outcome"] = "known flaky"
    document["tests"][0]["known_flaky"] = "x" * 80
    _open(tab, tmp_path, document)
    assert faults(tab) == set()


def test_paper_gets_every_cause_and_every_test(tab: Tab, tmp_path: Path) -> None:
    _open(tab, tmp_path, big_run(1000, 20))
    tab.run("window.dispatchEvent(new Event('beforeprint'))")
    assert tab.run(ROWS) == 1000
    assert tab.run("document.querySelectorAll('details.cause:not([open])').length") == 0


def test_an_index_of_a_thousand_tests_answers_at_once(tab: Tab, tmp_path: Path) -> None:
    _open(tab, tmp_path, big_run(1000, 100, message_length=2000))
    assert (tmp_path / "index.html").stat().st_size < 5_000_000
    assert tab.run("performance.timing.domComplete - performance.timing.navigationStart") < 2000
    _click(tab, '#totals button[data-outcome="failed"]')
    tab.wait_for(f"{FOUND} === '72 of 1,000 tests'")
    tab.press("Escape")
    tab.wait_for(f"{ROWS} === 1000")
    tab.press("/")
    for key in "[999":
        tab.press(key)
    assert tab.run(ROWS) == 1


def test_dark_and_light_are_a_choice_that_is_remembered(tab: Tab, tmp_path: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    _open(tab, tmp_path, big_run(3, 1, causes=1))
    light = tab.run(ground)
    _click(tab, ".corner .theme")
    dark = tab.run(ground)
    assert dark != light
    assert tab.run("document.documentElement.dataset.theme") == "dark"
    _open(tab, tmp_path, big_run(3, 1, causes=1))
    tab.wait_for(f"{ground} === '{dark}'")
    _click(tab, ".corner .theme")
    assert tab.run(ground) == light
    assert tab.run("document.documentElement.dataset.theme === undefined"), "the system says so anyway"


def test_phones_are_listed_where_one_was_in_trouble(tab: Tab, tmp_path: Path) -> None:
    row = run_row(tiny_trace(), Redactor())
    lost = replace(row, outcome="infra", phone="android:one", lost=f"unplugged {HOSTILE}")
    again = replace(row, attempt=1, outcome="passed", phone="android:two", requeues=1)
    _open(tab, tmp_path, run_of("r", "2026-11-20T19:18:52Z", 900, (lost, again)).to_dict())
    shown = tab.run("document.getElementById('phones').innerText")
    assert "android:one" in shown
    assert "in quarantine unplugged" in shown
    assert tab.run("document.querySelectorAll('#phones tbody tr').length") == 3
    assert "android:two" in tab.run("document.getElementById('tests').innerText")
    assert faults(tab) == set()


def test_one_sound_phone_needs_no_table(tab: Tab, tmp_path: Path) -> None:
    row = replace(run_row(tiny_trace(), Redactor()), phone="android:one", outcome="passed")
    _open(tab, tmp_path, run_of("r", "2026-11-20T19:18:52Z", 900, (row,)).to_dict())
    assert tab.run("document.getElementById('phones').children.length") == 0
