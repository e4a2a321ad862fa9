"""Turns a word of the command line into arguments: variables, splitting, file names."""

from __future__ import annotations

import fnmatch
import glob
import operator
import posixpath
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from .syntax import Arithmetic, Output, Part, Script, ShellSyntaxError, Text, Variable, Word

if TYPE_CHECKING:
    from ..system.files import FileSystem


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


Capture = Callable[[Script], Awaitable[str]]
_BLANKS = re.compile(r"[ \t\n]+")
_WILD = re.compile(r"[*?\[]")
Field = list[tuple[str, bool]]


async def expand_text(word: Word, variables: Mapping[str, str], capture: Capture) -> str:
    """Without splitting or file names: an assignment's value, a redirection's target."""
    return "".join([await _value(part, variables, capture) for part in word])


async def expand_word(
    word: Word, variables: Mapping[str, str], capture: Capture, files: FileSystem, folder: str
) -> list[str]:
    """No, one or several arguments."""
    fields: list[Field] = []
    current: Field | None = None
    for part in word:
        if isinstance(part, Variable) and part.name == "@" and part.quoted:
            for index, argument in enumerate(_arguments(variables)):
                if index and current is not None:
                    fields.append(current)
                    current = None
                current = [*(current or []), (argument, True)]
            continue
        value = await _value(part, variables, capture)
        if isinstance(part, Text) or part.quoted:
            current = [*(current or []), (value, part.quoted)]
            continue
        for index, piece in enumerate(_BLANKS.split(value)):
            if index and current is not None:
                fields.append(current)
                current = None
            if piece:
                current = [*(current or []), (piece, False)]
    if current is not None:
        fields.append(current)
    return [argument for each in fields for argument in _file_names(each, files, folder)]


async def _value(part: Part, variables: Mapping[str, str], capture: Capture) -> str:
    if isinstance(part, Text):
        return part.text
    if isinstance(part, Output):
        return (await capture(part.script)).rstrip("\n")
    if isinstance(part, Arithmetic):
        return str(evaluate(await expand_text(part.expression, variables, capture), variables))
    assert isinstance(part, Variable)
    if part.name in ("@", "*"):
        return " ".join(_arguments(variables)) or part.default
    if part.name not in variables and not part.default and "u" in variables.get("-", ""):
        raise ShellSyntaxError(f"{part.name}: parameter not set")
    return variables.get(part.name, "") or part.default


def _arguments(variables: Mapping[str, str]) -> list[str]:
    """What ``set --`` and ``sh -c LINE NAME ARGUMENTS`` gave the shell."""
    return [variables.get(str(number), "") for number in range(1, int(variables.get("#", "0")) + 1)]


async def expand_pattern(word: Word, variables: Mapping[str, str], capture: Capture) -> str:
    """For ``matches``: quoted parts stand for themselves."""
    values = [(await _value(part, variables, capture), part.quoted) for part in word]
    return "".join(glob.escape(value) if quoted else value for value, quoted in values)


def matches(text: str, pattern: str) -> bool:
    return re.fullmatch(fnmatch.translate(pattern), text) is not None


def quoted(word: str) -> str:
    """As ``set -x`` shows it."""
    return word if re.fullmatch(r"[\w@%+=:,./-]+", word) else "'" + word.replace("'", "'\\''") + "'"


def _file_names(pieces: Field, files: FileSystem, folder: str) -> list[str]:
    literal = "".join(text for text, _ in pieces)
    if not any(_WILD.search(text) for text, quoted in pieces if not quoted):
        return [literal]
    pattern = "".join(glob.escape(text) if quoted else text for text, quoted in pieces)
    return matching_paths(pattern, files, folder) or [literal]


def matching_paths(pattern: str, files: FileSystem, folder: str) -> list[str]:
    """Paths that match, in the form of the pattern (relative stays relative), in order."""
    found = ["/" if pattern.startswith("/") else ""]
    for segment in [each for each in pattern.split("/") if each]:
        matcher = re.compile(fnmatch.translate(segment))
        found = [
            posixpath.join(above, name)
            for above in found
            for name in _names(files, posixpath.join(folder, above))
            if matcher.match(name) and (segment.startswith(".") or not name.startswith("."))
        ]
    return sorted(found)


def _names(files: FileSystem, folder: str) -> list[str]:
    try:
        return [name for name, _ in files.list(folder)]
    except OSError:
        return []
