"""Steps of two runs, side by side."""

from __future__ import annotations

import pytest

from pytest_replicant.reporting import aligned


def whats(text: str) -> list[tuple[str, str, str]]:
    """``"Ab Ac Ba"``: a letter for what is done, then what to."""
    return [("action", word[0], word[1:]) for word in text.split()]


@pytest.mark.parametrize(
    ("then", "now", "pairs"),
    [
        ("", "", []),
        ("Aa Bb", "Aa Bb", [(0, 0), (1, 1)]),
        ("Aa Bb Cc", "Aa", [(0, 0), (1, None), (2, None)]),
        ("Aa", "Aa Bb", [(0, 0), (None, 1)]),
        ("Aa Bb Cc", "Aa Cc", [(0, 0), (1, None), (2, 1)]),
        ("Aa Cc", "Aa Bb Cc", [(0, 0), (None, 1), (1, 2)]),
        ("Aa Bx Cc", "Aa By Cc", [(0, 0), (1, 1), (2, 2)]),
        ("Aa Bx Cc", "Aa Dx Cc", [(0, 0), (None, 1), (1, None), (2, 2)]),
        ("Aa Bb", "Cc Dd", [(None, 0), (None, 1), (0, None), (1, None)]),
    ],
)
def test_pairs(then: str, now: str, pairs: list[tuple[int | None, int | None]]) -> None:
    assert aligned(whats(then), whats(now)) == pairs
