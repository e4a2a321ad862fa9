"""Every run that was kept below some folders: shards of one run, nightly runs, downloads, however
nested.

A ``run.json`` may be broken, foreign or hostile: other entries are left out and reported, never
half believed.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from pathlib import Path, PurePosixPath

from ...kept_runs import (
    RUN,
    TRACE,
    RunRow,
    Shard,
    TestCause,
    attempt_in,
    content_of,
    files_below,
    is_foreign,
    is_of_another_version,
    passed_over,
    record_of,
    test_of,
    why_not_read,
)
from ...model import BROKEN, VERDICTS, Strings, grouped
from ...model.printable import left_out, seen_from
from .cause import cause_of
from .history import FILE_NAME, KeptRun, read_history, within_a_day

MERGED = "triage-"
"""How the id of several runs that were written as one begins."""


@dataclass(frozen=True)
class FoundRow:
    """A row, and the folder that its links start from."""

    row: RunRow
    folder: Path

    @property
    def identity(self) -> tuple[object, ...]:
        row = self.row
        return row.nodeid, row.attempt, row.started_at, row.outcome, row.device

    def opens(self, link: str) -> Path | None:
        """The file that a link of the row names, where it lies in the folder of its run."""
        path = PurePosixPath(link)
        is_inner = re.fullmatch(r"[^/\\:\0][^\\:\0]*", link)
        return self.folder / path if is_inner and ".." not in path.parts else None


@dataclass(frozen=True)
class FoundRun:
    """One run, its shards taken together. ``started_at`` is the earliest of them. ``shard`` says
    which part of the tests it is, None if it is all of them, ``revision`` of which code it was, ""
    if that is not known."""

    run_id: str
    started_at: str
    duration_ms: int
    rows: tuple[FoundRow, ...]
    folders: tuple[Path, ...]
    shard: Shard | None = None
    revision: str = ""

    @property
    def part(self) -> Shard:
        assert self.shard is not None  # the others are no parts
        return self.shard


@dataclass(frozen=True)
class Found:
    """``runs`` in the order in which they began. ``foreign`` are files of the name that are none of
    ours; ``troubles`` say of what could not be read in full, why. ``kept`` is what the histories
    found say of runs."""

    runs: tuple[FoundRun, ...]
    foreign: Strings = ()
    troubles: Strings = ()
    kept: tuple[KeptRun, ...] = ()


def find_runs(roots: Iterable[Path]) -> Found:
    """Every run below these folders; the same file found twice counts once. Replays are passed
    over."""
    runs: dict[str, FoundRun] = {}
    foreign: list[str] = []
    troubles: list[str] = []
    names = (RUN, TRACE, FILE_NAME)
    below = (path for root in roots for path in files_below(root, names, troubles))
    files = list(dict.fromkeys(Path(os.path.realpath(path.parent), path.name) for path in below))
    kept: list[KeptRun] = []
    for path in files:
        try:
            if path.name == FILE_NAME:
                kept += read_history(path)
            elif path.name == RUN:
                run = _read(path)
                known = runs.get(run.run_id)
                runs[run.run_id] = _together(known, run) if known else run
        except (OSError, ValueError) as error:
            if is_foreign(error):
                foreign.append(f"{path}: another tool's")
            else:
                troubles.append(f"{path}: {why_not_read(error)}")
    for run in _unfinished(files, troubles):
        runs.setdefault(run.run_id, run)
    ordered = sorted(runs.values(), key=lambda run: (run.started_at, run.run_id))
    return Found(tuple(_each_row_once(ordered)), tuple(foreign), tuple(troubles), tuple(kept))


def _each_row_once(runs: Sequence[FoundRun]) -> Iterator[FoundRun]:
    """What was merged before holds rows of other runs again."""
    known: set[tuple[object, ...]] = set()
    for run in runs:
        rows = tuple(found for found in run.rows if found.identity not in known)
        known.update(found.identity for found in rows if found.row.started_at)
        if rows or not run.rows or run.shard:
            yield replace(run, rows=rows)


def _unfinished(files: Sequence[Path], troubles: list[str]) -> Iterator[FoundRun]:
    """Runs without a ``run.json``, from their traces: not all that ran may be in there."""
    for folder, paths in grouped(
        (path.parent.parent, path) for path in files if path.name == TRACE
    ).items():
        if (folder / RUN).exists():
            continue
        rows = tuple(FoundRow(row, folder) for row in rows_of_traces(paths, troubles))
        if rows:
            troubles.append(
                f"{folder}: no run.json, as of a run that was ended; {len(rows)} traces are read "
                "instead"
            )
            yield FoundRun(
                folder.name, min(found.row.started_at for found in rows), 0, rows, (folder,)
            )


def _read(path: Path) -> FoundRun:
    run = record_of(content_of(path))
    if run.replay:
        raise ValueError("a replay, which says nothing of how its tests stand")
    rows = tuple(FoundRow(_as_it_ran(row), path.parent) for row in run.rows)
    shard = run.shard if run.shard and run.shard.makes_sense else None
    revision = run.environment.get("revision", "")[:40]
    return FoundRun(
        run.run_id, run.started_at, run.duration_ms, rows, (path.parent,), shard, revision
    )


def _together(one: FoundRun, other: FoundRun) -> FoundRun:
    """Shards run side by side: the longest counts."""
    known = {found.identity for found in one.rows}
    fresh = tuple(found for found in other.rows if found.identity not in known)
    return replace(
        one,
        started_at=min(filter(None, (one.started_at, other.started_at)), default=""),
        duration_ms=max(one.duration_ms, other.duration_ms),
        rows=one.rows + fresh,
        folders=one.folders + other.folders,
    )


def devices_of(*runs: FoundRun) -> frozenset[str]:
    """The kinds of phones that they had, by model and version."""
    return frozenset(found.row.device for run in runs for found in run.rows if found.row.device)


def latest(runs: Sequence[FoundRun]) -> tuple[FoundRow, ...]:
    """The last rows of each test: those in the newest run that it took part in, which shards share.
    What it did on other kinds of phones than a newer run had stands next to that, as a test of its
    own."""
    newer: dict[str, list[frozenset[str]]] = {}  # the kinds of phones of newer runs of each test
    standing: set[tuple[str, str]] = set()
    times = Counter[str]()
    for run in reversed(runs):
        kinds = devices_of(run)
        for test, rows in grouped((test_of(one.row), one.row) for one in run.rows).items():
            had = {one.device for one in rows} - {""}
            if not any(map(had.issubset, newer.get(test, ()))):
                standing.add((run.run_id, test))
                times[test] += 1
            newer.setdefault(test, []).append(kinds)
    found = []
    for run in runs:
        for one in run.rows:
            row, test, on = one.row, test_of(one.row), _on(one.row)
            if times[test] > 1:
                row = replace(row, nodeid=f"{row.nodeid}{on}", test=f"{test}{on}")
            if (run.run_id, test) in standing:
                found.append(replace(one, row=row))
    return tuple(found)


def _as_it_ran(row: RunRow) -> RunRow:
    """The row as before an earlier merge, which added its kind of phone."""
    on = _on(row)
    if not on or not row.nodeid.endswith(on):
        return row
    return replace(row, nodeid=row.nodeid.removesuffix(on), test=row.test.removesuffix(on))


def _on(row: RunRow) -> str:
    """The suffix that separates a test on one kind of phone from the same on another."""
    return f" on {row.device}" if row.device else ""


def linked_from(found: FoundRow, folder: Path) -> RunRow:
    """The row with its links as seen from ``folder``; a link that leads out of its run is
    dropped."""

    def seen(link: str) -> str:
        return seen_from(found.opens(link), folder)

    row = found.row
    return replace(
        row, trace=seen(row.trace), trace_json=seen(row.trace_json), trace_zip=seen(row.trace_zip)
    )


# --- runs that were ended before they wrote run.json: their traces --------------------------------


def rows_of_traces(paths: Sequence[Path], troubles: list[str]) -> Iterator[RunRow]:
    """A row for each ``trace.json`` that can be read, with links that start from the folder of
    their run."""
    old = 0
    for path in sorted(paths):
        try:
            run = attempt_in(path)
        except (OSError, ValueError) as error:
            old += is_of_another_version(error)
            continue
        if not run.nodeid or run.outcome in ("", *VERDICTS):
            continue
        page = path.with_name("trace.html")
        yield RunRow(
            run.nodeid,
            run.number,
            run.outcome,
            run.started_at,
            run.duration_ms,
            run.device,
            trace=f"{path.parent.name}/{page.name}" if page.is_file() else "",
            failure=run.failure[:500],
            message=run.failure,
            cause=cause_of(run) or TestCause() if run.outcome in BROKEN else None,
            steps=len(run.steps),
            trace_json=f"{path.parent.name}/{path.name}",
        )
    if old:
        troubles.append(f"{paths[0].parent.parent}: {passed_over(old)}")


# --- shards ---------------------------------------------------------------------------------------

_NAMED = 5


def joined(found: Found) -> Found:
    """Parts of one plan as one run. Incomplete ones are among the troubles."""
    whole = [run for run in found.runs if not run.shard]
    shards = [[run] for run in found.runs if run.shard]
    # The same plan may have run again, with the same durations at hand, or on other phones at the
    # same time. Parts that had phones of one kind belong together first, then the rest.
    alike = _gathered(
        shards,
        lambda one, other: (
            _plan(one) == _plan(other) and not devices_of(*one).isdisjoint(devices_of(*other))
        ),
    )
    sets = _gathered(alike, lambda one, other: _plan(one) == _plan(other))
    # what was meant to be one run, though planned otherwise: sets that have each other's parts
    met = _gathered(
        sets,
        lambda one, other: (
            one[0].part.count == other[0].part.count
            and within_a_day(one[0].started_at, other[0].started_at)
        ),
    )
    runs = sorted([*whole, *map(_joined, sets)], key=lambda run: (run.started_at, run.run_id))
    troubles = chain(found.troubles, *map(_troubles, met))
    return replace(found, runs=tuple(runs), troubles=tuple(troubles))


def _gathered(
    sets: Sequence[list[FoundRun]], fit: Callable[[list[FoundRun], list[FoundRun]], bool]
) -> list[list[FoundRun]]:
    """Each set with the first earlier one that fits, and has none of its parts."""
    gathered: list[list[FoundRun]] = []
    for parts in sets:
        own = {*map(_index, parts)}
        for one in gathered:
            if own.isdisjoint(map(_index, one)) and fit(one, parts):
                one += parts
                break
        else:
            gathered.append([*parts])
    return gathered


def _troubles(parts: Sequence[FoundRun]) -> list[str]:
    count = parts[0].part.count
    lines = []
    missing = sorted({*range(1, count + 1)} - {*map(_index, parts)})
    if missing:
        named = ", ".join(f"{index}/{count}" for index in missing)
        lines.append(
            f"shard {named} is missing: what ran there is not in here (began {parts[0].started_at})"
        )
    if len({one.part.plan for one in parts}) > 1:
        ordered = sorted(parts, key=_index)
        plans = ", ".join(f"{one.part.index}/{count} by {one.part.plan}" for one in ordered)
        lines.append(
            f"shards were not planned alike ({plans}): tests may have run in none of them, or in "
            "two. Give all the same --durations-path and --splitting-algorithm, and the same "
            "tests to choose from, in one order"
        )
    tests = Counter(test for one in parts for test in {test_of(found.row) for found in one.rows})
    twice = sorted(test for test, number in tests.items() if number > 1)
    if twice:
        more = "".join(f" {line}" for line in left_out(twice, _NAMED))
        lines.append(f"ran in more than one shard: {', '.join(twice[:_NAMED])}{more}")
    total = max(one.part.total for one in parts)
    ran = sum(one.part.tests for one in parts)
    if not missing and ran < total:
        lines.append(
            f"the shards ran {ran} of {total} tests: a shard was ended early, or lacks tests that "
            "are in no other"
        )
    elif not missing and ran > total:
        lines.append(f"the shards have {ran} tests, and there were {total}: some ran in two")
    return lines


def _joined(parts: Sequence[FoundRun]) -> FoundRun:
    first = min(parts, key=lambda one: one.started_at)
    if len(parts) == 1:
        return first
    whole = reduce(_together, sorted(parts, key=_index))
    return replace(whole, run_id=first.run_id, revision=first.revision, shard=None)


def _index(run: FoundRun) -> int:
    return run.part.index


def _plan(parts: Sequence[FoundRun]) -> tuple[int, str]:
    return parts[0].part.count, parts[0].part.plan
