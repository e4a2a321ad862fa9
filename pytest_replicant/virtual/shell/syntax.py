"""What a command line means, as small values: words of parts, commands, pipelines, scripts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


class ShellSyntaxError(Exception):
    """A command line that the shell cannot read; ``str()`` is the shell's own wording."""


@dataclass(frozen=True)
class Text:
    """Literal characters. Quoted ones are never split and never match file names."""

    text: str
    quoted: bool = False


@dataclass(frozen=True)
class Variable:
    """``$NAME``, ``${NAME}``, ``${NAME:-default}``, ``$?``."""

    name: str
    quoted: bool = False
    default: str = ""


@dataclass(frozen=True)
class Output:
    """``$(script)``: what it prints, without the newlines at its end."""

    script: Script
    quoted: bool = False


Part = Text | Variable | Output
Word = tuple[Part, ...]


@dataclass(frozen=True)
class Redirect:
    """``descriptor`` is 0, 1 or 2. ``target`` is a file's name, or for ``&`` a descriptor's
    number."""

    descriptor: int
    operator: Literal["<", ">", ">>", "&"]
    target: Word


@dataclass(frozen=True)
class Simple:
    """``A=1 name words > file``."""

    assignments: tuple[tuple[str, Word], ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True)
class Group:
    """``( script )``, in a shell of its own, or ``{ script; }``."""

    script: Script
    own_shell: bool
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True)
class While:
    condition: Script
    body: Script
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True)
class For:
    name: str
    words: tuple[Word, ...]
    body: Script
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True)
class Case:
    """The first of ``choices`` that has a pattern which the word matches."""

    word: Word
    choices: tuple[tuple[tuple[Word, ...], Script], ...]
    redirects: tuple[Redirect, ...]


Compound = Group | While | For | Case
Command = Simple | Compound


def _parts(command: Compound) -> tuple[Script, ...]:
    if isinstance(command, While):
        return command.condition, command.body
    if isinstance(command, Case):
        return tuple(script for _, script in command.choices)
    return (command.script if isinstance(command, Group) else command.body,)


@dataclass(frozen=True)
class Pipeline:
    """Commands joined by ``|``; ``negated`` by a leading ``!``."""

    commands: tuple[Command, ...]
    negated: bool = False


@dataclass(frozen=True)
class Step:
    """A pipeline and when it runs: ``;`` always, ``&&`` after success, ``||`` after failure.
    ``background`` is the text of a list of steps, joined by the latter two, of which this is the
    last and ends in ``&``."""

    when: Literal[";", "&&", "||"]
    pipeline: Pipeline
    background: str = ""


@dataclass(frozen=True)
class Script:
    """Steps in order."""

    steps: tuple[Step, ...]


def holds_output(script: Script, *, out: bool = True, error: bool = True) -> bool:
    """Whether any of a script's commands writes to an output that it did not open itself."""
    return any(
        _holds(command, out=out and command is commands[-1], error=error)
        for commands in (step.pipeline.commands for step in script.steps)
        for command in commands
    )


def _holds(command: Command, *, out: bool, error: bool) -> bool:
    held = {"1": out, "2": error}
    for redirect in command.redirects:
        if redirect.descriptor in (1, 2):
            held[str(redirect.descriptor)] = _leads_on(redirect, held)
    if isinstance(command, Simple):
        return any(held.values())
    return any(holds_output(script, out=held["1"], error=held["2"]) for script in _parts(command))


def _leads_on(redirect: Redirect, held: dict[str, bool]) -> bool:
    target = _plain(redirect.target)
    if redirect.operator == "&":
        return held.get(target, False)
    return target in ("/dev/tty", "/dev/stdout", "/dev/stderr")


def _plain(word: Word) -> str:
    return "".join(part.text for part in word if isinstance(part, Text))
