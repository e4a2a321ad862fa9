"""Which step of one run is which step of another: the same test does the same steps, unless it was edited."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

Pair = tuple["int | None", "int | None"]
"""The place of a step in the pass, and of the same one in this run; None where one of them did not do it."""

_MOST_PAIRS = 250_000
"""Beyond it nothing is said of steps that moved: to find them would take longer than it is worth."""


def aligned(then: Sequence[Hashable], now: Sequence[Hashable]) -> list[Pair]:
    """Every step of both, in order. Linear where the steps are the same."""
    same = 0
    while same < len(then) and same < len(now) and then[same] == now[same]:
        same += 1
    pairs: list[Pair] = [(index, index) for index in range(same)]
    pairs += _moved(then, now, same)
    return pairs


def _moved(then: Sequence[Hashable], now: Sequence[Hashable], begin: int) -> Iterator[Pair]:
    """The steps from the first on that is not the same. What only one of them did stands where it was done."""
    at_then = at_now = begin
    if (len(then) - begin) * (len(now) - begin) <= _MOST_PAIRS:
        for match in SequenceMatcher(None, then[begin:], now[begin:], autojunk=False).get_matching_blocks():
            yield from ((index, None) for index in range(at_then, begin + match.a))
            yield from ((None, index) for index in range(at_now, begin + match.b))
            at_then, at_now = begin + match.a + match.size, begin + match.b + match.size
            yield from zip(range(begin + match.a, at_then), range(begin + match.b, at_now), strict=True)
    yield from ((index, None) for index in range(at_then, len(then)))
    yield from ((None, index) for index in range(at_now, len(now)))
