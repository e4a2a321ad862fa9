"""Parts of a run: together where they were planned alike; missing parts and other plans are
reported."""

from __future__ import annotations

import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.kept_runs import Shard
from pytest_replicant.reporting import Found, find_runs, joined

from .test_runs import ROW, keep


def shard(index: int, plan: str = "8f3a", tests: int = 1) -> dict[str, Any]:
    return {"shard": asdict(Shard(index, 3, tests, 3, plan))}


def kept(
    folder: Path, index: int, test: str = "", began: str = "2026-11-20T10:00:00Z", **parts: Any
) -> None:
    name = test or f"t.py::{index}"
    row = replace(ROW, nodeid=name, test=name, started_at=f"{began[:-1]}.{index}Z")
    given = parts or shard(index)
    keep(folder / f"{began[:10]}-{index}", f"r{began[:10]}-{index}", row, began=began, **given)


def found(folder: Path) -> Found:
    return joined(find_runs([folder]))


def test_parts_of_one_plan_are_one_run(tmp_path: Path) -> None:
    for index in (1, 2, 3):
        kept(tmp_path, index)
    (run,) = found(tmp_path).runs
    assert [one.row.test for one in run.rows] == ["t.py::1", "t.py::2", "t.py::3"]
    assert len(run.folders) == 3
    assert found(tmp_path).troubles == ()


def test_what_was_merged_before_takes_none_away(tmp_path: Path) -> None:
    for index in (1, 2, 3):
        kept(tmp_path, index)
    (run,) = found(tmp_path).runs
    keep(
        tmp_path / "merged",
        "triage-1",
        *(one.row for one in run.rows),
        began="2026-11-20T09:00:00Z",
    )
    assert found(tmp_path).troubles == ()
    shutil.copytree(tmp_path / "2026-11-20-1", tmp_path / "copy")
    assert found(tmp_path).troubles == ()


def test_parts_on_two_kinds_of_phones_are_two_runs(tmp_path: Path) -> None:
    """The jobs of a matrix end in any order."""
    for second, (index, version) in enumerate(
        [(1, 11), (2, 14), (3, 11), (1, 14), (2, 11), (3, 14)]
    ):
        row = replace(
            ROW,
            nodeid=f"t.py::{index}",
            test="",
            device=f"Android {version}",
            started_at=f"{second}",
        )
        keep(
            tmp_path / f"{version}-{index}",
            f"r{version}-{index}",
            row,
            began=f"2026-11-20T10:00:0{second}Z",
            **shard(index),
        )
    runs = found(tmp_path).runs
    assert [{one.row.device for one in run.rows} for run in runs] == [
        {"Android 11"},
        {"Android 14"},
    ]
    assert found(tmp_path).troubles == ()


def test_parts_on_phones_of_their_own_are_one_run(tmp_path: Path) -> None:
    for index in (1, 2, 3):
        row = replace(
            ROW, nodeid=f"t.py::{index}", test="", device=f"Android {index}", started_at=f"{index}"
        )
        keep(tmp_path / f"{index}", f"r{index}", row, **shard(index))
    (run,) = found(tmp_path).runs
    assert len(run.rows) == 3


def test_a_missing_part_is_reported(tmp_path: Path) -> None:
    kept(tmp_path, 1)
    kept(tmp_path, 3)
    (line,) = found(tmp_path).troubles
    assert line.startswith("shard 2/3 is missing")


def test_parts_that_were_planned_otherwise_are_reported(tmp_path: Path) -> None:
    kept(tmp_path, 1)
    kept(tmp_path, 2, test="t.py::1", **shard(2, "aaaa"))
    kept(tmp_path, 3, **shard(3, tests=2))
    troubles = "\n".join(found(tmp_path).troubles)
    assert "not planned alike (1/3 by 8f3a, 2/3 by aaaa, 3/3 by 8f3a)" in troubles
    assert "ran in more than one shard: t.py::1" in troubles
    assert "the shards have 4 tests, and there were 3" in troubles
    assert "missing" not in troubles


@pytest.mark.parametrize(
    "change",
    [{"index": 0}, {"index": 4}, {"tests": -1}],
    ids=str,
)
def test_a_shard_that_makes_no_sense_is_a_run_like_any_other(
    tmp_path: Path, change: dict[str, object]
) -> None:
    kept(tmp_path, 1, shard={**shard(1)["shard"], **change})
    assert found(tmp_path).troubles == ()
    assert [one.shard for one in found(tmp_path).runs] == [None]
