"""Begins from a fixture of the project: pytest runs it on the phone, as the plugin ``-p`` of a run
of its own, and leaves the app there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..errors import UsageError, did_you_mean
from ..model import one_line
from ..test_code import fixture_files
from .process.records import project_of
from .running import run_test

_OPTION = "--begin-from"
_MOST_LISTED = 20


def fixture_file(name: str, folder: str) -> Path:
    """The file whose tests have the fixture: the nearest ``conftest.py``, else a test file. Raises
    ``UsageError``."""
    files, known = fixture_files(Path(project_of(folder)), name)
    if not files:
        there = ", ".join(sorted(known)[:_MOST_LISTED]) or "none"
        raise UsageError(
            f"{name!r} is no fixture of this project.{did_you_mean(name, known)} There are: {there}"
        )
    return min(files, key=lambda path: (path.stem != "conftest", len(path.parts)))


def begin(name: str, file: Path, uri: str, folder: str) -> None:
    """Lets pytest run the fixture on a phone. What it undoes at its end is undone; a state undoes
    nothing. Raises ``UsageError`` if it fails."""
    options = ["-p", __name__, f"{_OPTION}={name}"]
    options += ["-o", "replicant_reset=none", "-o", "replicant_unverified=ignore"]
    ran = run_test(str(file), uri, folder, {}, options)
    if not (ran.passed or ran.recovered):
        raise UsageError(
            f"{one_line(name)} of {file} could not be had, and nothing was opened.\n{ran.text}"
        )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(_OPTION, help="fixture that is run, and nothing else")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    return _Beginning.from_parent(parent, path=module_path)


class _Beginning(pytest.Module):
    """A file that has one test: it asks for the fixture, and does nothing."""

    def collect(self) -> Iterator[pytest.Function]:
        [*super().collect()]  # which finds the fixtures of the file
        name = self.config.getoption(_OPTION)

        @pytest.mark.usefixtures(name)
        def begins(mobile: object) -> None:
            pass

        yield pytest.Function.from_parent(self, name=f"begins_from_{name}", callobj=begins)
