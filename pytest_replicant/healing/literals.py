"""The literal of a locator in the code of a test: where it stands, and its keywords changed, nothing else.

Source files are parsed and never run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..errors import UsageError
from ..exploring.test_file.source_file import File, Splice, spliced
from ..model import SELECTOR_KEYWORDS, Selector
from ..reporting.written_locators import NARROWING, said_by
from .refusal import Refusal

_MAKERS = ("by", "locator")
_CHECKS = ("expect", "soft")


@dataclass(frozen=True)
class Literal:
    """``call`` holds the keywords that describe an element; ``name`` is the constant that it is assigned to, ""
    where it stands in the call itself."""

    call: ast.Call
    selector: Selector
    name: str = ""

    @property
    def place(self) -> tuple[int, int]:
        """Line and column: which one of its file it is."""
        return self.call.lineno, self.call.col_offset

    @property
    def line(self) -> int:
        return _line_of(self.call)


class Source:
    """One file of tests. Raises ``Refusal`` where it is no Python in UTF-8."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        self.name = name
        try:
            self._file = File(data.decode("utf-8").removeprefix("\ufeff"), name)
        except (UnicodeError, UsageError) as error:
            why = error.__context__ or error  # of no Python, what the parser raised
            raise Refusal("no literal", f"{name} is no Python in UTF-8: {type(why).__name__}") from None
        self.tree = self._file.tree

    def line(self, number: int) -> str:
        """As a trace records it, without indentation; "" where the file has no such line."""
        if not 0 < number <= len(self._file.starts):
            return ""
        return self._file.line(number).strip()

    # --- finding ------------------------------------------------------------------------------------------
    def literal_at(self, line: int, selector: Selector) -> Literal:
        """The literal of ``selector`` that the action on that line uses. Raises ``Refusal``."""
        calls = [one for one in _calls(self.tree) if _line_of(one) == line and not _is_check(one)]
        found = {each.place: each for call in calls for each in self._used_by(call) if each.selector == selector}
        if not found:
            why = f"{self.name}:{line} does not write {selector}, nor names a constant of this file that does"
            raise Refusal("no literal", why)
        if len(found) > 1:
            raise Refusal("no literal", f"{self.name}:{line} has that locator {len(found)} times")
        (literal,) = found.values()
        if literal.name:
            self._refuse_checks_of(literal.name)
        return literal

    def again(self, literal: Literal) -> Literal:
        """The same literal in this file, which may have changed behind it. Raises ``Refusal``."""
        found = self._written(literal, literal.selector)
        if len(found) != 1:
            raise Refusal("source changed", f"{self.name}:{literal.line} is not what it was a moment ago")
        return Literal(found[0], literal.selector, literal.name)

    def _written(self, literal: Literal, selector: Selector) -> list[ast.Call]:
        """The calls in the place of a literal that say this selector."""
        there = [one for one in _calls(self.tree) if (one.lineno, one.col_offset) == literal.place]
        return [one for one in there if said_by(one) == selector]

    def _used_by(self, call: ast.Call) -> Iterator[Literal]:
        """The keywords of a call, the ``by(...)`` it is given, what it is called on, and constants for either."""
        own = said_by(call)
        if own is not None:
            yield Literal(call, own)
        receiver = [call.func.value] if isinstance(call.func, ast.Attribute) else []
        for part in (*call.args, *(each.value for each in call.keywords if each.arg == "target"), *receiver):
            yield from _made(part)
            if name := _name_of(part):
                yield from self._constant(name, is_attribute=isinstance(part, ast.Attribute))

    def _constant(self, name: str, *, is_attribute: bool) -> Iterator[Literal]:
        """What a name stands for, where it is bound once in the whole file; an attribute, where that is one of an
        object or a class."""
        bound = [value for each, value in _bindings(self.tree, is_attribute) if each == name]
        (value,) = bound if len(bound) == 1 else (None,)
        yield from _made(value, name)

    def _refuse_checks_of(self, name: str) -> None:
        for call in _calls(self.tree):
            given = [*call.args, *(each.value for each in call.keywords)]
            if _is_check(call) and (name in _asked(call) or any(_has_name(each, name) for each in given)):
                self._refuse(name, _line_of(call))
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assert) and _has_name(node, name):
                self._refuse(name, node.lineno)

    def _refuse(self, name: str, line: int) -> None:
        raise Refusal("claim", f"{name} is what the expectation at {self.name}:{line} claims, too")

    # --- changing -----------------------------------------------------------------------------------------
    def changed(self, literal: Literal, selector: Selector) -> bytes:
        """The file with that selector in place of the literal's. Raises ``Refusal`` where more than its keywords
        would change."""
        edits = self._edits(literal.call, selector)
        text = self._file.text
        mark = self.data[: len(self.data) - len(text.encode())]  # of the byte order, if there is one
        data = mark + spliced(text, edits).encode()
        again = Source(data, self.name)
        same = [one for one in again._written(literal, selector) if _called(one) == _called(literal.call)]
        if len(same) != 1 or _rest(again.tree, same[0]) != _rest(self.tree, literal.call):
            raise Refusal(
                "no literal", f"the call at {self.name}:{literal.line} is written in a way not known here"
            )
        return data

    def _edits(self, call: ast.Call, selector: Selector) -> list[Splice]:
        written = _keywords(selector)
        old = _keywords(said_by(call) or Selector())
        before = {str(each.arg): each for each in call.keywords if each.arg in SELECTOR_KEYWORDS}
        edits = [
            Splice(*self._file.span(before[name]), text)
            for name, text in written.items()
            if name in before and old.get(name) != text
        ]
        new = [text for name, text in written.items() if name not in before]
        gone = [each for name, each in before.items() if name not in written]
        if new and gone:
            edits.append(Splice(*self._file.span(gone.pop(0)), ", ".join(new)))
        elif new:
            _, last = max(map(self._file.span, before.values()))
            edits.append(Splice(last, last, "".join(f", {text}" for text in new)))
        return [*edits, *(Splice(*self._with_comma(call, each), "") for each in gone)]

    def _with_comma(self, call: ast.Call, gone: ast.keyword) -> tuple[int, int]:
        """From the argument before it, or up to the one behind it. Raises ``Refusal`` where a comment is there."""
        given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        spans = sorted(map(self._file.span, given))
        at = spans.index(self._file.span(gone))
        begin, end = (spans[at - 1][1], spans[at][1]) if at else (spans[0][0], spans[1][0])
        between = self._file.text[begin : spans[at][0]] if at else self._file.text[spans[0][1] : end]
        if between.strip() != ",":
            raise Refusal("no literal", f"a comment stands between the keywords at {self.name}:{call.lineno}")
        return begin, end


