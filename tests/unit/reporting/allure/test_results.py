"""What Allure keeps of a trace: its own reporter and file logger are at work."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from pytest_replicant.errors import ActionFailed, ExpectationFailed, SoftFailures
from pytest_replicant.model import (
    Attachment,
    FailureRecord,
    LogRecord,
    RaisedError,
    Redactor,
    TestTrace,
    TraceEvent,
)
from pytest_replicant.reporting import TraceFiles, redacted_trace, write_trace
from pytest_replicant.reporting.allure.results import AllureResults, correct_status
from pytest_replicant.running import SECRETS

from ..compared import compared_trace
from ..factory import HOSTILE, hostile_trace, recovered_trace, tiny_trace, written
from ..made_rows import row
from ..story import failing_story
from .listening import Listening, listening, names, walk

pytestmark = pytest.mark.slow

BEGAN = 1_795_202_332_004
"""2026-11-20T19:18:52.004Z, when each of the made traces begins."""


@pytest.fixture
def results(
    pytestconfig: pytest.Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AllureResults:
    monkeypatch.setattr(pytestconfig.option, "allure_report_dir", str(tmp_path / "allure"))
    return AllureResults(pytestconfig)


@pytest.fixture
def allure(tmp_path: Path, results: AllureResults) -> Iterator[Listening]:
    with listening(tmp_path / "allure", results) as at_work:
        yield at_work


def report(
    results: AllureResults, trace: TestTrace, files: TraceFiles | None, **of_row: str
) -> None:
    """What the report hook is given."""
    end = pytest.TestReport(
        "test_shop", ("test_shop.py", 1, "test_shop"), {}, "passed", None, "teardown"
    )
    results.pytest_replicant_trace(end, trace, files, replace(row("a"), **of_row))  # type: ignore[arg-type]


def reported(
    allure: Listening, results: AllureResults, *traces: TestTrace, redactor: Redactor | None = None
) -> dict[str, Any]:
    """The result of one test, with a trace for each of its phones."""
    redactor = redactor or Redactor()
    for trace in traces:
        files = write_trace(trace, allure.folder.parent / "out", "run", redactor)
        report(results, redacted_trace(trace, redactor), files)
    return allure.closed()


def labels(result: dict[str, Any]) -> set[tuple[str, str]]:
    return {(label["name"], label["value"]) for label in result.get("labels", [])}


def test_steps_have_their_own_times_and_files(allure: Listening, results: AllureResults) -> None:
    result = reported(allure, results, failing_story(), redactor=Redactor(["ada@example.com"]))
    assert names(result) == [
        "screen at the failure",
        "request log",
        "trace.html",
        "trace.zip",
        "trace.json",
    ]
    steps = [*walk(result["steps"])]
    verbs = ("launch", "fill", "tap", "swipe", "expect")
    events = [step for step in steps if step["name"].startswith(verbs)]
    assert [step["status"] for step in events] == ["passed"] * 9 + ["failed"] * 2
    tap = result["steps"][2]
    assert (tap["name"], tap["stop"] - tap["start"]) == ('tap text="Sign in"', 522)
    stages = ["resolve: success", "execute: success", "stabilize: success"]
    assert [stage["name"] for stage in tap["steps"]] == stages
    assert names(tap) == ["after", "what changed"]  # what was before is the picture of a step above
    sources = [one["source"] for step in (result, *steps) for one in step.get("attachments", [])]
    assert len(sources) == len({*sources}), (
        "Allure 3 shows a file that several steps name at one of them alone"
    )
    assert all((allure.folder / source).stat().st_size for source in sources)
    changed = allure.content(tap["attachments"][1])
    assert ("ada@example.com" in changed, "•••" in changed) == (False, True)


def test_groups_hold_their_steps_and_fail_with_them(
    allure: Listening, results: AllureResults
) -> None:
    order = reported(allure, results, failing_story())["steps"][-1]
    assert (order["name"], order["status"]) == ("Order two mugs", "failed")
    cart = order["steps"][-1]
    assert (cart["name"], cart["status"]) == ("Cart", "failed")
    assert [step["status"] for step in cart["steps"]] == ["passed", "passed", "failed"]
    swipe = cart["steps"][-1]
    failed = swipe["steps"][-1]  # one line of the test wrote both
    assert "statusDetails" not in swipe
    assert failed["statusDetails"]["message"].startswith(
        'ExpectationFailed  expect_state text="Total £19.80"'
    )
    assert cart["stop"] == order["stop"] == swipe["stop"] == failed["stop"]
    assert names(failed) == ["after", "reads", "screen", "device log"]
    reads = allure.content(failed["attachments"][1])
    assert reads.startswith('expected: text="Total £19.80"\n   0.000 s  no    text="£9.90"\n')


def test_a_step_of_the_test_itself_holds_what_happened_in_it(
    allure: Listening, results: AllureResults
) -> None:
    from allure_commons.model2 import TestStepResult

    trace = tiny_trace()
    allure.test.steps.append(
        TestStepResult(name="shop", start=BEGAN - 50, stop=BEGAN + 560, status="passed")
    )
    result = reported(allure, results, trace)
    assert [step["name"] for step in result["steps"]] == ["shop", 'expect_screen "Catalogue"']
    assert [step["name"] for step in result["steps"][0]["steps"]] == ['tap text="Sign in"']


def test_tool_trouble_breaks_a_step_and_a_failed_stage_says_why(
    allure: Listening, results: AllureResults
) -> None:
    trace = recovered_trace("infra")
    wait = TraceEvent("wait", "wait_for", 4000, 9, error="blind", details={"result": "unreadable"})
    failure = FailureRecord("tap", "UNKNOWN", exception="DeviceOffline")
    offline = TraceEvent(
        "action", "tap", 4100, 9, id="a9", error="the cable is out\nmore", failure=failure
    )
    lines = [
        (10, "I", "calm"),
        (20, "E", "not calm"),
        (2900, "D", "just before"),
        (3900, "E", "much later"),
    ]
    logs = tuple(LogRecord(at, level, "Shop", message) for at, level, message in lines)
    trouble = (RaisedError("the cable is out\nand more", "DeviceOffline"),)
    trace = replace(trace, events=(*trace.events, wait, offline), failures=trouble, logs=logs)
    tap, _, waited, *others = reported(allure, results, trace)["steps"]
    assert [step["status"] for step in (tap, waited, *others)] == [
        "passed",
        "failed",
        "broken",
        "broken",
    ]
    stages = {stage["name"]: stage for stage in tap["steps"]}
    assert stages["resolve: failure"]["status"] == "failed"
    assert stages["resolve: failure"]["statusDetails"]["message"] == "a notice was in the way"
    assert stages["recover by careless: failure, attempt 2"]["status"] == "failed"
    facts = stages["resolve: success, attempt 2"]["parameters"]
    assert {"name": "waited_ms", "value": "1500"} in facts
    logged = [
        allure.content(one["attachments"][names(one).index("device log")]) for one in (tap, waited)
    ]
    assert logged[0] == "   0.020 s  E  Shop: not calm", "of a step that passed bad news alone"
    assert ["just before" in logged[1], "much later" in logged[1]] == [True, False]


@pytest.mark.parametrize("outcome", ["recovered", "passed"])
def test_what_allure_has_no_status_for_is_a_label(
    allure: Listening, results: AllureResults, outcome: Literal["recovered", "passed"]
) -> None:
    allure.test.status = "passed"
    recovered = outcome == "recovered"
    result = reported(allure, results, recovered_trace() if recovered else tiny_trace(attempt=1))
    assert (("replicant_outcome", outcome) in labels(result)) == recovered
    assert ("tag", "recovered" if recovered else "flaky") in labels(result)
    said = result["statusDetails"]
    assert (said.get("message", "").startswith("recovered: "), said.get("flaky")) == (
        recovered,
        not recovered or None,
    )


def test_a_failure_says_its_cause_in_labels_and_below_the_traceback(
    allure: Listening, results: AllureResults
) -> None:
    from allure_commons.model2 import StatusDetails

    allure.test.statusDetails = StatusDetails(message="it failed", trace="Traceback")
    report(
        results, failing_story(), None, divergence='Diverged: the last pass went on to "Catalogue"'
    )
    result = allure.closed()
    cause = dict(labels(result))["failure_class"]
    assert result["statusDetails"]["message"] == "it failed"
    assert result["statusDetails"]["trace"].startswith(f"Traceback\n\nfailure_class: {cause}")
    assert names(result) == ["screen at the failure", "compared with the last pass"]


def test_which_phone_it_was_is_no_part_of_the_history(
    allure: Listening, results: AllureResults
) -> None:
    second = tiny_trace(nodeid="tests/test_checkout.py::test_two_mugs_can_be_ordered (phone 2)")
    second = replace(second, device={**second.device, "serial": "virtual-2", "model": "Pixel 8"})
    result = reported(allure, results, tiny_trace(), second)
    assert {
        one["name"]: one["value"] for one in result["parameters"] if "trace" not in one["name"]
    } == {
        "device": "Pixel 7, Android 14",
        "serial": "virtual-1",
        "device 2": "Pixel 8, Android 14",
        "serial 2": "virtual-2",
    }
    assert all(one["excluded"] for one in result["parameters"])


def test_a_pass_names_its_trace_and_has_what_the_test_attached(
    allure: Listening, results: AllureResults
) -> None:
    allure.test.start, allure.test.stop = BEGAN + 100, BEGAN + 200
    attached = (
        Attachment("shot", "image/png; a=b", b"\x89PNG"),
        Attachment("odd", 'text/html"><img src=x>', b"<b>odd</b>"),
    )
    result = reported(allure, results, replace(tiny_trace(), attachments=attached))
    found = {one["name"]: (one["type"], one["source"][-4:]) for one in result["attachments"]}
    assert found == {"shot": ("image/png", ".png"), "odd": ("application/octet-stream", ".bin")}
    (path,) = (one["value"] for one in result["parameters"] if one["name"] == "trace")
    assert (Path(path).name, Path(path).is_file()) == ("trace.html", True)
    assert "links" not in result
    assert (result["start"], result["stop"] - result["start"]) == (BEGAN, 6840), (
        "it lasts as long as its trace"
    )


def test_a_picture_is_on_disk_once_and_a_page_is_a_copy(
    allure: Listening, results: AllureResults
) -> None:
    trace = failing_story()
    files = written(trace, allure.folder.parent / "out")
    report(results, trace, files)
    stored = {path.stat().st_ino for _, path in files.screenshots}
    result = allure.closed()
    (page,) = (
        allure.folder / one["source"]
        for one in result["attachments"]
        if one["name"] == "trace.html"
    )
    assert page.stat().st_nlink == 1  # links to other pages are written into the stored one
    shown = [one for step in walk(result["steps"]) for one in step.get("attachments", [])]
    pictures = [allure.folder / one["source"] for one in shown if one["type"].startswith("image/")]
    assert pictures
    assert {path.stat().st_ino for path in pictures} <= stored


def test_a_test_case_and_a_trace_are_linked_where_the_user_says_where_to(
    tmp_path: Path, pytester: pytest.Pytester
) -> None:
    patterns = ("tms:https://cases/{}", "trace:https://ci/{}?raw")
    config = pytester.parseconfig(
        "--alluredir=allure", *(f"--allure-link-pattern={one}" for one in patterns)
    )
    config.stash[SECRETS] = Redactor()
    trace = tiny_trace()
    files = write_trace(trace, tmp_path / "out", "run 1", Redactor())
    results = AllureResults(config)
    with listening(tmp_path / "allure", results) as allure:
        report(results, trace, files, case_id="C1, a/b?")
        result = allure.closed()
    assert {("case_id", "C1"), ("case_id", "a/b?")} <= labels(result)
    assert [(one["type"], one["url"]) for one in result["links"]] == [
        ("tms", "https://cases/C1"),
        ("tms", "https://cases/a/b%3F"),
        ("trace", f"https://ci/run%201/{files.folder.name}/trace.html?raw"),
    ]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_stays_text(allure: Listening, results: AllureResults, text: str) -> None:
    result = reported(allure, results, hostile_trace(text))
    shown = json.dumps(result, ensure_ascii=False)
    assert not any(
        mark in shown for mark in ("\x00", "\ud800", "\u202e", "\u2066", "\x1b", "\u2028")
    )
    (group,) = result["steps"]
    assert len(group["steps"]) == 2
    assert max(len(one["name"]) for one in walk(result["steps"])) < 400
    assert max((len(value) for _, value in labels(result)), default=0) < 400


def test_the_status_and_the_message_are_those_of_what_was_raised(allure: Listening) -> None:
    from allure_commons.model2 import StatusDetails

    allure.test.status = "broken"
    correct_status(allure.test, ValueError("of the test"))
    assert allure.test.status == "broken"
    correct_status(allure.test, ActionFailed("no such button", result=tiny_trace().actions[0]))
    assert allure.test.status == "failed"
    allure.test.statusDetails = StatusDetails(
        message="SoftFailures: 2 checks failed (2 sub-exceptions)"
    )
    failures = [ExpectationFailed("one is not"), ExpectationFailed("two is not")]
    correct_status(allure.test, SoftFailures("2 checks failed", failures))
    assert (
        allure.test.statusDetails.message == "SoftFailures: 2 checks failed\none is not\ntwo is not"
    )


def test_compared_pictures_are_shown_by_allure_s_own_image_comparison(
    allure: Listening, results: AllureResults
) -> None:
    failed, missing, passed = reported(allure, results, compared_trace())["steps"]
    assert [step["status"] for step in (failed, missing, passed)] == ["failed", "skipped", "passed"]
    [shown] = [
        one for one in failed["attachments"] if one["type"] == "application/vnd.allure.image.diff"
    ]
    pictures = json.loads(allure.content(shown))
    assert {"expected", "actual", "diff"} < pictures.keys()
    assert all(
        pictures[name].startswith("data:image/png;base64,iVBOR")
        for name in ("expected", "actual", "diff")
    )
    assert "application/vnd.allure.image.diff" not in {
        one["type"] for one in missing.get("attachments", [])
    }
