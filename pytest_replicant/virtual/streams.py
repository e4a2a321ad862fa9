"""Byte streams between a face of the phone and what runs on it, and the ports that programs listen
on.

All of it lives on one asyncio loop in one thread. What may take long, or is an app's own code, goes
through ``in_thread``: the loop goes on, and a call that an app's endless loop holds up ends with an
error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

CALL_DEADLINE = (
    30.0  # seconds; longer than any honest call of the phone, shorter than any client's patience
)


class Stream(Protocol):
    """One two-way connection, as both faces offer it to a service."""

    async def read(self, limit: int = 65536) -> bytes:
        """At least one byte, or b"" at the end."""
        ...

    async def readexactly(self, count: int) -> bytes:
        """Raises ``asyncio.IncompleteReadError`` at the end."""
        ...

    async def write(self, data: bytes) -> None:
        """Returns when the other side has room for more; raises ``ConnectionError`` when it is
        gone."""
        ...

    async def close(self) -> None: ...


class Terminal(Protocol):
    """What a command run by the shell reads from and writes to."""

    async def read(self, limit: int = 65536) -> bytes:
        """Standard input; b"" at its end."""
        ...

    async def write(self, data: bytes) -> None:
        """Standard output."""
        ...

    async def write_error(self, data: bytes) -> None:
        """Standard error."""
        ...


Listener = Callable[[Stream], Awaitable[None]]
Program = Callable[
    [Any, Sequence[str], Terminal], Awaitable[int]
]  # Any: a phone is itself defined by its programs
"""A Java program that ``app_process`` can start: (phone, arguments, terminal) to exit code. It runs
until it ends or its task is cancelled, which is what happens when the client closes the stream."""


class PortTable:
    """Who listens on the phone's own sockets: ``tcp:9008``, ``localabstract:name``."""

    def __init__(self) -> None:
        self._listeners: dict[str, Listener] = {}

    def bind(self, address: str, listener: Listener) -> None:
        """Raises ``OSError`` if the address is taken."""
        if address in self._listeners:
            raise OSError(f"bind failed: {address}: Address already in use")
        self._listeners[address] = listener

    def release(self, address: str) -> None:
        self._listeners.pop(address, None)

    def listener(self, address: str) -> Listener | None:
        return self._listeners.get(address)

    def addresses(self) -> list[str]:
        return sorted(self._listeners)


async def in_thread(function: Callable[..., T], *args: object) -> T:
    """Runs a synchronous call of the phone off the loop; ``asyncio.TimeoutError`` after
    ``CALL_DEADLINE``."""
    call = asyncio.get_running_loop().run_in_executor(None, lambda: function(*args))
    # not wait_for: before 3.12 it loses a cancellation that comes as the call ends, and the task
    # runs on
    try:
        await asyncio.wait({call}, timeout=CALL_DEADLINE)
        if not call.done():
            raise asyncio.TimeoutError
        return call.result()
    finally:
        call.cancel()
