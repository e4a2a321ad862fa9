"""``replicant``: the command line. One file a command; each adds itself to the parser and runs.

Exit codes: 0 fine, 1 a finding, 2 usage, 3 device or tool trouble; 130 after Ctrl-C.
"""

# mypy: implicit-reexport
from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from ..errors import WRONG_CALLS, ReplicantError, UsageError, did_you_mean, version_of
from . import (
    cassette,
    completion,
    doctor,
    heal,
    inspect,
    locators,
    looks,
    record,
    replay,
    screens,
    session,
    snapshot,
    triage,
    virtual,
    zip_trace,
)
from .process import FINDING, FINE, INTERRUPTED, TROUBLE, USAGE, Parser

_GROUPS = {
    "explore an app": (session, inspect.run, snapshot.run),
    "read a report": (
        triage.run,
        screens.run,
        locators.run,
        replay.run,
        cassette,
        zip_trace.run,
    ),
    "phones": (doctor.run, record.run, virtual),
    "repair tests": (heal.run, looks.run),
    "shell": (completion.run,),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; what goes wrong is one line on standard error."""
    words = list(sys.argv[1:] if argv is None else argv)
    behind: list[str] = []
    if (
        words[:1] == ["replay"] and "--" in words
    ):  # argparse takes no further words once an option has come
        cut = words.index("--")
        words, behind = words[:cut], words[cut + 1 :]
    try:
        parser, commands = _parser()
        if words and words[0][:1] != "-" and words[0] not in commands:
            return _complain(_unknown(words[0], commands), USAGE)
        arguments = parser.parse_args(words, Namespace(behind=behind, parser=parser))
    except SystemExit as left:  # argparse has printed why, or the help that was asked for
        return left.code if isinstance(left.code, int) else USAGE
    try:
        if {"device", "apps"} & vars(arguments).keys():
            from ..options.ini_file import import_as_tests_do  # heavy, as it asks pytest

            import_as_tests_do(Path.cwd())
        code: int = arguments.perform(arguments)
    except WRONG_CALLS as error:
        return _complain(error, USAGE)
    except ReplicantError as error:
        return _complain(error, TROUBLE)
    except BrokenPipeError:
        _mute()
        return TROUBLE  # the reader of our output has gone
    except OSError as error:  # a full disk, most likely
        _mute()
        return _complain(error, TROUBLE)
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _mute() -> None:
    """Python flushes standard output once more at its end, and would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(error: Exception, code: int) -> int:
    sys.stderr.write(f"replicant: {error}\n")
    return code


def _unknown(word: str, commands: Iterable[str]) -> UsageError:
    """Of a word that no command has."""
    from ..test_code import as_a_step  # heavy

    if said := as_a_step(word):
        return UsageError(said)
    near = next((name for name in commands if word.startswith(name) or name.startswith(word)), "")
    meant = f" Did you mean {near}?" if near else did_you_mean(word, commands)
    return UsageError(f"{word!r} is no command.{meant}", advice="replicant --help lists them")


def _parser() -> tuple[Parser, Collection[str]]:
    """It, and the names of the commands."""
    parser = Parser(
        prog="replicant",
        description="Agent-style mobile tests: tools that go with the pytest plugin.",
    )
    version = version_of("pytest-replicant") or "of a checkout that is not installed"
    parser.add_argument("--version", action="version", version=f"pytest-replicant {version}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for title, them in _GROUPS.items():
        begun = len(commands.choices)
        for each in them:
            each.add_to(commands)
        parser.headings[list(commands.choices)[begun]] = title
    return parser, commands.choices
