"""What commands share: their arguments, text on standard output, and an orderly end."""

from __future__ import annotations

import argparse
import json
import math
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from operator import methodcaller
from pathlib import Path
from typing import Any, NoReturn, TextIO, TypeAlias

from ..errors import UsageError, did_you_mean
from ..model.printable import few, printable

Commands: TypeAlias = "argparse._SubParsersAction[Any]"
Perform: TypeAlias = "Callable[[argparse.Namespace], int]"
Option: TypeAlias = "Callable[[argparse._ActionsContainer], object]"
FINE, FINDING, USAGE, TROUBLE = range(4)
"""Exit codes."""
INTERRUPTED = 130  # as shells count it: 128 and the number of SIGINT
_MOST_TROUBLES = 5
_LONGEST = 1000  # characters of what one line of a finding becomes
_SAME_SECONDS = 0.2
_CHOICE = r"invalid choice: '(?P<given>.*?)' \(choose from (?P<choices>.*)\)"


class Parser(argparse.ArgumentParser):
    """Of ``replicant`` and of each command. An unknown option, command or choice is answered with
    the usage of its own command and the nearest name; the exit code is 2. ``headings`` stand in its
    help, by the command below."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**how)
        self.headings: dict[str, str] = {}

    def format_help(self) -> str:
        text = super().format_help()
        for name, heading in self.headings.items():
            text = re.sub(
                rf"^    {name}\b", f"  {heading}:\n\\g<0>", text, count=1, flags=re.MULTILINE
            )
        return text

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Leaves no word unknown: argparse would report it with the usage of ``replicant``. It
        would complain about a missing argument first, too."""
        words = sys.argv[1:] if args is None else list(args)
        own = takewhile(_is_option, words) if self._subparsers is not None else words
        known = self._option_string_actions
        for word in filter(_is_option, takewhile("--".__ne__, own)):
            name = word.partition("=")[0] if word.startswith("--") else word[:2]
            if not any(option.startswith(name) for option in known):
                self.error(f"there is no option {name}.{did_you_mean(name, known)}")
        found, unknown = super().parse_known_args(words, namespace)
        if unknown:
            self.error(f"more words than it takes: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        if match := re.search(_CHOICE, message):
            choices = [word.strip("' ") for word in match["choices"].split(",")]
            message = f"{message}.{did_you_mean(match['given'], choices)}"
        super().error(message)


@dataclass(frozen=True)
class Command:
    """A command with its options, which ``perform`` runs; its result is the exit code."""

    name: str
    help: str
    description: str
    options: Sequence[Option]
    perform: Perform

    def add_to(self, commands: Commands) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = commands.add_parser(
            self.name, help=self.help, description=self.description
        )
        parser.set_defaults(perform=self.perform)
        for add in self.options:
            add(parser)
        return parser


def command(
    name: str, help: str, description: str, *options: Option
) -> Callable[[Perform], Command]:
    """Makes a command of the function that performs it."""
    return partial(Command, name, help, description, options)


def option(*names: str, **how: Any) -> Option:
    """A word, or an option, ``how`` as argparse has it."""
    return methodcaller("add_argument", *names, **how)


def argument(name: str, metavar: str, help: str, **how: Any) -> Option:
    """A word, or an option with a value, ``how`` as argparse has it."""
    return option(name, metavar=metavar, help=help, **how)


def flag(name: str, help: str) -> Option:
    """An option without a value."""
    return option(name, action="store_true", help=help)


def device(help: str, several: bool = False) -> Option:
    """The option for a phone, or for several. It has the same name in pytest, where ``--device``
    belongs to pytest-playwright."""
    how = "append" if several else "store"
    return option("--device", "--replicant-device", action=how, metavar="URI", help=help)


def given(arguments: argparse.Namespace, *names: str) -> list[str]:
    """Those of these options that have a value, as they are typed."""
    return [f"--{name.replace('_', '-')}" for name in names if getattr(arguments, name)]


def existing(name: str, is_there: Callable[[Path], bool], otherwise: str) -> Path:
    """The path of that name. Raises ``UsageError`` with what to say ``otherwise``."""
    with suppress(ValueError):  # a null character in the name
        if is_there(Path(name)):
            return Path(name)
    raise UsageError(otherwise)


def not_read(troubles: Sequence[str], what: str = "read") -> list[str]:
    """The lines about what could not be read; none if all was."""
    listed = [f"  {printable(line)}" for line in few(troubles, _MOST_TROUBLES)]
    return [f"not {what} ({len(troubles)}):", *listed] if troubles else []


def code_of(finding: object, troubles: object) -> int:
    """The exit code of a command that read reports."""
    if finding:
        return FINDING
    return TROUBLE if troubles else FINE


def repeatable(name: str, metavar: str, help: str) -> Option:
    """An option that may be given several times, for a list of texts."""
    return option(name, action="append", default=[], metavar=metavar, help=help)


def either(*options: Option, required: bool = False) -> Option:
    """Options of which one at most is given, or exactly one."""

    def add(parser: argparse._ActionsContainer) -> None:
        group = parser.add_mutually_exclusive_group(required=required)
        for each in options:
            each(group)

    return add


def _is_option(word: str) -> bool:
    return re.match(r"--?[a-zA-Z]", word) is not None


def print_text(text: str, stream: TextIO | None = None) -> None:
    """On standard output, unless given. What the terminal's encoding does not have is escaped; a
    reader that has gone is noticed here."""
    stream = stream or sys.stdout
    if stream is None:
        raise UsageError("standard output is closed")
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")
    stream.write(f"{text}\n")
    stream.flush()


def print_json(value: object) -> None:
    """On standard output, for programs."""
    print_text(json.dumps(value, indent=2))


def number_up_to(
    most: float, what: str, least: float = math.ulp(0.0), kind: Callable[[str], float] = float
) -> Callable[[str], float]:
    """Reads an argument that is a number above 0, or from ``least``, to ``most``: ``what`` says so.
    ``kind`` is ``int`` for whole ones."""

    def read(text: str) -> float:
        try:
            found = kind(text)
        except ValueError:
            found = math.nan
        if not least <= found <= most:  # false for nan as well
            raise argparse.ArgumentTypeError(f"{text!r} is no {what}")
        return found

    return read


def on_one_line(text: str) -> str:
    """Of a finding, without what a terminal would obey."""
    return printable(" ".join(text.split()), _LONGEST)


def end_as_ctrl_c() -> None:
    """SIGTERM unwinds as Ctrl-C does, so that the phone is released."""
    raise KeyboardInterrupt


@contextmanager
def on_signals(stop: Callable[[], None], *names: signal.Signals) -> Iterator[None]:
    """While it is entered, these signals call ``stop`` instead of ending the process at once. One
    that is sent to us and to our group, as ``timeout`` does, counts once."""
    last = -_SAME_SECONDS

    def take(_number: int, _frame: object) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before >= _SAME_SECONDS:
            stop()

    before = {name: signal.signal(name, take) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
