"""An error of ours ends its traceback in the test: no module that it may come through shows its frames."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import pytest_replicant
from pytest_replicant.errors import is_told

PACKAGE = Path(pytest_replicant.__file__).parent
ROOMS = ("pool", "drivers/android")
BESIDE = ("drivers/translate.py", "virtual/profile.py", "virtual/serve.py")
PATHS = [
    *(path for room in ROOMS for path in sorted((PACKAGE / room).glob("*.py"))),
    *map(PACKAGE.joinpath, BESIDE),
]


def is_on_the_way(path: Path) -> bool:
    """Whether anything but a constructor runs in it."""
    found = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return any(isinstance(item, ast.FunctionDef) and item.name != "__init__" for item in found)


ON_THE_WAY = [path for path in PATHS if is_on_the_way(path)]


@pytest.mark.parametrize("path", ON_THE_WAY, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_frames_are_hidden_where_our_errors_come_through(path: Path) -> None:
    name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    module = importlib.import_module(f"pytest_replicant.{name}")
    assert getattr(module, "__tracebackhide__", None) is is_told


def test_both_rooms_are_looked_at() -> None:
    looked_at = {path.stem for path in ON_THE_WAY}
    assert looked_at > {"open", "uri", "attached", "warm", "link", "apps", "translate", "profile"}
    assert "role" not in looked_at
