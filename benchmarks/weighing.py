"""What code weighs, the same on every Python: its tokens, its complex functions, what it sets on
other objects.

``python -m benchmarks.weighing FOLDER`` prints a folder's code tokens. It needs nothing but Python.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

_COUNTED = {tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING}
# From 3.12 on the parts of an f-string are tokens of their own; before, it is one string.
_F_STARTS = getattr(tokenize, "FSTRING_START", None)
_F_ENDS = getattr(tokenize, "FSTRING_END", None)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DOCUMENTED = (ast.Module, ast.ClassDef, *_FUNCTIONS)
_BRANCHES = (
    ast.If, ast.For, ast.AsyncFor, ast.While, ast.IfExp, ast.ExceptHandler, ast.comprehension,
    ast.Assert
)  # fmt: skip


def tokens(text: str) -> int:
    """Names, operators, numbers and strings: no comment, no docstring, and an f-string is one."""
    docstrings = _docstring_lines(ast.parse(text))
    count = depth = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == _F_ENDS:
            depth -= 1
        elif token.type == _F_STARTS:
            count += depth == 0
            depth += 1
        elif depth == 0 and token.type in _COUNTED:
            count += token.type != tokenize.STRING or token.start[0] not in docstrings
    return count


def folder_tokens(*folders: Path) -> int:
    """Of all modules in these folders, and in folders there."""
    files = (file for folder in folders for file in folder.rglob("*.py"))
    return sum(tokens(file.read_text(encoding="utf-8")) for file in files)


def complexities(tree: ast.AST) -> Iterator[int]:
    """Of each function one more than its branches, those of the functions within it counted."""
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS):
            yield 1 + sum(map(_branches, ast.walk(node)))


def form(tree: ast.AST) -> Counter[str]:
    """How often a tree has what makes code dense: ``conditional`` expressions, ``comprehensions``,
    and ``long`` conditions, which are those of three parts or more."""
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        found["conditional"] += isinstance(node, ast.IfExp)
        found["comprehensions"] += isinstance(node, _COMPREHENSIONS)
        found["long"] += isinstance(node, ast.BoolOp) and len(node.values) >= 3
    return found


def docstrings(tree: ast.AST) -> Iterator[str]:
    """Of modules, classes and functions, without their indentation."""
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and (text := ast.get_docstring(node)) is not None:
            yield text


def foreign_attributes(tree: ast.AST) -> int:
    """How often an attribute of an object other than ``self`` and ``cls`` is assigned to, by
    ``setattr`` too."""
    return sum(map(_foreign, ast.walk(tree)))


def _docstring_lines(tree: ast.Module) -> set[int]:
    """Those on which a docstring begins."""
    return {
        node.body[0].lineno
        for node in ast.walk(tree)
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None
    }


def _branches(node: ast.AST) -> int:
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    return isinstance(node, _BRANCHES)


def _foreign(node: ast.AST) -> int:
    if isinstance(node, ast.Assign):
        return sum(map(_foreign_target, node.targets))
    if isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        return _foreign_target(node.target)
    return isinstance(node, ast.Call) and _is_setattr(node.func)


def _foreign_target(target: ast.expr) -> int:
    if isinstance(target, (ast.Tuple, ast.List)):
        return sum(map(_foreign_target, target.elts))
    return isinstance(target, ast.Attribute) and getattr(target.value, "id", "") not in (
        "self",
        "cls",
    )


def _is_setattr(function: ast.expr) -> bool:
    """``setattr``, ``object.__setattr__``, ``monkeypatch.setattr``."""
    name = getattr(function, "id", getattr(function, "attr", ""))
    return name.strip("_") == "setattr"


if __name__ == "__main__":
    print(folder_tokens(*map(Path, sys.argv[1:])))
