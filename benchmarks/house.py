"""What the house costs those who live in it: files, lines, names, settings; on request the time of its targets.

``python -m benchmarks house`` counts; ``python -m benchmarks house --time test`` also runs ``make test``. The
counts are a ratchet: a test compares them with ``ceilings.json``, which is lowered, or raised knowingly.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from .table import Table

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "pytest_replicant"
CEILINGS = Path(__file__).parent / "ceilings.json"
COMMAND = "python -m benchmarks house"
DIALECT = re.compile(r"\b(?:told|anew|mend(?:s|ed|ing|able)?|nobody|what is)\b", re.IGNORECASE)
INNER = re.compile(r"^\s*(?:from|import) pytest_replicant\.(?!testing\.virtual\b)\w+\.\w+", re.MULTILINE)


def _code() -> Iterator[str]:
    """The files of the package, apart from the virtual phone."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] != "virtual":
            yield path.read_text(encoding="utf-8")


def _prose() -> Iterator[str]:
    """All that a reader of the project reads: the package, its documents."""
    for path in (*PACKAGE.rglob("*.py"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")):
        if path.name != "CHANGELOG.md":
            yield path.read_text(encoding="utf-8")


def _tests() -> Iterator[str]:
    for path in (ROOT / "tests").rglob("*.py"):
        yield path.read_text(encoding="utf-8")


def _public_names() -> int:
    import pytest_replicant
    from pytest_replicant import testing

    return len(pytest_replicant.__all__) + len(testing.__all__)


def _options() -> int:
    from pytest_replicant.options import SETTINGS

    return sum(one.option is not None and not one.mode for one in SETTINGS)


def _keys() -> int:
    from pytest_replicant.options import SETTINGS

    return sum(one.key for one in SETTINGS)


COUNTS: Mapping[str, Callable[[], int]] = {
    "files of the package, virtual phone apart": lambda: sum(1 for _ in _code()),
    "lines of these files": lambda: sum(len(text.splitlines()) for text in _code()),
    "public names": _public_names,
    "options that are no mode": _options,
    "ini keys": _keys,
    "imports of tests into inner modules": lambda: sum(len(INNER.findall(text)) for text in _tests()),
    "words of a private dialect": lambda: sum(len(DIALECT.findall(text)) for text in _prose()),
}


def ceilings() -> dict[str, int]:
    """What each count may come to at most."""
    allowed: dict[str, int] = json.loads(CEILINGS.read_text(encoding="utf-8"))
    return allowed


def measure() -> Table:
    allowed = ceilings()
    rows = tuple((name, count(), allowed[name]) for name, count in COUNTS.items())
    return Table("house", "The house", COMMAND, ("what", "now", "at most"), rows)


def alone(options: list[str]) -> list[Table]:
    """With ``--time TARGET`` the seconds of ``make TARGET`` too, by the clock and of all processors together."""
    parser = argparse.ArgumentParser(prog=COMMAND)
    parser.add_argument("--time", action="append", default=[], metavar="TARGET", help="a target of the Makefile")
    targets: list[str] = parser.parse_args(options).time
    rows = tuple((f"make {target}", *_timed(target)) for target in targets)
    columns = ("target", "exit code", "seconds", "processor seconds")
    return [measure(), Table("targets", "Targets", f"{COMMAND} --time TARGET", columns, rows)]


def _timed(target: str) -> tuple[int, float, float]:
    began, used = time.monotonic(), _processor_seconds()
    code = subprocess.run(["make", *target.split()], cwd=ROOT, check=False).returncode
    return code, round(time.monotonic() - began, 1), round(_processor_seconds() - used, 1)


def _processor_seconds() -> float:
    """Of all that this process has started and waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
