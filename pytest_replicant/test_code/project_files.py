"""The files of a test project that a test file can use, parsed and never imported, and what names
mean in them."""

from __future__ import annotations

import ast
import copy
import os
import stat
import sys
import tokenize
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from ..model import grouped
from ..options.ini_file import nearest_configuration
from .locators import parsed_code

MOST_FILES = 2000
MOST_BYTES = 500_000
_NOT_OURS = frozenset(("node_modules", "__pycache__", "build", "dist", "site-packages"))
_OURS = "pytest_replicant"


class Unknown(Exception):
    """A name whose value nothing but running the file would tell."""


@dataclass(frozen=True)
class ProjectFile:
    """``module`` is what imports it, "" if its names need no import: the test's own file, or
    ``conftest.py``."""

    path: Path
    tree: ast.Module
    module: str = ""

    @cached_property
    def meanings(self) -> dict[str, ast.expr]:
        """What the names of its top level stand for: a text or number that is given once, or an
        import as a test writes it, such as ``by`` and ``os``."""
        bound = Counter(name for name, _ in bindings(self.tree))
        meant = grouped(pair for statement in self.tree.body for pair in _meant(statement))
        return {
            name: values[0]
            for name, values in meant.items()
            if bound[name] == len(values) and len(set(map(ast.dump, values))) == 1
        }

    def plain(self, node: ast.expr, given: Mapping[str, ast.expr]) -> ast.expr:
        """An expression as a test without this file's names would write it; ``given`` is what else
        has a meaning. Raises Unknown."""
        return _Plain({**self.meanings, **given}).visit(copy.deepcopy(node))  # type: ignore[no-any-return]


def _meant(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement gives a plain meaning."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant() as value)
        ):
            yield name, value
        case ast.ImportFrom(module=str(module), level=0, names=names):
            for each in names:
                meaning: ast.expr = ast.Name(each.name, ast.Load())
                if module.partition(".")[0] != _OURS:
                    meaning = ast.Attribute(ast.Name(module, ast.Load()), each.name, ast.Load())
                yield each.asname or each.name, meaning
        case ast.Import(names=names):
            for each in names:
                if "." not in each.name:
                    yield each.asname or each.name, ast.Name(each.name, ast.Load())


