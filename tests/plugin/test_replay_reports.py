"""A replay in every report: a verdict of its own, and no pass, no duration, no flake, no history, no baseline."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.cli import main
from tests.conftest import QUICK, Capture, here_and_in_a_worker, write_known_flaky

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

Replay = Callable[..., pytest.RunResult]

ROOT = Path(__file__).parents[2]
CI = ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "CI_PROJECT_DIR")
_INSTALLED = any(point.value == "pytest_replicant.plugin" for point in entry_points(group="pytest11"))
PLUGIN = () if _INSTALLED else ("-p", "pytest_replicant.plugin")
RECORDED = ("-p", "no:randomly", "--replicant-output=out", "--replicant-device=virtual?latency=0")

SOURCE = """
from pathlib import Path

import pytest

EDITED = Path("edited").exists()

def start(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_reproduced(mobile):
    start(mobile)
    mobile.expect_visible(text="Not there", timeout=0.1)

def test_holds(mobile):
    start(mobile)

def test_fails(mobile):
    start(mobile)
    assert not EDITED, "a claim of its own"

def test_diverged(mobile):
    start(mobile)
    mobile.tap(text="Sign in" if EDITED else "Forgot password?")

def test_beyond(mobile):
    start(mobile)
    if EDITED:
        mobile.expect_gone(text="Not there")

@pytest.fixture
def closing(mobile):
    yield
    mobile.expect_visible(text="Closed", timeout=0.1)

def test_ends_badly(mobile, closing):
    start(mobile)

def test_plain():
    pass
"""
VERDICTS = {
    "test_reproduced": "reproduced",
    "test_holds": "holds on the recording",
    "test_fails": "fails on the recording",
    "test_diverged": "diverged",
    "test_beyond": "beyond the recording",
    "test_ends_badly": "reproduced",
}
PARTS = {
    "reproduced": "replicant.reproduced",
    "holds on the recording": "replicant.holds",
    "fails on the recording": "replicant.fails",
    "diverged": "replicant.diverged",
    "beyond the recording": "replicant.beyond",
}
BROKEN = ("test_reproduced", "test_ends_badly")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the tests ran on a phone, with all that such a run leaves."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "test_shop.py").write_text(SOURCE)
    (folder / "pytest.ini").write_text(f"{QUICK}replicant_screenshot = off\n")
    command = [sys.executable, "-m", "pytest", *PLUGIN, *RECORDED]
    environment = {name: value for name, value in os.environ.items() if name not in CI}
    environment["PYTHONPATH"] = str(ROOT)
    ran = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert "1 failed, 6 passed, 1 error" in ran.stdout, ran.stdout + ran.stderr
    return folder


@pytest.fixture
def replay(recorded: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Replay:
    """``replay(*options)``: the same tests once more, on what was recorded; some of them do something else by
    then."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in CI:
        monkeypatch.delenv(name, raising=False)
    shutil.copytree(recorded, pytester.path, dirs_exist_ok=True)
    (pytester.path / "edited").touch()

    def make(*options: str, report: str = "out") -> pytest.RunResult:
        start = pytester.runpytest_subprocess if "-n" in options else pytester.runpytest_inprocess
        known = ("-p", "no:randomly", "--replicant-output=out", f"--replicant-device=cassette:{report}")
        return start(*PLUGIN, *known, *options)

    return make


def run_folder(folder: Path) -> Path:
    """Of the replay."""
    (found,) = (folder / "out").glob("*-replay")
    return found


def record_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run_folder(folder) / "run.json").read_text("utf-8"))
    return found


def name_of(nodeid: str) -> str:
    return nodeid.rpartition("::")[2]


def cached(folder: Path) -> dict[str, bytes]:
    """All that pytest and this plugin remember from run to run."""
    paths = [*(folder / ".pytest_cache" / "v").rglob("*"), *(folder / ".pytest_cache" / "d").rglob("*")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths if path.is_file()}


