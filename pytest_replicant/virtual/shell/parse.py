"""Reads a whole command line into a ``Script``; pure, so that quoting can be tested on its own."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal, cast

from .syntax import (
    Command,
    Group,
    Pipeline,
    Redirect,
    Script,
    ShellSyntaxError,
    Simple,
    Step,
    Text,
    Word,
)
from .words import Cursor, read_word

_BLANKS = re.compile(r"(?:[ \t]|\\\n)+")
_COMMENT = re.compile(r"#[^\n]*")
_REDIRECT = re.compile(r"([0-2]?)(>>|>&|<&|>\||&>|>|<(?!<))[ \t]*")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")
_UNSUPPORTED = frozenset(("if", "for", "while", "until", "case", "function", "[["))


def parse(line: str) -> Script:
    """Raises ``ShellSyntaxError`` for what the shell would refuse, and for loops and conditions, which this
    shell does not know."""
    cursor = Cursor(line)
    script = _script(cursor)
    if cursor.peek():
        raise ShellSyntaxError(f"syntax error: unexpected '{cursor.peek()}'")
    return script


def _skip(cursor: Cursor) -> None:
    cursor.match(_BLANKS)
    cursor.match(_COMMENT)


def _script(cursor: Cursor) -> Script:
    steps: list[Step] = []
    when: Literal[";", "&&", "||"] = ";"
    begins = cursor.at
    while True:
        _skip_separators(cursor, expected=when != ";")
        if when == ";":
            begins = cursor.at
        if cursor.peek() in ("", ")") or (cursor.peek() == "}" and when == ";"):
            if when != ";":
                raise ShellSyntaxError("syntax error: unexpected 'EOF'")
            return Script(tuple(steps))
        steps.append(Step(when, _pipeline(cursor)))
        if cursor.peek() == "&" and cursor.peek(2) != "&&":
            steps[-1] = replace(steps[-1], background=cursor.text[begins : cursor.at].strip())
        when = _connector(cursor)


def _skip_separators(cursor: Cursor, *, expected: bool) -> None:
    """Blank lines, comments and, where no command is ``expected``, stray semicolons after a command."""
    _skip(cursor)
    while cursor.peek() == "\n":
        cursor.take()
        _skip(cursor)
    if cursor.peek() in (";", "&", "|") or (expected and cursor.peek() == ")"):
        raise ShellSyntaxError(f"syntax error: unexpected '{cursor.peek()}'")


def _connector(cursor: Cursor) -> Literal[";", "&&", "||"]:
    """What stands between two steps."""
    if cursor.peek(2) in ("&&", "||"):
        return cast('Literal["&&", "||"]', cursor.take(2))
    if cursor.peek() in (";", "&", "\n"):
        cursor.take()
    return ";"


def _pipeline(cursor: Cursor) -> Pipeline:
    negated = cursor.peek(2) == "! "
    if negated:
        cursor.take(2)
    commands = [_command(cursor)]
    while cursor.peek() == "|" and cursor.peek(2) != "||":
        cursor.take()
        while cursor.match(_BLANKS) or cursor.peek() == "\n":
            if cursor.peek() == "\n":
                cursor.take()
        commands.append(_command(cursor))
    return Pipeline(tuple(commands), negated)


def _command(cursor: Cursor) -> Command:
    _skip(cursor)
    if cursor.peek() == "(":
        return _group(cursor, ")")
    if re.compile(r"\{\s").match(cursor.text, cursor.at):
        return _group(cursor, "}")
    assignments: list[tuple[str, Word]] = []
    words: list[Word] = []
    redirects: list[Redirect] = []
    while True:
        _skip(cursor)
        redirect = _redirect(cursor)
        if redirect:
            redirects.extend(redirect)
            continue
        word = read_word(cursor, _script)
        if not word:
            break
        assigned = None if words else _assignment(word)
        if assigned:
            assignments.append(assigned)
        else:
            words.append(word)
    _refuse(cursor, words, empty=not (assignments or words or redirects))
    return Simple(tuple(assignments), tuple(words), tuple(redirects))


def _refuse(cursor: Cursor, words: list[Word], *, empty: bool) -> None:
    if cursor.peek() == "(" or empty:
        raise ShellSyntaxError(f"syntax error: unexpected '{cursor.peek() or 'EOF'}'")
    if words and len(words[0]) == 1 and isinstance(words[0][0], Text) and not words[0][0].quoted:
        name = words[0][0].text
        if name in _UNSUPPORTED:
            raise ShellSyntaxError(f"syntax error: '{name}' is not known to the virtual phone's shell")


def _group(cursor: Cursor, closing: Literal[")", "}"]) -> Group:
    inner = cursor.deeper(cursor.text, cursor.at + 1)
    script = _script(inner)
    if inner.take() != closing:
        raise ShellSyntaxError(f"syntax error: no closing '{closing}'")
    cursor.at = inner.at
    redirects: list[Redirect] = []
    while True:
        _skip(cursor)
        redirect = _redirect(cursor)
        if not redirect:
            return Group(script, closing == ")", tuple(redirects))
        redirects.extend(redirect)


def _redirect(cursor: Cursor) -> list[Redirect]:
    found = cursor.match(_REDIRECT)
    if not found:
        if cursor.peek(2) == "<<":
            raise ShellSyntaxError("syntax error: unexpected '<<'")
        return []
    digit, operator = found.groups()
    target = read_word(cursor, _script)
    if not target:
        raise ShellSyntaxError(f"syntax error: unexpected '{cursor.peek() or 'EOF'}'")
    descriptor = int(digit) if digit else int(operator[0] != "<")
    if operator in (">&", "<&"):
        return [Redirect(descriptor, "&", target)]
    if operator == "&>":
        return [Redirect(1, ">", target), Redirect(2, "&", (Text("1"),))]
    plain = cast('Literal["<", ">", ">>"]', ">" if operator == ">|" else operator)
    return [Redirect(descriptor, plain, target)]


def _assignment(word: Word) -> tuple[str, Word] | None:
    first = word[0]
    if not isinstance(first, Text) or first.quoted:
        return None
    found = _ASSIGNMENT.match(first.text)
    if not found:
        return None
    rest = first.text[found.end() :]
    return found.group(1), ((Text(rest),) if rest else ()) + word[1:]
