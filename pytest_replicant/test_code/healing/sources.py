"""The files of tests that a report names, and the literals of locators in them: where one stands,
and its keywords changed, nothing else.

Source files are parsed and never run. They lie below one folder, and stand as they did when the
report was made.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from ...cassettes import between
from ...errors import UsageError, how_to_install
from ...kept_runs import file_and_line
from ...model import MASK, Selector, verb_of
from ..locators import LARGEST_FILE, NARROWING, name_of, parsed_code, said_by
from .refusal import Refusal

_NO_NAME = r'^/|(?:^|/)\.\.(?:/|$)|[\x00-\x1f\x7f"\\]'
"""What may lead out of the folder, and what git would quote in the header of a patch."""
_MAKERS = ("by", "locator")
_MARK = "\ufeff".encode()  # of the byte order


class Sources:
    """Files below ``root``, the folder in which the tests were run, each read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._read: dict[str, Source] = {}

    def at(self, where: str, text: str) -> tuple[Source, int]:
        """The file and the line of ``"tests/test_shop.py:18"``, which has to say what was recorded,
        ``text``. Raises ``Refusal``."""
        found = file_and_line(where)
        if not found:
            raise Refusal("no source", "the report does not say which line of the test this is")
        name, line = found
        source = self.read(name)
        # secrets in it were masked when it was recorded
        if not text or between(text.strip().split(MASK), source.line(line)) is None:
            raise Refusal(
                "source changed", f"{name}:{line} no longer says what it said when the test ran"
            )
        return source, line

    def read(self, name: str) -> Source:
        """Raises ``Refusal`` for a name that leads out of the folder, and for a file that cannot be
        read."""
        if name in self._read:
            return self._read[name]
        path = PurePosixPath(name)
        if path.suffix != ".py" or re.search(_NO_NAME, name):
            raise Refusal("no source", f"{name!r} is no file of tests in {self.root}")
        file = self.root / path
        try:
            if not (file.is_file() and file.resolve().is_relative_to(self.root.resolve())):
                raise Refusal("no source", f"{name} is not in {self.root}")
            with file.open("rb") as opened:
                data = opened.read(LARGEST_FILE + 1)
        except (OSError, ValueError) as error:
            raise Refusal(
                "no source", f"{name}: {getattr(error, 'strerror', None) or error}"
            ) from None
        if len(data) > LARGEST_FILE:
            raise Refusal("no source", f"{name} is larger than {LARGEST_FILE // 1_000_000} MB")
        self._read[name] = Source(data, name)
        return self._read[name]


@dataclass(frozen=True)
class Literal:
    """``call`` holds the keywords that describe an element; ``name`` is the constant that it is
    assigned to, "" if it stands in the call itself."""

    call: ast.Call
    selector: Selector
    name: str = ""

    @property
    def place(self) -> tuple[int, int]:
        """Line and column of its end: which one of its file it is."""
        return self.call.end_lineno or 0, self.call.end_col_offset or 0

    @property
    def line(self) -> int:
        return _line_of(self.call)


