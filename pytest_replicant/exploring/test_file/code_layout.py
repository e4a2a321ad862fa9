"""How written code is laid out: long calls wrapped and imports sorted as ruff and black would leave them."""

from __future__ import annotations

import ast
import importlib
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import ReplicantError
from ...reporting.written_locators import parsed_code

UNIT = "    "
_DEFAULT_WIDTH, _WIDEST = 88, 320
_ROOT_FILES = ("pyproject.toml", "ruff.toml", ".ruff.toml", "pytest.ini", "tox.ini", "setup.cfg", ".git")


@dataclass(frozen=True)
class Style:
    """How the project around a file writes its code: the longest line, in characters, and the folders whose
    modules are the project's own."""

    width: int = _DEFAULT_WIDTH
    own: tuple[Path, ...] = ()

    def section(self, module: str) -> int:
        """The block that an import belongs to: 0 future, 1 standard library, 2 third party, 3 own, 4 relative."""
        top = module.partition(".")[0]
        if not top:
            return 4
        if top == "__future__":
            return 0
        if top in sys.stdlib_module_names:
            return 1
        found = any((folder / top).is_dir() or (folder / f"{top}.py").is_file() for folder in self.own)
        return 3 if found else 2


def style_of(path: Path | None) -> Style:
    """The style for a file, by the nearest configuration of ruff or black in its folder or above it."""
    if path is None:
        return Style()
    folders = path.absolute().parents
    root = next((each for each in folders if any((each / name).exists() for name in _ROOT_FILES)), folders[0])
    return Style(
        next((width for each in folders if (width := _width(each))), _DEFAULT_WIDTH), (root, root / "src")
    )


def _width(folder: Path) -> int:
    """The line length that a folder's configuration sets; 0 where it configures no formatter."""
    for name in (".ruff.toml", "ruff.toml"):
        if (table := _toml(folder / name)) is not None:
            return _length(table)
    tool = (_toml(folder / "pyproject.toml") or {}).get("tool")
    for name in ("ruff", "black"):
        if isinstance(tool, dict) and isinstance(table := tool.get(name), dict):
            return _length(table)
    return 0


def _toml(path: Path) -> dict[str, Any] | None:
    tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")  # which pytest needs
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return table


def _length(table: dict[str, Any]) -> int:
    value = table.get("line-length")
    return value if type(value) is int and 0 < value <= _WIDEST else _DEFAULT_WIDTH


@dataclass(frozen=True)
class Import:
    """One imported name: ``import module as alias``, or ``from module import name as alias``."""

    module: str
    name: str = ""
    alias: str = ""

    @property
    def bound(self) -> str:
        """The name that the module has afterwards."""
        return self.alias or self.name or self.module.partition(".")[0]

    @property
    def item(self) -> str:
        """The name as the list of a from-import has it."""
        return f"{self.name} as {self.alias}" if self.alias else self.name

    @property
    def order(self) -> tuple[bool, str]:
        """Plain imports come first within a block, then from-imports, each by module."""
        return (bool(self.name), self.module.casefold())

    def is_in(self, other: Import) -> bool:
        """Whether ``other`` binds the same name to the same thing."""
        if (self.name, self.alias) != (other.name, other.alias):
            return False
        above = not (self.alias and not self.name)  # `import a.b` binds a; `import a.b as c` is no `import a as c`
        return other.module == self.module or (above and other.module.startswith(self.module + "."))


def imports_in(tree: ast.AST) -> tuple[Import, ...]:
    """What an import statement binds; nothing for any other statement."""
    if isinstance(tree, ast.Import):
        return tuple(Import(each.name, "", each.asname or "") for each in tree.names)
    if isinstance(tree, ast.ImportFrom):
        module = "." * tree.level + (tree.module or "")
        return tuple(Import(module, each.name, each.asname or "") for each in tree.names)
    return ()


def imports_of(lines: Iterable[str]) -> list[Import]:
    """The imports of these statements, each once. Raises ReplicantError for whatever is no import."""
    found: dict[Import, None] = {}
    for line in lines:
        try:
            statements = parsed_code(line).body
        except SyntaxError:
            statements = []
        if not statements or not all(map(imports_in, statements)):
            raise ReplicantError(f"{line!r} is no import, so no test was written. Next: report this as a bug")
        found.update(dict.fromkeys(one for each in statements for one in imports_in(each)))
    return list(found)


