"""One part of the tests: its plan, and the durations that it is made of."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.scheduling.sharding import Shard, plan, recorded_in, sound, updated

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


def test_a_shard_says_how_much_it_is() -> None:
    assert str(Shard(2, 3, 40, 120, "8f3a1c00")) == "shard 2/3: 40 of 120 tests, plan 8f3a1c00"


def keep(folder: Path, *rows: dict[str, Any], **parts: Any) -> None:
    folder.mkdir(parents=True)
    document = {"schema": "replicant.run/1", "tests": rows, **parts}
    (folder / "run.json").write_text(json.dumps(document), "utf-8")


def row(test: str, took: object, began: str = "2026-11-20", attempt: int = 0, lost: str = "") -> dict[str, Any]:
    return {"test": test, "duration_ms": took, "started_at": began, "attempt": attempt, "lost": lost}


def test_the_newest_run_and_the_last_attempt_count(tmp_path: Path) -> None:
    keep(tmp_path / "a" / "deep", row("t::x", 10, "2026-11-21"), row("t::x", 20, "2026-11-21", 1), row("t::y", 7))
    keep(tmp_path / "b", row("t::x", 99, "2026-11-20", 2))
    assert recorded_in(tmp_path) == {"t::x": 20, "t::y": 7}


def test_of_two_phones_the_one_that_took_longer_counts(tmp_path: Path) -> None:
    keep(tmp_path / "a", row("t::x", 10), row("t::x", 30))
    assert recorded_in(tmp_path) == {"t::x": 30}


def test_an_attempt_that_lost_its_phone_says_nothing(tmp_path: Path) -> None:
    keep(tmp_path / "a", row("t::x", 1, attempt=1, lost="unplugged"), row("t::x", 30))
    assert recorded_in(tmp_path) == {"t::x": 30}


@pytest.mark.parametrize("took", [-1, "12", None, 1 << 50, True, 1.5], ids=str)
def test_what_is_no_duration_ends_the_reading_of_its_file_alone(tmp_path: Path, took: object) -> None:
    keep(tmp_path / "a", row("t::x", 5), row("t::y", took))
    keep(tmp_path / "b", row("t::z", 5))
    assert "t::y" not in recorded_in(tmp_path)
    assert recorded_in(tmp_path)["t::z"] == 5


def test_other_files_are_passed_by(tmp_path: Path) -> None:
    keep(tmp_path / "a", row("t::x", 5), schema="other/1")
    keep(tmp_path / "blobs", row("t::x", 5))
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "run.json").write_text("[" * 100_000)
    assert recorded_in(tmp_path) == {}
    assert recorded_in(tmp_path / "nowhere") == {}


def test_a_replay_is_no_measure(tmp_path: Path) -> None:
    keep(tmp_path / "a", row("t::x", 30, "2026-11-20"))
    keep(tmp_path / "b", row("t::x", 1, "2026-11-21"), replay={"run": "a"})
    assert recorded_in(tmp_path) == {"t::x": 30}


def test_a_cache_may_hold_anything() -> None:
    assert sound({"t::x": 5, "t::y": -1, "t::z": "7", 3: 4, "t::b": True}) == {"t::x": 5}
    assert sound([1, 2]) == {}


def test_what_is_known_is_kept_but_for_files_that_are_gone(tmp_path: Path) -> None:
    (tmp_path / "there.py").touch()
    known = {"there.py::a": 1, "there.py::b": 2, "gone.py::a": 3}
    assert updated(known, {"there.py::b": 5, "new.py::a": 6}, tmp_path) == {
        "new.py::a": 6,
        "there.py::a": 1,
        "there.py::b": 5,
    }
