"""``Shard``: which part of the tests a run is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shard:
    """The ``index``-th part of ``count``, counted from one: ``tests`` of ``total``. ``plan`` is the fingerprint of
    the whole division: each test is in one part and no other if it is the same for all parts."""

    index: int
    count: int
    tests: int
    total: int
    plan: str

    def __str__(self) -> str:
        return f"shard {self.index}/{self.count}: {self.tests} of {self.total} tests, plan {self.plan}"

    @property
    def makes_sense(self) -> bool:
        """Of one that was read from a file."""
        return 1 <= self.index <= self.count <= 9999 and min(self.tests, self.total) >= 0
