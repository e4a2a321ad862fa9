"""How much the files of one run may take on disk, and what goes first where that is not enough."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

KEY = "replicant_max_artifacts_mb"

Kind = Literal["picture", "hierarchy", "attachment", "trace"]

_SHARES: dict[Kind, tuple[float, float]] = {
    "picture": (0.6, 0.85),
    "hierarchy": (0.7, 0.9),
    "attachment": (0.75, 0.95),
    "trace": (0.8, 1.0),
}
"""Up to which share of the bound each kind is written: of tests that passed, and of those that did not. What is
left is for failures that are yet to come."""


class NoRoom(Exception):
    """It is not written, as the files of the run would take more than they may."""


@dataclass
class ArtifactBound:
    """The part of the bound that one process keeps to: each of several workers has the same part.

    Counted is what this run wrote below ``--replicant-output``; a blob that an earlier run left there is free.
    0 is no bound.
    """

    megabytes: float = 0.0
    workers: int = 1
    _files: dict[str, int] = field(default_factory=dict)
    _used: int = 0

    def check(self, kind: Kind, size: int, *, news: bool) -> None:
        """Raises ``NoRoom``. ``news`` is whether the test is one that somebody will look into."""
        if self.megabytes and self._used + size > self._limit * _SHARES[kind][news]:
            each = f", {self.workers} workers share it" if self.workers > 1 else ""
            raise NoRoom(f"the files of this run have reached their bound ({KEY} = {self.megabytes:g}{each})")

    def spend(self, path: str, size: int) -> None:
        """A file was written, or written again."""
        self._used += size - self._files.get(path, 0)
        self._files[path] = size

    @property
    def _limit(self) -> float:
        return self.megabytes * 1_000_000 / max(self.workers, 1)
