"""How written code is laid out: by the tools that the project has for it."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ..errors import ReplicantError
from .locators import parsed_code

UNIT = "    "
_TOOLS = (
    ("ruff", "check", "-q", "--fix", "--select", "I", "--stdin-filename"),
    ("ruff", "format", "-q", "--stdin-filename"),
    ("isort", "-q", "--filename"),
    ("black", "-q", "--stdin-filename"),
)
"""What sorts imports and formats code, before the path and a dash for the text."""
_LONGEST = 20  # seconds: black, which is started each time, takes one or two


def formatted(before: str, after: str, path: Path | None) -> str:
    """The text of a file after a change, as each tool leaves it that would have left the text ``before``."""
    places = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    for name, *arguments in _TOOLS if path is not None else ():
        program = shutil.which(name, path=places)
        command = [program or "", *arguments, str(path), "-"]
        if program and (not before.strip() or _by(command, before) == before):
            after = _by(command, after) or after
    return after


def _by(command: Sequence[str], text: str) -> str:
    """The text as a formatter prints it, "" where it does not."""
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=_LONGEST, check=True)
        return done.stdout.decode()
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""


def laid_out(body: Sequence[str], indent: str, unit: str) -> list[str]:
    """The lines of a body, indented. Blocks in ``body`` are indented by fours, and by ``unit`` afterwards. The
    lines within a text of several lines stay. Raises ReplicantError for what is no Python."""
    tree = _parsed(body)
    inside = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr)
        for line in range(node.lineno + 1, (node.end_lineno or 0) + 1)
    }
    lines = [line if at in inside else _deeper(indent, line, unit) for at, line in enumerate(body, 1)]
    return lines if tree.body else [*lines, f"{indent}pass"]


def _parsed(body: Sequence[str]) -> ast.Module:
    if any(mark in line for line in body for mark in "\n\r\0"):
        raise ReplicantError("a step holds a line break, so no test was written. Next: report this as a bug")
    try:
        tree: ast.Module = parsed_code("\n".join(body))
        return tree
    except SyntaxError as error:
        raise ReplicantError(
            f"the steps are no Python ({error.msg}), so no test was written. Next: report this as a bug"
        ) from None


def _deeper(indent: str, line: str, unit: str) -> str:
    """A line that is indented by fours, as many units deeper."""
    code = line.lstrip(" ")
    depth, rest = divmod(len(line) - len(code), len(UNIT))
    return indent + unit * depth + " " * rest + code if code else ""