# --- the terminal -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["here", "workers"])
def test_the_terminal_tells_what_became_of_each_test(
    replay: Replay, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    result = replay(*workers)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    (recorded,) = (one.name for one in (pytester.path / "out").glob("2*") if not one.name.endswith("-replay"))
    out = result.stdout
    out.fnmatch_lines([f"replicant: replay of {recorded}: recorded 2* UTC on Virtual Phone, Android 14"])
    out.fnmatch_lines(
        [
            "FAILS ON THE RECORDING at step * of *: AssertionError: a claim of its own*",
            "  expected: holds on the recording",
            "  test: *::test_fails",
            "  open: out/*-replay/test-fails-*/trace.html*",
            f"  recorded: out/{recorded}/test-fails-*/trace.html",
        ]
    )
    out.fnmatch_lines(
        [
            'DIVERGED at step 3: recorded tap text="Forgot password?", asked tap text="Sign in"*',
            "  The phone was sent tap*, and would be sent tap*",
        ]
    )
    out.fnmatch_lines(['REPRODUCED at step *: ExpectationFailed: expect_visible text="Not there"*'])
    out.fnmatch_lines(["holds on the recording to step 2 of 2: *::test_holds"])
    out.fnmatch_lines(
        [
            f"replicant: replay of {recorded}: 1 holds on the recording, 2 reproduced, 1 beyond the recording, "
            "1 diverged, 1 fails on the recording (3 not as expected)"
        ]
    )
    result.assert_outcomes(passed=1)
    assert "Next: " in out.str()


def test_the_first_lines_name_phone_build_and_revision(replay: Replay, pytester: pytest.Pytester) -> None:
    (path,) = (pytester.path / "out").glob("*/run.json")
    facts = {"app": "dev.replicant.shop", "app version": "1.4 (37)", "revision": "0123456789abcdef"}
    document = json.loads(path.read_text("utf-8"))
    document["environment"] |= facts
    path.write_text(json.dumps(document), "utf-8")
    shown = "Virtual Phone, Android 14, app dev.replicant.shop 1.4 (37), revision 0123456789ab"
    replay("--collect-only").stdout.fnmatch_lines(
        [f"replicant: replay of {path.parent.name}: recorded 2* UTC on {shown}"]
    )
    (one,) = path.parent.glob("test-holds-*")
    line = f"replicant: replay of {path.parent.name}: recorded 2* UTC on Virtual Phone, Android 14"
    replay("--collect-only", report=one.as_posix()).stdout.fnmatch_lines([line])
    with zipfile.ZipFile(pytester.path / "nights.zip", "w") as archive:
        for version in ("1.4 (37)", "1.5 (38)"):
            document["environment"] |= {"app version": version, "revision": version}
            document["tests"][0]["device"] = f"Pixel {version[2]}"
            for kept in path.parent.rglob("*.gz"):
                archive.write(kept, f"{version[:3]}/{kept.relative_to(path.parent).as_posix()}")
            archive.writestr(f"{version[:3]}/run.json", json.dumps(document))
    line = (
        "replicant: replay of nights.zip: recorded 2* UTC on several phones, app several builds, revision several"
    )
    result = replay("-k", "test_holds", report="nights.zip")
    result.stdout.fnmatch_lines([line, "holds on the recording to step 2 of 2: *::test_holds"])
    assert [one["recorded"] for one in record_of(pytester.path)["replay"]["tests"]] == [""]


def test_few_words_are_wanted_or_many(replay: Replay) -> None:
    assert "a claim of its own" in replay("-q").stdout.str()
    assert "a claim of its own" not in replay("-rN").stdout.str()
    whole = replay("-v", "-k", "reproduced").stdout
    whole.fnmatch_lines(['    >       mobile.expect_visible(text="Not there", timeout=0.1)'])


def test_all_that_was_expected_ends_well(replay: Replay) -> None:
    result = replay("-k", "test_holds or test_reproduced or test_ends_badly")
    assert result.ret == pytest.ExitCode.OK
    assert "expected:" not in result.stdout.str()


# --- reports of others ------------------------------------------------------------------------------------


@here_and_in_a_worker
def test_junit_skips_each_by_its_verdict(
    replay: Replay, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    replay("--junitxml=junit.xml", *workers)
    (suite,) = ET.parse(pytester.path / "junit.xml").getroot()
    counts = [suite.attrib[name] for name in ("tests", "skipped", "failures", "errors")]
    assert counts == [str(len(VERDICTS) + 1), str(len(VERDICTS)), "0", "0"]
    cases = {case.attrib["name"]: case for case in suite.iter("testcase")}
    for name, verdict in VERDICTS.items():
        (skipped,) = cases[name].iter("skipped")
        assert skipped.attrib["type"] == PARTS[verdict]
        assert skipped.attrib["message"].startswith(verdict)
        assert cases[name].attrib["time"] == "0.000"
        facts = {one.attrib["name"]: one.attrib["value"] for one in cases[name].iter("property")}
        assert facts["outcome"] == verdict
        assert (pytester.path / facts["trace_html"]).is_file()
    assert "E       AssertionError: a claim of its own" in str(cases["test_fails"].findtext("skipped"))
    assert list(cases["test_plain"].iter("skipped")) == []


def test_allure_takes_it_for_no_run_of_the_test(replay: Replay, pytester: pytest.Pytester) -> None:
    pytester.runpytest_inprocess(*PLUGIN, *RECORDED[:2], "--replicant-device=virtual?latency=0", "--alluredir=ran")
    ran = results(pytester.path / "ran")
    replay("--alluredir=allure")
    shown = results(pytester.path / "allure")
    for name, verdict in VERDICTS.items():
        result = shown[name]
        assert result["status"] == "skipped"
        assert result["statusDetails"]["message"].startswith(f"{verdict} ")
        labels = [(one["name"], one["value"]) for one in result["labels"]]
        assert ("replicant_outcome", verdict) in labels
        assert ("tag", "replay") in labels
        assert result["start"] == result["stop"]
        for identity in ("historyId", "testCaseId"):
            assert result[identity] != ran[name][identity]
    assert shown["test_plain"]["historyId"] == ran["test_plain"]["historyId"]
    rows = json.loads((pytester.path / "allure" / "categories.json").read_text("utf-8"))
    (category,) = [row for row in rows if row["matchedStatuses"] == ["skipped"]]
    assert category["name"] == "Replayed"
    assert "replay\\ of=2" in (pytester.path / "allure" / "environment.properties").read_text("utf-8")


def results(folder: Path) -> dict[str, dict[str, Any]]:
    found = [json.loads(path.read_text("utf-8")) for path in folder.glob("*-result.json")]
    return {one["name"]: one for one in found}


def test_pytest_html_names_the_verdict(replay: Replay, pytester: pytest.Pytester) -> None:
    replay("--html=report.html", "--self-contained-html")
    page = (pytester.path / "report.html").read_text("utf-8")
    for verdict in {*VERDICTS.values()}:
        assert f"data-replicant=\\&#34;{verdict}" in page or f'data-replicant=\\"{verdict}' in page, verdict
    assert "Passed, holds" not in page


def test_github_gets_a_summary_and_an_error_for_what_was_not_expected(
    replay: Replay, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(pytester.path / "summary.md"))
    errors = [line for line in replay().stdout.lines if line.startswith("::error")]
    assert [line.partition("title=")[2].partition("::")[0] for line in errors] == [
        "fails on the recording", "diverged", "beyond the recording",
    ]  # fmt: skip
    summary = (pytester.path / "summary.md").read_text("utf-8")
    assert summary.startswith("### replicant: replay of 2")
    assert "DIVERGED at step" in summary


def test_the_pages_say_that_it_is_a_replay(replay: Replay, pytester: pytest.Pytester) -> None:
    replay()
    folder = run_folder(pytester.path)
    for one in record_of(pytester.path)["replay"]["tests"]:
        assert (folder / one["recorded"]).is_file()
    (page,) = folder.glob("test-diverged-*/trace.html")
    nav = page.read_text("utf-8").partition('id="nav">')[2].partition("</script>")[0]
    links = json.loads(nav)["replay"]
    assert links["wanted"] == "holds on the recording"
    assert (page.parent / links["recorded"]).is_file()


# --- what remembers runs ----------------------------------------------------------------------------------


def test_run_json_says_so(replay: Replay, pytester: pytest.Pytester) -> None:
    replay()
    record = record_of(pytester.path)
    shown = {name_of(one["nodeid"]): one["verdict"] for one in record["replay"]["tests"]}
    assert shown == VERDICTS
    assert {name_of(one["nodeid"]): one["outcome"] for one in record["results"]} == VERDICTS
    assert record["phones"] == []
    assert record["causes"] == []
    assert record["flaky"] == []
    others = [path for path in (pytester.path / "out").glob("*/run.json") if "-replay" not in path.parent.name]
    assert ["replay" in json.loads(path.read_text("utf-8")) for path in others] == [False]


def test_no_history_no_baseline_and_no_last_failure_come_of_it(replay: Replay, pytester: pytest.Pytester) -> None:
    """``history.json``, the passes that failures are compared with, and what ``--lf`` and ``--sw`` run again."""
    history = pytester.path / "out" / "history.json"
    before, known = history.read_bytes(), cached(pytester.path)
    assert {name_of(one) for one in json.loads(known[".pytest_cache/v/cache/lastfailed"])} == {*BROKEN}
    assert any(name.startswith(".pytest_cache/d/replicant/") for name in known)
    replay()
    assert history.read_bytes() == before
    assert cached(pytester.path) == known


def test_a_failure_of_another_test_is_remembered(replay: Replay, pytester: pytest.Pytester) -> None:
    source = SOURCE.replace("def test_plain():\n    pass", "def test_plain():\n    assert not EDITED")
    (pytester.path / "test_shop.py").write_text(source)
    replay()
    failed = json.loads(cached(pytester.path)[".pytest_cache/v/cache/lastfailed"])
    assert {name_of(one) for one in failed} == {*BROKEN, "test_plain"}


def test_stepwise_goes_on_where_it_was(replay: Replay, pytester: pytest.Pytester) -> None:
    place = pytester.path / ".pytest_cache" / "v" / "cache" / "stepwise"
    failed = {
        "last_failed": "test_shop.py::test_reproduced",
        "last_test_count": 7,
        "last_cache_date_str": "2026-11-26",
    }
    place.write_text(json.dumps(failed))
    replay("--sw")
    assert json.loads(place.read_text()) == failed


def test_nothing_is_run_again(replay: Replay, pytester: pytest.Pytester) -> None:
    replay("--reruns=2", "-k", "test_fails or test_reproduced")
    ran = [(name_of(row["nodeid"]), row["attempt"]) for row in record_of(pytester.path)["tests"]]
    assert sorted(ran) == [("test_fails", 0), ("test_reproduced", 0)]


def test_triage_passes_it_over(replay: Replay, pytester: pytest.Pytester, capsys: Capture) -> None:
    replay()
    capsys.readouterr()
    assert main(["triage", "out", "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert len(shown["runs"]) == 1
    assert shown["counts"] == {"error": 1, "failed": 1, "passed": 4}
    assert shown["troubles"] == []
    assert main(["triage", run_folder(pytester.path).as_posix()]) == 3
    assert "a replay, which says nothing of how its tests stand" in capsys.readouterr().err


def test_it_is_no_known_flake_and_no_entry_is_out_of_date_for_it(
    replay: Replay, pytester: pytest.Pytester
) -> None:
    cause = '"Not there" not found'
    entries = (("A-1", "*::test_reproduced", cause, "2999-12-31"), ("A-2", "*::test_holds", cause, "2001-01-01"))
    write_known_flaky(pytester.path / "flaky.json", *entries)
    options = ("-o", "replicant_known_flaky=flaky.json", "-o", "replicant_known_flaky_stale=fail")
    result = replay(*options, "-k", "test_reproduced or test_holds")
    assert result.ret == pytest.ExitCode.OK
    assert "known flaky" not in result.stdout.str()
    assert "out of date" not in result.stdout.str()
    result.stdout.fnmatch_lines(["*1 reproduced*"])
