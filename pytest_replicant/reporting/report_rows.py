"""Rows of attempts on their way from the process that ran a test to the one that a person watches.

They travel as JSON in an attribute of the test's report, which crosses processes as it does. User properties are
no place for them: other reports print those. Most tests use no phone: nothing heavy is loaded for them.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..stash import APP, BUILT, SECRETS
from .printable import version_of

if TYPE_CHECKING:
    from .triage.run_record import RunRow

_ROWS = "replicant_rows"
_LEFT = "interrupted-"


def put_rows(report: pytest.TestReport, rows: Sequence[RunRow]) -> None:
    if rows or hasattr(report, _ROWS):  # most tests of most runs use no phone: their reports cross as they are
        setattr(report, _ROWS, _json(rows).decode())


def rows_of(report: pytest.TestReport) -> list[RunRow]:
    """Empty where the report carries none."""
    carried: str | None = getattr(report, _ROWS, None)
    return _read(carried) if carried else []


def leave_rows(rows: Sequence[RunRow], run_folder: Path, worker: str) -> None:
    """For a worker that was interrupted: its reports are not collected any more. Raises ``OSError``."""
    from .artifacts.storage import write_whole

    if rows:
        write_whole(run_folder / f"{_LEFT}{worker}.json", _json(rows))


def left_rows(run_folder: Path) -> list[RunRow]:
    """What interrupted workers left, each once. Raises ``OSError``."""
    found: list[RunRow] = []
    for path in sorted(run_folder.glob(f"{_LEFT}*.json")):
        found += _read(path.read_bytes())
        path.unlink()
    return found


def _read(carried: str | bytes) -> list[RunRow]:
    from ..codec import decode
    from .triage.run_record import RunRow

    return list(decode(tuple[RunRow, ...], carried))


def _json(rows: Sequence[RunRow]) -> bytes:
    from ..codec import encode

    return encode(rows)


def place_of(location: tuple[str, int | None, str]) -> str:
    """``"tests/test_shop.py:18"``, of an item's or a report's."""
    path, line, _ = location
    return f"{path}:{(line or 0) + 1}".replace(os.sep, "/")


_REVISIONS = (
    "GITHUB_SHA",
    "CI_COMMIT_SHA",
    "GIT_COMMIT",
    "CIRCLE_SHA1",
    "BUILDKITE_COMMIT",
    "BUILD_SOURCEVERSION",
)
"""Where CI systems say which revision of the code they run."""


def environment_of(config: pytest.Config) -> dict[str, str]:
    """What a run, and each of its tests, was made with."""
    stash = config.stash
    app, built = stash.get(APP, None), stash.get(BUILT, "")
    revision = stash[SECRETS].text(next(filter(None, map(os.environ.get, _REVISIONS)), ""))
    return {
        "python": platform.python_version(),
        "pytest": pytest.__version__,
        "pytest-replicant": version_of("pytest-replicant"),
        "platform": f"{platform.system()} {platform.machine()}".strip(),
        **(app.facts if app else {}),
        **({"build": built} if built else {}),
        **({"revision": revision} if revision else {}),
    }
