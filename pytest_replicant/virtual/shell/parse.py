"""Reads a whole command line into a ``Script``; pure, so that quoting can be tested on its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, cast

from .syntax import (
    Case,
    Command,
    Compound,
    For,
    Group,
    Output,
    Part,
    Pipeline,
    Redirect,
    Script,
    ShellSyntaxError,
    Simple,
    Step,
    Text,
    Variable,
    While,
    Word,
)

_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9?$#@*!-]")
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
        """Raises ``ShellSyntaxError`` if scripts nest beyond reason."""
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
        raise _unknown("`")
    if cursor.peek(2) == "((":
        raise _unknown("$((")
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
    named = cursor.match(_PARAMETER)
    return Variable(named.group(), quoted) if named else Text("$", quoted=True)


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BLANKS = re.compile(r"(?:[ \t]|\\\n)+")
_COMMENT = re.compile(r"#[^\n]*")
_REDIRECT = re.compile(r"([0-2]?)(>>|>&|&>|>|<(?!<))[ \t]*")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")
_UNSUPPORTED = frozenset(("function", "if", "select", "until", "[["))
_STARTS = re.compile(r"(while|for|case)(?=[\s;&|<>()]|$)")
_ENDS = re.compile(r";;|(?:do|done|esac)(?=[\s;&|<>()]|$)")


def parse(line: str) -> Script:
    """Raises ``ShellSyntaxError`` for what the shell would refuse, and for arithmetic, functions
    and ``[[``, which this shell does not know."""
    cursor = Cursor(line)
    script = _script(cursor)
    if cursor.peek():
        raise _unexpected(cursor)
    return script


def _unknown(what: str) -> ShellSyntaxError:
    return ShellSyntaxError(f"syntax error: '{what}' is not known to the virtual phone's shell")


def _unexpected(cursor: Cursor) -> ShellSyntaxError:
    reserved = _ENDS.match(cursor.text, cursor.at)
    return ShellSyntaxError(
        f"syntax error: unexpected '{reserved[0] if reserved else cursor.peek() or 'EOF'}'"
    )


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
        ends = cursor.peek() == "}" or _ENDS.match(cursor.text, cursor.at)
        if cursor.peek() in ("", ")") or (ends and when == ";"):
            if when != ";":
                raise ShellSyntaxError("syntax error: unexpected 'EOF'")
            return Script(tuple(steps))
        steps.append(Step(when, _pipeline(cursor)))
        if cursor.peek() == "&" and cursor.peek(2) != "&&":
            steps[-1] = replace(steps[-1], background=cursor.text[begins : cursor.at].strip())
        when = _connector(cursor)


def _skip_separators(cursor: Cursor, *, expected: bool) -> None:
    """Blank lines, comments and, if no command is ``expected``, stray semicolons after a
    command."""
    _skip(cursor)
    while cursor.peek() == "\n":
        cursor.take()
        _skip(cursor)
    if cursor.peek(2) == ";;" and not expected:
        return
    if cursor.peek() in (";", "&", "|") or (expected and cursor.peek() == ")"):
        raise ShellSyntaxError(f"syntax error: unexpected '{cursor.peek()}'")


def _connector(cursor: Cursor) -> Literal[";", "&&", "||"]:
    """What stands between two steps."""
    if cursor.peek(2) in ("&&", "||"):
        return cast('Literal["&&", "||"]', cursor.take(2))
    if cursor.peek() in (";", "&", "\n") and cursor.peek(2) != ";;":
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
    if starts := cursor.match(_STARTS):
        return _COMPOUNDS[starts[0]](cursor, starts[0])
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
            raise _unknown(name)


def _group(cursor: Cursor, closing: Literal[")", "}"]) -> Group:
    inner = cursor.deeper(cursor.text, cursor.at + 1)
    script = _script(inner)
    if inner.take() != closing:
        raise ShellSyntaxError(f"syntax error: no closing '{closing}'")
    cursor.at = inner.at
    return Group(script, closing == ")", _redirects(cursor))


def _redirects(cursor: Cursor) -> tuple[Redirect, ...]:
    redirects: list[Redirect] = []
    while True:
        _skip(cursor)
        redirect = _redirect(cursor)
        if not redirect:
            return tuple(redirects)
        redirects.extend(redirect)


def _up_to(cursor: Cursor, *ends: str) -> tuple[Script, str]:
    """A script, and which of the words ended it."""
    inner = cursor.deeper(cursor.text, cursor.at)
    script = _script(inner)
    cursor.at = inner.at
    found = _ENDS.match(cursor.text, cursor.at)
    if not found or found[0] not in ends or not (script.steps or found[0] in ("esac", ";;")):
        raise _unexpected(cursor)
    return script, cursor.take(len(found[0]))


def _while(cursor: Cursor, _word: str) -> While:
    condition, _ = _up_to(cursor, "do")
    body, _ = _up_to(cursor, "done")
    return While(condition, body, _redirects(cursor))


def _for(cursor: Cursor, _word: str) -> For:
    _skip(cursor)
    name = cursor.match(_NAME)
    if not name:
        raise _unexpected(cursor)
    if not _next_is(cursor, "in"):
        raise _unexpected(cursor)
    words = _words_of(cursor)
    _connector(cursor)
    if not _next_is(cursor, "do"):
        raise _unexpected(cursor)
    body, _ = _up_to(cursor, "done")
    return For(name[0], words, body, _redirects(cursor))


def _case(cursor: Cursor, _word: str) -> Case:
    _skip(cursor)
    word = read_word(cursor, _script)
    if not word or not _next_is(cursor, "in"):
        raise _unexpected(cursor)
    choices: list[tuple[tuple[Word, ...], Script]] = []
    ended = ";;"
    while ended != "esac":
        if _next_is(cursor, "esac"):
            break
        if cursor.peek() == "(":
            cursor.take()
        patterns = _patterns(cursor)
        script, ended = _up_to(cursor, ";;", "esac")
        choices.append((patterns, script))
    return Case(word, tuple(choices), _redirects(cursor))


def _patterns(cursor: Cursor) -> tuple[Word, ...]:
    patterns: list[Word] = []
    while True:
        _skip(cursor)
        patterns.append(read_word(cursor, _script))
        _skip(cursor)
        if not patterns[-1] or cursor.peek() not in ("|", ")"):
            raise _unexpected(cursor)
        if cursor.take() == ")":
            return tuple(patterns)


def _words_of(cursor: Cursor) -> tuple[Word, ...]:
    words: list[Word] = []
    while True:
        _skip(cursor)
        word = read_word(cursor, _script)
        if not word:
            return tuple(words)
        words.append(word)


def _next_is(cursor: Cursor, word: str) -> bool:
    """Takes it where it comes next, perhaps on a later line."""
    _skip(cursor)
    while cursor.peek() == "\n":
        cursor.take()
        _skip(cursor)
    return bool(cursor.match(re.compile(rf"{word}(?=[\s;&|<>()]|$)")))


_COMPOUNDS: dict[str, Callable[[Cursor, str], Compound]] = {
    "while": _while,
    "for": _for,
    "case": _case,
}


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
    if operator == "&>":
        return [Redirect(1, ">", target), Redirect(2, "&", (Text("1"),))]
    plain = cast('Literal["<", ">", ">>", "&"]', "&" if operator == ">&" else operator)
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
