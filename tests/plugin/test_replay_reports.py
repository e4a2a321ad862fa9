"""A replay in every report: a verdict of its own, and no pass, no duration, no flake, no history,
no baseline."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.cli import main
from tests.conftest import QUICK, Capture, write_known_flaky

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

ROOT = Path(__file__).parents[2]
CI = ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "CI_PROJECT_DIR")
PHONE, REPLAY = "--replicant-device=virtual?latency=0", "--replicant-device=cassette:out"
REPORTS = (
    "--junitxml=junit.xml",
    "--alluredir=allure",
    "--html=report.html",
    "--self-contained-html",
)
KNOWN = (
    "--reruns=2",
    "-o",
    "replicant_known_flaky=flaky.json",
    "-o",
    "replicant_known_flaky_stale=fail",
)

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

def test_other():
    assert not EDITED
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
TERMINAL = """
replicant: replay of RUN: recorded 2* UTC on Virtual Phone, Android 14

FAILS ON THE RECORDING at step * of *: AssertionError: a claim of its own*
  expected: holds on the recording
  test: *::test_fails
  open: out/*-replay/test-fails-*/trace.html*
  recorded: out/RUN/test-fails-*/trace.html

DIVERGED at step 3: recorded tap text="Forgot password?", asked tap text="Sign in"*
  The phone was sent tap*, and would be sent tap*

REPRODUCED at step *: ExpectationFailed: expect_visible text="Not there"*

holds on the recording to step 2 of 2: *::test_holds

