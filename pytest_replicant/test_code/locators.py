"""Locators as they are written: in the code of tests, and where a trace prints one.

Only constants are read, and nothing is evaluated: a text may come from anybody's report.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, cast

from ..errors import UsageError
from ..kept_runs import RecordedStep
from ..model import MASK, SELECTOR_KEYWORDS, TABLE, Selector, by, described, verb_of
from ..session import DeviceSession, Locator
from ..snapshots import check_selector, nested

LONGEST = 4_000
"""Characters of a locator."""
LARGEST_FILE = 4_000_000
_MOST_FILES = 20_000
NARROWING = frozenset({"row", "within", "locator", "filter", "nth"})
_PICKING = frozenset({"first", "last", "soft"})
_FLAGS = frozenset("AIMSXU") | {"ASCII", "IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE", "UNICODE"}
_LONGEST_PATTERN = 300
_MOST_REPEATS = 10_000
_REPEATS = r"(?<=[{,])\d+(?=[,}])"
"""Syntax of ``re`` alone, whose search may never end."""


@dataclass(frozen=True)
class Written:
    """A locator in the code of a test: ``source`` is its line, ``"tests/test_shop.py:18"``."""

    selector: Selector
    source: str


@dataclass(frozen=True)
class Use:
    """A test used a locator on a screen: by which call, at which line."""

    selector: Selector
    verb: str
    source: str
    test: str
    screen: str

    @property
    def needs_one(self) -> bool:
        """Whether several matches are not as good as one."""
        return verb_of(self.verb).targets not in ("any", "branches")


@lru_cache(maxsize=20_000)
def read_locator(text: str) -> Selector:
    """The selector of ``text="Add"``, ``by(text="Add")`` or ``mobile.locator(text="Add").first``.
    Raises ``UsageError`` for anything else, and for a ref, which stands for an element of one
    screen alone."""
    for source in (text, f"by({text})") if len(text) <= LONGEST else ():
        try:
            return _selector(parsed_code(source, "eval").body)
        except SyntaxError:
            continue
        except ValueError as error:
            raise UsageError(str(error)) from None
    raise UsageError('no locator, which is written as text="Add" or by(text="Add")')


def parsed_code(source: str | bytes, mode: str = "exec", *, compiles: bool = False) -> Any:
    """The tree of some code, which is not run. Raises ``SyntaxError``, also for a text that is read
    and does not compile, where that is asked for."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # of the user's own code, such as about escapes in strings
            if compiles:
                compile(source, "code", mode, dont_inherit=True)
            return ast.parse(source, mode=mode)
    except (ValueError, MemoryError, RecursionError) as error:
        raise SyntaxError(str(error)) from None


# --- constants ------------------------------------------------------------------------------------


def _selector(node: ast.AST) -> Selector:
    """Raises ``ValueError`` for anything but a locator out of constants."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = described_by(node)
            check_selector(found, strict=True)
    except (UsageError, TypeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    for one in nested(found):
        if isinstance(one.within, str) or isinstance(one.near, str):
            raise ValueError("a ref stands for an element of one screen alone")
        plain = one.description if isinstance(one.description, re.Pattern) else None
        for pattern in (one.text_matches, plain):
            if pattern is not None and _costs(
                pattern if isinstance(pattern, str) else pattern.pattern
            ):
                raise ValueError("an expression that may cost too much to search for")
    return found


def has_expression(selector: Selector) -> bool:
    return any(
        one.text_matches or isinstance(one.description, re.Pattern) for one in nested(selector)
    )


def _costs(pattern: str) -> bool:
    """Repeats that multiply would take all memory before the search begins."""
    repeats = math.prod(
        int(each) or 1 for each in re.findall(_REPEATS, pattern[: _LONGEST_PATTERN + 1])
    )
    return (
        len(pattern) > _LONGEST_PATTERN
        or repeats > _MOST_REPEATS
        or bool(re.search(r"\[:|\\N", pattern))
    )


def described_by(node: ast.AST) -> Selector:
    """The selector of ``by(...)``, of a locator and of what narrows it. Raises ``ValueError`` for
    anything else, and ``TypeError`` and ``UsageError`` for a wrong one."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return described_by(node.left) | described_by(node.right)
    if isinstance(node, ast.Attribute) and node.attr in _PICKING:
        picked: Locator = getattr(_bound(node.value), node.attr)
        return picked.selector
    if not isinstance(node, ast.Call):
        raise ValueError("no locator")
    name, keywords = name_of(node.func), {}
    for each in node.keywords:
        if each.arg is None:
            raise ValueError("keywords that are no constants")
        keywords[each.arg] = constant(each.value)
    args = [constant(each) for each in node.args]
    if name in NARROWING and isinstance(node.func, ast.Attribute) and _is_locator(node.func.value):
        narrowed: Locator = getattr(_bound(node.func.value), name)(*args, **keywords)
        return narrowed.selector
    if name == "locator" and len(args) == 1 and isinstance(args[0], Selector) and not keywords:
        return args[0]
    if name not in ("by", "locator") or args:
        raise ValueError("no locator")
    return by(**keywords)


def _bound(node: ast.AST) -> Locator:
    """As a locator, which narrows by itself: it needs its session for nothing else."""
    return Locator(cast(Any, None), described_by(node))