def _keywords(selector: Selector) -> dict[str, str]:
    """Each as a test writes it, ``text="Add"``, by its name there: a compiled pattern is a ``text``."""
    texts = [Selector(**{name: value}).describe() for name, value in selector.given()]  # type: ignore[arg-type]
    return {text.partition("=")[0]: text for text in texts}


def _calls(tree: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _line_of(call: ast.Call) -> int:
    """As a traceback counts it: of a chain over several lines, the line of its own name."""
    return call.func.end_lineno or call.lineno


def _called(call: ast.Call) -> str:
    return _name_of(call.func)


def _made(node: ast.expr | None, name: str = "") -> Iterator[Literal]:
    """A ``by(...)``."""
    if isinstance(node, ast.Call) and _called(node) in _MAKERS:
        selector = said_by(node)
        if selector is not None:
            yield Literal(node, selector, name)


def _is_check(call: ast.Call) -> bool:
    return _called(call).startswith(_CHECKS)


def _name_of(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def _has_name(node: ast.AST, name: str) -> bool:
    return any(_name_of(one) == name for one in ast.walk(node))


def _asked(call: ast.Call) -> Iterator[str]:
    """The names that a call is made on, narrowed or not. What an action on one of them returns is none."""
    node = call.func
    while isinstance(node, (ast.Attribute, ast.Call)):
        if isinstance(node, ast.Call):
            if _called(node) not in NARROWING:
                return
            node = node.func
        else:
            yield node.attr
            node = node.value
    yield _name_of(node)


def _bindings(tree: ast.AST, attributes: bool) -> Iterator[tuple[str, ast.expr | None]]:
    """Every name that is bound, and to what, None where that is no plain assignment. ``attributes``: those of
    objects and classes, to which an argument or a local variable of the same name is nothing; else all others."""
    local = set()
    if attributes:
        functions = (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
        local = {id(one) for each in functions for one in ast.walk(each) if isinstance(one, ast.Name)}

    def counts(node: ast.AST) -> bool:
        return id(node) not in local if attributes else not isinstance(node, ast.Attribute)

    plain: set[int] = set()
    for target, value in _assignments(tree):
        plain.add(id(target))
        if value is not None and counts(target):
            yield _name_of(target), value
    for node in ast.walk(tree):
        bound = isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del))
        if bound and id(node) not in plain and counts(node):
            yield _name_of(node), None
        elif isinstance(node, ast.arg) and not attributes:
            yield node.arg, None
        elif isinstance(node, ast.alias) and not attributes:
            yield (node.asname or node.name), None


def _assignments(tree: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Those to one target; of a mere annotation without a value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            yield node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign):
            yield node.target, node.value


def _rest(tree: ast.AST, call: ast.Call) -> str:
    """The whole file but for the keywords of that call that describe an element."""
    kept: Sequence[ast.keyword] = call.keywords
    call.keywords = [each for each in kept if each.arg not in SELECTOR_KEYWORDS]
    try:
        return ast.dump(tree)
    finally:
        call.keywords = list(kept)
