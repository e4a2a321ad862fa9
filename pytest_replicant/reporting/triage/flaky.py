"""Tests that fail now and then, by cause: how often, since when, on which phones.

A test is flaky by a cause where it passed and failed with no change that explains it: a rerun passed, or failures
by that cause and passes alternate. One that failed from some run on is broken since, one that failed up to some
run is fixed, and so is one that was broken for a few runs in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, groupby
from math import sqrt
from typing import NamedTuple

from ...cassettes import FILE_NAME, Stored, first_parting
from ...kept import FlakyCause, RunRecord, RunRow, stored_at, test_of
from ...model import HEALTHY, UNSOUND
from ..printable import printable
from .history import FailedAttempt, KeptRun, cause_id, joined_history, kept_run, letters
from .runs import MERGED, Found, FoundRow

LONGEST_ACCIDENT = 2
"""Runs in a row that fail by one cause, between passes, and may be chance. More of them were broken, and fixed."""

_CHANCE = 0.05
_FEWEST = 2
_PASSES = frozenset("prkq")
_CONFIDENCE = 1.96  # standard deviations on either side of 95 %


class _Attempt(NamedTuple):
    """``at`` is the place of its run; ``failed`` is None where it passed."""

    at: int
    phone: str
    failed: FailedAttempt | None


def flaky_causes(runs: Sequence[KeptRun]) -> tuple[FlakyCause, ...]:
    """Of all tests, those that fail most often first. ``runs`` are the oldest first."""
    tests = dict.fromkeys(test for run in runs for test in run.tests)
    found = [one for test in tests for one in _of_test(runs, test)]
    return tuple(sorted(found, key=lambda one: (-one.low, one.test, one.key)))


def with_history(record: RunRecord, runs: Sequence[KeptRun]) -> RunRecord:
    """The run with what the last runs say of its tests."""
    results = tuple(replace(one, history=letters(runs, one.nodeid)) for one in record.results)
    own = {one.nodeid for one in results}
    return replace(record, results=results, flaky=tuple(one for one in flaky_causes(runs) if one.test in own))


def history_of(found: Found) -> tuple[KeptRun, ...]:
    """Of every run that was found: of its rows where they are at hand, else as a history keeps it. Several runs
    that were written as one are none of their own where a history says which they were."""
    passes: dict[str, list[RunRow]] = {}
    for one in chain.from_iterable(run.rows for run in found.runs):
        if one.row.outcome in HEALTHY:
            passes.setdefault(test_of(one.row), []).append(one.row)
    runs = [
        kept_run(run.run_id, run.started_at, [one.row for one in run.rows], revision=run.revision, passes=passes)
        for run in found.runs
        if not (found.kept and run.run_id.startswith(MERGED))
    ]
    return joined_history([*found.kept, *runs], most=None)


def interval(failed: int, runs: int) -> tuple[float, float]:
    """Of a share, with 95 % confidence, after Wilson: it holds for few runs as well."""
    share, square = failed / runs, _CONFIDENCE**2
    middle = share + square / (2 * runs)
    width = _CONFIDENCE * sqrt(share * (1 - share) / runs + square / (4 * runs**2))
    whole = 1 + square / runs
    return max((middle - width) / whole, 0.0), min(max((middle + width) / whole, share), 1.0)


def _of_test(runs: Sequence[KeptRun], test: str) -> Iterator[FlakyCause]:
    attempts = _parted_by_kind(list(_attempts(runs, test)))
    keys = dict.fromkeys(one.failed.key for one in attempts if one.failed is not None)
    for key in keys:
        if not _is_flaky([one for one in attempts if one.failed is None or one.failed.key == key]):
            continue
        own = [one for one in attempts if one.failed is not None and one.failed.key == key]
        failed = [one.failed for one in own if one.failed is not None]
        phones = tuple(dict.fromkeys(filter(None, (one.phone for one in own))))
        passed_on = dict.fromkeys(one.phone for one in attempts if one.failed is None and one.phone)
        others = tuple(phone for phone in passed_on if phone not in phones)
        low, high = interval(len(own), len(attempts))
        yield FlakyCause(
            test, failed[-1].title, key.partition(" ")[0], len(own), len(attempts), round(low, 4), round(high, 4),
            first_seen=runs[own[0].at].started_at,
            phones=phones,
            passed_on=others,
            parts_at=next((one.parts for one in reversed(failed) if one.parts), ""),
            kind=_kind(failed, own, attempts, others),
            history=letters(runs, test),
            revision=runs[own[0].at].revision,
        )  # fmt: skip


def _parted_by_kind(attempts: Sequence[_Attempt]) -> list[_Attempt]:
    """One check may fail by two causes, if some failures look like timing and some like data: their keys get
    another word. What looks like neither goes with the more frequent."""
    kinds = Counter((one.failed.key, one.failed.kind) for one in attempts if one.failed is not None)

    def parted(failed: FailedAttempt) -> FailedAttempt:
        timing, data = kinds[failed.key, "timing"], kinds[failed.key, "data"]
        if min(timing, data) < _FEWEST:
            return failed
        kind = failed.kind if failed.kind in ("timing", "data") else "timing" if timing > data else "data"
        return replace(failed, key=f"{failed.key} {kind}")

    return [one if one.failed is None else one._replace(failed=parted(one.failed)) for one in attempts]


def _attempts(runs: Sequence[KeptRun], test: str) -> Iterator[_Attempt]:
    """In order; a run that skipped the test has none."""
    for at, run in enumerate(runs):
        if test in run.tests:
            own = run.tests[test]
            yield from (_Attempt(at, one.phone, one) for one in own.failures)
            if own.letter in _PASSES:
                yield _Attempt(at, own.phone, None)


def _is_flaky(attempts: Sequence[_Attempt]) -> bool:
    """Of attempts that passed, or failed by one cause."""
    series = [(passed, [one.at for one in same]) for passed, same in groupby(attempts, lambda one: not one.failed)]
    failures = [at for at, (passed, _) in enumerate(series) if not passed]
    again = any(series[at][1][-1] == series[at + 1][1][0] for at in failures if at + 1 < len(series))
    between = [len({*series[at][1]}) for at in failures if 0 < at < len(series) - 1]
    return again or len(failures) > 1 or any(length <= LONGEST_ACCIDENT for length in between)


def _kind(
    failed: Sequence[FailedAttempt], own: Sequence[_Attempt], attempts: Sequence[_Attempt], others: Sequence[str]
) -> str:
    """What most of the failures look like. They look like the phone where it is no chance that all of them were on
    phones of which others passed."""
    phones = {one.phone for one in own}
    share = sum(one.phone in phones for one in attempts) / len(attempts)
    if others and "" not in phones and share ** len(own) < _CHANCE:
        return "phone"
    kinds = [one.kind for one in failed if one.kind]
    return max(dict.fromkeys(kinds), key=kinds.count) if 2 * len(kinds) >= len(failed) else ""


# --- where the recordings of a failing and of a passing attempt part -----------------------------------------

MOST_PARTED = 20
"""Causes of which recordings are compared."""
_NAMES = ("the failed attempt", "the passed attempt")
_LONGEST = 400


def with_recordings(causes: Sequence[FlakyCause], rows: Iterable[FoundRow]) -> tuple[FlakyCause, ...]:
    """The causes with where two recordings first part: of the newest attempt that failed by each, and of one that
    passed, in the same run if there is one."""
    tests: dict[str, list[FoundRow]] = {one.test: [] for one in causes[:MOST_PARTED]}
    for row in rows:
        if test_of(row.row) in tests and _cassette(row) is not None:
            tests[test_of(row.row)].append(row)
    return tuple(replace(one, recordings_part=_recordings_part(one, tests.get(one.test, ()))) for one in causes)


def _recordings_part(cause: FlakyCause, rows: Sequence[FoundRow]) -> str:
    unsound = ((one, one.row.cause) for one in rows if one.row.outcome in UNSOUND)
    failed = [one for one, why in unsound if why is not None and cause_id([why])[0] == cause.key]
    if not failed:
        return ""
    newest = max(failed, key=_when)
    passed = [one for one in rows if one.row.outcome in HEALTHY]
    other = max(passed, key=lambda one: (one.folder == newest.folder, _when(one)), default=None)
    return _parting(_cassette(newest), _cassette(other)) if other is not None else ""


def _when(found: FoundRow) -> tuple[str, int]:
    return found.row.started_at, found.row.attempt


def _cassette(found: FoundRow) -> Stored | None:
    trace = found.opens(found.row.trace_json)
    if trace is None or not trace.with_name(FILE_NAME).is_file():
        return None
    return stored_at(trace.parent)


def _parting(failed: Stored | None, passed: Stored | None) -> str:
    if failed is None or passed is None:
        return ""
    with suppress(Exception):  # they may be anybody's: the table stands without it
        found = first_parting(failed.load(), passed.load(), failed.blob, passed.blob, _NAMES)
        return printable(found.sentence, _LONGEST) if found is not None else ""
    return ""