def _is_locator(node: ast.AST) -> bool:
    """Whether it is one by its form: what stands before is then narrowed, and no session."""
    while isinstance(node, (ast.Call, ast.Attribute)):
        inner = node.func if isinstance(node, ast.Call) else node
        if isinstance(node, ast.Call) and name_of(node.func) in ("by", "locator"):
            return True
        node = inner.value if isinstance(inner, ast.Attribute) else ast.Pass()
    return isinstance(node, ast.BinOp)


def name_of(node: ast.AST) -> str:
    """A name, or the last one of a dotted name; "" for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def constant(node: ast.AST) -> Any:
    """The value of a constant, of a list of them, and of ``by(...)`` and ``re.compile(...)`` out of
    them. Raises ``ValueError`` for anything else."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = constant(node.operand)
        if isinstance(value, (int, float)):
            return -value
    if isinstance(node, (ast.List, ast.Tuple)):
        return tuple(map(described, map(constant, node.elts)))
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile" and not node.keywords:
        return _pattern(*node.args)
    return described_by(node)


def _pattern(source: ast.AST, flags: ast.AST | None = None) -> re.Pattern[str]:
    text = constant(source)
    if not isinstance(text, str) or len(text) > _LONGEST_PATTERN:
        raise ValueError("no expression of a reasonable length")
    try:
        return re.compile(text, _flags(flags) if flags else 0)
    except (re.error, OverflowError) as error:
        raise ValueError(f"no expression: {error}") from None


def _flags(node: ast.AST) -> int:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _flags(node.left) | _flags(node.right)
    if isinstance(node, ast.Attribute) and node.attr in _FLAGS:
        return re.RegexFlag[node.attr].value
    raise ValueError("no flags of an expression")


# --- what traces print ----------------------------------------------------------------------------


def locators_in(step: RecordedStep) -> Iterator[Selector]:
    """What a step was about, as far as that is written as a locator: a ref is none, nor is a masked
    text."""
    for texts in _texts(step):
        if MASK not in "".join(texts):
            try:
                yield from [read_locator(text) for text in texts]
                return
            except UsageError:
                continue


def _texts(step: RecordedStep) -> Iterator[list[str]]:
    """The ways to read its text, of which the first that makes sense counts."""
    if step.name == "drag":
        yield step.title.removeprefix("drag ").split(" → ")
    elif step.kind == "action":
        yield [step.selector]
    elif step.kind == "wait":
        yield [step.awaited]
        yield step.awaited.split(" or ")
    elif verb_of(step.name).targets == "any":  # of a count, the number goes before
        yield [step.expected]
        yield [step.expected.partition(" of ")[2]]
    else:  # of an element, and its states behind a colon
        parts = step.expected.split(": ")
        yield from ([": ".join(parts[:count])] for count in range(1, min(len(parts), 10)))


# --- the code of tests ----------------------------------------------------------------------------


def written_in(path: Path, troubles: list[str]) -> Iterator[Written]:
    """The locators in a file, or in every ``.py`` below a folder: ``by(...)``,
    ``mobile.locator(...)``, and the keywords of calls such as ``mobile.tap(text="Add")``.
    ``troubles`` are files that could not be read."""
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    if len(files) > _MOST_FILES:
        troubles.append(f"{path}: more than {_MOST_FILES} files; the rest is not looked at")
    for file in files[:_MOST_FILES]:
        try:
            with file.open("rb") as code:
                tree = parsed_code(code.read(LARGEST_FILE))
        except (OSError, SyntaxError) as error:
            troubles.append(f"{file}: {getattr(error, 'strerror', None) or error}")
            continue
        yield from _in_tree(tree, file.as_posix())


def _in_tree(tree: ast.AST, name: str) -> Iterator[Written]:
    parts: set[int] = set()  # of locators that are read as a whole
    for node in ast.walk(tree):
        if id(node) in parts or not isinstance(node, (ast.Call, ast.Attribute, ast.BinOp)):
            continue
        for selector, read in _at(node):
            parts.update(id(inner) for each in read for inner in ast.walk(each))
            place = node.func if isinstance(node, ast.Call) else node  # of a chain, its own line
            yield Written(selector, f"{name}:{place.end_lineno}")


def _at(node: ast.Call | ast.Attribute | ast.BinOp) -> Iterator[tuple[Selector, Iterable[ast.AST]]]:
    """The locator that a node is, or that the keywords of its call are; with the nodes that it is
    made of."""
    try:
        yield _selector(node), [node]
        return
    except ValueError:
        if not isinstance(node, ast.Call) or name_of(node.func) not in _takers():
            return
    found = said_by(node)
    if found:
        yield found, [each for each in node.keywords if each.arg in SELECTOR_KEYWORDS]


def said_by(call: ast.Call) -> Selector | None:
    """Of the keywords of a call that describe an element; None if there are none, or others than
    constants."""
    keywords = [each for each in call.keywords if each.arg in SELECTOR_KEYWORDS]
    if not keywords or any(each.arg is None for each in call.keywords):
        return None
    try:
        return _selector(ast.Call(func=ast.Name(id="by"), args=[], keywords=keywords))
    except ValueError:
        return None


@cache
def _takers() -> frozenset[str]:
    """The session's calls that take the keywords of a selector."""
    calls = inspect.getmembers(DeviceSession, inspect.isfunction)
    taking = (name for name, call in calls if "by" in inspect.signature(call).parameters)
    return frozenset(
        (*taking, *(one.name for one in TABLE if one.state))
    )  # these in tests that are older
