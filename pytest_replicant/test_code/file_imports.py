"""The imports that a test needs, put into its file: merged where they can be, sorted into their blocks."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from .code_layout import Import, from_import, imports_in, imports_of, section_of, sections_of
from .project_files import bindings
from .source_file import File, Splice


class _Import(NamedTuple):
    """A line of imports at the top level of a file."""

    statements: list[ast.stmt]
    names: tuple[Import, ...]

    @property
    def node(self) -> ast.stmt:
        return self.statements[0]


def with_imports(file: File, lines: Sequence[str]) -> list[Splice]:
    """The imports that the file does not have yet: merged into a statement that it has, or in their block."""
    there = _imports_of(file)
    missing = [
        one for one in imports_of(lines) if not any(one.is_in(name) for each in there for name in each.names)
    ]
    for one in missing:
        _refuse_taken(file, one)
    splices, apart = [], []
    for module in dict.fromkeys(one.module for one in missing):
        wanted = [one for one in missing if one.module == module]
        named = [one for one in wanted if one.name]
        merged = next((new for each in there if named and (new := _merged(file, each, named))), None)
        splices += merged or []
        apart += [one for one in wanted if not (merged and one.name)]
    return [*splices, *_in_blocks(file, there, apart)]


def _imports_of(file: File) -> list[_Import]:
    """The lines of the file's top level that are imports alone."""
    lines: list[list[ast.stmt]] = []
    for each in file.tree.body:
        if file.leads(each):
            lines.append([])
        lines[-1].append(each)
    named = [_Import(line, tuple(one for small in line for one in imports_in(small))) for line in lines]
    return [one for one in named if all(map(imports_in, one.statements))]


def _refuse_taken(file: File, wanted: Import) -> None:
    """Raises UsageError where the file gives the name of an import to something else."""
    for bound, node in bindings(file.tree):
        names = imports_in(node)
        packages = {one.module.partition(".")[0] for one in names if one.bound == wanted.bound and not one.name}
        plain = not wanted.name and not wanted.alias and packages == {wanted.bound}
        if bound == wanted.bound and not plain and not any(wanted.is_in(one) for one in names):
            statement = f"from {wanted.module} import {wanted.item}" if wanted.name else f"import {wanted.module}"
            raise file.error(
                node,
                f"{wanted.bound} is something else there, but the test needs `{statement}`",
                "save to another file",
            )


def _merged(file: File, there: _Import, wanted: Sequence[Import]) -> list[Splice] | None:
    """The names in a from-import of the same module; None if it is not as a formatter leaves it, a comment say."""
    names = there.names
    if len(there.statements) > 1 or names[0].module != wanted[0].module or not all(each.name for each in names):
        return None
    start, end = file.span(there.node)
    written = file.text[start:end].replace(file.newline, "\n")
    for exploded in (False, True):
        if written == from_import(names, exploded=exploded) and names[0].name != "*":
            text = from_import([*names, *wanted], exploded=exploded)
            return [Splice(start, end, text.replace("\n", file.newline))]
    return None


def _in_blocks(file: File, there: Sequence[_Import], wanted: Sequence[Import]) -> list[Splice]:
    """Each import in its place: after those of its block that come before it, or in a block of its own."""
    sections = sections_of(wanted, file.own)
    top = _top_block(file, there)
    if not top:
        return [_first_imports(file, sections.values())] if sections else []
    splices = []
    for section, statements in sections.items():
        own = [each for each in top if section_of(each.names[0].module, file.own) == section]
        lower = [each for each in top if section_of(each.names[0].module, file.own) < section]
        if own:
            for first, statement in statements:
                above = [each for each in own if each.names[0].order <= first.order]
                at = file.last_of(above[-1].node) + 1 if above else file.first_of(own[0].node)
                splices.append(file.before(at, [statement]))
            continue
        block = [statement for _, statement in statements]
        if lower:
            splices.append(file.before(file.last_of(lower[-1].node) + 1, ["", *block]))
        else:
            splices.append(file.before(file.comments_above(file.first_of(top[0].node)), [*block, ""]))
    return splices


def _top_block(file: File, there: Sequence[_Import]) -> list[_Import]:
    """The imports at the top, before any other statement."""
    body = file.tree.body[1:] if file.has_docstring else file.tree.body
    imports = {id(each): one for one in there for each in one.statements}
    found = takewhile(bool, (imports.get(id(each)) for each in body if file.leads(each)))
    return [one for one in found if one is not None]


def _first_imports(file: File, blocks: Iterable[list[tuple[Import, str]]]) -> Splice:
    """The imports of a file without any: below its docstring, or below the comments at its top."""
    lines = [line for block in blocks for line in ("", *(statement for _, statement in block))][1:]
    body = file.tree.body
    if file.has_docstring:
        at = file.last_of(body[0]) + 1
        lines.insert(0, "")
        after = body[1] if len(body) > 1 else None
    else:
        after = body[0] if body else None
        at = file.comments_above(file.first_of(after)) if after is not None else len(file.starts)
        lines = [*(file.gap(at, 1) if at > 1 else ()), *lines]
    there = 0
    while file.start_of(at + there) < len(file.text) and not file.line(at + there).strip():
        there += 1
    wanted = 2 if after is not None and hasattr(after, "decorator_list") else 1 if after is not None else 0
    return file.before(at, [*lines, *[""] * (wanted - there)])
