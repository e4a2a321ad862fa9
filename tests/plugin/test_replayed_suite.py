"""A suite of every kind of test, recorded once and replayed unchanged: whole, each test alone, in
other orders, in parallel, and recorded on phones with faults. See ``replayed_suite``."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.cassettes import FILE_NAME
from pytest_replicant.kept_runs import newest_at
from tests.conftest import QUICK, Run, run_record

from .replayed_suite.conftest import OFFLINE

pytestmark = pytest.mark.slow

RECORDED = "replicant-report"
INI = "python_files = suite_*.py\n"
FAILED = ("failed", "error", "infra", "xfailed")
NO_PHONE = "skipped before it had a phone"
FAULTS = "fail_dump=0.1&truncate_dump=0.05&stale_dump=0.1&lose_tap=0.05&drop_connection=0.02"


@pytest.fixture
def suite(run: Run, pytester: pytest.Pytester) -> Suite:
    folder = Path(__file__).parent / "replayed_suite"
    shutil.copytree(folder, pytester.path / "suite", ignore=shutil.ignore_patterns("__pycache__"))
    return Suite(run, pytester)


def verdict_of(test: str, outcome: str) -> str:
    if outcome == NO_PHONE:
        return "skipped"
    if "unrecorded" in test:
        return "fails on the recording"
    return "reproduced" if outcome in FAILED else "holds on the recording"


class Suite:
    """A copy of the suite, recorded by ``record``. ``ends`` are the outcomes of its tests then."""

    def __init__(self, run: Run, pytester: pytest.Pytester) -> None:
        self._run = run
        self._pytester = pytester
        self._replays = 0
        self.ends: dict[str, str] = {}

    def record(self, device: str, *options: str) -> None:
        self._run("", "suite", f"--replicant-device={device}", *options, ini=INI)
        reset = self._only_the_reset_failed()
        for row in self._rows(RECORDED):  # of several attempts one that failed is replayed
            test = row["nodeid"]
            if self.ends.get(test) not in FAILED:
                skipped = row["outcome"] == "skipped" and not row["trace"]
                self.ends[test] = (
                    NO_PHONE if skipped else "passed" if test in reset else row["outcome"]
                )

    def _only_the_reset_failed(self) -> set[str]:
        """The tests whose phone was lost once they were over, which is no failure of theirs."""
        stored = newest_at(str(self._pytester.path / RECORDED), FILE_NAME)
        headers = [one.load().header for one in stored]
        return {one.nodeid for one in headers if one.outcome == "infra" and not one.failures}

    @property
    def expected(self) -> dict[str, str]:
        """The verdict of each test, in the order in which they ran: only one has data that no
        fixture recorded."""
        return {test: verdict_of(test, outcome) for test, outcome in self.ends.items()}

    def replay(self, *tests: str, more: Sequence[str] = ()) -> dict[str, str]:
        """The verdict of each test."""
        return {test: row["outcome"] for test, row in self.replayed(*tests, more=more).items()}

    def replayed(self, *tests: str, more: Sequence[str] = ()) -> dict[str, Mapping[str, Any]]:
        """What the report says of each test. It runs in this process, unless it has workers."""
        self._replays += 1
        output = f"replayed-{self._replays}"
        options = (
            "--replicant-device=cassette:replicant-report",
            f"--replicant-output={output}",
            "-p",
            "no:randomly",
        )
        self._pytester.makeini(QUICK + INI)
        start = self._pytester.runpytest_subprocess if more else self._pytester.runpytest_inprocess
        start(*options, *more, *tests)
        return {row["nodeid"]: row for row in self._rows(output)}

    def _rows(self, output: str) -> list[dict[str, Any]]:
        rows = run_record(self._pytester.path, output)["tests"]
        return [row for row in rows if " (phone " not in row["nodeid"]]


@pytest.mark.thorough
def test_a_suite_on_one_clock_ends_as_it_did(suite: Suite) -> None:
    """A sleep of the test's own takes no time on that clock, and is left out."""
    clock = ("-p", "tests.shared_clock", "-k", "not sleeps and not unrecorded")
    suite.record("virtual:android?latency=0", *clock)
    assert suite.replay("suite", more=clock) == suite.expected


@pytest.mark.thorough
@pytest.mark.parametrize("platform", ["android", "ios"])
def test_an_unchanged_suite_ends_as_it_did(suite: Suite, platform: str) -> None:
    suite.record(f"virtual:{platform}?latency=0")
    expected = suite.expected
    on_android = {
        "holds on the recording": 48,
        "reproduced": 43,
        "fails on the recording": 1,
        "skipped": 1,
    }
    on_ios = {**on_android, "holds on the recording": 47, "skipped": 2}
    assert Counter(expected.values()) == (on_ios if platform == "ios" else on_android)
    assert {test for test in expected if "fails" in test} == {
        test for test, verdict in expected.items() if verdict == "reproduced"
    }
    whole = suite.replayed("suite")
    assert {test: row["outcome"] for test, row in whole.items()} == expected
    (unrecorded,) = (test for test in expected if "unrecorded" in test)
    assert (
        f"a replayed test has no network, and this connects to {OFFLINE.partition('//')[2]}"
        in whole[unrecorded]["message"]
    )
    for test in expected:
        assert suite.replay(test) == {test: expected[test]}
    for seed in range(3):
        tests = list(expected)
        random.Random(seed).shuffle(tests)
        assert suite.replay(*tests) == expected
    assert suite.replay("suite", more=("-n", "2")) == expected


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_suite_on_a_phone_with_faults_ends_as_it_did(
    suite: Suite, platform: str, seed: int
) -> None:
    suite.record(f"virtual:{platform}?latency=0&{FAULTS}&seed={seed}")
    assert suite.replay("suite") == suite.expected
