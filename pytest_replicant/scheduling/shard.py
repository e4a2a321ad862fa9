"""One part of the tests of several, about equally long: planned by each machine for itself, the same on all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

FINGERPRINT = 8
"""Characters of a plan's hash: enough to see that two plans are not the same."""


@dataclass(frozen=True)
class Plan:
    """``shards`` are the node ids of each part. ``fingerprint`` is the same where everything is that the plan was
    made of: then each test is in one part and no other."""

    shards: tuple[frozenset[str], ...]
    fingerprint: str


@dataclass(frozen=True)
class Shard:
    """The ``index``-th part of ``count``, counted from one: ``tests`` of ``total``, by the plan of that
    fingerprint."""

    index: int
    count: int
    tests: int
    total: int
    plan: str

    def __str__(self) -> str:
        return f"shard {self.index}/{self.count}: {self.tests} of {self.total} tests, plan {self.plan}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "index": self.index,
            "count": self.count,
            "tests": self.tests,
            "total": self.total,
            "plan": self.plan,
        }


def shard_of(value: object) -> Shard | None:
    """What a ``run.json`` says of the part that it is; None where that makes no sense."""
    if not isinstance(value, dict):
        return None
    numbers: dict[str, Any] = {name: value.get(name) for name in ("index", "count", "tests", "total")}
    fingerprint = value.get("plan")
    if not all(type(number) is int and number >= 0 for number in numbers.values()):
        return None
    if not isinstance(fingerprint, str) or not 1 <= numbers["index"] <= numbers["count"] <= 9999:
        return None
    return Shard(**numbers, plan=fingerprint[:64])


def plan(tests: Iterable[str], count: int, durations: Mapping[str, int]) -> Plan:
    """The longest test first, each to the part that has least to do so far. ``durations`` are milliseconds by node
    id; a test without one is as long as most are, and where there is none at all each part gets as many tests."""
    known = sorted(set(tests))
    lengths = {test: durations[test] for test in known if test in durations}
    shards = _by_length(known, count, lengths) if lengths else [frozenset(known[at::count]) for at in range(count)]
    told = json.dumps([count, known, sorted(lengths.items())]).encode("ascii")
    return Plan(tuple(shards), hashlib.sha256(told).hexdigest()[:FINGERPRINT])


def _by_length(tests: list[str], count: int, lengths: Mapping[str, int]) -> list[frozenset[str]]:
    usual = round(median(lengths.values()))
    taken: list[list[str]] = [[] for _ in range(count)]
    loads = [(0, 0, at) for at in range(count)]
    for test in sorted(tests, key=lambda one: (-lengths.get(one, usual), one)):
        load, number, at = min(loads)
        taken[at].append(test)
        loads[at] = load + lengths.get(test, usual), number + 1, at
    return [frozenset(own) for own in taken]
