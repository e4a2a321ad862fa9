"""Runs one command of the phone for one client, for as long as both are there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from ..streams import Terminal
from ..task_group import HANG_UPS, end
from .terminals import ClientTerminal

log = logging.getLogger(__name__)

Command = Callable[[Terminal], Awaitable[int]]

LAST_INPUT = 2.0  # seconds that a command has to use up its input after the client closed


async def attend(command: Command, terminal: ClientTerminal) -> None:
    """Runs ``command`` and reports its exit code to the client; a client that closes its end ends
    the command."""
    running = asyncio.ensure_future(_reported(command, terminal))
    feeding = asyncio.ensure_future(_fed(terminal))
    try:
        await asyncio.wait({running, feeding}, return_when=asyncio.FIRST_COMPLETED)
        if not running.done() and terminal.input.wanted:
            await asyncio.wait({running}, timeout=LAST_INPUT)
        if running.done():
            await terminal.exit(running.result())
    finally:
        await end(running, feeding)


async def _fed(terminal: ClientTerminal) -> None:
    try:
        await terminal.feed()
    except HANG_UPS:
        pass
    finally:
        await terminal.input.end()


async def _reported(command: Command, terminal: Terminal) -> int:
    try:
        return await command(terminal)
    except HANG_UPS:
        raise
    except Exception as error:
        log.exception("virtual phone: a command failed")
        reason = f"the virtual phone itself failed here: {type(error).__name__}: {error}\n"
        await terminal.write_error(reason.encode("utf-8", "replace"))
        return 134  # as a process that aborts
