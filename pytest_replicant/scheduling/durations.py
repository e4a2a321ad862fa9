"""How long tests took before: in pytest's cache, or in the reports of earlier runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

KEY = "replicant/durations"
"""Where pytest's cache keeps them: node id to milliseconds."""

MOST = 50_000
LARGEST_RUN = 256_000_000
"""Bytes of a ``run.json`` that is read at all."""
_LONGEST = 1 << 40


def recorded_in(folder: Path) -> dict[str, int]:
    """Of every ``run.json`` below a folder, the newest of each test; what cannot be read is left out, on every
    machine alike."""
    newest: dict[str, tuple[str, int, int]] = {}
    for path in sorted(_runs(folder)):
        for test, began, attempt, took in _rows(path):
            newest[test] = max(newest.get(test, ("", 0, 0)), (began, attempt, took))
    return {test: took for test, (_, _, took) in newest.items()}


def _runs(folder: Path) -> Iterator[Path]:
    for place, inner, names in os.walk(folder):
        inner[:] = [name for name in inner if name != "blobs"]
        if "run.json" in names:
            yield Path(place) / "run.json"


def _rows(path: Path) -> Iterator[tuple[str, str, int, int]]:
    """Of tests that came to an end of their own: how soon a phone was lost says nothing."""
    try:
        with path.open("rb") as file:
            document = json.loads(file.read(LARGEST_RUN))
        rows = document["tests"] if str(document["schema"]).startswith("replicant.run/") else []
        for row in rows:
            if not row.get("lost"):
                yield str(row["test"]), str(row["started_at"]), int(row["attempt"]), _sound(row["duration_ms"])
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return


def _sound(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LONGEST:
        return value
    raise ValueError("no duration")


def sound(value: Any) -> dict[str, int]:
    """What a cache holds, as far as it is what it should be."""
    if not isinstance(value, Mapping):
        return {}
    return {
        test: took
        for test, took in value.items()
        if isinstance(test, str) and type(took) is int and 0 <= took < _LONGEST
    }


def updated(known: Mapping[str, int], fresh: Mapping[str, int], root: Path) -> dict[str, int]:
    """With what this run took, and without tests of files that are gone."""
    together = {**known, **fresh}
    there: dict[str, bool] = {}
    for test in together:
        path = test.partition("::")[0]
        if path not in there:
            there[path] = path in {one.partition("::")[0] for one in fresh} or (root / path).is_file()
    kept = [test for test in together if there[test.partition("::")[0]]]
    return {test: together[test] for test in sorted(kept[-MOST:])}
