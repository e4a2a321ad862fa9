"""Reading the package's own source: who imports whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "pytest_replicant"


def modules(package: Path) -> dict[str, Path]:
    """Dotted name to file, of every module below a package's folder."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = [package.name, *path.relative_to(package).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports(package: Path) -> dict[str, set[str]]:
    """Module to the package's own modules that it imports, typing-only and in-function imports
    counted."""
    known = modules(package)
    return {
        name: {target for target in _targets(name, path, known) if target != name}
        for name, path in known.items()
    }


def arrows(package: Path) -> set[tuple[str, str]]:
    """Pairs of rooms at the root of a package, of which the first imports from the second; the
    package's own ``__init__`` is no room."""
    pairs = set()
    for module, targets in imports(package).items():
        for target in targets:
            importer, imported = (f"{one}..".split(".")[1] for one in (module, target))
            if importer and imported and importer != imported:
                pairs.add((importer, imported))
    return pairs


def _targets(name: str, path: Path, known: dict[str, Path]) -> Iterator[str]:
    is_package = path.name == "__init__.py"
    for item in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(item, ast.Import):
            yield from (alias.name for alias in item.names if alias.name in known)
        elif isinstance(item, ast.ImportFrom):
            base = _absolute(name, is_package, item)
            for alias in item.names:
                inner = f"{base}.{alias.name}"
                if inner in known:
                    yield inner
                elif base in known:
                    yield base


def _absolute(name: str, is_package: bool, item: ast.ImportFrom) -> str:
    if not item.level:
        return item.module or ""
    parts = name.split(".")
    keep = len(parts) - item.level + (1 if is_package else 0)
    return ".".join([*parts[:keep], *([item.module] if item.module else [])])


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """One import cycle, as the modules along it; empty where there is none."""
    done: set[str] = set()
    for start in graph:
        found = _walk(start, graph, done, [])
        if found:
            return found
    return []


def _walk(module: str, graph: dict[str, set[str]], done: set[str], path: list[str]) -> list[str]:
    if module in path:
        return [*path[path.index(module) :], module]
    if module in done:
        return []
    for target in sorted(graph.get(module, ())):
        found = _walk(target, graph, done, [*path, module])
        if found:
            return found
    done.add(module)
    return []
