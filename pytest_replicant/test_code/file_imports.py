"""The imports that a test needs, put into its file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from ..errors import ReplicantError
from ..model import grouped
from .locators import parsed_code
from .project_files import Import, bindings, imports_in
from .source_file import File, Splice


def imports_of(lines: Iterable[str]) -> list[Import]:
    """The imports of these statements, each once. Raises ReplicantError for what is no import."""
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


def import_lines(imports: Sequence[Import]) -> list[str]:
    """One statement for each module: modules first, then names."""
    modules = sorted(f"import {one.item}" for one in imports if not one.name)
    named = grouped((one.module, one.item) for one in imports if one.name)
    names = [f"from {module} import {', '.join(sorted(items))}" for module, items in sorted(named.items())]
    return [*modules, *([""] if modules and names else ()), *names]


def with_imports(file: File, lines: Sequence[str]) -> list[Splice]:
    """The imports that the file does not have yet, below those at its top."""
    there = [one for node in file.tree.body for one in imports_in(node)]
    missing = [one for one in imports_of(lines) if not any(map(one.is_in, there))]
    for one in missing:
        _refuse_taken(file, one)
    top = [*takewhile(imports_in, file.tree.body[file.has_docstring :])]
    if not missing:
        return []
    if top:
        return [file.before(file.last_of(top[-1]) + 1, import_lines(missing))]
    return [_first_imports(file, import_lines(missing))]


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


def _first_imports(file: File, lines: list[str]) -> Splice:
    """The imports of a file without any: below its docstring, or below the comments at its top."""
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