def item_order(item: str) -> tuple[int, str, str]:
    """Where a name stands in a from-import: constants, then classes, then the rest."""
    name = item.partition(" ")[0]
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return (kind, name.casefold(), item)


def statements_of(imports: Iterable[Import], width: int) -> list[tuple[Import, list[str]]]:
    """One statement for each module, in order: its first import, and its lines."""
    modules: dict[tuple[bool, str, str], list[Import]] = {}
    for one in imports:
        modules.setdefault((bool(one.name), one.module, "" if one.name else one.alias), []).append(one)
    statements = []
    for names in sorted(modules.values(), key=lambda names: names[0].order):
        first = names[0]
        if first.name:
            statements.append((first, from_import(first.module, [one.item for one in names], width)))
        else:
            statements.append((first, [f"import {first.module}" + (f" as {first.alias}" if first.alias else "")]))
    return statements


def from_import(module: str, items: Iterable[str], width: int) -> list[str]:
    """The lines of one from-import, on several where one is too long."""
    items = sorted(items, key=item_order)
    line = f"from {module} import {', '.join(items)}"
    if len(line) <= width:
        return [line]
    return [f"from {module} import (", *(f"{UNIT}{item}," for item in items), ")"]


def sections_of(imports: Iterable[Import], style: Style) -> dict[int, list[tuple[Import, list[str]]]]:
    """The statements of each block, blocks in order."""
    sections: dict[int, list[tuple[Import, list[str]]]] = {}
    for first, lines in statements_of(imports, style.width):
        sections.setdefault(style.section(first.module), []).append((first, lines))
    return dict(sorted(sections.items()))


@dataclass(frozen=True)
class _Brackets:
    """A call's arguments or a display's members: what may be broken over several lines."""

    opening: str
    closing: str
    members: tuple[Pieces, ...] = field(default_factory=tuple)

    @property
    def flat(self) -> str:
        return self.opening + ", ".join(map(_flat, self.members)) + self.closing


Pieces = tuple["str | _Brackets", ...]


def _flat(pieces: Pieces) -> str:
    return "".join(each if isinstance(each, str) else each.flat for each in pieces)


def _pieces(node: ast.expr | ast.keyword, source: str) -> Pieces:
    if isinstance(node, ast.keyword):
        return (f"{node.arg}=" if node.arg else "**", *_pieces(node.value, source))
    if isinstance(node, ast.Call):
        given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        members = tuple(_pieces(each, source) for each in given)
        return (*_pieces(node.func, source), _Brackets("(", ")", members) if members else "()")
    if isinstance(node, ast.Attribute):
        return (*_pieces(node.value, source), f".{node.attr}")
    if isinstance(node, ast.List) and node.elts:
        return (_Brackets("[", "]", tuple(_pieces(each, source) for each in node.elts)),)
    return (ast.get_source_segment(source, node) or ast.unparse(node),)


def _broken(pieces: Pieces, indent: str, width: int, tail: str = "") -> list[str]:
    """The lines of an expression, broken where it must be, from left to right. ``tail`` follows it."""
    lines = [indent]
    for place, piece in enumerate(pieces):
        if isinstance(piece, str):
            lines[-1] += piece
            continue
        rest = pieces[place + 1 :]
        stop = next((i for i, each in enumerate(rest) if not isinstance(each, str)), len(rest))
        after = _flat(rest[:stop]) + (rest[stop].opening if stop < len(rest) else tail)  # type: ignore[union-attr]
        if columns(lines[-1] + piece.flat + after) <= width:
            lines[-1] += piece.flat
            continue
        lines[-1] += piece.opening
        lines += _members(piece, indent + UNIT, width)
        lines.append(indent + piece.closing)
    lines[-1] += tail
    return lines


def _members(brackets: _Brackets, indent: str, width: int) -> list[str]:
    """All on one line where they fit there; else each on lines of its own, with a comma. The only argument of a
    call has no comma."""
    together = indent + ", ".join(map(_flat, brackets.members))
    first, *more = brackets.members
    only = not more and (brackets.opening == "(" or all(isinstance(each, str) for each in first))
    if columns(together) <= width and (brackets.opening == "(" or only):
        return [together]
    return [line for each in brackets.members for line in _broken(each, indent, width, "" if only else ",")]


