"""The pages in a real browser: the scripts run under their own policy, and show what was recorded."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.model import TraceEvent
from pytest_replicant.reporting.pages.index_page import link_pages
from tests.unit.reporting.factory import HOSTILE, hostile_trace, recovered_trace, tiny_trace
from tests.unit.reporting.pages.written import page_of
from tests.unit.reporting.story import failing_story

from .chromium import BROWSER, QUIET

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def _opened(page: Path, profile: Path, fragment: str = "") -> tuple[str, list[str]]:
    """The page's markup once its script has run, and what the browser's console said."""
    assert BROWSER is not None
    options = (
        "--virtual-time-budget=10000",
        "--enable-logging=stderr",
        f"--user-data-dir={profile}",
        "--dump-dom",
    )
    finished = subprocess.run(
        [BROWSER, *QUIET, *options, page.resolve().as_uri() + fragment],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=90,
        check=True,
    )
    return finished.stdout, re.findall(r"CONSOLE\S*\] (.*)", finished.stderr)


def _drawn(dom: str) -> str:
    """The markup that the script made, without the data and the script themselves."""
    return re.sub(r"<(script|style).*?</\1>", "", dom, flags=re.DOTALL)


def _details(dom: str) -> str:
    found = re.search(r'<article id="details".*?</article>', _drawn(dom), flags=re.DOTALL)
    assert found is not None
    return found[0]


@pytest.fixture(scope="module")
def story_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(failing_story(), tmp_path_factory.mktemp("out"))


def test_a_replay_says_so_and_leads_to_what_was_recorded(tmp_path: Path) -> None:
    trace = tiny_trace("holds on the recording")
    page = page_of(trace, tmp_path / "out")
    alone, console = _opened(page, tmp_path / "alone")
    assert console == []
    assert 'class="badge replay-holds"' in _drawn(alone)
    assert "What the phone shows and when is as it was recorded." in _drawn(alone)
    assert "Open the recorded trace" not in _drawn(alone)
    nodeid, path = trace.test.nodeid, page.relative_to(page.parents[1]).as_posix()
    row = {"nodeid": nodeid, "attempt": 0, "outcome": trace.test.outcome, "device": "P", "trace": path}
    ended = {"nodeid": nodeid, "wanted": "reproduced", "sentence": "to step 1 of 1", "recorded": "../x/trace.html"}
    results = [{"nodeid": nodeid, "outcome": trace.test.outcome, "attempts": [0]}]
    replay = {"run": "nightly.zip", "tests": [ended]}
    link_pages({"tests": [row], "results": results, "causes": [], "replay": replay}, page.parents[1])
    linked = _drawn(_opened(page, tmp_path / "linked")[0])
    assert "nightly.zip" in linked
    assert 'href="../../x/trace.html"' in linked
    assert "Holds on the recording to step 1 of 1" in linked
    assert "Expected: reproduced" in linked


def test_every_step_is_in_the_timeline_and_the_failure_is_open(story_page: Path, tmp_path: Path) -> None:
    dom, console = _opened(story_page, tmp_path)
    assert console == []
    drawn = _drawn(dom)
    for event in failing_story().events:
        link = event.id
        assert len(re.findall(rf'<li class="step [^>]*"><a href="#{link}"', drawn)) == 1
    details = _details(dom)
    assert "expect_state" in details
    assert "in 6 reads" in details
    assert "Total £19.80" in details


def test_a_wait_says_what_was_awaited_and_how_it_was_read(tmp_path: Path) -> None:
    details = {"awaited": 'text="Go"', "result": "met", "observed": "[k1]", "reads": 3, "failed_reads": 1}
    event = TraceEvent("wait", 'wait_for text="Go"', 0, 9, id="wait-0", details=details)
    trace = replace(tiny_trace("failed"), events=(*tiny_trace().events, event))
    page = page_of(trace, tmp_path / "out")
    dom, console = _opened(page, tmp_path / "profile", "#wait-0")
    assert console == []
    assert "waited until it was so" in _details(dom)
    assert "3, 1 more failed" in _details(dom)


def test_an_address_opens_its_action_with_both_screens_and_the_touch(story_page: Path, tmp_path: Path) -> None:
    dom, console = _opened(story_page, tmp_path, "#a2")
    assert console == []
    details = _details(dom)
    assert details.count("<img ") == 2
    assert 'class="target" x="90" y="2090" width="900" height="150"' in details
    assert 'class="touch" cx="540" cy="2165"' in details
    assert '<li class="added">' in details
    assert '<li class="removed">' in details
    assert "[k427]" in details
    assert re.findall(r'class="bar (\w+) success"', details) == ["resolve", "execute", "stabilize"]
    assert re.search(r'href="#a2" aria-current="true"', _drawn(dom))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_stays_text(tmp_path: Path, name: str) -> None:
    page = page_of(hostile_trace(HOSTILE[name]), tmp_path / "out")
    dom, console = _opened(page, tmp_path / "profile", "#a1")
    assert console == []
    title = re.search(r"<title>(.*?)</title>", dom, flags=re.DOTALL)
    assert title is not None
    assert title[1] != "owned"
    drawn = _drawn(dom)
    assert "<img" not in drawn
    assert not re.search("[\u202e\u2066\x00\x1b]", drawn.split("</head>")[-1])


def test_five_hundred_steps_are_all_there(tmp_path: Path) -> None:
    trace = tiny_trace("failed")
    events = tuple(replace(trace.events[0], id=f"a{number}", start_ms=number * 500) for number in range(500))
    page = page_of(replace(trace, events=events), tmp_path / "out")
    dom, console = _opened(page, tmp_path / "profile", "#a321")
    assert console == []
    assert _drawn(dom).count('<li class="step action') == 500
    assert "Step 322 of 500" in _details(dom)


@pytest.fixture(scope="module")
def recovered_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(recovered_trace("failed"), tmp_path_factory.mktemp("out"))


def _text(markup: str) -> str:
    """What a reader sees of it, in one line."""
    return " ".join(re.sub(r"<[^>]*>", " ", markup).split())


def test_recoveries_and_deaths_are_shown_before_any_step(recovered_page: Path, tmp_path: Path) -> None:
    dom, console = _opened(recovered_page, tmp_path)
    assert console == []
    news = _drawn(dom).partition('<div id="news">')[2].partition("<nav")[0]
    died, recovered, asked = re.findall(r'<div class="news .*?</div>', news, flags=re.DOTALL)
    assert _text(died).startswith("dev.replicant.shop died: no cart (Cart.kt:4)")
    assert 'href="#a1"' in died
    assert (recovered_page.parent / re.findall(r'href="([^"#]+)">Stack trace', died)[0]).is_file()
    assert _text(recovered) == (
        'Recovered tap text="Sign in" : a notice was in the way'
        ' ELEMENT_NOT_FOUND · tap Button "OK", then state_refresh by notices Show the step'
    ).replace('" :', '":')
    assert _text(asked).startswith(
        "Recovery would have tried expect_visible VERIFICATION_FAILED · step_back by bold"
    )


def test_recovery_is_reported_answer_by_answer(recovered_page: Path, tmp_path: Path) -> None:
    dom, console = _opened(recovered_page, tmp_path, "#a1")
    assert console == []
    details = _details(dom)
    first, second = map(
        _text, re.findall(r"<li>.*?</li>", details.partition('class="answers"')[2].partition("</ol>")[0])
    )
    assert "state_refresh by a notice was in the way a1.r1" in first
    assert (
        "Because a notice was in the way First tap a notice was in the way Result done, then tried again" in first
    )
    assert "step_back by careless" in second
    assert "Result not carried out: refused: a notice was in the way" in second
    shown = _text(details)
    assert "Failure ELEMENT_NOT_FOUND (TargetResolutionFailure)" in shown
    assert "Recoveries 1 of 3" in shown
    assert "Ended recovered" in shown
    assert "waited: disabled 1.5 s a notice was in the way" in shown
    assert "never at rest, so left out of account here: ProgressBar" in shown
    assert "2 reads failed" in shown
    assert "Attempt 2 recovery a1.r1" in shown


def test_reads_that_were_none_are_no_evidence(recovered_page: Path, tmp_path: Path) -> None:
    dom, console = _opened(recovered_page, tmp_path, "#check-0")
    assert console == []
    shown = _text(_details(dom))
    assert "What it saw, in 16 reads 0.00 s absent not yet" in shown
    assert "0.20 s read failed: the phone said nothing no read" in shown
    assert '0.30 s interrupt: text="Rate us" no read' in shown
    assert "0.40 – 2.00 s absent not yet" in shown
    assert "nothing was tried: the failure stands" in shown


def test_a_wait_in_vain_says_how_long(recovered_page: Path, tmp_path: Path) -> None:
    dom, console = _opened(recovered_page, tmp_path, "#wait-0")
    assert console == []
    shown = _text(_details(dom))
    assert "✕ waited in vain" in shown
    assert "Ended timed out after 400 ms" in shown


def test_a_recovered_test_opens_at_its_recovery(tmp_path: Path) -> None:
    trace = recovered_trace()
    trace = replace(trace, events=(TraceEvent("wait", "pause", 0, 1, id="wait-0"), trace.events[0]), deaths=())
    page = page_of(trace, tmp_path / "out")
    dom, console = _opened(page, tmp_path / "profile")
    assert console == []
    assert re.search(r'href="#a1" aria-current="true"', _drawn(dom))
    assert "recovered: a notice was in the way" in _text(_drawn(dom))
