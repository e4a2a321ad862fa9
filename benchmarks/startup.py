"""What the plugin costs a run that uses no phone, and what a test with one costs if no bytecode is kept."""

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
PHONE_RUNS = 3  # each takes seconds
COMMAND = "python -m benchmarks startup"
_OTHERS = {one.name for one in entry_points(group="pytest11")} - {"replicant", "allure_pytest"}
_BLOCKED = (word for name in sorted(_OTHERS) for word in ("-p", f"no:{name}"))
_PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *_BLOCKED)
_OURS, _ALLURE, _REWRITTEN = ("-p", "no:replicant"), ("-p", "no:allure_pytest"), ("-p", "rewritten")
_PLAIN_TEST = "def test_plain():\n    pass\n"
_PHONE_TEST = """def test_phone(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
"""
# Loaded before the plugin: pytest goes on to rewrite the package, as it does with any that has a plugin.
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


def measure() -> list[Table]:
    with tempfile.TemporaryDirectory() as folder:
        compiled, bare = Path(folder, "compiled"), Path(folder, "bare")
        install(compiled)
        install(bare)
        compileall.compile_dir(compiled, quiet=1)
        return [_without_phones(compiled), _without_bytecode(compiled, bare)]


def install(folder: Path) -> None:
    """Puts the package there as a wheel does, without bytecode; with that folder on ``PYTHONPATH`` it is found
    before any other. A plugin beside it, ``rewritten``, lets pytest rewrite its assertions."""
    package = Path(__file__).parents[1] / "pytest_replicant"
    shutil.copytree(package, folder / "pytest_replicant", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pytest_replicant-0.dist-info").mkdir()
    for name, text in _DISTRIBUTION.items():
        (folder / "pytest_replicant-0.dist-info" / name).write_text(text, encoding="utf-8")
    (folder / "rewritten.py").write_text(_REWRITING, encoding="utf-8")


def _without_phones(site: Path) -> Table:
    run = partial(_seconds, site, _PLAIN_TEST, kept=True)
    runs = {
        "pytest alone": partial(run, *_OURS, *_ALLURE),
        "with allure-pytest": partial(run, *_OURS),
        "with pytest-replicant": partial(run, *_ALLURE),
        "with both, as installed": run,
    }
    note = f"One empty test, {RUNS} runs of each in turns, bytecode kept, no other plugin. Figures are medians."
    return Table("startup", "A run without phones", COMMAND, _COLUMNS, _in_turns(runs, RUNS), note)


def _without_bytecode(compiled: Path, bare: Path) -> Table:
    runs = {
        "kept from run to run": partial(_seconds, compiled, _PHONE_TEST, kept=True),
        "of the installation alone": partial(_seconds, compiled, _PHONE_TEST),
        "of the installation alone, assertions rewritten": partial(_seconds, compiled, _PHONE_TEST, *_REWRITTEN),
        "none of ours": partial(_seconds, bare, _PHONE_TEST),
        "none of ours, assertions rewritten": partial(_seconds, bare, _PHONE_TEST, *_REWRITTEN),
    }
    note = (
        f"One passing test on the virtual phone, {PHONE_RUNS} runs of each in turns. Only a run that keeps "
        "bytecode would rewrite assertions once; every other one, and each worker, would do it again."
    )
    columns = ("bytecode", *_COLUMNS[1:])
    return Table("bytecode", "A test without bytecode", COMMAND, columns, _in_turns(runs, PHONE_RUNS), note)


_COLUMNS = ("run", "processor ms", "ratio")


def _in_turns(runs: Mapping[str, Callable[[], float]], turns: int) -> tuple[tuple[object, ...], ...]:
    """Name, milliseconds of the processor, and ratio to the first, of each."""
    for run in runs.values():
        run()  # compiles what is kept
    seconds = [[run() for run in runs.values()] for _ in range(turns)]
    return tuple(
        (name, round(median(turn[at] for turn in seconds) * 1000), median(turn[at] / turn[0] for turn in seconds))
        for at, name in enumerate(runs)
    )


def _seconds(site: Path, test: str, *options: str, kept: bool = False) -> float:
    """Of the processor; what is kept is kept apart."""
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    if kept:
        environment |= {"PYTHONPYCACHEPREFIX": str(site.parent / "kept"), "PYTHONDONTWRITEBYTECODE": ""}
    before = seconds_of_children()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_one.py").write_text(test, encoding="utf-8")
        subprocess.run([*_PYTEST, *options], check=True, capture_output=True, cwd=folder, env=environment)
    return seconds_of_children() - before
