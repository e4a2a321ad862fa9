"""``$((1 + 2))``: whole numbers, as the phone's shell counts. Pure."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping

from .syntax import ShellSyntaxError

_TOKEN = re.compile(r"\s*(?:(0[xX][0-9a-fA-F]+|[0-9]+)|([A-Za-z_]\w*)|(<<|>>|[<>=!]=|&&|\|\||[-+*/%()<>&|^!~]))")
_DEEPEST = 50


def _quotient(one: int, other: int) -> int:
    """Towards zero, as in C."""
    if other == 0:
        raise ShellSyntaxError("zero divisor")
    whole = abs(one) // abs(other)
    return whole if (one < 0) == (other < 0) else -whole


_LEVELS: tuple[Mapping[str, Callable[[int, int], int]], ...] = (  # the loosest first
    {"||": lambda one, other: int(bool(one or other))},
    {"&&": lambda one, other: int(bool(one and other))},
    {"|": operator.or_},
    {"^": operator.xor},
    {"&": operator.and_},
    {"==": operator.eq, "!=": operator.ne},
    {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge},
    {"<<": lambda one, other: one << (other & 31), ">>": lambda one, other: one >> (other & 31)},
    {"+": operator.add, "-": operator.sub},
    {"*": operator.mul, "/": _quotient, "%": lambda one, other: one - other * _quotient(one, other)},
)
_SIGNS: Mapping[str, Callable[[int], int]] = {
    "-": operator.neg,
    "+": operator.pos,
    "!": lambda value: int(not value),
    "~": operator.invert,
}


def evaluate(expression: str, variables: Mapping[str, str]) -> int:
    """A signed number of 32 bits, which overflows as the shell's does. A variable that is not set counts as 0.

    Raises ``ShellSyntaxError`` for an invalid expression, assignments included, and for a division by zero.
    """
    if not expression.strip():
        return 0
    return _Reader(_tokens(expression), variables).whole()


def _tokens(expression: str) -> list[str]:
    tokens, at = [], 0
    while expression[at:].strip():
        found = _TOKEN.match(expression, at)
        if found is None:
            raise ShellSyntaxError(f"{expression}: unexpected '{expression[at:].strip()[0]}'")
        tokens.append(found[0].strip())
        at = found.end()
    return tokens


class _Reader:
    def __init__(self, tokens: list[str], variables: Mapping[str, str]) -> None:
        self._tokens = tokens
        self._variables = variables
        self._at = 0
        self._depth = 0

    def whole(self) -> int:
        value = self._level(0)
        if self._peek():
            raise ShellSyntaxError(f"{' '.join(self._tokens)}: unexpected '{self._peek()}'")
        return value

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        taken = self._peek()
        self._at += 1
        return taken

    def _level(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._one()
        value = self._level(level + 1)
        while self._peek() in _LEVELS[level]:
            act = _LEVELS[level][self._take()]
            value = _wrapped(act(value, self._level(level + 1)))
        return value

    def _one(self) -> int:
        token = self._take()
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ShellSyntaxError("expression is nested too deeply")
        try:
            if token in _SIGNS:
                return _wrapped(_SIGNS[token](self._one()))
            if token == "(":
                value = self._level(0)
                if self._take() != ")":
                    raise ShellSyntaxError(f"{' '.join(self._tokens)}: no closing ')'")
                return value
            return self._number(token)
        finally:
            self._depth -= 1

    def _number(self, token: str) -> int:
        text = self._variables.get(token, "").strip() or "0" if token[:1].isalpha() or token[:1] == "_" else token
        if not re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|[0-9]+)", text):
            raise ShellSyntaxError(f"{' '.join(self._tokens)}: unexpected '{text or 'end'}'")
        return _wrapped(int(text, 16 if "x" in text.lower() else 10))


def _wrapped(value: int) -> int:
    return (int(value) + 0x80000000) % 0x100000000 - 0x80000000
