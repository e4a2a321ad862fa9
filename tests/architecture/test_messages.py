"""Messages of ours are made of parts, and never read again: nothing searches in one, cuts it or
rewrites it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_replicant import errors

from .source_tree import PACKAGE, modules

OURS = {
    name
    for name, one in vars(errors).items()
    if isinstance(one, type) and issubclass(one, BaseException)
}
OURS |= {"StageFailed", "Refusal"}
"""Errors whose text is ours. What another library or a test raises is not."""

APART = ("virtual", "testing")
"""The phone that is played, and the contract that reads what other people's drivers say."""

_PLACES = ("find", "rfind", "index", "startswith", "endswith")
_PIECES = (
    "split",
    "rsplit",
    "splitlines",
    "partition",
    "rpartition",
    "replace",
    "removeprefix",
    "removesuffix",
)
CUTS = frozenset((*_PLACES, *_PIECES))
SEARCHES = frozenset(
    ["search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"]
)
RENDERS = frozenset(
    ["text_for_terminal", "text_for_page", "lines_for_agent", "advice_text", "opening", "headline"]
)
PARTS = frozenset({"what", "advice", "observed"})
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def test_no_message_is_read_again() -> None:
    found = [line for path in modules(PACKAGE).values() for line in readings(path, PACKAGE)]
    assert found == [], "a failure has parts: take the part that is meant"


@pytest.mark.parametrize(
    "planted",
    [
        'def f(failed: ActionFailed):\n    return str(failed).partition("\\n")[0]',
        'try: pass\nexcept (OSError, DeviceBusy) as busy: who = str(busy).partition(". ")[0]',
        'try: pass\nexcept TargetError as e:\n    text = str(e)\n    text = text.replace("a", "b")',
        'try: pass\nexcept UsageError as e:\n    found = PATTERN.search(f"{e}")',
        'try: pass\nexcept UsageError as e:\n    late = "too late" in str(e)',
        "def f(failure):\n    return text_for_page(failure).splitlines()",
        'def f(failure):\n    return failure.message.removeprefix("CODE  ")',
        'def f(read):\n    return read.observed.startswith("read failed")',
        'def f(error):\n    error.args = (f"{error} and more",)',
        'NEXT = re.compile(r"^Next: .*$")',
        'def f(text):\n    return text.partition("\\nNext: ")',
    ],
)
def test_a_planted_reading_is_found(planted: str, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(planted, encoding="utf-8")
    assert len(list(readings(tmp_path / "one.py", tmp_path))) == 1


def test_what_others_say_may_be_read(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(
        'try: pass\nexcept (OSError, ValueError) as error: why = str(error).partition(": ")[2]\n'
        'def f(line: LogLine):\n    return line.message.startswith("FATAL")\n',
        encoding="utf-8",
    )
    assert list(readings(tmp_path / "one.py", tmp_path)) == []


def readings(path: Path, package: Path) -> Iterator[str]:
    """Each place of a module that reads, cuts or rewrites a message of ours."""
    shown = path.relative_to(package)
    if shown.parts[0] in APART:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    scopes: list[ast.AST] = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    bare = [node for node in tree.body if not isinstance(node, (*FUNCTIONS, ast.ClassDef))]
    lines: set[int] = set()
    for scope in (ast.Module(bare, []), *scopes):
        said = _Said(scope)
        lines |= {getattr(node, "lineno", 0) for node in ast.walk(scope) if _reads(node, said)}
    yield from (f"{shown}:{line}" for line in sorted(lines))


class _Said:
    """The expressions of one scope that are a message of ours."""

    def __init__(self, scope: ast.AST) -> None:
        self.errors = {name for node in ast.walk(scope) for name in _named_errors(node)}
        self.texts: set[str] = set()
        for node in ast.walk(scope):
            if (
                isinstance(node, ast.Assign)
                and self.has(node.value)
                and isinstance(node.targets[0], ast.Name)
            ):
                self.texts.add(node.targets[0].id)

    def has(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.texts
        if isinstance(node, ast.JoinedStr):
            values = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
            return any(isinstance(one, ast.Name) and one.id in self.errors for one in values)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            first = node.args[0] if node.args else None
            is_error = isinstance(first, ast.Name) and first.id in self.errors
            return node.func.id in RENDERS or (node.func.id == "str" and is_error)
        if not isinstance(node, ast.Attribute):
            return False
        owner = getattr(node.value, "id", getattr(node.value, "attr", ""))
        return node.attr in PARTS or (node.attr == "message" and owner in ("failure", "failed"))


def _named_errors(node: ast.AST) -> Iterator[str]:
    """The names that an error of ours is bound to, by an ``except`` or as an argument."""
    if (
        isinstance(node, ast.ExceptHandler)
        and node.name
        and node.type is not None
        and _is_ours(node.type)
    ):
        yield node.name
    if isinstance(node, ast.arg) and node.annotation is not None and _is_ours(node.annotation):
        yield node.arg


def _is_ours(kind: ast.AST) -> bool:
    return any(isinstance(one, ast.Name) and one.id in OURS for one in ast.walk(kind))


def _reads(node: ast.AST, said: _Said) -> bool:
    if isinstance(node, ast.Assign):
        return any(
            isinstance(one, ast.Attribute) and one.attr == "args" for one in node.targets
        ) and any(isinstance(one, ast.JoinedStr) for one in ast.walk(node.value))
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        text = node.comparators[0]
        return (
            said.has(text) and getattr(text, "attr", "") != "observed"
        )  # a set of what was observed, too
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    verb, receiver = node.func.attr, node.func.value
    by_word = any(isinstance(one, ast.Constant) and "Next: " in str(one.value) for one in node.args)
    if verb in CUTS and (said.has(receiver) or by_word):
        return True
    return (verb in SEARCHES and any(map(said.has, node.args))) or (verb == "compile" and by_word)
