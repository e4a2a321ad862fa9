"""How long tests took, from reports and caches that may hold anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.scheduling.sharding import recorded_in, sound, updated


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
