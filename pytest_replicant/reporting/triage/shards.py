"""The parts of a run that was split: which belong together, and whether they are all of it.

Each part is a run of its own, on a machine of its own. Parts of one plan belong together: where every part was
planned alike, each test is in one of them and in no other. Where plans differ, one may run in none, or in two.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from .results import test_of
from .runs import devices_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .runs import Found, FoundRun

_NAMED = 5


def joined(found: Found) -> Found:
    """Parts of one plan as one run. What is not whole is among the troubles."""
    whole = [run for run in found.runs if run.shard is None]
    sets = _sets([run for run in found.runs if run.shard is not None])
    troubles = [line for parts in _met(sets) for line in _troubles(parts)]
    runs = sorted([*whole, *map(_one, sets)], key=lambda run: (run.started_at, run.run_id))
    return replace(found, runs=tuple(runs), troubles=(*found.troubles, *troubles))


def _sets(shards: Sequence[FoundRun]) -> list[list[FoundRun]]:
    """Parts of one plan, each once: the same plan may have run again, with the same durations at hand, or on other
    phones beside it. Parts that had phones of one kind belong together first, then what is left over."""
    alike = _gathered(
        [[run] for run in shards], lambda one, other: not devices_of(*one).isdisjoint(devices_of(*other))
    )
    return _gathered(alike, lambda one, other: _is_part(one) and _is_part(other))


def _gathered(
    sets: Sequence[list[FoundRun]], fit: Callable[[list[FoundRun], list[FoundRun]], bool]
) -> list[list[FoundRun]]:
    gathered: list[list[FoundRun]] = []
    for parts in sets:
        for known in gathered:
            apart = {*map(_index, known)}.isdisjoint(map(_index, parts))
            if apart and _plan(known[0]) == _plan(parts[0]) and fit(known, parts):
                known.extend(parts)
                break
        else:
            gathered.append([*parts])
    return gathered


def _met(sets: Sequence[list[FoundRun]]) -> list[list[FoundRun]]:
    """What was meant to be one run, though planned otherwise: sets that lack parts, and have each other's."""
    met: list[list[FoundRun]] = []
    for parts in sets:
        for known in met:
            fits = _count(known[0]) == _count(parts[0]) and _is_part(known) and _is_part(parts)
            apart = {*map(_index, known)} & {*map(_index, parts)}
            if fits and not apart and _near(known[0].started_at, parts[0].started_at):
                known.extend(parts)
                break
        else:
            met.append([*parts])
    return met


def _near(one: str, other: str) -> bool:
    try:
        return abs(_time(one) - _time(other)) < timedelta(days=1)
    except (ValueError, TypeError):  # a time without a zone beside one that has it
        return False


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _is_part(parts: Sequence[FoundRun]) -> bool:
    return len(parts) < _count(parts[0])


def _troubles(parts: Sequence[FoundRun]) -> list[str]:
    count = _count(parts[0])
    lines = []
    missing = sorted({*range(1, count + 1)} - {*map(_index, parts)})
    if missing:
        named = ", ".join(f"{index}/{count}" for index in missing)
        lines.append(f"shard {named} is missing: what ran there is not in here (began {parts[0].started_at})")
    if len({_plan(one) for one in parts}) > 1:
        told = ", ".join(f"{_index(one)}/{count} by {_plan(one)[1]}" for one in sorted(parts, key=_index))
        lines.append(
            f"shards were not planned alike ({told}): tests may have run in none of them, or in two. Give all the "
            "same --replicant-baseline, and the same tests to choose from"
        )
    tests = Counter(test for one in parts for test in {test_of(found.row) for found in one.rows})
    twice = sorted(test for test, number in tests.items() if number > 1)
    if twice:
        more = f" and {len(twice) - _NAMED} more" if len(twice) > _NAMED else ""
        lines.append(f"ran in more than one shard: {', '.join(twice[:_NAMED])}{more}")
    total = max(one.shard.total for one in parts if one.shard is not None)
    ran = sum(one.shard.tests for one in parts if one.shard is not None)
    if not missing and ran < total:
        lines.append(
            f"the shards ran {ran} of {total} tests: a shard was ended early, or lacks what is in no other"
        )
    elif not missing and ran > total:
        lines.append(f"the shards have {ran} tests, and there were {total}: some ran in two")
    return lines


def _one(parts: Sequence[FoundRun]) -> FoundRun:
    first = min(parts, key=lambda one: one.started_at)
    if len(parts) == 1:
        return first
    return replace(
        first,
        duration_ms=max(one.duration_ms for one in parts),
        rows=tuple(row for one in sorted(parts, key=_index) for row in one.rows),
        folders=tuple(folder for one in parts for folder in one.folders),
        shard=None,
    )


def _index(run: FoundRun) -> int:
    return run.shard.index if run.shard is not None else 0


def _count(run: FoundRun) -> int:
    return run.shard.count if run.shard is not None else 0


def _plan(run: FoundRun) -> tuple[int, str]:
    return (_count(run), run.shard.plan if run.shard is not None else "")
