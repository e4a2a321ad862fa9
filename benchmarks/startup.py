"""What the plugin costs a run that uses no phone."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from statistics import median

from .processes import seconds_of_children
from .table import Table

RUNS = 15
COMMAND = "python -m benchmarks startup"
_OTHERS = {one.name for one in entry_points(group="pytest11")} - {"replicant", "allure_pytest"}
_BLOCKED = (word for name in sorted(_OTHERS) for word in ("-p", f"no:{name}"))
_PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *_BLOCKED)
_OURS, _ALLURE = ("-p", "no:replicant"), ("-p", "no:allure_pytest")
_PLAIN_TEST = "def test_plain():\n    pass\n"
# Loaded before the plugin: pytest goes on to rewrite the package, as it does with any that has a
# plugin.
_REWRITING = """import pytest
from pytest_replicant import pytest_private
pytest_private.load_plainly = lambda hook: None
pytest.register_assert_rewrite("pytest_replicant")
"""
_DISTRIBUTION = {
    "METADATA": "Metadata-Version: 2.1\nName: pytest-replicant\nVersion: 0\n",
    "RECORD": "pytest_replicant/__init__.py,,\n",
    "entry_points.txt": "[pytest11]\nreplicant = pytest_replicant.plugin\n",
}


def measure() -> Table:
    with tempfile.TemporaryDirectory() as folder:
        compiled = Path(folder, "compiled")
        install(compiled)
        compileall.compile_dir(compiled, quiet=1)
        run = partial(_seconds, compiled)
        runs = {
            "pytest alone": partial(run, *_OURS, *_ALLURE),
            "with allure-pytest": partial(run, *_OURS),
            "with pytest-replicant": partial(run, *_ALLURE),
            "with both, as installed": run,
        }
        rows = _in_turns(runs)
    note = (
        f"One empty test, {RUNS} runs of each in turns, bytecode kept, no other plugin. Figures "
        "are medians."
    )
    return Table("startup", "A run without phones", COMMAND, _COLUMNS, rows, note)


def install(folder: Path) -> None:
    """Puts the package there as a wheel does, without bytecode; with that folder on ``PYTHONPATH``
    it is found before any other. A plugin beside it, ``rewritten``, lets pytest rewrite its
    assertions."""
    package = Path(__file__).parents[1] / "pytest_replicant"
    shutil.copytree(
        package, folder / "pytest_replicant", ignore=shutil.ignore_patterns("__pycache__")
    )
    (folder / "pytest_replicant-0.dist-info").mkdir()
    for name, text in _DISTRIBUTION.items():
        (folder / "pytest_replicant-0.dist-info" / name).write_text(text, encoding="utf-8")
    (folder / "rewritten.py").write_text(_REWRITING, encoding="utf-8")


_COLUMNS = ("run", "processor ms", "ratio")


def _in_turns(
    runs: Mapping[str, Callable[[], float]],
) -> tuple[tuple[object, ...], ...]:
    """Name, milliseconds of the processor, and ratio to the first, of each."""
    for run in runs.values():
        run()  # compiles what is kept
    seconds = [[run() for run in runs.values()] for _ in range(RUNS)]
    return tuple(
        (
            name,
            round(median(turn[at] for turn in seconds) * 1000),
            median(turn[at] / turn[0] for turn in seconds),
        )
        for at, name in enumerate(runs)
    )


def _seconds(site: Path, *options: str) -> float:
    """Of the processor, for a run of one empty test that keeps its bytecode."""
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": ""}
    environment["PYTHONPYCACHEPREFIX"] = str(site.parent / "kept")
    before = seconds_of_children()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_one.py").write_text(_PLAIN_TEST, encoding="utf-8")
        subprocess.run(
            [*_PYTEST, *options], check=True, capture_output=True, cwd=folder, env=environment
        )
    return seconds_of_children() - before