def columns(line: str) -> int:
    """The width of a line: a tab is four columns, a full-width character two, a combining one none."""
    line = line.expandtabs(len(UNIT))
    if line.isascii():
        return len(line)
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in line)
    return len(line) + wide - sum(unicodedata.category(each) in ("Mn", "Me", "Cf") for each in line)


def wrapped(code: str, statement: ast.stmt, width: int) -> list[str]:
    """The lines of one statement that is written on one, each indented by fours. ``width`` is in characters. Only
    calls are broken: any other statement stays on its line."""
    if columns(code) <= width:
        return [code]
    if isinstance(statement, ast.With) and [each.optional_vars for each in statement.items] == [None]:
        return _broken(("with ", *_pieces(statement.items[0].context_expr, code)), "", width, ":")
    if ast.get_source_segment(code, statement) != code:
        return [code]  # a comment follows it
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return _broken(_pieces(statement.value, code), "", width)
    if not (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)):
        return [code]
    name = code.encode()[: statement.value.col_offset].decode()
    pieces = _pieces(statement.value, code)
    links = _links(pieces)
    if len(links) < 3:
        return _broken((name, *pieces), "", width)
    links = [pieces] if columns(UNIT + _flat(pieces)) <= width else links
    return [f"{name}(", *(line for each in links for line in _broken(each, UNIT, width)), ")"]


def _links(pieces: Pieces) -> list[Pieces]:
    """A chain of calls, split before each further call."""
    links: list[list[str | _Brackets]] = [[]]
    called = False
    for each in pieces:
        if called and isinstance(each, str) and each.startswith("."):
            links.append([])
        called = not isinstance(each, str) or each == "()"
        links[-1].append(each)
    return [tuple(each) for each in links]


def header(name: str, arguments: Sequence[str], width: int) -> list[str]:
    """The line of a ``def``, or its lines where one is too long. It returns None where an argument has a type."""
    end = " -> None:" if any(":" in each for each in arguments) else ":"
    if not arguments:
        return [f"def {name}():"]
    return _broken((f"def {name}", _Brackets("(", ")", tuple((each,) for each in arguments))), "", width, end)


def laid_out(body: Sequence[str], indent: str, unit: str, width: int) -> list[str]:
    """The lines of a body, indented, long calls wrapped. Blocks in ``body`` are indented by fours, and by
    ``unit`` afterwards. The lines within a text of several lines stay. Raises ReplicantError for whatever is
    no Python."""
    tree = _parsed(body)
    statements = {node.lineno: node for node in ast.walk(tree) if isinstance(node, ast.stmt)}
    inside = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr)
        for line in range(node.lineno + 1, (node.end_lineno or 0) + 1)
    }
    lines: list[str] = []
    for number, line in enumerate(body, 1):
        code = line.lstrip(" ")
        lead, statement = len(line) - len(code), statements.get(number)
        if number in inside or not code:
            lines.append(line if number in inside else "")
            continue
        prefix, parts = deeper(indent, lead, unit), [code]
        if statement is not None and statement.col_offset == lead and _is_one_line(statement):
            alone = ast.parse(f"{code} pass" if isinstance(statement, ast.With) else code).body[0]
            parts = wrapped(code, alone, width - columns(prefix))
        lines += [deeper(prefix, len(part) - len(part.lstrip(" ")), unit) + part.lstrip(" ") for part in parts]
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


def _is_one_line(statement: ast.stmt) -> bool:
    """Whether a statement, or the head of a ``with``, is written on one line."""
    if isinstance(statement, ast.With):
        return statement.items[-1].context_expr.end_lineno == statement.lineno < statement.body[0].lineno
    return isinstance(statement, ast.Expr | ast.Assign) and statement.end_lineno == statement.lineno


def deeper(indent: str, spaces: int, unit: str) -> str:
    """``indent``, and as many more units as there are fours in ``spaces``."""
    depth, rest = divmod(spaces, len(UNIT))
    return indent + unit * depth + " " * rest