class _Plain(ast.NodeTransformer):
    def __init__(self, meanings: Mapping[str, ast.expr]) -> None:
        self.meanings = meanings

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not isinstance(node.ctx, ast.Load) or node.id not in self.meanings:
            raise Unknown(node.id)
        return self.meanings[node.id]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node.value:
            case ast.Name(id="self") if f"self.{node.attr}" in self.meanings:
                return self.meanings[f"self.{node.attr}"]
        value = self.visit(node.value)
        if isinstance(value, ast.Name) and value.id == _OURS:
            return ast.Name(node.attr, ast.Load())
        return ast.Attribute(value, node.attr, ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.expr:
        call = self.generic_visit(node)
        assert isinstance(call, ast.Call)
        call.keywords.sort(
            key=lambda each: each.arg or ""
        )  # constants: their order changes nothing
        return call


def plain_step(code: str) -> ast.expr | None:
    """A recorded step, as ``ProjectFile.plain`` gives those of a project; None for anything but an
    expression."""
    with suppress(SyntaxError, Unknown):  # Unknown: it binds a name
        tree = parsed_code(code, "eval").body
        names = {each.id: each for each in ast.walk(tree) if isinstance(each, ast.Name)}
        return _Plain(names).visit(tree)  # type: ignore[no-any-return]
    return None


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

    def is_in(self, other: Import) -> bool:
        """Whether ``other`` binds the same name to the same thing, for one without an alias:
        ``import a.b`` binds a."""
        if (self.name, "") != (other.name, other.alias):
            return False
        return other.module == self.module or other.module.startswith(self.module + ".")


def imports_in(tree: ast.AST) -> tuple[Import, ...]:
    """What an import statement binds; nothing for any other statement."""
    if isinstance(tree, ast.Import):
        return tuple(Import(each.name, "", each.asname or "") for each in tree.names)
    if isinstance(tree, ast.ImportFrom):
        module = "." * tree.level + (tree.module or "")
        return tuple(Import(module, each.name, each.asname or "") for each in tree.names)
    return ()


def bindings(tree: ast.Module | ast.ClassDef) -> Iterator[tuple[str, ast.AST]]:
    """Each name that the top level of a module or class, or a ``global`` anywhere in it, binds, and
    by what."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                yield name, node
                waiting += [each for each in ast.walk(node) if isinstance(each, ast.Global)]
                continue
            case ast.Import() | ast.ImportFrom():
                yield from ((each.bound, node) for each in imports_in(node))
            case ast.Global(names=globals_):
                yield from ((name, node) for name in globals_)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name, node
        waiting += ast.iter_child_nodes(node)


@dataclass(frozen=True)
class NearFiles:
    """``own`` is the file that the test goes to, none if there is none yet. ``conftests`` are those
    whose fixtures it has, the nearest first; ``modules`` what it can import."""

    own: tuple[ProjectFile, ...]
    conftests: tuple[ProjectFile, ...]
    modules: tuple[ProjectFile, ...]

    def can_import(self, name: str, module: str) -> bool:
        """Whether the test file can have that name of a module: it gives it to nothing else."""
        return all(
            isinstance(by, ast.ImportFrom) and by.module == module and not by.level
            for file in self.own
            for bound, by in bindings(file.tree)
            if bound == name
        )


def files_near(root: Path, near: Path, words: Collection[str]) -> NearFiles:
    """The files that ``near`` can use, of those below ``root``. A module is read if it calls one of
    ``words``."""
    folders = [each for each in near.parents if each == root or root in each.parents]
    own = tuple(filter(None, [parsed(near)]))
    conftests = tuple(filter(None, (parsed(each / "conftest.py") for each in folders)))
    imported = {
        each.module
        for file in (*own, *conftests)
        for node in file.tree.body
        for each in imports_in(node)
    }
    places: list[Path] = []
    if "importlib" not in str(nearest_configuration(root)[1].get("addopts")):
        places = [_base(near), *(_base(each.path) for each in conftests)]  # else pytest adds none
    modules = []
    for path in python_files(root):
        if path == near or is_of_tests(path):
            continue  # a test imports none of these
        module = _module_of(path, root, places, imported)
        if module and (file := parsed(path, module, words)):
            modules.append(file)
    shared = Counter(each.module for each in modules)
    return NearFiles(own, conftests, tuple(each for each in modules if shared[each.module] == 1))


def is_of_tests(path: Path) -> bool:
    """Whether pytest reads a file itself: tests, or their ``conftest.py``."""
    return path.stem == "conftest" or path.stem.startswith("test_") or path.stem.endswith("_test")


def _module_of(path: Path, root: Path, places: Collection[Path], imported: Collection[str]) -> str:
    """What imports a file in a test: as is done already, else from the folders that pytest adds. ""
    for nothing."""
    parts = path.relative_to(root).with_suffix("").parts
    if parts[-1] == "__init__":
        parts = parts[:-1]
    names = [".".join(parts[start:]) for start in range(len(parts))]
    found = [name for name in names if name in imported]
    for place in places:
        if place in path.parents:
            found.append(".".join(parts[len(place.relative_to(root).parts) :]))
    name = next(iter(found), "")
    usable = all(part.isidentifier() for part in name.split("."))
    return name if usable and name.partition(".")[0] not in sys.stdlib_module_names else ""


def _base(path: Path) -> Path:
    """The folder that pytest puts on the path for a file: the first above it that is no package."""
    return next(each for each in path.parents if not (each / "__init__.py").exists())


def python_files(root: Path) -> Iterator[Path]:
    """The first files of Python below a folder, environments and built files left out; no link is
    followed."""
    return islice(_python_files(root), MOST_FILES)


def _python_files(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        if "pyvenv.cfg" in names:
            folders.clear()
            continue
        folders[:] = sorted(
            each for each in folders if not each.startswith(".") and each not in _NOT_OURS
        )
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(".py"))


def parsed(path: Path, module: str = "", words: Collection[str] = ()) -> ProjectFile | None:
    """A file, parsed; None if it cannot be, is too large, or calls none of ``words``, if there are
    any."""
    try:
        facts = path.lstat()
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > MOST_BYTES:
            return None
        with tokenize.open(path) as file:
            text = file.read()
        if words and not any(f".{word}(" in text for word in words):
            return None
        return ProjectFile(path, parsed_code(text), module)
    except (OSError, SyntaxError, ValueError, LookupError):
        return None
