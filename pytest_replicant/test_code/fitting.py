"""What a project has already: its fixtures, states, page objects and functions that do what was recorded.

Files are parsed and never imported. Only what is surely the same fits: a straight list of the same calls.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .project_files import files_near, plain_step
from .routines import HOLE, PHONE, Routine, routines_of


@dataclass(frozen=True)
class Fit:
    """Steps ``first`` to ``last``, counted from 0, both included, can be ``code``: "" for a fixture, which the
    test asks for by ``arguments``. ``imports`` are the statements that the code needs, ``source`` is its
    FILE:LINE."""

    first: int
    last: int
    code: str
    arguments: tuple[str, ...]
    imports: tuple[str, ...]
    source: str


def fits(steps: Sequence[str], root: Path, near: Path) -> list[Fit]:
    """The parts of the recorded steps that the project has a name for: the longest first, none overlapping.

    ``steps`` are calls on ``mobile``, checks included; ``near`` is the file that the test goes to, there or not.
    Looked at are its fixtures and functions, the fixtures of ``conftest.py`` in its folder and those above up to
    ``root``, and functions and page objects of modules that it can import. A fixture stands for the first steps
    only. Where two fit the same steps, neither is chosen. Steps that an ``autouse`` fixture does as well are left.
    """
    wanted = [plain_step(code) for code in steps]
    actions = {node.attr for step in wanted if step for node in ast.walk(step) if isinstance(node, ast.Attribute)}
    if not actions:
        return []
    root = root.resolve()
    files = files_near(root, near.resolve(), actions)
    found = [
        fit
        for routine in routines_of(files)
        for first in range(1 if routine.fixture else len(steps))
        if (fit := _fit(routine, wanted, steps, first, root)) is not None
    ]
    return _chosen(found)


def _chosen(found: Sequence[Fit]) -> list[Fit]:
    """The longest fits, the first of those that overlap. What two fit equally stays, and so does what is
    within."""
    spans: dict[tuple[int, int], list[Fit]] = {}
    for each in found:
        spans.setdefault((each.first, each.last), []).append(each)
    taken: set[int] = set()
    chosen = []
    for (first, last), those in sorted(spans.items(), key=lambda item: (item[0][0] - item[0][1], item[0])):
        if taken.isdisjoint(range(first, last + 1)):
            taken.update(range(first, last + 1))
            chosen += those if len(those) == 1 else []
    return chosen


def _fit(
    routine: Routine, wanted: Sequence[ast.expr | None], steps: Sequence[str], first: int, root: Path
) -> Fit | None:
    """The routine in place of the steps from ``first`` on, where they are its calls."""
    last = first + len(routine.calls) - 1
    if last >= len(steps):
        return None
    values: dict[str, str] = {}
    for call, step, code in zip(routine.calls, wanted[first:], steps[first:], strict=False):
        if not _same(call, step, code, values):
            return None
    if not routine.optional.union(values).issuperset(routine.parameters):
        return None  # a value that shows in no step
    path = routine.path
    source = f"{path.relative_to(root).as_posix() if root in path.parents else path}:{routine.line}"
    if routine.fixture:
        return Fit(first, last, "", (routine.fixture,), (), source)
    given = [routine.phone, *(f"{name}={values[name]}" for name in routine.parameters if name in values)]
    code = f"{routine.callee}({', '.join(filter(None, given))})"
    return Fit(first, last, code, (), routine.imports, source)


def _same(pattern: object, value: object, code: str, values: dict[str, str]) -> bool:
    """Whether a step, or a part of it, is that of a routine. What stands in place of a parameter is its value,
    which must be one and the same."""
    if isinstance(pattern, ast.Name) and pattern.id.startswith(HOLE):
        if not isinstance(value, ast.expr) or any(getattr(each, "id", "") == PHONE for each in ast.walk(value)):
            return False  # what the phone is asked for depends on when
        text = ast.get_source_segment(code, value) or ""
        return bool(text) and values.setdefault(pattern.id.removeprefix(HOLE), text) == text
    if type(pattern) is not type(value):
        return False
    if isinstance(pattern, list) and isinstance(value, list):
        pairs = zip(pattern, value, strict=False)
        return len(pattern) == len(value) and all(_same(one, other, code, values) for one, other in pairs)
    if isinstance(pattern, ast.AST):
        return all(
            _same(getattr(pattern, name, None), getattr(value, name, None), code, values)
            for name in pattern._fields
            if name not in ("ctx", "kind")
        )
    return pattern == value
