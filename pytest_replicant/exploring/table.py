"""The commands of a session, as data: the command line, the pause prompt, the page and MCP are made of them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..errors import UsageError, did_you_mean

Kind = Literal["text", "texts", "flag", "number"]
Values = Mapping[str, Any]
"""Of a command, by the names of its arguments."""


@dataclass(frozen=True)
class Argument:
    """One argument of a command: an option, unless it is a word of its own (``positional``)."""

    name: str
    help: str
    kind: Kind = "text"
    positional: bool = False
    required: bool = False


@dataclass(frozen=True)
class Command:
    """One command. ``tool`` says that agents have it over MCP too."""

    name: str
    help: str
    arguments: tuple[Argument, ...] = ()
    tool: bool = True


_MAX = Argument("max_chars", "characters of a screen (2000)", "number")
_ALLOW = Argument("allow", "word that the guard lets pass: pay, delete, send, call, other apps, a label", "texts")
_JSON = Argument("json", "answer as JSON, replicant.session/1", "flag")

COMMANDS: tuple[Command, ...] = (
    Command(
        "open",
        "start an app on a phone, and keep it for the commands that follow",
        (
            Argument("app", "id of the app; with a state, the one in front", positional=True),
            Argument("state", "fixture of the project, such as a mobile_state, to begin from"),
            Argument("device", "phone as pytest names it: virtual, virtual:ios, android:SERIAL, ios:URL"),
            Argument("keep_data", "leave the app's data as they are", "flag"),
            Argument(
                "guard", "refuse to pay, delete, send, call and leave the app; usual on a real phone", "flag"
            ),
            Argument("no_guard", "refuse nothing", "flag"),
            Argument("refuse", "further label that is refused", "texts"),
            _ALLOW,
            Argument("idle", "minutes without a command after which it ends (30)", "number"),
            _MAX,
        ),
    ),
    Command(
        "look",
        "print the screen: each element has a ref",
        (
            Argument("all", "whatever is covered or further on as well, without a limit", "flag"),
            Argument("within", "only the part with this ref or label"),
            _MAX,
        ),
    ),
    Command(
        "do",
        "do steps until one fails: tap m987, fill k020 some text, or the call as in a test",
        (
            Argument("steps", 'tap(text="Sign in"), fill(text="Password", env="NAME")', "texts", positional=True),
            Argument("id", "name of this request: sent again, it does nothing"),
            _ALLOW,
            _MAX,
        ),
    ),
    Command(
        "expect",
        "make checks and record them: ids of proposed ones, or expect_visible(text=...)",
        (
            Argument("checks", "3a, or a call", "texts", positional=True, required=True),
            Argument("instead", "in place of the check that failed, or of the step's last one", "flag"),
        ),
    ),
    Command(
        "rewind",
        "start afresh and do the recorded steps 1 to N again; later ones are forgotten",
        (Argument("number", "0 for a fresh app", "number", positional=True, required=True), _ALLOW),
    ),
    Command(
        "note",
        "put the steps from here on under a title, mobile.step(...); without one, under none",
        (Argument("title", "of the part of the test", positional=True),),
    ),
    Command(
        "evidence",
        "print or keep logs, crashes, a screenshot, also with refs or a grid drawn on it, or the trace",
        (
            Argument("what", "logs, crashes, screenshot, marks, grid or trace", positional=True, required=True),
            Argument("output", "file to write"),
        ),
    ),
    Command(
        "save",
        "write the recorded steps as a test",
        (
            Argument(
                "place", "tests/test_order.py::test_order; none in a paused test: at its line", positional=True
            ),
            Argument("diff", "print the patch, write nothing", "flag"),
            Argument("run", "run it on a fresh app", "flag"),
            Argument("replace", "give a test of that name the new steps", "flag"),
            _ALLOW,
        ),
    ),
    Command(
        "run",
        "run a test on a fresh app; without one, the one saved last",
        (Argument("place", "tests/test_order.py::test_order", positional=True), _ALLOW),
    ),
    Command(
        "last",
        "print what became of the last steps, or of those of a request",
        (Argument("id", "of the request", positional=True),),
    ),
    Command("sessions", "list the sessions that are open", tool=False),
    Command("close", "end the session and give the phone back"),
)
NAMES = frozenset(one.name for one in COMMANDS)


def command(name: str) -> Command:
    """Raises ``UsageError`` for a name that none has."""
    found = next((one for one in COMMANDS if one.name == name), None)
    if found is None:
        raise UsageError(f"{name!r} is no command of a session.{did_you_mean(name, NAMES)}")
    return found


def values_of(argv: Sequence[str]) -> Values:
    """The values of a command as it was typed, by the names of its arguments, and ``json``. Raises
    ``UsageError``."""
    its = command(argv[0])
    options = {_typed(one): one for one in (*its.arguments, _JSON) if not one.positional}
    places = [one for one in its.arguments if one.positional]
    given: dict[str, Any] = {}
    words = list(argv[1:])
    while words:
        word = words.pop(0)
        if word == "--":
            for each in words:
                _put_word(its, places, given, each)
            break
        if not _OPTION.match(word):
            _put_word(its, places, given, word)
            continue
        flag, has_value, value = word.partition("=")
        option = options.get(flag)
        if option is None:
            raise _unknown(its, flag, [*map(_typed, places), *options])
        if option.kind == "flag":
            given[option.name] = True
            continue
        if not (has_value or words):
            raise UsageError(f"{its.name}: {flag} takes a value: {option.help}")
        _put(its, option, given, value if has_value else words.pop(0))
    as_json = given.pop(_JSON.name, False)
    return {**checked(its.name, given), _JSON.name: as_json}


_OPTION = re.compile(r"--?[a-zA-Z]")


def _typed(one: Argument) -> str:
    """Its name on the command line."""
    return one.name if one.positional else f"--{one.name.replace('_', '-')}"


def _put_word(its: Command, places: Sequence[Argument], given: dict[str, Any], word: str) -> None:
    """A word that is no option goes to the first argument that has none yet, or takes several."""
    free = next((one for one in places if one.kind == "texts" or one.name not in given), None)
    if free is None:
        raise UsageError(f"{its.name} takes no word {word!r}. It takes {_listed(map(_typed, its.arguments))}")
    _put(its, free, given, word)


def _put(its: Command, one: Argument, given: dict[str, Any], value: str) -> None:
    if one.kind == "texts":
        given.setdefault(one.name, []).append(value)
        return
    try:
        given[one.name] = float(value) if one.kind == "number" else value
    except ValueError:
        raise UsageError(f"{its.name}: {_typed(one)} {value!r} is no number: {one.help}") from None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"


def _unknown(its: Command, name: str, known: Sequence[str]) -> UsageError:
    return UsageError(f"{its.name} has no argument {name!r}.{did_you_mean(name, known)} It takes {_listed(known)}")


def add_arguments(parser: argparse.ArgumentParser, its: Command) -> None:
    """Those of a command, and ``--json``."""
    for one in (*its.arguments, _JSON):
        how: dict[str, Any] = {"help": one.help}
        if one.kind == "flag":
            how["action"] = "store_true"
        else:
            how["metavar"] = one.name.removesuffix("s").upper() if one.positional else _METAVARS[one.kind]
        if one.kind == "number":
            how["type"] = float
        if one.kind == "texts":
            how |= (
                {"nargs": "+" if one.required else "*"} if one.positional else {"action": "append", "default": []}
            )
        elif one.positional and not one.required:
            how["nargs"] = "?"
        parser.add_argument(_typed(one), **how)


_METAVARS: dict[Kind, str] = {"text": "TEXT", "texts": "TEXT", "number": "N"}


def checked(name: str, given: Values) -> Values:
    """The values of a command that were given as JSON, completed. Raises ``UsageError`` for wrong ones."""
    its = command(name)
    known = {one.name: one for one in its.arguments}
    if unknown := sorted(given.keys() - known.keys()):
        raise _unknown(its, unknown[0], [*known])
    types: dict[Kind, type | tuple[type, ...]] = {"text": str, "texts": list, "flag": bool, "number": (int, float)}
    values: dict[str, Any] = {"json": False}
    for one in its.arguments:
        value = given.get(one.name)
        if value is None and one.required:
            raise UsageError(f"{name} needs {one.name}: {one.help}")
        if value is not None and not isinstance(value, types[one.kind]):
            raise UsageError(f"{name}: {one.name}={value!r} is no {one.kind}")
        if one.kind == "texts" and not all(isinstance(each, str) for each in given.get(one.name) or ()):
            raise UsageError(f"{name}: {one.name} is a list of texts")
        values[one.name] = value if value is not None else {"texts": [], "flag": False}.get(one.kind)
    return values


def schema_of(its: Command) -> dict[str, Any]:
    """The JSON schema of its arguments."""
    types: dict[Kind, dict[str, Any]] = {
        "text": {"type": "string"},
        "texts": {"type": "array", "items": {"type": "string"}},
        "flag": {"type": "boolean"},
        "number": {"type": "number"},
    }
    return {
        "type": "object",
        "properties": {one.name: {**types[one.kind], "description": one.help} for one in its.arguments},
        "required": [one.name for one in its.arguments if one.required],
    }