class Source:
    """One file of tests. Raises ``Refusal`` if it is no Python in UTF-8."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        self.name = name
        try:
            self._text = data.removeprefix(_MARK).decode("utf-8")
            self.tree: ast.Module = parsed_code(self._text, compiles=True)
        except (UnicodeError, SyntaxError) as error:
            why = type(error).__name__
            raise Refusal("no literal", f"{name} is no Python in UTF-8: {why}") from None

    @cached_property
    def _lines(self) -> list[str]:
        return re.split(r"\r\n?|\n", self._text)

    def line(self, number: int) -> str:
        """As a trace records it, without indentation; "" if the file has no such line."""
        return self._lines[number - 1].strip() if 0 < number <= len(self._lines) else ""

    # --- finding ----------------------------------------------------------------------------------
    def literal_at(self, line: int, selector: Selector) -> Literal:
        """The literal of ``selector`` that the action on that line uses. Raises ``Refusal``."""
        found: dict[tuple[int, int], Literal] = {}
        for call in _calls(self.tree):
            if _line_of(call) == line and not _is_check(call):
                for each in self._used_by(call):
                    if each.selector == selector:
                        found[each.place] = each
        if not found:
            why = (
                f"{self.name}:{line} does not write {selector}, nor names a constant of this file "
                "that does"
            )
            raise Refusal("no literal", why)
        if len(found) > 1:
            raise Refusal("no literal", f"{self.name}:{line} has that locator {len(found)} times")
        (literal,) = found.values()
        if literal.name:
            self._refuse_checks_of(literal.name)
        return literal

    def _used_by(self, call: ast.Call) -> Iterator[Literal]:
        """The keywords of a call, the ``by(...)`` it is given, what it is called on, and constants
        for either."""
        if own := said_by(call):
            yield Literal(call, own)
        parts = [*call.args, *(each.value for each in call.keywords if each.arg == "target")]
        if isinstance(call.func, ast.Attribute):
            parts.append(call.func.value)
        for part in parts:
            yield from _made(part)
            if name := name_of(part):
                yield from self._constant(name, is_attribute=isinstance(part, ast.Attribute))

    def _constant(self, name: str, *, is_attribute: bool) -> Iterator[Literal]:
        """What a name stands for, if it is bound once in the whole file; an attribute, if that is
        one of an object or a class, to which an argument or a local variable of the same name is
        nothing."""
        values = dict(_assignments(self.tree))
        apart = _names_in_functions(self.tree) if is_attribute else set()
        bound = [
            node
            for node in ast.walk(self.tree)
            if _bound(node, is_attribute) == name
            and node not in apart
            and values.get(node, node) is not None
        ]
        if len(bound) == 1:
            yield from _made(values.get(bound[0]), name)

    def _refuse_checks_of(self, name: str) -> None:
        for call in _calls(self.tree):
            given = [*call.args, *(each.value for each in call.keywords)]
            if _is_check(call) and (
                name in _asked(call) or any(_has_name(each, name) for each in given)
            ):
                self._refuse(name, _line_of(call))
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assert) and _has_name(node, name):
                self._refuse(name, node.lineno)

    def _refuse(self, name: str, line: int) -> None:
        raise Refusal("claim", f"{name} is what the expectation at {self.name}:{line} claims, too")

    # --- changing ---------------------------------------------------------------------------------
    def changed(
        self, literal: Literal, selector: Selector, also: Mapping[Literal, Selector] | None = None
    ) -> bytes:
        """The file with that selector in place of the literal's, and those of ``also`` in theirs.
        Raises ``Refusal`` where that cannot be done, and ``UsageError`` without the extra
        ``[edit]``."""
        try:
            from .changing import with_keywords
        except ImportError:
            raise UsageError(
                f"changing code needs libcst. Next: {how_to_install('edit')}"
            ) from None
        wanted = {
            self._end(one): (one.selector, new)
            for one, new in {**(also or {}), literal: selector}.items()
        }
        try:
            text = with_keywords(self._text, wanted)
        except ValueError as error:
            raise Refusal("no literal", f"{error} at {self.name}:{literal.line}") from None
        return self.data[: -len(self._text.encode())] + text.encode()

    def _end(self, literal: Literal) -> tuple[int, int]:
        """Its line and column in characters; in the tree a column is in bytes."""
        line, column = literal.place
        return line, len(self._lines[line - 1].encode()[:column].decode())


def _calls(tree: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _line_of(call: ast.Call) -> int:
    """As a traceback counts it: of a chain over several lines, the line of its own name."""
    return call.func.end_lineno or call.lineno


def _made(node: ast.expr | None, name: str = "") -> Iterator[Literal]:
    """A ``by(...)``."""
    if isinstance(node, ast.Call) and name_of(node.func) in _MAKERS:
        selector = said_by(node)
        if selector:
            yield Literal(node, selector, name)


def _is_check(call: ast.Call) -> bool:
    return name_of(call.func) == "soft" or verb_of(name_of(call.func)).kind == "check"


def _has_name(node: ast.AST, name: str) -> bool:
    return any(name_of(one) == name for one in ast.walk(node))


def _asked(call: ast.Call) -> Iterator[str]:
    """The names that a call is made on, narrowed or not. What an action on one of them returns is
    none."""
    node = call.func
    while isinstance(node, (ast.Attribute, ast.Call)):
        if isinstance(node, ast.Call):
            if name_of(node.func) not in NARROWING:
                return
            node = node.func
        else:
            yield node.attr
            node = node.value
    yield name_of(node)


def _bound(node: ast.AST, is_attribute: bool) -> str:
    """The name that a node binds, "" for none."""
    if isinstance(node, ast.Name) or (is_attribute and isinstance(node, ast.Attribute)):
        return "" if isinstance(node.ctx, ast.Load) else name_of(node)
    if isinstance(node, ast.arg) and not is_attribute:
        return node.arg
    if isinstance(node, ast.alias) and not is_attribute:
        return node.asname or node.name
    return ""


def _names_in_functions(tree: ast.AST) -> set[ast.AST]:
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.update(one for one in ast.walk(node) if isinstance(one, ast.Name))
    return found


def _assignments(tree: ast.AST) -> Iterator[tuple[ast.AST, ast.expr | None]]:
    """Those to one target; of a mere annotation without a value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            yield node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign):
            yield node.target, node.value
