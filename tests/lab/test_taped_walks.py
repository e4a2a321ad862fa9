"""Walks through the lab on phones that fail at random end on their recording as they did, step by
step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.drivers import Platform

from .taped_walks import Again, again, taped_walk

WALKS = 40
SHARDS = 2


def ends_as_it_did(seed: int, platform: Platform) -> bool:
    walk = taped_walk(seed, platform)
    return again(walk) == Again(
        "reproduced" if walk.failed else "holds on the recording", walk.why, ""
    )


def test_a_walk_ends_as_it_did(platform: Platform) -> None:
    assert ends_as_it_did(7, platform)


@pytest.mark.on_both
@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_walk_ends_as_it_did(platform: Platform, shard: int) -> None:
    seeds = range(1 + shard, WALKS + 1, SHARDS)
    assert [seed for seed in seeds if not ends_as_it_did(seed, platform)] == []


def test_another_walk_does_not(platform: Platform) -> None:
    """Neither one that stops before its last action, nor one without its first, nor one on another
    tape."""
    walk = taped_walk(2, platform)
    last = max(at for at, move in enumerate(walk.moves) if move.is_action)
    assert again(walk, walk.moves[:last]).verdict == "diverged"
    assert again(walk, walk.moves[1:]).verdict in ("diverged", "beyond the recording")
    other = replace(walk, moves=taped_walk(1, platform).moves)
    assert again(other).verdict == "diverged"
