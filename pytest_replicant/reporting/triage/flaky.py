"""Tests that fail now and then, by cause: how often, since when, on which phones.

A test is flaky by a cause where it passed and failed with no change that explains it: a rerun
passed, or failures by that cause and passes alternate. One that failed from some run on is broken
since, one that failed up to some run is fixed, and so is one that was broken for a few runs in
between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import sqrt

from ...kept_runs import FlakyCause, RunRecord, test_of
from ...model import HEALTHY, grouped
from .history import FailedAttempt, KeptRun, joined_history, kept_run, letters
from .runs import MERGED, Found

LONGEST_ACCIDENT = 2
"""Runs in a row that fail by one cause, between passes, and may be chance. More of them were
broken, and fixed."""

_CHANCE = 0.05
_PASSES = frozenset("prkq")
_CONFIDENCE = 1.96  # standard deviations on either side of 95 %


_Attempt = tuple[int, FailedAttempt]
"""An attempt with the place of its run; one that passed has no key."""


def flaky_causes(runs: Sequence[KeptRun]) -> tuple[FlakyCause, ...]:
    """Of all tests, those that fail most often first. ``runs`` are the oldest first."""
    tests = dict.fromkeys(test for run in runs for test in run.tests)
    found = [one for test in tests for one in _of_test(runs, test)]
    return tuple(sorted(found, key=lambda one: (-one.low, one.test, one.key)))


def with_history(record: RunRecord, runs: Sequence[KeptRun]) -> RunRecord:
    """The run with what the last runs say of its tests."""
    results = tuple(replace(one, history=letters(runs, one.nodeid)) for one in record.results)
    own = {one.nodeid for one in results}
    flaky = tuple(one for one in flaky_causes(runs) if one.test in own)
    return replace(record, results=results, flaky=flaky)


def history_of(found: Found) -> tuple[KeptRun, ...]:
    """Of every run that was found: of its rows where they are at hand, else as a history keeps it.
    Several runs that were written as one are none of their own where a history says which they
    were."""
    rows = [one.row for run in found.runs for one in run.rows]
    passes = grouped((test_of(row), row) for row in rows if row.outcome in HEALTHY)
    runs = [*found.kept]
    for run in found.runs:
        if not (found.kept and run.run_id.startswith(MERGED)):
            rows = [one.row for one in run.rows]
            began, revision = run.started_at, run.revision
            runs.append(kept_run(run.run_id, began, rows, revision=revision, passes=passes))
    return joined_history(runs, most=None)


def interval(failed: int, runs: int) -> tuple[float, float]:
    """Of a share, with 95 % confidence, after Wilson: it holds for few runs as well."""
    share, square = failed / runs, _CONFIDENCE**2
    middle = share + square / (2 * runs)
    width = _CONFIDENCE * sqrt(share * (1 - share) / runs + square / (4 * runs**2))
    whole = 1 + square / runs
    return max((middle - width) / whole, 0.0), min(max((middle + width) / whole, share), 1.0)


def _of_test(runs: Sequence[KeptRun], test: str) -> Iterator[FlakyCause]:
    attempts = list(_attempts(runs, test))
    for key in dict.fromkeys(one.key for _, one in attempts if one.key):
        if not _is_flaky([(at, one.key) for at, one in attempts if one.key in ("", key)]):
            continue
        places = [at for at, one in attempts if one.key == key]
        failed = [one for _, one in attempts if one.key == key]
        phones = dict.fromkeys(one.phone for one in failed if one.phone)
        passed_on = dict.fromkeys(one.phone for _, one in attempts if not one.key and one.phone)
        others = tuple(phone for phone in passed_on if phone not in phones)
        low, high = interval(len(failed), len(attempts))
        yield FlakyCause(
            test,
            failed[-1].title,
            key,
            len(failed),
            len(attempts),
            round(low, 4),
            round(high, 4),
            runs[places[0]].started_at,
            tuple(phones),
            others,
            parts_at=next((one.parts for one in reversed(failed) if one.parts), ""),
            kind=_kind(failed, [one for _, one in attempts], others),
            history=letters(runs, test),
            revision=runs[places[0]].revision,
        )


def _attempts(runs: Sequence[KeptRun], test: str) -> Iterator[_Attempt]:
    """In order; a run that skipped the test has none."""
    for at, run in enumerate(runs):
        if test in run.tests:
            own = run.tests[test]
            yield from ((at, one) for one in own.failures)
            if own.letter in _PASSES:
                yield at, FailedAttempt("", "", phone=own.phone)


def _is_flaky(attempts: Sequence[tuple[int, str]]) -> bool:
    """Of the places of attempts that passed, whose keys are "", or failed by one cause."""
    series = [(key, [at for at, _ in same]) for key, same in groupby(attempts, lambda one: one[1])]
    failures = [at for at, (key, _) in enumerate(series) if key]
    if len(failures) != 1:
        return len(failures) > 1
    (failed,) = failures
    if failed == len(series) - 1:
        return False
    runs, then = series[failed][1], series[failed + 1][1]
    return runs[-1] == then[0] or (failed > 0 and len({*runs}) <= LONGEST_ACCIDENT)


def _kind(
    failed: Sequence[FailedAttempt], attempts: Sequence[FailedAttempt], others: Sequence[str]
) -> str:
    """What most of the failures look like. They look like the phone if it is no chance that all of
    them were on phones of which others passed."""
    phones = {one.phone for one in failed}
    share = sum(one.phone in phones for one in attempts) / len(attempts)
    if others and "" not in phones and share ** len(failed) < _CHANCE:
        return "phone"
    kinds = [one.kind for one in failed if one.kind]
    return max(dict.fromkeys(kinds), key=kinds.count) if 2 * len(kinds) >= len(failed) else ""
