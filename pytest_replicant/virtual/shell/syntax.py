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


@dataclass(frozen=True)
class Arithmetic:
    """``$((expression))``; its variables that are written with a ``$`` are put in first."""

    expression: Word
    quoted: bool = False


Part = Text | Variable | Output | Arithmetic
Word = tuple[Part, ...]


@dataclass(frozen=True)
class Redirect:
    """``descriptor`` is 0, 1 or 2. ``target`` is a file's name, or for ``&`` a descriptor's number."""

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


Command = Simple | Group


@dataclass(frozen=True)
class Pipeline:
    """Commands joined by ``|``; ``negated`` by a leading ``!``."""

    commands: tuple[Command, ...]
    negated: bool = False


@dataclass(frozen=True)
class Step:
    """A pipeline and when it runs: ``;`` always, ``&&`` after success, ``||`` after failure."""

    when: Literal[";", "&&", "||"]
    pipeline: Pipeline


@dataclass(frozen=True)
class Script:
    """Steps in order."""

    steps: tuple[Step, ...]
