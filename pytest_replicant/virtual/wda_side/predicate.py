"""NSPredicate, as far as clients write predicates for elements: ``label CONTAINS[c] 'cart' AND
enabled == 1``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any, TypeAlias

from .failures import WdaError, invalid_selector

Read: TypeAlias = Callable[[str], object]
"""An element's attribute by name; None if it has none. Raises ``WdaError`` for a name that is no
attribute."""
Test: TypeAlias = Callable[[Read], bool]
Operand: TypeAlias = Callable[[Read], object]

_TOKENS = re.compile(
    r"""\s*(?:
        (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
      | (?P<flags>\[[cdnCDN]+\])
      | (?P<word>[A-Za-z_@$][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)
      | (?P<sign>==|!=|<>|<=|>=|=<|=>|&&|\|\||[=<>!(){},])
    )""",
    re.VERBOSE | re.DOTALL,
)
_SIGNS = {"==": "=", "<>": "!=", "=<": "<=", "=>": ">=", "&&": "AND", "||": "OR", "!": "NOT"}
_WORDS = frozenset(
    ("AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH")
)
_CONSTANTS: dict[str, object] = {
    "TRUE": True,
    "YES": True,
    "FALSE": False,
    "NO": False,
    "NIL": None,
    "NULL": None,
    "TRUEPREDICATE": True,
    "FALSEPREDICATE": False,
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def parse_predicate(text: str) -> Test:
    """Returns a test for elements; raises ``WdaError`` (invalid selector) for an invalid
    predicate."""
    try:
        return _Parser(text).whole()
    except RecursionError:
        raise _unparsable(text) from None


class _Parser:
    """By recursive descent: OR binds weakest, then AND, then NOT."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._next = 0

    def whole(self) -> Test:
        test = self._either()
        if self._next < len(self._tokens):
            raise self._error()
        return test

    def _either(self) -> Test:
        tests = [self._both()]
        while self._take("OR"):
            tests.append(self._both())
        return tests[0] if len(tests) == 1 else lambda read: any(test(read) for test in tests)

    def _both(self) -> Test:
        tests = [self._single()]
        while self._take("AND"):
            tests.append(self._single())
        return tests[0] if len(tests) == 1 else lambda read: all(test(read) for test in tests)

    def _single(self) -> Test:
        if self._take("NOT"):
            test = self._single()
            return lambda read: not test(read)
        if self._take("("):
            test = self._either()
            self._need(")")
            return test
        return self._comparison()

    def _comparison(self) -> Test:
        left = self._operand()
        kind, sign = self._peek()
        if kind != "sign" or sign not in _COMPARISONS:
            return self._bare(left)
        self._next += 1
        fold = self._fold()
        right = self._operand()
        compare = _COMPARISONS[sign]
        try:
            return compare(left, right, fold)
        except re.error as error:
            raise invalid_selector(f"{self._text!r}: no regular expression: {error}") from None

    def _bare(self, operand: Operand) -> Test:
        """``true`` or ``false`` by itself; an attribute has to be compared with something."""
        value = _constant(operand)
        if not isinstance(value, bool):
            raise self._error()
        return lambda read: value

    def _fold(self) -> Callable[[str], str]:
        kind, flags = self._peek()
        if kind != "flags":
            return lambda text: text
        self._next += 1
        return _folding(case="c" in flags.lower(), marks="d" in flags.lower())

    def _operand(self) -> Operand:
        kind, value = self._peek()
        self._next += 1
        if kind == "text":
            text = _unquoted(value)
            return lambda read: text
        if kind == "number":
            number = float(value)
            return lambda read: number
        if kind == "word":
            if value.upper() in _CONSTANTS:
                constant = _CONSTANTS[value.upper()]
                return lambda read: constant
            return lambda read: read(value)
        if (kind, value) == ("sign", "{"):
            return self._list()
        self._next -= 1
        raise self._error()

    def _list(self) -> Operand:
        items: list[Operand] = []
        while not self._take("}"):
            if items:
                self._need(",")
            items.append(self._operand())
        return lambda read: [item(read) for item in items]

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._next] if self._next < len(self._tokens) else ("end", "")

    def _take(self, sign: str) -> bool:
        found = self._peek() == ("sign", sign)
        self._next += found
        return found

    def _need(self, sign: str) -> None:
        if not self._take(sign):
            raise self._error()

    def _error(self) -> WdaError:
        return _unparsable(self._text)


def _unparsable(text: str) -> WdaError:
    return invalid_selector(f'Unable to parse the format string "{text}"')


def _tokens(text: str) -> list[tuple[str, str]]:
    """(kind, text) each; words that are operators count as signs."""
    tokens: list[tuple[str, str]] = []
    at = 0
    while text[at:].strip():
        found = _TOKENS.match(text, at)
        if found is None or found.lastgroup is None:
            raise _unparsable(text)
        kind, value = found.lastgroup, found[found.lastgroup]
        if kind == "word" and value.upper() in _WORDS:
            kind, value = "sign", value.upper()
        tokens.append((kind, _SIGNS.get(value, value) if kind == "sign" else value))
        at = found.end()
    return tokens


def _unquoted(token: str) -> str:
    return re.sub(
        r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), token[1:-1], flags=re.DOTALL
    )


