"""The phone's shell: ``run`` for a command line, ``run_words`` for a service call given as
words."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from ..jobs import finished
from ..streams import Terminal
from .call import OPTIONS, ShellExit, ShellState, encoded
from .channels import Channels
from .commands import COMMANDS
from .run import BROKEN_PIPE, SHELL, Shell

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone

__all__ = ["Terminal", "framebuffer", "run", "run_words"]

LONGEST_LINE = 1 << 20  # bytes of an interactive command line


async def run(phone: VirtualPhone, command: str, terminal: Terminal) -> int:
    """Runs a command line to its exit code, 0 to 255; an empty one reads lines from standard input
    until its end. Never raises but when cancelled, which ends streaming commands such as
    ``logcat``."""

    async def line(shell: Shell, channels: Channels) -> int:
        return await (
            shell.run_line(command, channels) if command.strip() else _interactive(shell, channels)
        )

    return await _ended(phone, terminal, line)


async def run_words(phone: VirtualPhone, words: Sequence[str], terminal: Terminal) -> int:
    """Calls a service as ``cmd WORDS…`` does, its arguments being data. Raises as ``run``."""

    async def service(shell: Shell, channels: Channels) -> int:
        return await shell.run_words(["cmd", *words], channels)

    return await _ended(phone, terminal, service)


def framebuffer(phone: VirtualPhone) -> bytes:
    """The screen as adbd sends it, with its header. Takes as long as drawing does."""
    from .commands import pictures  # Pillow takes a tenth of a second to import

    return pictures.framebuffer(phone)


async def _ended(
    phone: VirtualPhone, terminal: Terminal, work: Callable[[Shell, Channels], Awaitable[int]]
) -> int:
    channels = Channels(terminal.read, terminal.write, terminal.write_error)
    state = _fresh_state()
    try:
        return (
            await _with_its_jobs(state, work(Shell(phone, COMMANDS, state), channels), terminal)
            & 0xFF
        )
    except ConnectionError:
        return BROKEN_PIPE  # the client has gone: no one is left to answer
    except Exception as error:  # a bug of this shell must not end the connection
        with contextlib.suppress(ConnectionError):
            await channels.write_error(encoded(f"{SHELL}: {type(error).__name__}: {error}\n"))
        return 1


async def _with_its_jobs(state: ShellState, running: Awaitable[int], terminal: Terminal) -> int:
    """A client hears of the end once no one holds the outputs any more. What a client of a
    pseudoterminal started is hung up on with it, what one of pipes started goes on (adb's
    shell_service.cpp)."""
    is_pty = getattr(terminal, "pty", False)
    try:
        try:
            status = await running
        except ShellExit as left:
            status = left.code
        if not is_pty:
            await finished(job.task for job in state.jobs if job.holds)
        return status
    finally:
        for job in state.jobs:
            if is_pty and not job.ignores_hang_up:
                job.task.cancel()


async def _interactive(shell: Shell, channels: Channels) -> int:
    status = 0
    waiting = b""
    while chunk := await channels.read():
        waiting += chunk
        *lines, waiting = waiting.split(b"\n")
        for line in lines:
            status = await shell.run_line(line.decode("utf-8", "surrogateescape"), channels)
        if len(waiting) > LONGEST_LINE:
            return 1
    return (
        await shell.run_line(waiting.decode("utf-8", "surrogateescape"), channels)
        if waiting
        else status
    )


def _fresh_state() -> ShellState:
    return ShellState(
        {
            "?": "0",
            "-": OPTIONS,
            "$": "4242",
            "0": "sh",
            "ANDROID_DATA": "/data",
            "ANDROID_ROOT": "/system",
            "EXTERNAL_STORAGE": "/sdcard",
            "HOME": "/",
            "PATH": "/product/bin:/system/bin:/system/xbin:/vendor/bin",
            "PWD": "/",
        }
    )
