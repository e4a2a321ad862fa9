"""The names of a room, each loaded with its module when it is first used (PEP 562): a run without
phones stays light, and what imports from a room need not know its files. For pytest:
PYTEST_DONT_REWRITE."""

from __future__ import annotations

import sys

TYPE_CHECKING = (
    False  # as type checkers read it; imports inside the functions are needed later, if ever
)
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

NOWHERE: Mapping[str, str] = {}


def lazy_names(
    room: str, moved: Mapping[str, str] = NOWHERE
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of a package. Its names are those that its own source
    imports below ``if TYPE_CHECKING:``, relatively: one listing for type checkers, editors and this
    function. Names that have ``moved`` are in no listing, and are still given, each from the module
    that it moved into."""
    known: dict[str, tuple[str, str]] = {}

    def homes() -> dict[str, tuple[str, str]]:
        if not known:
            known.update(listed(room, source_of(room)))
        return known

    def load(name: str) -> Any:
        from importlib import import_module

        if name in moved:
            return getattr(import_module(moved[name], room), name)
        if name not in homes():
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        module, its_name = homes()[name]
        return getattr(
            import_module(module), its_name
        )  # not kept: a run within a run forgets its modules

    return load, lambda: sorted(homes())


def source_of(room: str) -> str:
    """The text of a package's ``__init__.py``. Not from the loader alone: pytest's, which rewrites
    assertions, has none to give."""
    import linecache

    module = sys.modules[room]
    lines = linecache.getlines(module.__file__ or "", vars(module))
    if not lines:
        raise ImportError(f"{room} is installed without its source, which lists the names to load")
    return "".join(lines)


def listed(room: str, source: str) -> dict[str, tuple[str, str]]:
    """Each name below ``if TYPE_CHECKING:``, with the module that has it and its name there."""
    import ast
    from importlib.util import resolve_name

    homes: dict[str, tuple[str, str]] = {}
    for block in ast.parse(source).body:
        if not (isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"):
            continue
        for line in block.body:
            if (
                not (isinstance(line, ast.ImportFrom) and line.level and line.module)
                or line.names[0].name == "*"
            ):
                raise ImportError(
                    f"{room}, line {line.lineno}: {ast.unparse(line)!r} is no import that "
                    "lazy_names reads; below 'if TYPE_CHECKING:' write 'from .module import name'"
                )
            module = resolve_name("." * line.level + line.module, room)
            homes |= {alias.asname or alias.name: (module, alias.name) for alias in line.names}
    return homes
