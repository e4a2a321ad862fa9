"""Rows of attempts on their way from the process that ran a test to the one that a person watches.

They are an attribute of the test's report, and become JSON if that goes to another process. User
properties are no place for them: other reports print those. Most tests use no phone: nothing heavy
is loaded for them.
"""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import version_of
from ..model.printable import printable, seen_from
from ..pool import DeviceUri, kind_of_phone
from ..running import APP, BUILT, SECRETS

if TYPE_CHECKING:
    import pytest

    from ..kept_runs import RunRow
    from ..model import Redactor


_ROWS = "replicant_rows"
_LEFT = "interrupted-"


def put_rows(report: pytest.TestReport, rows: Sequence[RunRow]) -> None:
    if rows or hasattr(
        report, _ROWS
    ):  # most tests of most runs use no phone: their reports cross as they are
        setattr(report, _ROWS, tuple(rows))


def rows_of(report: pytest.TestReport) -> list[RunRow]:
    """Empty if the report carries none."""
    return list(getattr(report, _ROWS, ()))


class TravellingRows:
    """The hooks by which a report goes to another process."""

    @pytest.hookimpl(wrapper=True)
    def pytest_report_to_serializable(
        self,
    ) -> Generator[None, dict[str, Any] | None, dict[str, Any] | None]:
        data = yield
        if data is not None and _ROWS in data:
            data[_ROWS] = _json(data[_ROWS]).decode()
        return data

    @pytest.hookimpl(wrapper=True)
    def pytest_report_from_serializable(self) -> Generator[None, Any, Any]:
        report = yield
        if hasattr(report, _ROWS):
            put_rows(report, _read(getattr(report, _ROWS)))
        return report


def leave_rows(rows: Sequence[RunRow], run_folder: Path, worker: str) -> None:
    """For a worker that was interrupted: its reports are not collected any more. Raises
    ``OSError``."""
    from ..kept_runs.whole_file import write_whole

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
    from ..kept_runs import RunRow
    from ..model import decode

    return list(decode(tuple[RunRow, ...], carried))


def _json(rows: Sequence[RunRow]) -> bytes:
    from ..model import encode

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
    facts = {
        "python": platform.python_version(),
        "pytest": pytest.__version__,
        "pytest-replicant": version_of("pytest-replicant"),
        "platform": f"{platform.system()} {platform.machine()}".strip(),
    }
    if app:
        facts |= app.facts
    if built:
        facts["build"] = built
    if revision:
        facts["revision"] = revision
    return facts


LONGEST = 400
"""Characters of a node id that a command names; of one that is longer, all parameters are run."""


def rerun_command(
    config: pytest.Config, nodeid: str, redactor: Redactor, parameters: str = ""
) -> str:
    """``pytest 'tests/test_cart.py::test_total[a b]'``; "" if no command can be shown.
    ``parameters`` is the part of the id in brackets: where it has a secret, or what no terminal
    shows as it is, all of them are run."""
    file, separator, names = nodeid.partition("::")
    path = config.rootpath / file
    whole = f"{seen_from(path, config.invocation_params.dir) or path.as_posix()}{separator}{names}"
    for each in (whole, whole.removesuffix(f"[{parameters}]")):
        if len(each) <= LONGEST and each == printable(each, LONGEST) == redactor.text(each):
            return f"pytest {shlex.quote(f'./{each}' if each.startswith('-') else each)}"
    return ""


def with_phones(
    command: str,
    given: Sequence[str],
    phone: str,
    *,
    matrix: bool = False,
    further: Sequence[str] = (),
) -> str:
    """The command with the phone of the test, as the user named it: ``given`` are the phones of the
    command line, none if they are the project's own. Under ``matrix`` the id of a test depends on
    all of them. ``further`` are other words of that command line."""
    # The longest name that the phone's own begins with, else all of them.
    fitting = [each for each in given if kind_of_phone(phone).startswith(each.partition("?")[0])]
    named = given if matrix or len(given) < 2 else sorted(fitting, key=len)[-1:] or given
    words = [f"--replicant-device={DeviceUri(each, 'custom').masked}" for each in named]
    if matrix and given:
        words.append("--replicant-matrix")
    return " ".join([command, *map(shlex.quote, (*words, *further))]) if command else ""
