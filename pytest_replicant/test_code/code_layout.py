"""How written code is laid out: by the project's own ruff or black, and imports sorted as they do it."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import ReplicantError
from .locators import parsed_code

UNIT = "    "
Folders = tuple[Path, ...]
_FORMATTERS = (("ruff", "format", "-q"), ("black", "-q"))
_LONGEST = 20  # seconds: black, which is started anew each time, takes one or two
_ROOT_FILES = ("pyproject.toml", "ruff.toml", ".ruff.toml", "pytest.ini", "tox.ini", "setup.cfg", ".git")


def formatted(before: str, after: str, path: Path | None) -> str:
    """The text of a file after a change, as the formatter leaves it that left the text ``before``, if one did."""
    if path is None:
        return after
    places = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    for name, *arguments in _FORMATTERS:
        program = shutil.which(name, path=places)
        if program is None:
            continue
        command = [program, *arguments, "--stdin-filename", str(path.absolute()), "-"]
        if not before.strip() or _by(command, before) == before:
            return _by(command, after) or after
    return after


def _by(command: Sequence[str], text: str) -> str:
    """The text as a formatter prints it, "" where it does not."""
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=_LONGEST, check=True)
        return done.stdout.decode()
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""


def own_folders(path: Path | None) -> Folders:
    """The folders whose modules are the project's own, for a file in it."""
    if path is None:
        return ()
    folders = path.absolute().parents
    root = next((each for each in folders if any((each / name).exists() for name in _ROOT_FILES)), folders[0])
    return root, root / "src"


def section_of(module: str, own: Folders) -> int:
    """The block that an import belongs to: 0 future, 1 standard library, 2 third party, 3 own, 4 relative."""
    top = module.partition(".")[0]
    if not top:
        return 4
    if top == "__future__":
        return 0
    if top in sys.stdlib_module_names:
        return 1
    found = any((folder / top).is_dir() or (folder / f"{top}.py").is_file() for folder in own)
    return 3 if found else 2


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
        """As the list of an import has it."""
        return f"{self.name or self.module} as {self.alias}" if self.alias else self.name or self.module

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


def statements_of(imports: Iterable[Import]) -> list[tuple[Import, str]]:
    """One statement for each module, in order, with its first import."""
    modules: dict[tuple[bool, str, str], list[Import]] = {}
    for one in imports:
        modules.setdefault((bool(one.name), one.module, "" if one.name else one.alias), []).append(one)
    return [
        (names[0], from_import(names) if names[0].name else f"import {names[0].item}")
        for names in sorted(modules.values(), key=lambda names: names[0].order)
    ]


def from_import(names: Sequence[Import], *, exploded: bool = False) -> str:
    """One from-import, on one line or with a line for each name."""
    items = sorted((one.item for one in names), key=item_order)
    if not exploded:
        return f"from {names[0].module} import {', '.join(items)}"
    return "\n".join([f"from {names[0].module} import (", *(f"{UNIT}{item}," for item in items), ")"])


def sections_of(imports: Iterable[Import], own: Folders) -> dict[int, list[tuple[Import, str]]]:
    """The statements of each block, blocks in order."""
    sections: dict[int, list[tuple[Import, str]]] = {}
    for first, statement in statements_of(imports):
        sections.setdefault(section_of(first.module, own), []).append((first, statement))
    return dict(sorted(sections.items()))


def laid_out(body: Sequence[str], indent: str, unit: str) -> list[str]:
    """The lines of a body, indented. Blocks in ``body`` are indented by fours, and by ``unit`` afterwards. The
    lines within a text of several lines stay. Raises ReplicantError for whatever is no Python."""
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
