"""A test file: its bytes, its text, where everything is in it, and what a change to it looks
like."""

from __future__ import annotations

import ast
import difflib
import io
import os
import re
import stat
import tokenize
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeGuard

from ..errors import UsageError
from ..kept_runs.whole_file import write_whole
from .locators import parsed_code

Block: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef"
Place: TypeAlias = "ast.stmt | ast.expr | ast.arg | ast.alias | ast.keyword"

UNIT = "    "
_NEWLINE = re.compile(r"\r\n?|\n")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class SourceFile(NamedTuple):
    """The text of a file with its own line ends, and how it is encoded."""

    text: str
    encoding: str


def read_source(path: Path) -> SourceFile:
    """A file of Python, such that ``write_source`` with its encoding gives the same bytes. Raises
    ``UsageError`` if it cannot be read or decoded, or would not come out the same."""
    try:
        data = path.read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
        same = text.encode(encoding) == data
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}. Next: another file") from None
    except (SyntaxError, ValueError, LookupError) as error:
        raise UsageError(
            f"{path} cannot be decoded: {error}; nothing was written. Next: save it as UTF-8"
        ) from None
    if not same:
        raise UsageError(
            f"{path}: its encoding {encoding} does not come out the same. Next: save it as UTF-8"
        )
    return SourceFile(text, encoding)


def newline_of(text: str) -> str:
    """How the first line of a text ends; "\\n" if none does."""
    found = _NEWLINE.search(text)
    return found[0] if found else "\n"


def write_source(path: Path, text: str, encoding: str = "utf-8") -> None:
    """Writes the file whole or not at all, with the permissions that it had, and folders that are
    missing. Of a link, the file that it leads to is written. Raises ``UsageError`` if that cannot
    be done."""
    try:
        data = text.encode(encoding)
    except UnicodeError as error:
        raise UsageError(
            f"{path} is {encoding}, which cannot hold this test: {error}. Next: save it as UTF-8"
        ) from None
    try:
        target = Path(os.path.realpath(path))
        if not target.exists():
            write_whole(target, data)
        elif os.access(target, os.W_OK):
            write_whole(target, data, stat.S_IMODE(target.stat().st_mode))
        else:
            raise UsageError(
                f"{path} is read-only; nothing was written. Next: chmod u+w, or another file"
            )
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{str(path)!r} cannot be written: {reason}. Next: another file") from None


def patch_of(path: str, before: str | None, after: str) -> str:
    """The change as a unified diff that ``git apply`` and ``patch -p1`` take; "" if nothing
    changes. ``path`` is relative to the folder that it is applied in. ``before`` is None for a new
    file. A name with a space ends in a tab, as git writes it."""
    name = path.replace(os.sep, "/") + ("\t" if " " in path else "")
    old = f"a/{name}" if before is not None else "/dev/null"
    texts = _LINE.findall(before or ""), _LINE.findall(after)
    lines = [*difflib.unified_diff(*texts, old, f"b/{name}")]
    for at, line in enumerate(lines):
        if not line.endswith("\n"):
            lines[at] = f"{line}\n\\ No newline at end of file\n"
    return "".join(lines)


class Splice(NamedTuple):
    start: int
    end: int
    text: str


def spliced(source: str, splices: Iterable[Splice]) -> str:
    """The text with each splice in place of what it covers; those at one place stay in order."""
    parts, at = [], 0
    for splice in sorted(splices, key=lambda each: each[:2]):
        parts += [source[at : splice.start], splice.text]
        at = splice.end
    return "".join((*parts, source[at:]))


class File:
    """The text of a file and where everything is in it. Lines are counted from 1."""

    def __init__(self, text: str, where: str) -> None:
        """Raises UsageError for no Python."""
        self.text, self.where = text, where
        self.starts = [0, *(each.end() for each in _NEWLINE.finditer(text))]
        self.newline = newline_of(text)
        try:
            self.tree: ast.Module = parsed_code(text, compiles=True)
        except SyntaxError as error:
            raise UsageError(
                f"{where}:{error.lineno or 1}: cannot be edited: {error.msg}. Next: fix it, or "
                "save to a new file"
            ) from None

    @property
    def unit(self) -> str:
        """By what the first block of the file is indented."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.stmt) and self.has_block(node):
                inner = self.indent_of(self.first_of(node.body[0]))
                return inner.removeprefix(self.indent_of(node.lineno))
        return UNIT

    @property
    def has_docstring(self) -> bool:
        return ast.get_docstring(self.tree, clean=False) is not None

    def line(self, number: int) -> str:
        """The text of a line, without its end."""
        return self.text[self.starts[number - 1] : self.start_of(number + 1)].rstrip("\r\n")

    def start_of(self, line: int) -> int:
        """Where a line begins; the end of the text for one after the last."""
        return self.starts[line - 1] if line <= len(self.starts) else len(self.text)

    def span(self, node: Place) -> tuple[int, int]:
        """Where a node begins and ends in the text."""
        end = self._place(self.last_of(node), node.end_col_offset or node.col_offset)
        return self._place(node.lineno, node.col_offset), end

    def _place(self, line: int, column: int) -> int:
        """``column`` is in bytes of UTF-8."""
        return self.starts[line - 1] + len(self.line(line).encode()[:column].decode())

    def first_of(self, node: ast.stmt) -> int:
        """The line that a statement begins on, its decorators included."""
        decorators = getattr(node, "decorator_list", ())
        return int(decorators[0].lineno) if decorators else node.lineno

    def last_of(self, node: Place) -> int:
        """The line that a node ends on."""
        return node.end_lineno or node.lineno

    def leads(self, node: ast.stmt) -> bool:
        """Whether nothing stands before a statement on its line."""
        return not self.line(node.lineno).encode()[: node.col_offset].strip()

    def has_block(self, node: ast.stmt) -> TypeGuard[Block]:
        """Whether the body of a statement has lines of its own."""
        body: list[ast.stmt] = getattr(node, "body", [])
        return bool(body) and self.leads(body[0])

    def indent_of(self, line: int) -> str:
        """What a line begins with."""
        text = self.line(line)
        return text[: len(text) - len(text.lstrip())]

    def before(self, line: int, lines: Iterable[str]) -> Splice:
        """These lines before that one."""
        at = self.start_of(line)
        return Splice(at, at, "".join(each + self.newline for each in lines))

    def gap(self, line: int, wanted: int) -> list[str]:
        """The empty lines that are missing before a line."""
        there = 0
        while there < wanted and line - there > 1 and not self.line(line - there - 1).strip():
            there += 1
        return [""] * (wanted - there)

    def comments_above(self, line: int) -> int:
        """The first line of the comment that is right above a line; that line if there is none."""
        while line > 1 and (above := self.line(line - 1)).startswith("#"):
            if line < 4 and re.match(r"#!|#.*?coding[:=]", above):
                break
            line -= 1
        return line

    def error(self, node: ast.AST | int, what: str, step: str) -> UsageError:
        """Something at a place of this file that stands in the way."""
        line = node if isinstance(node, int) else getattr(node, "lineno", 1)
        return UsageError(f"{self.where}:{line}: {what}; nothing was written. Next: {step}")
