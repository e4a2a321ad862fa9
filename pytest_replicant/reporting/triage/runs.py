"""Every run that was kept below some folders: shards of one run, nightly runs, downloads, however nested.

A ``run.json`` may be broken, foreign or hostile: what is no row is left out and told, never half believed.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ...scheduling import shard_of
from .baseline import read_json
from .cause import Cause
from .results import test_of
from .run_record import RUN_SCHEMA, RunRow
from .unfinished import rows_of_traces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ...scheduling import Shard

LARGEST_RUN = 256_000_000
"""Bytes of a ``run.json`` that is read at all."""
_MOST_FOLDERS = 500_000


@dataclass(frozen=True)
class FoundRow:
    """A row, and the folder that its links start from."""

    row: RunRow
    folder: Path

    def opens(self, link: str) -> Path | None:
        """The file that a link of the row names, where it lies in the folder of its run."""
        path = PurePosixPath(link)
        if not link or path.is_absolute() or ".." in path.parts or "\\" in link or ":" in link or "\0" in link:
            return None
        return self.folder / path


@dataclass(frozen=True)
class FoundRun:
    """One run, its shards taken together. ``started_at`` is the earliest of them. ``shard`` says which part of the
    tests it is, None where it is all of them."""

    run_id: str
    started_at: str
    duration_ms: int
    rows: tuple[FoundRow, ...]
    folders: tuple[Path, ...]
    shard: Shard | None = None


@dataclass(frozen=True)
class Found:
    """``runs`` in the order in which they began. ``foreign`` are files of the name that are none of ours;
    ``troubles`` say of what could not be read in full, why."""

    runs: tuple[FoundRun, ...]
    foreign: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()


def find_runs(roots: Iterable[Path]) -> Found:
    """Every run below these folders; the same file found twice counts once."""
    runs: dict[str, FoundRun] = {}
    foreign: list[str] = []
    troubles: list[str] = []
    files = list(dict.fromkeys(path for root in roots for path in _files(root, troubles)))
    for path in files:
        if path.name != "run.json":
            continue
        try:
            shard = _read(path, troubles)
        except _ForeignFile:
            foreign.append(f"{path}: another tool's")
        except (OSError, ValueError) as error:
            troubles.append(f"{path}: {_reason(error)}")
        else:
            known = runs.get(shard.run_id)
            runs[shard.run_id] = shard if known is None else _together(known, shard)
    for run in _unfinished(files, troubles):
        runs.setdefault(run.run_id, run)
    ordered = sorted(runs.values(), key=lambda run: (run.started_at, run.run_id))
    return Found(tuple(_each_row_once(ordered)), tuple(foreign), tuple(troubles))


class _ForeignFile(Exception):
    """A ``run.json`` of another tool."""


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return "no JSON" if type(error) is not ValueError else str(error)


def _each_row_once(runs: Sequence[FoundRun]) -> Iterator[FoundRun]:
    """What was merged before holds rows of other runs again."""
    known: set[tuple[object, ...]] = set()
    for run in runs:
        rows = tuple(found for found in run.rows if _identity(found.row) not in known)
        known.update(_identity(found.row) for found in rows if found.row.started_at)
        if rows or not run.rows or run.shard is not None:
            yield replace(run, rows=rows)


def _unfinished(files: Sequence[Path], troubles: list[str]) -> Iterator[FoundRun]:
    """Runs without a ``run.json``, from their traces: not all that ran may be in there."""
    traces: dict[Path, list[Path]] = {}
    for path in files:
        if path.name == "trace.json":
            traces.setdefault(path.parent.parent, []).append(path)
    for folder, paths in traces.items():
        if (folder / "run.json").exists():
            continue
        rows = tuple(FoundRow(row, folder) for row in rows_of_traces(paths))
        if rows:
            troubles.append(
                f"{folder}: no run.json, as of a run that was ended; {len(rows)} traces are read instead"
            )
            yield FoundRun(folder.name, min(found.row.started_at for found in rows), 0, rows, (folder,))


def _files(root: Path, troubles: list[str]) -> Iterator[Path]:
    """Every ``run.json`` and ``trace.json``."""

    def unreadable(error: OSError) -> None:
        troubles.append(f"{error.filename}: {error.strerror}")

    for number, (folder, inner, names) in enumerate(os.walk(root, onerror=unreadable)):
        if number >= _MOST_FOLDERS:
            troubles.append(f"{root}: more than {_MOST_FOLDERS} folders; the rest is not looked at")
            return
        inner[:] = sorted(name for name in inner if name != "blobs")
        place = Path(os.path.realpath(folder))  # of the folder: a file may be a link into a store
        yield from (place / name for name in ("run.json", "trace.json") if name in names)


def _read(path: Path, troubles: list[str]) -> FoundRun:
    document = read_json(path, LARGEST_RUN)
    tests = document.get("tests")
    schema = document.get("schema")
    if not str(schema).startswith("replicant."):
        raise _ForeignFile
    if schema != RUN_SCHEMA or not isinstance(tests, list):
        raise ValueError(f"no {RUN_SCHEMA}")
    rows = [row_of(one) for one in tests]
    known = tuple(FoundRow(_as_it_ran(row), path.parent) for row in rows if row is not None)
    if len(known) < len(rows):
        troubles.append(f"{path}: {len(rows) - len(known)} of {len(rows)} tests are no rows")
    began, took = document.get("started_at"), document.get("duration_ms")
    return FoundRun(
        str(document.get("run_id"))[:200],
        began[:40] if isinstance(began, str) else "",
        took if isinstance(took, int) else 0,
        known,
        (path.parent,),
        shard_of(document.get("shard")),
    )


def _together(one: FoundRun, other: FoundRun) -> FoundRun:
    """Shards run side by side: the longest counts."""
    known = {_identity(found.row) for found in one.rows}
    fresh = tuple(found for found in other.rows if _identity(found.row) not in known)
    began = min(filter(None, (one.started_at, other.started_at)), default="")
    took = max(one.duration_ms, other.duration_ms)
    return FoundRun(one.run_id, began, took, one.rows + fresh, one.folders + other.folders, one.shard)


def _identity(row: RunRow) -> tuple[object, ...]:
    return (row.nodeid, row.attempt, row.started_at, row.outcome, row.device)


def row_of(value: object) -> RunRow | None:
    """A row, where everything in it is what it should be."""
    if not isinstance(value, dict):
        return None
    try:
        row = RunRow.from_dict(value)
    except (TypeError, KeyError, AttributeError, ValueError):
        return None
    inner = (*row.slowest, *row.healed, *row.open_actions)
    return row if _is_sound(row) and all(_is_sound(one) for one in inner) else None


def _is_sound(value: Any) -> bool:
    """Whether texts are texts, numbers numbers, and lists of texts that."""
    for one in fields(value):
        found: Any = getattr(value, one.name)
        if one.type == "str" and not isinstance(found, str):
            return False
        if one.type == "int" and (not isinstance(found, int) or abs(found) > 1 << 50):
            return False
        if one.type == "tuple[str, ...]" and not all(isinstance(item, str) for item in found):
            return False
        if isinstance(found, Cause) and not _is_sound(found):
            return False
    return True


def devices_of(*runs: FoundRun) -> frozenset[str]:
    """The kinds of phones that they had, by model and version."""
    return frozenset(found.row.device for run in runs for found in run.rows if found.row.device)


def latest(runs: Sequence[FoundRun]) -> tuple[FoundRow, ...]:
    """What is known of each test last: its rows in the newest run that it took part in, which shards share. What
    it did on other kinds of phones than a newer run had stands beside that, as a test of its own."""
    kinds = [devices_of(run) for run in runs]
    took_part: dict[str, dict[int, set[str]]] = {}
    for index, run in enumerate(runs):
        for found in run.rows:
            took_part.setdefault(test_of(found.row), {}).setdefault(index, set()).add(found.row.device)
    standing = {test: _standing(in_runs, kinds) for test, in_runs in took_part.items()}
    return tuple(
        _told_apart(found) if len(standing[test_of(found.row)]) > 1 else found
        for index, run in enumerate(runs)
        for found in run.rows
        if index in standing[test_of(found.row)]
    )


def _standing(in_runs: Mapping[int, set[str]], kinds: Sequence[frozenset[str]]) -> frozenset[int]:
    """The runs that no newer one of the same test, with phones of the same kinds, has come after."""
    ordered = sorted(in_runs)
    return frozenset(
        index
        for at, index in enumerate(ordered)
        if not any(in_runs[index] - {""} <= kinds[newer] for newer in ordered[at + 1 :])
    )


def _told_apart(found: FoundRow) -> FoundRow:
    row, on = found.row, _on(found.row)
    return replace(found, row=replace(row, nodeid=f"{row.nodeid}{on}", test=f"{test_of(row)}{on}"))


def _as_it_ran(row: RunRow) -> RunRow:
    """Without what was told apart when runs were merged before."""
    on = _on(row)
    if not on or not row.nodeid.endswith(on):
        return row
    return replace(row, nodeid=row.nodeid.removesuffix(on), test=row.test.removesuffix(on))


def _on(row: RunRow) -> str:
    """By which a test on one kind of phone is told from the same on another."""
    return f" on {row.device}" if row.device else ""


def linked_from(found: FoundRow, folder: Path) -> RunRow:
    """The row with its links as seen from ``folder``; a link that leads out of its run is dropped."""

    def seen(link: str) -> str:
        path = found.opens(link)
        try:
            return "" if path is None else Path(os.path.relpath(path, folder)).as_posix()
        except ValueError:  # another drive on Windows
            return ""

    row = found.row
    return replace(row, trace=seen(row.trace), trace_json=seen(row.trace_json), trace_zip=seen(row.trace_zip))
