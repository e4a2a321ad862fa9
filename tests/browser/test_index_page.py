"""The index of a run in a real browser: causes first, everything else within a key or a click."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_replicant.reporting import index_page, run_of
from tests.unit.reporting.big_run import big_run
from tests.unit.reporting.factory import HOSTILE, facts, recovered_trace, row_of, tiny_trace
from tests.unit.reporting.made_rows import replay
from tests.unit.reporting.pages.written import pages_of
from tests.unit.reporting.story import failing_story

from .chromium import Tab
from .page_judge import faults

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOUND = "document.getElementById('found').firstChild.textContent"
FOCUSED = "document.activeElement"


def show(tab: Tab, folder: Path, document: dict[str, Any], choices: str = "") -> None:
    page = folder / "index.html"
    page.write_text(index_page(document), encoding="utf-8")
    tab.open(page.as_uri() + choices)


def click(tab: Tab, selector: str) -> None:
    tab.run(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
    tab.click(selector)


# --- causes ---------------------------------------------------------------------------------------


def test_the_causes_come_first_and_the_biggest_of_them(tab: Tab, tmp_path: Path) -> None:
    show(tab, tmp_path, big_run(40, 20, causes=4))
    assert tab.text("h1") == "16 failures, 4 causes"
    assert tab.run("document.querySelector('main section').id") == "causes"
    sizes = [int(size) for size in tab.texts(".size b", "textContent")]
    assert (sizes, sum(sizes)) == (sorted(sizes, reverse=True), 16)
    assert tab.texts(".cause .title")[0] == 'ELEMENT_NOT_FOUND: text="Check out" on "Cart"'
    for words in (
        "TargetResolutionFailure",
        'text="Check out"',
        "Next: scroll_to, or another selector.",
    ):
        assert words in tab.text(".cause[open]")
    assert tab.run("document.querySelector('.case a.open').hash") == "#a7"
    tab.run(
        "[...document.querySelectorAll('.to-cause')].find((one) => one.textContent === 'cause "
        "2').click()"
    )
    assert tab.run("[document.getElementById('cause-2').open, location.hash]") == [True, "#cause-2"]


def test_the_screen_of_a_message_is_folded_and_its_path_left_out(tab: Tab, tmp_path: Path) -> None:
    document = big_run(4, 1, causes=1)
    shown = ["expect_visible: absent (9 reads)", "It did not hold before the action either."]
    screen = [
        "Sign in  (dev.replicant.shop)",
        '[f544] "Good things"',
        '[m987] Button "Sign in"',
        "(keyboard open)",
    ]
    after = [
        "Open: /builds/7/replicant-report/trace.html#a1",
        "Checked at tests/test_x.py:64: soft",
    ]
    document["tests"][0]["message"] = "\n".join([*shown, *screen, *after])
    show(tab, tmp_path, document)
    assert tab.run("document.querySelector('.said').textContent").split("\n") == [*shown, after[1]]
    assert tab.run(
        "document.querySelector('.cause .outline').textContent"
    ) == "The screen, 4 lines" + "\n".join(screen)
    assert tab.count(".cause .outline[open]") == 0


def test_a_cause_is_headed_by_what_its_tests_are(tab: Tab, tmp_path: Path) -> None:
    document = big_run(560, 500, causes=1)
    first = document["tests"][1]
    first["outcome"] = document["results"][1]["outcome"] = "error"
    kind = {"failure_class": "VerificationFailure", "failure_code": "VERIFICATION_FAILED"}
    first["cause"] = {**first["cause"], **kind}
    show(tab, tmp_path, document)
    assert tab.texts(".cause .kinds .chip") == [
        "399 failed, 1 error",
        "ELEMENT_NOT_FOUND × 499",
        "VERIFICATION_FAILED × 1",
        "TargetResolutionFailure × 499",
        "VerificationFailure × 1",
    ]


def test_attempts_and_phones_of_a_test_are_shown_apart(tab: Tab, tmp_path: Path) -> None:
    document = big_run(12, 5, causes=1)
    document["results"].append(
        {"nodeid": "tests/test_chat.py::test_two", "outcome": "passed", "attempts": [6, 7]}
    )
    show(tab, tmp_path, document)
    assert tab.text("h1") == "4 failures, 1 cause"
    assert tab.texts(".cause .size") == ["4 tests + 1 retried"]
    for words in ("passed later", "attempt 1"):
        assert words in tab.texts(".case")[-1]
    flaky = tab.texts("#tests > li.flaky .attempts .what", "textContent")
    assert [text.split("ELEMENT")[0].strip() for text in flaky] == [
        "Attempt 1 failed",
        "Attempt 2 passed",
    ]
    phones = tab.texts("#tests > li:not(.flaky) .attempts .open", "textContent")
    assert phones == ["Attempt 1, phone 1", "Attempt 1, phone 2"]


def test_a_red_test_of_two_phones_opens_the_phone_that_failed(tab: Tab, tmp_path: Path) -> None:
    document = big_run(2, 2, causes=1)
    document["tests"] = document["tests"][:2]
    document["tests"][0]["cause"]["step"] = ""
    document["results"] = [{"nodeid": "t.py::test_two", "outcome": "failed", "attempts": [0, 1]}]
    document["causes"][0] |= {"tests": [0, 1], "earlier": []}
    show(tab, tmp_path, document)
    one, other = (row["trace"] for row in document["tests"])
    links = tab.run(
        "[...document.querySelectorAll('.case a')].map((one) => one.getAttribute('href'))"
    )
    assert links == [f"{other}#a7", one, f"{other}#a7"]


def test_causes_and_commands_are_copied_as_text_that_nothing_can_break(
    tab: Tab, tmp_path: Path
) -> None:
    document = big_run(4, 2, causes=1)
    document["tests"][0]["message"] = "before\n```\n# not a heading\n```` x"
    for row in document["tests"]:
        row["rerun"] = "pytest 'tests/x.py::test_a[b c]'"
    show(tab, tmp_path, document)
    tab.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    tab.run(
        "[...document.querySelectorAll('.copy')].find((one) => "
        "/Markdown/.test(one.textContent)).click()"
    )
    tab.wait_for("window.copied !== undefined")
    lines = tab.run("window.copied").split("\n")
    assert lines[0] == '**2 tests:** `ELEMENT_NOT_FOUND: text="Check out" on "Cart"`'
    fence = lines.index("`````text")
    assert lines[fence + 1 : fence + 6] == ["before", "```", "# not a heading", "```` x", "`````"]
    assert sum(line.startswith("- `tests/test_") for line in lines) == 2
    assert tab.count("#tests .copy") == 2, "a pass needs no other run"
    tab.run("(window.copied = undefined, document.querySelector('.case .copy').click())")
    tab.wait_for("window.copied === \"pytest 'tests/x.py::test_a[b c]'\"")


# --- tests ----------------------------------------------------------------------------------------


def test_every_outcome_has_its_count_its_mark_and_its_words(tab: Tab, tmp_path: Path) -> None:
    words = {
        "failed": "failed",
        "error": "error",
        "infra": "infra",
        "xpassed": "unexpected pass",
        "flaky": "flaky",
        "known flaky": "known flaky",
        "recovered": "recovered",
        "passed": "passed",
        "xfailed": "expected failure",
        "skipped": "skipped",
    }
    document = big_run(len(words), 0)
    for outcome, result in zip(words, document["results"], strict=True):
        result["outcome"] = outcome
    document["tests"][5]["known_flaky"] = "SHOP-7, until 2026-12-24"
    show(tab, tmp_path, document)
    marks, *counted = zip(
        *(text.split(" ", 2) for text in tab.texts("#totals button")), strict=True
    )
    assert len({*marks}) == len(words), "each has a mark of its own"
    colours = tab.run(
        "[...document.querySelectorAll('#totals b')].map((one) => getComputedStyle(one).color)"
    )
    assert len({*colours}) == len(words)
    assert {*counted[-1]} == {*words.values()}
    assert "SHOP-7, until 2026-12-24" in tab.text("#tests > li.known-flaky")
    tab.run("document.querySelector('#totals .known-flaky').click()")
    assert tab.run(FOUND) == "1 of 10 tests"


def test_the_last_runs_of_a_test_are_signs_and_words(tab: Tab, tmp_path: Path) -> None:
    document = big_run(3, 0)
    document["results"][0]["history"] = "ppfnk-"
    entry = {
        "test": "t.py::test_a", "cause": '"Pay" not found', "key": "0a1b2c3d", "failed": 3,
        "runs": 20, "low": 0.05, "high": 0.36, "first_seen": "2026-11-20T19:18:52Z",
        "phones": ["Pixel 7"], "passed_on": ["iPhone 15"], "parts_at": 'tap text="Add"',
        "kind": "timing", "history": "pf",
    }  # fmt: skip
    show(tab, tmp_path, {**document, "flaky": [entry]})
    dots = "#tests .dots"
    assert tab.count(dots) == 1
    assert tab.run(f"document.querySelector('{dots}').getAttribute('aria-label')") == (
        "Last 6 runs, oldest first: 2 passed, 1 failed, 1 known flaky, 1 flaky, 1 did not run"
    )
    assert tab.texts(f"{dots} i", "title")[:2] == ["runs 1 to 2 of 6: passed", "run 3 of 6: failed"]
    (shown,) = tab.texts("#flaky li")
    for part in (
        "15 % test_a looks like timing",
        '"Pay" not found',
        "failed in 3 of 20 attempts: 5 % to 36 %",
    ):
        assert part in shown
    assert ["on Pixel 7" in shown, "passed on iPhone 15" in shown] == [True, True]


def test_a_replay_says_so_and_leads_to_what_was_recorded(tab: Tab, tmp_path: Path) -> None:
    odd = [
        ("a", "fails on the recording", "at step 2: E: no"),
        ("d", "diverged", "at step 3: recorded back"),
    ]
    holds = [(name, "holds on the recording", "to step 3 of 3") for name in "bc"]
    show(tab, tmp_path, replay(*odd, *holds).to_dict())
    assert tab.text("h1") == "2 of 4 replays did not end as expected"
    said = tab.text(".replay")
    assert said.startswith("Replay of recorded: recorded 20 Nov 2026, 19:00:00 UTC, on Pixel 7")
    assert ["No test ran on a phone" in said, "no passes" in said] == [True, True]
    links = tab.run(
        "[...document.querySelectorAll('.replay a, #tests .note a')].map((one) => "
        "one.attributes.href.value)"
    )
    assert links == [
        "../recorded/index.html",
        *(f"../recorded/{name}/trace.html" for name in "adbc"),
    ]
    totals = ["⊘1 fails on the recording", "≠1 diverged", "○2 hold on the recording"]
    assert tab.texts("#totals button", "textContent") == totals
    rows = tab.texts("#tests > li .what", "textContent")
    assert ["at step 2" in rows[0], "expected: holds on the recording" in rows[0]] == [True, True]
    assert "expected" not in rows[2]
    assert tab.count("#phones *") == 0


def test_phones_are_listed_where_one_was_in_trouble(tab: Tab, tmp_path: Path) -> None:
    row = row_of(tiny_trace())
    lost = replace(row, outcome="infra", phone="android:one", lost=f"unplugged {HOSTILE}")
    again = replace(row, attempt=1, outcome="passed", phone="android:two", requeues=1)
    for rows, listed in (((lost, again), 3), ((again,), 0)):
        show(tab, tmp_path, run_of("r", "2026-11-20T19:18:52Z", 900, rows).to_dict())
        assert tab.count("#phones tbody tr") == listed
        assert "android:two" in tab.text("#tests")
    show(tab, tmp_path, run_of("r", "2026-11-20T19:18:52Z", 900, (lost, again)).to_dict())
    assert "in quarantine unplugged" in " ".join(tab.texts("#phones"))
    assert faults(tab) == set()


def test_a_test_without_a_trace_says_all_it_said_here(tab: Tab, tmp_path: Path) -> None:
    document = big_run(2, 1, causes=1)
    document["tests"][0] |= {"trace": "", "trace_zip": "", "trace_json": ""}
    show(tab, tmp_path, document)
    assert tab.count("#causes a, #tests > li.failed a") == 0
    assert "Next: scroll_to" in tab.text("#tests .outline pre")


def test_a_name_of_any_length_is_cut_and_can_be_seen_whole(tab: Tab, tmp_path: Path) -> None:
    document = big_run(1, 0)
    document["results"][0]["nodeid"] = f"t.py::test_{'x' * 100_000}"
    show(tab, tmp_path, document)
    assert tab.run("document.querySelector('#tests').innerText.length") < 1000
    click(tab, "#tests .more")
    assert tab.run("document.querySelector('#tests').innerText.length") > 100_000
    assert tab.run("document.documentElement.scrollWidth") <= 1280


# --- what a run did not prove, and a run of nothing -----------------------------------------------


def test_what_is_worth_a_look_is_folded_and_reported_once(tab: Tab, tmp_path: Path) -> None:
    document = big_run(200, 9, causes=3)
    tests = document["tests"]
    tests[150]["warnings"] = ["trace.html not stored: No space left on device"]
    tests[0] |= {"unverified_actions": 1, "open_actions": tests[49]["open_actions"]}
    tests[152]["divergence"] = "No earlier pass of this test is at hand."
    tests[151]["recoverable"] = ["STALE_REFERENCE of tap k427, re_resolve"]
    show(tab, tmp_path, document)
    assert tab.texts("#notes > details > summary") == [
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
    assert tab.count("#notes > details[open]") == 0
    healed = tab.text("#notes .healed")
    assert 'Saidid="btn_pay"' in healed
    assert healed.count('Would holdtext="Pay now", class_name="Button"') == 1, (
        "three lines of tests, one change"
    )
    assert "tests/test_cart.py:60" in healed
    assert tab.run("document.querySelector('#notes .healed a').hash") == "#a7"
    assert tab.count("#notes .slowest > ol > li") == 20


def test_real_traces_are_linked_and_enter_opens_the_one_that_failed(
    tab: Tab, tmp_path: Path
) -> None:
    bare = tiny_trace(nodeid="t.py::bare")
    traces = (
        failing_story(),
        replace(bare, events=bare.events[:1]),
        replace(recovered_trace(), test=facts("recovered", "t.py::again")),
    )
    pages = [page.relative_to(tmp_path / "run").as_posix() for page in pages_of(tmp_path, *traces)]
    tab.open((tmp_path / "run" / "index.html").as_uri())
    assert tab.text("h1") == "1 failure, 1 cause"
    assert [tab.count(f'#tests a[href="{page}"]') for page in pages] == [1, 1, 1]
    for words in ("1 test proves less than it seems to", "1 test in which an app died"):
        assert words in tab.text("#notes")
    row = tab.text("#tests > li.recovered")
    assert 'recovered: ELEMENT_NOT_FOUND of tap text="Sign in", state_refresh by notices' in row
    assert (
        "recovery would have been tried: VERIFICATION_FAILED of expect_visible, step_back by bold"
        in row
    )
    assert "in vain" not in row, "what did not help is said by the failure"
    for key in ("j", "j", "Enter"):
        tab.press(key)
    tab.wait_for("document.querySelector('#steps') !== null && document.readyState === 'complete'")
    assert pages[0] in tab.run("location.href")


def test_a_green_run_and_one_without_phones_say_so(tab: Tab, tmp_path: Path) -> None:
    show(tab, tmp_path, big_run(2, 0))
    assert tab.text("h1") == "All 2 tests passed"
    assert tab.count("#causes *, #flaky *") == 0
    show(tab, tmp_path, {**big_run(0, 0), "started_at": "soon"})
    assert tab.text("h1") == "No test used a phone"
    assert "soon" in tab.text("#top")
    assert tab.run("document.getElementById('all').hidden")


# --- moving through it ----------------------------------------------------------------------------


def test_keys_walk_from_cause_to_cause_and_into_their_tests(tab: Tab, tmp_path: Path) -> None:
    show(tab, tmp_path, big_run(40, 20, causes=4))
    tab.press("j")
    tab.press("Enter")
    tab.wait_for("!document.getElementById('cause-1').open")
    tab.press("ArrowDown")
    assert tab.run(f"{FOCUSED}.closest('.cause').id") == "cause-2"
    tab.press("Enter")
    tab.wait_for("document.getElementById('cause-2').open")
    tab.press("j")
    assert tab.run(f"{FOCUSED}.matches('#cause-2 .case a')")
    for _ in range(2):
        tab.press("k")
    assert tab.run(f"{FOCUSED}.closest('.cause').id") == "cause-1"


def test_slash_searches_and_escape_ends_it(tab: Tab, tmp_path: Path) -> None:
    show(tab, tmp_path, big_run(1000, 100, message_length=2000))
    assert (tmp_path / "index.html").stat().st_size < 5_000_000
    tab.press("/")
    for key in "jmug":
        tab.press(key)
    assert tab.run("document.activeElement.value") == "jmug", "letters are no moves here"
    tab.enter("#search", "mug galaxy [99")
    assert tab.run(FOUND) == "1 of 1,000 tests"
    tab.press("ArrowDown")
    assert tab.run(f"{FOCUSED}.matches('#tests > li:first-child a')")
    tab.press("Escape")
    tab.wait_for(f"{FOUND} === '1,000 tests'")
    tab.run("window.dispatchEvent(new Event('beforeprint'))")
    assert tab.count("#tests > li") == 1000, "paper gets every test"
    assert tab.count("details.cause:not([open])") == 0


def test_a_question_mark_tells_the_keys(tab: Tab, tmp_path: Path) -> None:
    show(tab, tmp_path, big_run(3, 0))
    tab.press("?")
    assert "search tests" in tab.text("#help[open]")
    tab.press("Escape")
    tab.wait_for("document.querySelector('dialog[open]') === null")
    click(tab, ".corner button[aria-label='Keys']")
    tab.wait_for("document.querySelector('#help[open]') !== null")


def test_the_mouse_filters_orders_and_asks_for_more(tab: Tab, tmp_path: Path) -> None:
    show(tab, tmp_path, big_run(200, 40, causes=2))
    click(tab, "#totals button[data-outcome='failed']")
    assert tab.run(FOUND) == "32 of 200 tests"
    tab.enter("#device", "Pixel 4a")
    assert tab.run(FOUND) == "8 of 200 tests"
    assert {*tab.texts("#tests .device", "textContent")} == {"Pixel 4a, Android 12 · gw1zipjson"}
    click(tab, "#found button")
    assert tab.run(FOUND) == "200 tests"
    tab.enter("#order", "Slowest")
    first, second = tab.texts("#tests > li > .side > span:first-child", "textContent")[:2]
    assert float(first.split()[0]) >= float(second.split()[0])
    tab.enter("#order", "File")
    places = [text.partition(":") for text in tab.texts("#tests .path", "textContent")]
    assert places == sorted(places, key=lambda place: (place[0], int(place[2])))
    before = tab.count("#cause-1 .case")
    click(tab, "#cause-1 .rest button")
    assert (
        tab.run(
            f"[...document.querySelectorAll('#cause-1 .case')].indexOf({FOCUSED}.closest('.case'))"
        )
        == before
    )


def test_what_is_chosen_is_in_the_address_and_comes_back_with_it(tab: Tab, tmp_path: Path) -> None:
    document = big_run(40, 20, causes=4)
    show(tab, tmp_path, document)
    tab.run("document.querySelector('#totals [data-outcome=flaky]').click()")
    tab.enter("#search", "mug & <b>")
    tab.run(
        "(document.getElementById('cause-1').open = false, "
        "document.getElementById('note-slowest').open = true)"
    )
    chosen = "#q=mug+%26+%3Cb%3E&outcome=flaky&open=cause-1.note-slowest"
    tab.wait_for(f"location.hash === '{chosen}'")
    show(tab, tmp_path, document, chosen)
    assert tab.run("search.value") == "mug & <b>"
    assert (
        tab.run("document.querySelector('#totals [aria-pressed=true]').dataset.outcome") == "flaky"
    )
    assert (tab.count("#cause-1[open]"), tab.count("#note-slowest[open]")) == (0, 1)
    tab.run("location.hash = '#outcome=flaky'")
    tab.wait_for(f"{FOUND} === '4 of 40 tests'")
    tab.press("Escape")
    tab.wait_for("location.hash === ''")
    for odd in ("#outcome=<img>&q=%00&device=x&order=__proto__&open=..%22", "#%"):
        show(tab, tmp_path, document, odd)
        assert tab.count("#causes .cause") == 4


def test_dark_and_light_are_a_choice_that_is_remembered(tab: Tab, tmp_path: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    show(tab, tmp_path, big_run(3, 1, causes=1))
    light = tab.run(ground)
    click(tab, ".corner .theme")
    dark = tab.run(ground)
    assert (dark != light, tab.run("document.documentElement.dataset.theme")) == (True, "dark")
    show(tab, tmp_path, big_run(3, 1, causes=1))
    tab.wait_for(f"{ground} === '{dark}'")
    click(tab, ".corner .theme")
    assert tab.run(ground) == light
    assert tab.run("document.documentElement.dataset.theme === undefined"), (
        "the system says so anyway"
    )


# --- hostile text ---------------------------------------------------------------------------------


def poisoned(value: Any, text: str) -> Any:
    """``text`` in place of every string of a document."""
    if isinstance(value, dict):
        return {name: poisoned(item, text) for name, item in value.items()}
    if isinstance(value, list):
        return [poisoned(item, text) for item in value]
    return text if isinstance(value, str) else value


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_stays_text_wherever_it_stands(tab: Tab, tmp_path: Path, name: str) -> None:
    text = HOSTILE[name]
    document = poisoned(big_run(70, 5, causes=2), text)
    document["tests"] = document["tests"][:8] + document["tests"][60:62]
    document["results"] = [{"nodeid": text, "outcome": text, "attempts": [at]} for at in range(10)]
    document["replay"] = poisoned(replay(("a", "diverged", "")).to_dict()["replay"], text)
    show(tab, tmp_path, document)
    assert tab.run("document.title") != "owned"
    assert tab.count("img, iframe, object, body script:not([type])") == 1
    assert not set(tab.run("document.body.textContent")) & set("\u202e\u2066\x00\x1b")
    assert tab.count("#tests > li") == 10
    assert faults(tab) == set()


def test_a_path_that_is_no_file_of_the_report_is_no_link(tab: Tab, tmp_path: Path) -> None:
    paths = [
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
    ]
    document = big_run(len(paths), len(paths), causes=1)
    for at, row in enumerate(document["tests"]):
        row |= dict.fromkeys(
            ("trace", "trace_zip", "trace_json", "screenshot"), paths[at % len(paths)]
        )
    show(tab, tmp_path, document)
    assert (
        tab.run(
            "[...document.links].map((one) => one.attributes.href.value).filter((one) => one[0] "
            "!== '#')"
        )
        == []
    )


@pytest.mark.parametrize("folder", ["50% off #1?", "../ü:p/c"])
def test_a_folder_may_be_called_anything(tab: Tab, tmp_path: Path, folder: str) -> None:
    document = big_run(1, 1, causes=1)
    (tmp_path / "run").mkdir()
    for row in document["tests"]:
        row |= {"trace": f"x/{folder}/trace.html"}
        row["cause"] = {**(row["cause"] or {}), "step": 'a1" onclick="alert(1)'}
    show(tab, tmp_path / "run", document)
    path = tab.run("decodeURIComponent(new URL(document.querySelector('#causes a').href).pathname)")
    assert path == str((tmp_path / "run" / "x" / folder / "trace.html").resolve())
    assert tab.run("document.querySelector('#causes a').hash") == ""
