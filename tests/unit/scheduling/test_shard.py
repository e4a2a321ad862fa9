"""Plans: the same on every machine, each test in one part, all parts about equally long."""

from __future__ import annotations

import random

import pytest

from pytest_replicant.scheduling.sharding import Shard, plan, shard_of

TESTS = [f"tests/test_{number % 7}.py::test_{number}" for number in range(60)]
TOOK = {test: 100 + 37 * number for number, test in enumerate(TESTS)}


@pytest.mark.parametrize("durations", [{}, TOOK, dict(list(TOOK.items())[:10])], ids=["none", "all", "some"])
@pytest.mark.parametrize("count", [1, 2, 3, 7, 60, 100])
def test_each_test_is_in_one_part(count: int, durations: dict[str, int]) -> None:
    shards = plan(TESTS, count, durations).shards
    assert len(shards) == count
    assert sorted(test for shard in shards for test in shard) == sorted(TESTS)


def test_order_makes_no_difference() -> None:
    mixed = random.Random(7).sample(TESTS, len(TESTS))
    assert plan(mixed, 3, dict(reversed(TOOK.items()))) == plan(TESTS, 3, TOOK)


def test_parts_are_about_equally_long() -> None:
    loads = [sum(TOOK[test] for test in shard) for shard in plan(TESTS, 4, TOOK).shards]
    assert max(loads) - min(loads) <= max(TOOK.values())


def test_the_longest_test_stands_alone_where_it_is_as_long_as_all_others() -> None:
    long, rest = plan(["a", "b", "c", "d"], 2, {"a": 900, "b": 300, "c": 300, "d": 300}).shards
    assert (sorted(long), sorted(rest)) == (["a"], ["b", "c", "d"])


def test_an_unknown_test_is_as_long_as_most() -> None:
    first, second = plan(["a", "b", "new"], 2, {"a": 1000, "b": 1000}).shards
    assert {len(first), len(second)} == {1, 2}
    assert [sorted(shard) for shard in plan(["a", "new"], 2, {"a": 5}).shards] == [["a"], ["new"]]


def test_without_durations_parts_have_as_many_tests() -> None:
    assert {len(shard) for shard in plan(TESTS, 7, {}).shards} == {8, 9}


def test_tests_that_take_no_time_are_shared_as_well() -> None:
    assert {len(shard) for shard in plan(TESTS, 4, dict.fromkeys(TESTS, 0)).shards} == {15}


def test_the_fingerprint_tells_whether_plans_are_the_same() -> None:
    same = plan(TESTS, 3, TOOK).fingerprint
    assert plan(TESTS, 3, {**TOOK, "gone.py::test": 9}).fingerprint == same, "of a test that is not there"
    others = [
        plan(TESTS[:-1], 3, TOOK),
        plan(TESTS, 4, TOOK),
        plan(TESTS, 3, {**TOOK, TESTS[0]: 1}),
        plan(TESTS, 3, {}),
    ]
    assert same not in {one.fingerprint for one in others}


def test_a_shard_survives_its_run_json() -> None:
    shard = Shard(2, 3, 40, 120, "8f3a1c00")
    assert str(shard) == "shard 2/3: 40 of 120 tests, plan 8f3a1c00"
    assert shard_of(shard.to_dict()) == shard


@pytest.mark.parametrize(
    "change",
    [{"index": 0}, {"index": 4}, {"count": "3"}, {"tests": -1}, {"plan": 7}, {"total": None}, {"index": True}],
    ids=str,
)
def test_what_makes_no_sense_is_no_shard(change: dict[str, object]) -> None:
    assert shard_of({**Shard(2, 3, 40, 120, "8f").to_dict(), **change}) is None
    assert shard_of([1]) is None
