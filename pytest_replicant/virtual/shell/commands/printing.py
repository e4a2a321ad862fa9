"""echo, printf and test."""

from __future__ import annotations

import re

from ..call import Call, CommandFailed
from ..registry import table

_ESCAPE = re.compile(r"\\(?:0([0-7]{1,3})|([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([abefnrtv\\]))")
_LETTERS = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_DIRECTIVE = re.compile(r"%(?:%|([-+ 0#]*)(\d*)(?:\.(\d+))?([sdx]))")


async def _echo(call: Call) -> int:
    """As Android's shell does: escapes are read unless ``-E`` says not."""
    words = list(call.words)
    newline, escapes = True, True
    while words and re.fullmatch(r"-[neE]+", words[0]):
        letters = words.pop(0)
        newline = newline and "n" not in letters
        if letters[-1] != "n":
            escapes = letters[-1] == "e"
    text = " ".join(words)
    await call.out((unescaped(text) if escapes else text) + ("\n" if newline else ""))
    return 0


def unescaped(text: str) -> str:
    """With backslash escapes carried out."""
    return _ESCAPE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    octal = found.group(1) or found.group(2)
    if octal:
        return chr(int(octal, 8) & 0xFF)
    if found.group(3):
        return chr(int(found.group(3), 16))
    return _LETTERS.get(found.group(4), "\\")


async def _printf(call: Call) -> int:
    if not call.words:
        raise CommandFailed("printf: usage: printf FORMAT [ARGUMENT...]")
    pattern = unescaped(call.words[0])
    values = list(call.words[1:])
    text = ""
    while True:
        left = len(values)
        text += _DIRECTIVE.sub(lambda found: _formatted(found, values), pattern)
        if not values or len(values) == left:
            break
    await call.out(text)
    return 0


def _formatted(found: re.Match[str], values: list[str]) -> str:
    flags, width, precision, kind = found.groups()
    if kind is None:
        return "%"
    value = values.pop(0) if values else ""
    limit = f".{precision}" if precision else ""
    if kind == "s":
        return f"%{flags.replace('0', '')}{width}{limit}s" % value
    try:
        return f"%{flags}{width}{limit}{kind}" % int(value or "0", 0)
    except ValueError:
        raise CommandFailed(f"printf: bad number: {value}") from None


async def _test(call: Call) -> int:
    words = list(call.words)
    if call.name == "[" and (not words or words.pop() != "]"):
        raise CommandFailed("/system/bin/sh: [: missing ]", 2)
    return int(not _holds(call, words))


def _holds(call: Call, words: list[str]) -> bool:
    if not words:
        return False
    if words[0] == "!" and len(words) > 1:
        return not _holds(call, words[1:])
    if len(words) == 1:
        return words[0] != ""
    if len(words) == 2:
        return _unary(call, *words)
    if len(words) == 3:
        left, operator, right = words
        if operator in ("=", "==", "!="):
            return (left == right) != (operator == "!=")
        raise CommandFailed(f"/system/bin/sh: test: {operator}: unexpected operator/operand", 2)
    raise CommandFailed("/system/bin/sh: test: unexpected operator/operand", 2)


def _unary(call: Call, operator: str, operand: str) -> bool:
    if operator in ("-n", "-z"):
        return (operand != "") == (operator == "-n")
    if operator not in ("-e", "-f", "-d", "-s"):
        raise CommandFailed(f"/system/bin/sh: test: {operator}: unexpected operator/operand", 2)
    path = call.path(operand)
    if not call.phone.files.exists(path):
        return False
    stat = call.phone.files.stat(path)
    return {"-f": not stat.is_dir, "-d": stat.is_dir, "-s": stat.size > 0}.get(operator, True)


COMMANDS = table("free", **{"echo": _echo, "printf": _printf, "test": _test, "[": _test})
