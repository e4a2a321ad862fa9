"""echo, printf and test."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..call import Call, CommandFailed
from ..registry import table

_ESCAPE = re.compile(r"\\(?:0([0-7]{1,3})|([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([abefnrtvc\\]))")
_LETTERS = {"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_DIRECTIVE = re.compile(r"%(?:%|([-+ 0#]*)(\d*)(?:\.(\d+))?([sdiuxXocb]))")


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
    stopped = False
    if escapes:
        text, stopped = unescaped(text)
    await call.out(text + ("\n" if newline and not stopped else ""))
    return 0


def unescaped(text: str) -> tuple[str, bool]:
    """With backslash escapes carried out, and whether ``\\c`` ended it early."""
    before, stop, _ = _split_at_stop(text)
    return _ESCAPE.sub(_escape, before), stop


def _split_at_stop(text: str) -> tuple[str, bool, str]:
    for found in _ESCAPE.finditer(text):
        if found.group(4) == "c":
            return text[: found.start()], True, text[found.end() :]
    return text, False, ""


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
    pattern, stopped = unescaped(call.words[0])
    values = list(call.words[1:])
    text = ""
    while True:
        left = len(values)
        text += _DIRECTIVE.sub(lambda found: _formatted(found, values), pattern)
        if not values or stopped or len(values) == left:
            break
    await call.out(text)
    return 0


def _formatted(found: re.Match[str], values: list[str]) -> str:
    flags, width, precision, kind = found.groups()
    if kind is None:
        return "%"
    value = values.pop(0) if values else ""
    if kind == "b":
        return unescaped(value)[0]
    limit = f".{precision}" if precision else ""
    if kind == "s":
        return f"%{flags.replace('0', '')}{width}{limit}s" % value
    if kind == "c":
        return value[:1]
    try:
        return f"%{flags}{width}{limit}{'d' if kind in 'iu' else kind}" % int(value or "0", 0)
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
        return _binary(*words)
    raise CommandFailed("/system/bin/sh: test: unexpected operator/operand", 2)


def _unary(call: Call, operator: str, operand: str) -> bool:
    if operator in ("-n", "-z"):
        return (operand != "") == (operator == "-n")
    if operator not in ("-e", "-f", "-d", "-r", "-w", "-x", "-s", "-L", "-h"):
        raise CommandFailed(f"/system/bin/sh: test: {operator}: unexpected operator/operand", 2)
    path = call.path(operand)
    if operator in ("-L", "-h") or not call.phone.files.exists(path):
        return False
    stat = call.phone.files.stat(path)
    return {"-f": not stat.is_dir, "-d": stat.is_dir, "-s": stat.size > 0}.get(operator, True)


_NUMERIC: dict[str, Callable[[int, int], bool]] = {
    "-eq": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "-lt": lambda a, b: a < b,
    "-le": lambda a, b: a <= b,
    "-gt": lambda a, b: a > b,
    "-ge": lambda a, b: a >= b,
}


def _binary(left: str, operator: str, right: str) -> bool:
    if operator in ("=", "=="):
        return left == right
    if operator == "!=":
        return left != right
    if operator in _NUMERIC:
        try:
            return _NUMERIC[operator](int(left), int(right))
        except ValueError:
            raise CommandFailed(f"/system/bin/sh: test: {left} {operator} {right}: bad number", 2) from None
    raise CommandFailed(f"/system/bin/sh: test: {operator}: unexpected operator/operand", 2)


COMMANDS = table("free", **{"echo": _echo, "printf": _printf, "test": _test, "[": _test})
