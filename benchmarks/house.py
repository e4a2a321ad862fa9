"""What the house costs those who live in it: code, names, settings.

``python -m benchmarks house`` counts. A test compares the counts with ``ceilings.json``. A ceiling is lowered if there is less
now, and raised only on purpose.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.architecture.source_tree import arrows

from .processes import ROOT
from .table import Table
from .weighing import complexities, docstrings, folder_tokens, foreign_attributes, form, tokens

CEILINGS = Path(__file__).parent / "ceilings.json"
COMMAND = "python -m benchmarks house"
COMPLEX = 11  # branches and one: a function that is not read in one go
MOST_COMPLEX = 12  # branches and one: what a reader holds in mind
DIALECT = re.compile(r"\b(?:told|anew|mend(?:s|ed|ing|able)?|nobody|what is)\b", re.IGNORECASE)
INNER = re.compile(
    r"^\s*(?:from|import) pytest_replicant\.(?!testing\.virtual\b)\w+\.\w+", re.MULTILINE
)


def counts(root: Path = ROOT) -> dict[str, float]:
    """What the checkout at ``root`` comes to, by the names of ``ceilings.json``; form is that of
    the package without the virtual phone."""
    package, virtual = root / "pytest_replicant", root / "pytest_replicant" / "virtual"
    texts = [
        path.read_text(encoding="utf-8")
        for path in package.rglob("*.py")
        if virtual not in path.parents
    ]
    trees = [ast.parse(text) for text in texts]
    weight = sum(map(tokens, texts))
    branches = [one for tree in trees for one in complexities(tree)]
    dense: Counter[str] = sum(map(form, trees), Counter())
    said = "\n".join(text for tree in trees for text in docstrings(tree))
    assets = (path for kind in ("js", "css", "html") for path in package.rglob(f"*.{kind}"))
    pages = [root / "README.md", *(root / "docs").rglob("*.md")]
    return {
        "code tokens of the package, virtual phone apart": weight,
        "code tokens of the virtual phone": folder_tokens(virtual),
        "code tokens of the tests": folder_tokens(root / "tests"),
        "code tokens of the benchmarks": folder_tokens(root / "benchmarks"),
        "lines of page assets": sum(map(_lines, assets)),
        "words of documents": sum(len(path.read_text(encoding="utf-8").split()) for path in pages),
        "folders at the root of the package": len(list(package.glob("*/__init__.py"))),
        "files at the root of the package": len(list(package.glob("*.py"))),
        "arrows between rooms": len(arrows(package)),
        "lines of the package's longest file": max(map(_lines, package.rglob("*.py"))),
        "conditional expressions in 1,000 tokens": _of_thousand(dense["conditional"], weight),
        "comprehensions in 1,000 tokens": _of_thousand(dense["comprehensions"], weight),
        "conditions of three or more parts in 1,000 tokens": _of_thousand(dense["long"], weight),
        "functions of complexity 11 or more, in 1,000": _of_thousand(
            sum(one >= COMPLEX for one in branches), len(branches)
        ),
        "functions of complexity above 12": sum(one > MOST_COMPLEX for one in branches),
        "where to one if in docstrings": round(
            _times("where", said) / max(_times("if", said), 1), 2
        ),
        "assignments to attributes of another object": sum(map(foreign_attributes, trees)),
        **_settings(),
        "imports of tests into inner modules": _found(INNER, (root / "tests").rglob("*.py")),
        "words of a private dialect": _found(DIALECT, [*package.rglob("*.py"), *_documents(root)]),
    }


def _times(word: str, text: str) -> int:
    return len(re.findall(rf"\b{word}\b", text, re.I))


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def _of_thousand(part: int, whole: int) -> float:
    return round(1000 * part / max(whole, 1), 2)


def _settings() -> dict[str, int]:
    """What the package that is imported shows to a user."""
    import pytest_replicant
    from pytest_replicant import testing
    from pytest_replicant.options import SETTINGS

    return {
        "public names": len(pytest_replicant.__all__) + len(testing.__all__),
        "options that are no mode": sum(one.flag != "" and not one.mode for one in SETTINGS),
        "ini keys": sum(not one.mode for one in SETTINGS),
    }


def _found(pattern: re.Pattern[str], files: Iterable[Path]) -> int:
    return sum(len(pattern.findall(path.read_text(encoding="utf-8"))) for path in files)


def _documents(root: Path) -> Iterator[Path]:
    """What a reader of the project reads apart from code; a change log quotes what was."""
    yield from (root / "docs").rglob("*.md")
    yield from (path for path in root.glob("*.md") if path.name != "CHANGELOG.md")


def ceilings() -> dict[str, tuple[float, str]]:
    """What each count may come to at most, and why there is a ceiling."""
    read: dict[str, dict[str, Any]] = json.loads(CEILINGS.read_text(encoding="utf-8"))
    return {name: (one["at most"], one["reason"]) for name, one in read.items()}


def above(now: Mapping[str, float]) -> dict[str, float]:
    """The counts that are above their ceilings, and those without one."""
    allowed = ceilings()
    return {
        name: count
        for name, count in now.items()
        if name not in allowed or count > allowed[name][0]
    }


def measure() -> Table:
    allowed = ceilings()
    rows = tuple((name, count, *allowed[name]) for name, count in counts().items())
    return Table("house", "The house", COMMAND, ("what", "now", "at most", "reason"), rows)
