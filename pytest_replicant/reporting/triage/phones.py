"""How each phone of a run did: what it served, and what was wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...pool import read_uri
from .results import test_of
from .run_record import PhoneHealth

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .run_record import RunRow


def phones_of(rows: Sequence[RunRow]) -> tuple[PhoneHealth, ...]:
    """The phones in most trouble first, else in order of their names."""
    phones: dict[str, list[RunRow]] = {}
    for row in rows:
        if row.phone:
            phones.setdefault(_name(row), []).append(row)
    lost = {(test_of(row), row.attempt) for row in rows if row.lost}
    last = {test_of(row): max(row.attempt, 0) for row in sorted(rows, key=lambda row: row.attempt)}
    found = [_health(name, own, lost, last) for name, own in phones.items()]
    return tuple(sorted(found, key=lambda one: (one.score, one.phone)))


def _name(row: RunRow) -> str:
    """Of virtual phones each process has its own, but for those that have names."""
    own = read_uri(row.phone).is_unlimited and row.worker
    return f"{row.phone} ({row.worker})" if own else row.phone


def _health(name: str, rows: Sequence[RunRow], lost: set[tuple[str, int]], last: Mapping[str, int]) -> PhoneHealth:
    gone = [row for row in rows if row.lost]
    # Of a test with two phones one was lost; the other one can do nothing about it.
    trouble = [row for row in rows if _is_its_trouble(row) and (test_of(row), row.attempt) not in lost]
    unsound = [row for row in rows if row in gone or row in trouble or row.reconnects]
    return PhoneHealth(
        phone=name,
        device=next((row.device for row in rows if row.device), ""),
        attempts=len(rows),
        lost=len(gone),
        infra=len(trouble),
        reconnected=sum(row.reconnects > 0 for row in rows),
        requeued=sum(last[test_of(row)] > row.attempt for row in gone),
        score=100 * (len(rows) - len(unsound)) // len(rows),
        duration_ms=sum(row.duration_ms for row in rows),
        reason=gone[-1].lost.partition("\n")[0] if gone else "",
    )


def _is_its_trouble(row: RunRow) -> bool:
    """Not where the test asked for what no phone of the kind can do."""
    return row.outcome == "infra" and (row.cause is None or row.cause.exception != "Unsupported")


def in_trouble(phones: Sequence[PhoneHealth]) -> list[str]:
    """A line for each phone that was lost, or whose tool trouble ended a test."""
    return [
        f"{one.phone} ({one.device or 'never opened'}): {_told(one)}" for one in phones if one.lost or one.infra
    ]


def _told(one: PhoneHealth) -> str:
    counts = (
        (one.lost, "lost"),
        (one.infra, "tool trouble"),
        (one.reconnected, "mended by reconnecting"),
    )
    told = ", ".join(f"{word} in {count}" for count, word in counts if count)
    quarantined = f"; in quarantine: {one.reason}" if one.reason else ""
    return f"{told} of {one.attempts} tests{quarantined}"