def _folding(*, case: bool, marks: bool) -> Callable[[str], str]:
    def fold(text: str) -> str:
        if marks:
            parts = unicodedata.normalize("NFD", text)
            text = "".join(glyph for glyph in parts if not unicodedata.combining(glyph))
        return text.casefold() if case else text

    return fold


# --- comparing ------------------------------------------------------------------------------------
Fold: TypeAlias = Callable[[str], str]
Compare: TypeAlias = Callable[[Operand, Operand, Fold], Test]


def _same(left: object, right: object, fold: Fold) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return fold(left) == fold(right)
    numbers = _number(left), _number(right)
    if left is not None and right is not None and None not in numbers:
        return numbers[0] == numbers[1]
    return left is None and right is None


def _number(value: object) -> float | None:
    """Also of a text that is one: a switch's value is the number 1 and is written "1"."""
    if isinstance(value, bool | int | float):
        return float(value)
    try:
        return float(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _equal(left: Operand, right: Operand, fold: Fold) -> Test:
    return lambda read: _same(left(read), right(read), fold)


def _unequal(left: Operand, right: Operand, fold: Fold) -> Test:
    return lambda read: not _same(left(read), right(read), fold)


def _ordered(holds: Callable[[Any, Any], bool]) -> Compare:
    def compare(left: Operand, right: Operand, fold: Fold) -> Test:
        def test(read: Read) -> bool:
            first, second = left(read), right(read)
            numbers = _number(first), _number(second)
            if None not in numbers:
                return holds(*numbers)
            return (
                isinstance(first, str)
                and isinstance(second, str)
                and holds(fold(first), fold(second))
            )

        return test

    return compare


def _texts(holds: Callable[[str, str], bool]) -> Compare:
    """Of two texts; what an element does not have contains nothing."""

    def compare(left: Operand, right: Operand, fold: Fold) -> Test:
        def test(read: Read) -> bool:
            first, second = left(read), right(read)
            return (
                first is not None
                and second is not None
                and holds(fold(_text(first)), fold(_text(second)))
            )

        return test

    return compare


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _pattern(make: Callable[[str], str]) -> Compare:
    """The whole of the left text against a pattern; one that is written out is checked at once."""

    def compare(left: Operand, right: Operand, fold: Fold) -> Test:
        ignores_case = fold("A") == "a"
        flags = re.DOTALL | (re.IGNORECASE if ignores_case else 0)

        def compiled(value: object) -> re.Pattern[str]:
            return re.compile(make(_text(value)), flags)

        def test(read: Read) -> bool:
            text, pattern = left(read), right(read)
            return (
                text is not None
                and pattern is not None
                and bool(compiled(pattern).fullmatch(_text(text)))
            )

        written = _constant(right)
        if written is not None:
            compiled(written)
        return test

    return compare


def _constant(operand: Operand) -> object:
    """The operand's value where it is no attribute, else None."""

    def no_element(name: str) -> object:
        return None

    return operand(no_element)


def _wildcards(text: str) -> str:
    return "".join({"*": ".*", "?": "."}.get(glyph) or re.escape(glyph) for glyph in text)


def _among(left: Operand, right: Operand, fold: Fold) -> Test:
    def test(read: Read) -> bool:
        value, among = left(read), right(read)
        if isinstance(among, list):
            return any(_same(value, each, fold) for each in among)
        return isinstance(value, str) and isinstance(among, str) and fold(value) in fold(among)

    return test


def _between(left: Operand, right: Operand, fold: Fold) -> Test:
    def test(read: Read) -> bool:
        value, ends = _number(left(read)), right(read)
        if value is None or not isinstance(ends, list) or len(ends) != 2:
            return False
        lowest, highest = _number(ends[0]), _number(ends[1])
        return lowest is not None and highest is not None and lowest <= value <= highest

    return test


_COMPARISONS: dict[str, Compare] = {
    "=": _equal,
    "!=": _unequal,
    "<": _ordered(lambda left, right: left < right),
    "<=": _ordered(lambda left, right: left <= right),
    ">": _ordered(lambda left, right: left > right),
    ">=": _ordered(lambda left, right: left >= right),
    "CONTAINS": _texts(lambda text, part: part in text),
    "BEGINSWITH": _texts(lambda text, part: text.startswith(part)),
    "ENDSWITH": _texts(lambda text, part: text.endswith(part)),
    "LIKE": _pattern(_wildcards),
    "MATCHES": _pattern(lambda text: text),
    "IN": _among,
    "BETWEEN": _between,
}
