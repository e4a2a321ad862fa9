"""One call of a command: its words, its streams, the phone, and the shell that it was called
from."""

from __future__ import annotations

import errno
import posixpath
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..jobs import Job
from ..system.files import NULL, FileSystem, check_shell_writes
from .channels import Channels

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone

OPTIONS = "hUc"  # what ``$-`` says in Android's shell before any ``set``
LARGEST_INPUT = 1 << 30  # bytes that a command takes from its standard input
_STANDARD_OUTPUT = ("/dev/tty", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


class CommandFailed(Exception):
    """Ends a command: a line on standard error, and an exit code."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


class BadUsage(CommandFailed):
    """A command was called wrongly, in the words of toybox's ``help_exit`` (lib/lib.c)."""


class ShellExit(Exception):
    """``exit``, ``exec``, and what ``set -e`` makes of a failure: ends the shell."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class LoopLeft(Exception):
    """``break`` and ``continue``."""

    def __init__(self, *, again: bool) -> None:
        super().__init__(again)
        self.again = again


@dataclass
class ShellState:
    """The state that lasts from one command to the next. ``paced`` is set once the run has taken
    the phone's time."""

    variables: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    status: int = 0
    paced: bool = False
    jobs: list[Job] = field(default_factory=list)  # that this shell and those below it have started
    loops: int = 0  # that it is in
    judged: int = (
        0  # conditions, and left sides of && and ||, that it is in: there, a failure is an answer
    )

    def copy(self) -> ShellState:
        """For a subshell."""
        return replace(self, variables=dict(self.variables), loops=0)

    @property
    def ends_at_failure(self) -> bool:
        """``set -e``, if no one asks for the status; ``$-`` holds the letters of all options."""
        return not self.judged and "e" in self.variables.get("-", "")


@dataclass(frozen=True)
class Call:
    """``words`` are the arguments, exactly as the client meant them. ``spawn`` runs a command given
    as words, ``subshell`` a command line in a shell of its own, with given streams."""

    phone: VirtualPhone
    name: str
    words: Sequence[str]
    channels: Channels
    state: ShellState
    spawn: Callable[[Sequence[str], Channels], Awaitable[int]]
    subshell: Callable[[str, Channels], Awaitable[int]]

    def shifted(self, count: int = 1) -> Call:
        """The same call without its first words: what a subcommand gets."""
        return replace(self, words=self.words[count:])

    async def out(self, text: str) -> None:
        await self.channels.write(encoded(text))

    async def line(self, text: str) -> None:
        await self.channels.write(encoded(text + "\n"))

    async def error(self, text: str) -> None:
        await self.channels.write_error(encoded(text + "\n"))

    async def read_all(self) -> bytes:
        """Standard input to its end. Raises ``CommandFailed`` if that is unreasonably much."""
        taken = bytearray()
        while chunk := await self.channels.read():
            taken += chunk
            if len(taken) > LARGEST_INPUT:
                raise CommandFailed(f"{self.name}: more than {LARGEST_INPUT} bytes of input")
        return bytes(taken)

    def path(self, name: str) -> str:
        """Absolute, as seen from the shell's folder."""
        return posixpath.join(self.state.folder, name)

    async def load(self, name: str) -> bytes:
        """A file's content, or standard input for ``-``. Raises ``OSError``."""
        if name in ("-", "/dev/stdin"):
            return await self.read_all()
        return self.phone.files.read(self.path(name))

    async def save(self, name: str, data: bytes) -> None:
        """Into a file, or standard output for ``/dev/tty`` and its like. Raises ``OSError``."""
        if name in _STANDARD_OUTPUT:
            await self.channels.write(data)
        elif name != "/dev/null":
            save(self.phone.files, self.path(name), data)


def save(files: FileSystem, path: str, data: bytes) -> None:
    """As a process of adb's user writes: the folder must exist. Raises ``OSError``."""
    if not files.exists(posixpath.dirname(FileSystem.normalise(path))):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
    if FileSystem.normalise(path) != NULL:
        check_shell_writes(path)
    files.write(path, data)


def encoded(text: str) -> bytes:
    """As UTF-8; bytes that were none to begin with come back as they were."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate, which only an app's own text can have
        return text.encode("utf-8", "replace")


def short_options(
    words: Sequence[str], allowed: str, valued: str = ""
) -> tuple[dict[str, str], list[str]]:
    """Options in the style of ``ls -la -n 5``, and the other words. Those in ``allowed`` stand
    alone and map to "", those in ``valued`` take the next word or the rest of theirs. Raises
    ``CommandFailed`` for others.
    """
    options: dict[str, str] = {}
    rest: list[str] = []
    pending = list(words)
    while pending:
        word = pending.pop(0)
        if word == "--":
            return options, rest + pending
        if len(word) < 2 or word[0] != "-":
            rest.append(word)
            continue
        for index, letter in enumerate(word[1:], 2):
            if letter in valued:
                if index == len(word) and not pending:
                    raise BadUsage(f"Missing argument to -{letter}")
                options[letter] = word[index:] or pending.pop(0)
                break
            if letter not in allowed:
                raise BadUsage(f"Unknown option '{word[2:] if word[1] == '-' else letter}'")
            options[letter] = ""
    return options, rest
