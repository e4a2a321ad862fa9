"""What a command is given: as words, as JSON or by an agent, checked by the ``table``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import UsageError, did_you_mean
from .table import BY_NAME, JSON, Argument, Command

if TYPE_CHECKING:
    from .table import Kind

Values = Mapping[str, Any]
"""Of a command, by the names of its arguments."""


class _Kind(NamedTuple):
    """What an argument may be: in Python, in JSON, if it is not given, and in the help."""

    type: type | tuple[type, ...]
    schema: Mapping[str, Any]
    usual: Any
    metavar: str


_KINDS: dict[Kind, _Kind] = {
    "text": _Kind(str, {"type": "string"}, None, "TEXT"),
    "texts": _Kind(list, {"type": "array", "items": {"type": "string"}}, (), "TEXT"),
    "flag": _Kind(bool, {"type": "boolean"}, False, ""),
    "number": _Kind((int, float), {"type": "number"}, None, "N"),
}


def command(name: str) -> Command:
    """Raises ``UsageError`` for a name that none has."""
    if name not in BY_NAME:
        raise UsageError(f"{name!r} is no command of a session.{did_you_mean(name, BY_NAME)}")
    return BY_NAME[name]


def values_of(argv: Sequence[str]) -> Values:
    """The values of a command as it was typed, by the names of its arguments, and ``json``. Raises
    ``UsageError``."""
    its = command(argv[0])
    options = {one.typed: one for one in (*its.arguments, JSON) if not one.positional}
    places = [one for one in its.arguments if one.positional]
    takes = [one.typed for one in (*places, *options.values())]
    given: dict[str, Any] = {}
    words, left = list(argv[1:]), False  # words after "--" are no options
    while words:
        word = words.pop(0)
        flag, has_value, value = word.partition("=")
        if word == "--" and not left:
            left = True
            continue
        if left or not re.match(r"--?[a-zA-Z]", word):
            free = (one for one in places if one.kind == "texts" or one.name not in given)
            one, value = next(free, None), word
            if not one:
                raise UsageError(f"{its.name} takes no word {word!r}. It takes {', '.join(takes)}")
        else:
            one = options.get(flag)
            if not one:
                raise _unknown(its, flag, takes)
            if one.kind != "flag" and not has_value:
                if not words:
                    raise UsageError(f"{its.name}: {flag} takes a value: {one.help}")
                value = words.pop(0)
        _put(its, one, given, value)
    as_json = given.pop(JSON.name, False)
    return {**checked(its.name, given), JSON.name: as_json}


def words_of(name: str, values: Values) -> tuple[str, ...]:
    """A command as it would be typed, each value a part of its own option: it may begin with a
    dash."""
    words: list[str] = []
    behind: list[str] = []
    for one in command(name).arguments:
        value = values.get(one.name)
        if value is None or value is False:
            continue
        given = value if one.kind == "texts" else [value]
        if one.positional:
            behind += map(str, given)
        else:
            words += [one.typed] if value is True else [f"{one.typed}={each}" for each in given]
    return (name, *words, "--", *behind)


def _put(its: Command, one: Argument, given: dict[str, Any], value: str) -> None:
    if one.kind == "texts":
        given.setdefault(one.name, []).append(value)
    elif one.kind == "flag":
        given[one.name] = True
    elif one.kind == "text":
        given[one.name] = value
    else:
        try:
            given[one.name] = float(value)
        except ValueError:
            raise UsageError(
                f"{its.name}: {one.typed} {value!r} is no number: {one.help}"
            ) from None


def _unknown(its: Command, name: str, known: Sequence[str]) -> UsageError:
    return UsageError(
        f"{its.name} has no argument {name!r}.{did_you_mean(name, known)} It takes "
        f"{', '.join(known)}"
    )


def add_arguments(parser: argparse._ActionsContainer, arguments: Sequence[Argument]) -> None:
    """For their help; the session reads them by ``values_of``."""
    for one in arguments:
        how: dict[str, Any] = {"help": one.help, "metavar": _KINDS[one.kind].metavar}
        if one.kind == "flag":
            how = {"help": one.help, "action": "store_true"}
        elif one.positional:
            how["metavar"] = one.name.removesuffix("s").upper()
            if one.kind == "texts":
                how["nargs"] = "+" if one.required else "*"
            elif not one.required:
                how["nargs"] = "?"
        elif one.kind == "texts":
            how["action"] = "append"
        parser.add_argument(one.typed, **how)


def checked(name: str, given: Values) -> Values:
    """The values of a command that were given as JSON, completed. Raises ``UsageError`` for wrong
    ones."""
    its = command(name)
    known = [one.name for one in its.arguments]
    if unknown := sorted(given.keys() - known):
        raise _unknown(its, unknown[0], known)
    values: dict[str, Any] = {"json": False}
    for one in its.arguments:
        kind, value = _KINDS[one.kind], given.get(one.name)
        if value is None:
            if one.required:
                raise UsageError(f"{name} needs {one.name}: {one.help}")
            value = kind.usual
        elif not isinstance(value, kind.type):
            raise UsageError(f"{name}: {one.name}={value!r} is no {one.kind}")
        elif one.kind == "texts" and not all(isinstance(each, str) for each in given[one.name]):
            raise UsageError(f"{name}: {one.name} is a list of texts")
        values[one.name] = value
    return values


def schema_of(its: Command) -> dict[str, Any]:
    """The JSON schema of its arguments."""
    return {
        "type": "object",
        "properties": {
            one.name: {**_KINDS[one.kind].schema, "description": one.help} for one in its.arguments
        },
        "required": [one.name for one in its.arguments if one.required],
    }
