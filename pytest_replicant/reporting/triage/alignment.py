"""Which step of one run is which step of another: the same test does the same steps, unless it was edited."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    What = tuple[str, str, str]
    """Kind, name and title of a step: of these the title may hold data that is new in each run."""

Pair = tuple["int | None", "int | None"]
"""The place of a step in the pass, and of the same one in this run; None where one of them did not do it."""

_MOST_PAIRS = 250_000
"""Beyond it nothing is said of steps that moved: to find them would take longer than it is worth."""


def aligned(then: Sequence[What], now: Sequence[What]) -> list[Pair]:
    """Every step of both, in order. Linear where the steps are the same."""
    same = 0
    while same < len(then) and same < len(now) and then[same] == now[same]:
        same += 1
    pairs: list[Pair] = [(index, index) for index in range(same)]
    at_then = at_now = same
    for next_then, next_now, size in _blocks(then, now, same):
        pairs += _between(then, now, range(at_then, next_then), range(at_now, next_now))
        at_then, at_now = next_then + size, next_now + size
        pairs += zip(range(next_then, at_then), range(next_now, at_now), strict=True)
    return pairs


def _blocks(then: Sequence[What], now: Sequence[What], begin: int) -> Iterator[tuple[int, int, int]]:
    """What is the same in both, as where it begins and how long it is; the last one is the end of both."""
    if (len(then) - begin) * (len(now) - begin) <= _MOST_PAIRS:
        for block in SequenceMatcher(None, then[begin:], now[begin:], autojunk=False).get_matching_blocks():
            yield begin + block.a, begin + block.b, block.size
    else:
        yield len(then), len(now), 0


def _between(then: Sequence[What], now: Sequence[What], gone: range, new: range) -> Iterator[Pair]:
    """Steps of one kind in one place are the same one, with other data; the others were left out or added."""
    paired = 0
    while paired < min(len(gone), len(new)) and then[gone[paired]][:2] == now[new[paired]][:2]:
        yield gone[paired], new[paired]
        paired += 1
    yield from ((None, index) for index in new[paired:])
    yield from ((index, None) for index in gone[paired:])
