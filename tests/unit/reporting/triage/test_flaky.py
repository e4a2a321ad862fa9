"""Flaky tests by cause: what is one, what is none, how often it fails, and what it looks like."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.kept_runs import AnyCause, CheckCause, PhoneCause, SlowStep
from pytest_replicant.reporting import (
    FailedAttempt,
    Found,
    FoundRow,
    FoundRun,
    KeptRun,
    TestInRun,
    find_runs,
    flaky_causes,
    flaky_table,
    history_of,
    interval,
    run_of,
    summary_of,
    with_history,
)

from ..made_rows import plain_row, row
from .test_baseline import a_failure, a_pass
from .test_summary import began, write

FIRST, SECOND = FailedAttempt("00000001", "one"), FailedAttempt("00000002", "two")
CAUSES = {"f": (FIRST,), "F": (SECOND,), "k": (FIRST,), "b": (FIRST, SECOND)}


def runs_of(ended: str, phones: str = "") -> list[KeptRun]:
    """A run a letter of one test: ``f`` failed by the first cause and ``F`` by the second, ``k``
    passed at a rerun after the first, ``b`` failed twice. ``phones`` are as many letters."""
    runs = []
    for at, (letter, phone) in enumerate(zip(ended, phones or "A" * len(ended), strict=True)):
        failures = tuple(replace(one, phone=phone) for one in CAUSES.get(letter, ()))
        known = TestInRun("f" if letter in "Fb" else letter, phone, failures)
        tests = {"t": known} if letter != "-" else {}
        runs.append(KeptRun((f"r{at}",), f"2026-11-{at + 1:02}", tests=tests))
    return runs


def found(ended: str, phones: str = "") -> list[str]:
    return sorted(one.cause for one in flaky_causes(runs_of(ended, phones)))


@pytest.mark.parametrize(
    ("ended", "why"),
    [
        ("ppppp", "stable"),
        ("fffff", "always broken"),
        ("ppppf", "broken since the last run"),
        ("pppff", "broken since"),
        ("fpppp", "fixed"),
        ("ffffp", "fixed"),
        ("ppfffpp", "broken, then fixed"),
        ("pp-f", "it did not run in between"),
        ("pspsp", "skipped is no failure"),
        ("pfFff", "broken since, by one cause after another"),
        ("pqpqp", "a lost phone says nothing about the test"),
        ("", "never ran"),
    ],
)
def test_these_are_not_flaky(ended: str, why: str) -> None:
    assert found(ended) == [], why


@pytest.mark.parametrize(
    ("ended", "causes"),
    [
        ("ppfpp", ["one"]),
        ("p" * 10 + "f" + "p" * 9, ["one"]),
        ("pffp", ["one"]),
        ("fpf", ["one"]),
        ("fffpfff", ["one"]),
        ("pfsp", ["one"]),
        ("pf-p", ["one"]),
        ("k", ["one"]),
        ("pppk", ["one"]),
        ("pfpFp", ["one", "two"]),
        ("pfpFFF", ["one"]),
        ("pbp", ["one", "two"]),
        ("FFFpfp", ["one"]),
    ],
)
def test_these_are_flaky_by(ended: str, causes: list[str]) -> None:
    assert found(ended) == causes


def test_each_cause_has_its_own_rate_of_all_attempts() -> None:
    causes = {one.cause: (one.failed, one.runs) for one in flaky_causes(runs_of("pfpFpfpkp"))}
    assert causes == {"one": (3, 10), "two": (1, 10)}


@pytest.mark.parametrize(("failed", "runs"), [(0, 1), (1, 1), (0, 20), (20, 20)])
def test_an_interval_lies_between_never_and_always(failed: int, runs: int) -> None:
    low, high = interval(failed, runs)
    assert 0 <= low <= failed / runs <= high <= 1
    assert high - low < 1
    assert interval(1, 20) == pytest.approx((0.0089, 0.2361), abs=0.0001)


def test_where_it_fails_on_one_of_several_phones_alone_that_is_reported() -> None:
    (one,) = flaky_causes(runs_of("pfppfppfp", "BABBABBAB"))
    assert (one.phones, one.passed_on, one.kind) == (("A",), ("B",), "phone")
    (one,) = flaky_causes(runs_of("ppfpp", "ABABB"))
    assert (one.phones, one.passed_on, one.kind) == (
        ("A",),
        ("B",),
        "",
    )  # one failure may be chance
    (one,) = flaky_causes(runs_of("pfpfp", "AABBA"))
    assert (one.phones, one.passed_on) == (("A", "B"), ())


# --- what it looks like ---------------------------------------------------------------------------


MISSING = CheckCause(
    "TargetResolutionFailure", trouble="missing", subject='"Order placed"', step="check-1"
)


@pytest.mark.parametrize(
    ("cause", "durations", "kind"),
    [
        (MISSING, (40, 3_900), "timing"),
        (replace(MISSING, late=True), (40, 60), "timing"),
        (MISSING, (40, 60), ""),
        (MISSING, (3_900, 3_800), ""),  # it is slow, always
        (replace(MISSING, step="check-2"), (40, 3_900), ""),  # another step
        (replace(MISSING, trouble="value"), (40, 60), "data"),
        (replace(MISSING, signals=("E Shop: 503",)), (40, 60), "data"),
        (replace(MISSING, instead="Nothing here"), (40, 60), "data"),
        (
            replace(MISSING, trouble="value"),
            (40, 3_900),
            "timing",
        ),  # as a value that comes late does
        (PhoneCause(exception="DeviceTimeout"), (40, 60), "phone"),
    ],
)
def test_what_a_failure_looks_like(cause: AnyCause, durations: Sequence[int], kind: str) -> None:
    """Of a test that failed by it once, and passed with the step in question taking so long."""
    failed = replace(row("a", "failed", "no"), cause=cause)
    before, after = (
        replace(row("a"), slowest=(SlowStep("expect", took, "check-1"),)) for took in durations
    )
    runs = tuple(
        FoundRun(f"r{at}", f"2026-11-{at + 1:02}", 1, (FoundRow(one, Path()),), ())
        for at, one in enumerate((before, failed, after))
    )
    assert [one.kind for one in flaky_causes(history_of(Found(runs)))] == [kind]


# --- in reports -----------------------------------------------------------------------------------


def test_it_says_since_which_revision() -> None:
    runs = [replace(run, revision=f"rev{at}") for at, run in enumerate(runs_of("ppfpfp"))]
    assert [one.revision for one in flaky_causes(runs)] == ["rev2"]


def test_a_run_says_what_the_last_runs_say_of_its_own_tests() -> None:
    runs = [replace(run, tests={**run.tests, "other": TestInRun("p")}) for run in runs_of("pfp")]
    record = with_history(run_of("r", "2026", 1, [plain_row("t", outcome="passed")]), runs)
    assert [one.history for one in record.results] == ["pfp"]
    document = json.loads(json.dumps(record.to_dict()))
    assert [
        (one["test"], one["cause"], one["key"], one["failed"], one["runs"])
        for one in document["flaky"]
    ] == [("t", "one", "00000001", 1, 3)]
    others = with_history(run_of("r", "2026", 1, [plain_row("new", outcome="passed")]), runs)
    assert ([one.history for one in others.results], others.flaky) == ([""], ())


def shown(root: Path) -> str:
    return "\n".join(flaky_table(summary_of(find_runs([root]), "merged", root / "merged", [root])))


def test_the_table_says_how_often_since_when_and_where_they_part(tmp_path: Path) -> None:
    for day, trace in enumerate((a_pass(), a_failure(), a_pass()), 1):
        write(
            tmp_path,
            f"r{day}",
            began(trace, f"2026-11-2{day}T10:00:00Z"),
            divergence="Diverged at step 1 of 2",
        )
    text = shown(tmp_path)
    assert "1 flaky test, 1 cause of 3 runs" in text
    assert "1 of 3 attempts failed: 33%, 6% to 79%, key " in text
    assert "first seen 2026-11-22T10:00:00Z" in text
    assert "Diverged at step 1 of 2" in text
    assert "last runs: pfp" in text