replicant: replay of RUN: 1 holds on the recording, 2 reproduced, 1 beyond the recording, 1 *(3 not as expected)
"""
BROKEN = {"test_reproduced", "test_ends_badly"}


def ran(folder: Path, *options: str, **variables: str) -> str:
    """What a run in that folder printed."""
    environment = {name: value for name, value in os.environ.items() if name not in CI}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:randomly",
        "--replicant-output=out",
        *options,
    ]
    known = {**environment, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(
        command,
        cwd=folder,
        env=known,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the tests ran on a phone, with all that such a run leaves; some of them do
    something else from now on."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "test_shop.py").write_text(SOURCE)
    (folder / "pytest.ini").write_text(f"{QUICK}replicant_screenshot = off\n")
    said = ran(folder, PHONE, "--alluredir=ran")
    assert "1 failed, 7 passed, 1 error" in said, said
    (folder / "edited").touch()
    cause = '"Not there" not found'
    entries = (
        ("A-1", "*::test_reproduced", cause, "2999-12-31"),
        ("A-2", "*::test_holds", cause, "2001-01-01"),
    )
    write_known_flaky(folder / "flaky.json", *entries)
    stepwise = {"last_failed": "test_shop.py::test_reproduced", "last_test_count": 7}
    (folder / ".pytest_cache" / "v" / "cache" / "stepwise").write_text(
        json.dumps(stepwise, indent=2)
    )
    return folder


@dataclass(frozen=True)
class Replayed:
    """The folder of a replay, and what it printed."""

    folder: Path
    said: str

    @property
    def run(self) -> Path:
        (found,) = (self.folder / "out").glob("*-replay")
        return found

    @property
    def record(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.run / "run.json").read_text("utf-8"))
        return found

    def shows(self, *lines: str) -> None:
        pytest.LineMatcher(self.said.splitlines()).fnmatch_lines(lines)


@pytest.fixture(scope="module", params=[(), ("-n", "2")], ids=["here", "workers"])
def replay(
    request: pytest.FixtureRequest, recorded: Path, tmp_path_factory: pytest.TempPathFactory
) -> Replayed:
    """The same tests once more, on what was recorded, with every report there is."""
    folder = tmp_path_factory.mktemp("replayed")
    shutil.copytree(recorded, folder, dirs_exist_ok=True)
    job = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    return Replayed(folder, ran(folder, REPLAY, *REPORTS, *KNOWN, *request.param, **job))


def name_of(nodeid: str) -> str:
    return nodeid.rpartition("::")[2]


def cached(folder: Path) -> dict[str, bytes]:
    """All that pytest and this plugin remember from run to run."""
    paths = [
        *(folder / ".pytest_cache" / "v").rglob("*"),
        *(folder / ".pytest_cache" / "d").rglob("*"),
    ]
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in paths if path.is_file()
    }


def results(folder: Path) -> dict[str, dict[str, Any]]:
    found = [json.loads(path.read_text("utf-8")) for path in folder.glob("*-result.json")]
    return {one["name"]: one for one in found}


def test_the_terminal_tells_what_became_of_each_test(replay: Replayed) -> None:
    (recorded,) = {path.name for path in (replay.folder / "out").glob("2*")} - {replay.run.name}
    for block in TERMINAL.replace("RUN", recorded).strip().split("\n\n"):
        replay.shows(*block.splitlines())
    assert "Next: " in replay.said
    assert "known flaky" not in replay.said
    assert "out of date" not in replay.said


def test_the_first_lines_name_phone_build_and_revision(recorded: Path, tmp_path: Path) -> None:
    shutil.copytree(recorded, tmp_path, dirs_exist_ok=True)
    (path,) = (tmp_path / "out").glob("*/run.json")
    document = json.loads(path.read_text("utf-8"))
    document["environment"] |= {
        "app": "dev.replicant.shop", "app version": "1.4 (37)", "revision": "0123456789abcdef"
    }  # fmt: skip
    path.write_text(json.dumps(document), "utf-8")
    (one,) = path.parent.glob("test-holds-*")
    phone = f"{path.parent.name}: recorded 2* UTC on Virtual Phone, Android 14"
    for report, shown in (
        ("out", f"{phone}, app dev.replicant.shop 1.4 (37), revision 0123456789ab"),
        (one.as_posix(), phone),
    ):
        said = ran(tmp_path, f"--replicant-device=cassette:{report}", "-k", "test_holds")
        Replayed(tmp_path, said).shows(
            f"replicant: replay of {shown}", "holds on the recording to step 2 of 2: *"
        )


def test_junit_skips_each_by_its_verdict(replay: Replayed) -> None:
    (suite,) = ET.parse(replay.folder / "junit.xml").getroot()
    counts = [int(suite.attrib[name]) for name in ("tests", "skipped", "failures", "errors")]
    assert counts == [len(VERDICTS) + 2, len(VERDICTS), 1, 0]
    cases = {case.attrib["name"]: case for case in suite.iter("testcase")}
    for name, verdict in VERDICTS.items():
        (skipped,) = cases[name].iter("skipped")
        assert skipped.attrib["type"] == PARTS[verdict]
        assert skipped.attrib["message"].startswith(verdict)
        assert cases[name].attrib["time"] == "0.000"
        facts = {one.attrib["name"]: one.attrib["value"] for one in cases[name].iter("property")}
        assert facts["outcome"] == verdict
        assert (replay.folder / facts["trace_html"]).is_file()
    assert "E       AssertionError: a claim of its own" in str(
        cases["test_fails"].findtext("skipped")
    )
    assert list(cases["test_plain"].iter("skipped")) == []


def test_allure_takes_it_for_no_run_of_the_test(replay: Replayed) -> None:
    ran, shown = results(replay.folder / "ran"), results(replay.folder / "allure")
    for name, verdict in VERDICTS.items():
        result = shown[name]
        assert result["status"] == "skipped"
        assert result["statusDetails"]["message"].startswith(f"{verdict} ")
        labels = [(one["name"], one["value"]) for one in result["labels"]]
        assert {("replicant_outcome", verdict), ("tag", "replay")} <= {*labels}
        assert result["start"] == result["stop"]
        assert all(result[one] != ran[name][one] for one in ("historyId", "testCaseId"))
    assert shown["test_plain"]["historyId"] == ran["test_plain"]["historyId"]
    rows = json.loads((replay.folder / "allure" / "categories.json").read_text("utf-8"))
    assert [row["name"] for row in rows if row["matchedStatuses"] == ["skipped"]] == ["Replayed"]
    assert "replay\\ of=2" in (replay.folder / "allure" / "environment.properties").read_text(
        "utf-8"
    )


def test_pytest_html_names_the_verdict(replay: Replayed) -> None:
    page = (replay.folder / "report.html").read_text("utf-8")
    for verdict in {*VERDICTS.values()}:
        assert (
            f"data-replicant=\\&#34;{verdict}" in page or f'data-replicant=\\"{verdict}' in page
        ), verdict
    assert "Passed, holds" not in page


def test_github_gets_a_summary_and_an_error_for_what_was_not_expected(replay: Replayed) -> None:
    errors = [line for line in replay.said.splitlines() if line.startswith("::error")]
    assert {line.partition("title=")[2].partition("::")[0] for line in errors} == {
        "fails on the recording", "diverged", "beyond the recording",
    }  # fmt: skip
    summary = (replay.folder / "summary.md").read_text("utf-8")
    assert summary.startswith("### replicant: replay of 2")
    assert "DIVERGED at step" in summary


def test_the_pages_and_the_record_say_that_it_is_a_replay(replay: Replayed) -> None:
    record = replay.record
    tests = record["replay"]["tests"]
    assert all((replay.run / one["recorded"]).is_file() for one in tests)
    assert {name_of(one["nodeid"]): one["verdict"] for one in tests} == VERDICTS
    assert {name_of(one["nodeid"]): one["outcome"] for one in record["results"]} == VERDICTS
    assert {row["attempt"] for row in record["tests"]} == {0}, "nothing is run again"
    assert [record[name] for name in ("phones", "causes", "flaky")] == [[], [], []]
    (page,) = replay.run.glob("test-diverged-*/trace.html")
    nav = page.read_text("utf-8").partition('id="nav">')[2].partition("</script>")[0]
    links = json.loads(nav)["replay"]
    assert links["wanted"] == "holds on the recording"
    assert (page.parent / links["recorded"]).is_file()


def test_no_history_no_baseline_and_no_last_failure_come_of_it(
    replay: Replayed, recorded: Path
) -> None:
    """``history.json``, the passes that failures are compared with, and what ``--lf`` and ``--sw``
    run again, but for the failure of a test that is no replay."""
    before, after = cached(recorded), cached(replay.folder)
    name = ".pytest_cache/v/cache/lastfailed"
    assert {name_of(one) for one in json.loads(before.pop(name))} == BROKEN
    assert {name_of(one) for one in json.loads(after.pop(name))} == {*BROKEN, "test_other"}
    assert after == before
    assert any(name.startswith(".pytest_cache/d/replicant/") for name in before)
    assert (
        len(
            {(folder / "out" / "history.json").read_bytes() for folder in (recorded, replay.folder)}
        )
        == 1
    )


def test_triage_passes_it_over(replay: Replayed, capsys: Capture) -> None:
    assert main(["triage", str(replay.folder / "out"), "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert len(shown["runs"]) == 1
    assert shown["counts"] == {"error": 1, "failed": 1, "passed": 4}
    assert shown["troubles"] == []
    assert main(["triage", str(replay.run)]) == 3
    assert "a replay, which says nothing of how its tests stand" in capsys.readouterr().err
