"""Reads one word of a command line: quotes, backslashes, variables, command substitution."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .syntax import Arithmetic, Output, Part, Script, ShellSyntaxError, Text, Variable, Word

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9?$#@*!-]")
_BRACED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*|[0-9?$#@*!-])(?::?-([^}'\"$`]*))?\}")
_ENDS_WORD = frozenset(" \t\n;&|<>()")
_PLAIN = re.compile(r"[^ \t\n;&|<>()'\"\\$`]+")
_PLAIN_IN_QUOTES = re.compile(r"[^\"\\$`]+")
_DEEPEST = 40


@dataclass
class Cursor:
    """A place in a command line. ``depth`` counts the scripts that enclose it."""

    text: str
    at: int = 0
    depth: int = 0

    def peek(self, count: int = 1) -> str:
        return self.text[self.at : self.at + count]

    def take(self, count: int = 1) -> str:
        taken = self.peek(count)
        self.at += len(taken)
        return taken

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Moves behind what matches here."""
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def deeper(self, text: str, at: int) -> Cursor:
        """Raises ``ShellSyntaxError`` where scripts nest beyond reason."""
        if self.depth >= _DEEPEST:
            raise ShellSyntaxError("syntax error: nested too deeply")
        return Cursor(text, at, self.depth + 1)


ReadScript = Callable[[Cursor], Script]
"""Reads a script up to a ``)`` that it did not open, or to the end."""


def read_word(cursor: Cursor, read_script: ReadScript) -> Word:
    """The word that starts here, () if none does. Raises ``ShellSyntaxError``."""
    parts: list[Part] = []
    while (here := cursor.peek()) and here not in _ENDS_WORD:
        if plain := cursor.match(_PLAIN):
            parts.append(Text(plain.group()))
        elif here == "'":
            parts.append(Text(_until_quote(cursor), quoted=True))
        elif here == '"':
            parts.extend(_double_quoted(cursor, read_script))
        elif here == "\\":
            parts.extend(_escaped(cursor))
        else:
            parts.append(_dollar(cursor, read_script, quoted=False))
    return tuple(parts)


def _until_quote(cursor: Cursor) -> str:
    start = cursor.at + 1
    end = cursor.text.find("'", start)
    if end < 0:
        raise ShellSyntaxError("no closing quote")
    cursor.at = end + 1
    return cursor.text[start:end]


def _escaped(cursor: Cursor) -> list[Part]:
    cursor.take()
    character = cursor.take()
    return [] if character == "\n" else [Text(character or "\\", quoted=True)]


def _double_quoted(cursor: Cursor, read_script: ReadScript) -> list[Part]:
    cursor.take()
    parts: list[Part] = [Text("", quoted=True)]
    while (here := cursor.peek()) != '"':
        if here == "":
            raise ShellSyntaxError("no closing quote")
        if plain := cursor.match(_PLAIN_IN_QUOTES):
            parts.append(Text(plain.group(), quoted=True))
        elif here == "\\":
            parts.append(Text(_escaped_in_quotes(cursor.take(2)), quoted=True))
        else:
            parts.append(_dollar(cursor, read_script, quoted=True))
    cursor.take()
    return parts


def _escaped_in_quotes(pair: str) -> str:
    if pair == "\\\n":
        return ""
    return pair[1:] if pair[1:] in ("$", "`", '"', "\\") else pair


def _dollar(cursor: Cursor, read_script: ReadScript, *, quoted: bool) -> Part:
    if cursor.take() == "`":
        return _backquoted(cursor, read_script, quoted=quoted)
    if cursor.peek(2) == "((" and (counted := _arithmetic(cursor, read_script, quoted=quoted)):
        return counted
    if cursor.peek() == "(":
        inner = cursor.deeper(cursor.text, cursor.at + 1)
        script = read_script(inner)
        if inner.take() != ")":
            raise ShellSyntaxError("syntax error: no closing ')'")
        cursor.at = inner.at
        return Output(script, quoted)
    if cursor.peek() == "{":
        cursor.take()
        braced = cursor.match(_BRACED)
        if not braced:
            raise ShellSyntaxError("${...}: bad substitution")
        return Variable(braced.group(1), quoted, braced.group(2) or "")
    if cursor.peek() == "'" and not quoted:
        return Text(_until_quote(cursor), quoted=True)
    named = cursor.match(_NAME)
    return Variable(named.group(), quoted) if named else Text("$", quoted=True)


def _arithmetic(cursor: Cursor, read_script: ReadScript, *, quoted: bool) -> Arithmetic | None:
    """None if no ``))`` closes it: then it is a script that starts with a group."""
    inner = cursor.deeper(cursor.text, cursor.at + 2)
    parts: list[Part] = []
    depth = 0
    while depth or inner.peek() != ")":
        here = inner.peek()
        if here == "":
            return None
        if here in "$`":
            parts.append(_dollar(inner, read_script, quoted=True))
            continue
        depth += (here == "(") - (here == ")")
        parts.append(Text(inner.take()))
    if inner.take(2) != "))":
        return None
    cursor.at = inner.at
    return Arithmetic(tuple(parts), quoted)


def _backquoted(cursor: Cursor, read_script: ReadScript, *, quoted: bool) -> Output:
    end = cursor.text.find("`", cursor.at)
    if end < 0:
        raise ShellSyntaxError("no closing quote")
    inner = cursor.deeper(cursor.text[cursor.at : end], 0)
    script = read_script(inner)
    if inner.peek():
        raise ShellSyntaxError(f"syntax error: unexpected '{inner.peek()}'")
    cursor.at = end + 1
    return Output(script, quoted)
