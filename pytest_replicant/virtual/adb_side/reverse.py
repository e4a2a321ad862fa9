"""Reverse forwards: sockets of the phone whose traffic ends on the computer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from ..streams import PortTable, Stream
from ..task_group import HANG_UPS, end
from . import framing


async def bridge(one: Stream, other: Stream) -> None:
    """Carries bytes both ways until either side ends, then closes both."""
    async with (
        AsyncExitStack() as at_the_end
    ):  # each of these, though the one before it was cancelled
        at_the_end.push_async_callback(other.close)
        at_the_end.push_async_callback(one.close)
        ways = [
            asyncio.ensure_future(_carry(one, other)),
            asyncio.ensure_future(_carry(other, one)),
        ]
        at_the_end.push_async_callback(end, *ways)
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)


async def _carry(source: Stream, target: Stream) -> None:
    try:
        while data := await source.read():
            await target.write(data)
    except HANG_UPS:
        return


Dial = Callable[[str], Awaitable[Stream]]
"""Connects to an address of the computer, such as ``tcp:5000``; raises ``OSError`` where it is
refused."""

FIRST_FREE_PORT = 40000
MOST_FORWARDS = 100  # of one connection; a list of them must fit into one block
LONGEST_ADDRESS = 108  # characters, as of a Unix socket


class ReverseFailed(Exception):
    """A refusal; ``str()`` is the message for the client."""


class Reverses:
    """The reverse forwards of one adb connection; they end with it."""

    def __init__(self, ports: PortTable, dial: Dial, name: str = "host-0") -> None:
        self._ports = ports
        self._dial = dial
        self._name = name
        self._locals: dict[str, str] = {}

    def forward(self, remote: str, local: str, *, rebind: bool = True) -> int | None:
        """Listens on the phone's ``remote``; the port chosen where that is ``tcp:0``, else None."""
        if (
            not local
            or not remote.partition(":")[2]
            or max(len(local), len(remote)) > LONGEST_ADDRESS
        ):
            raise ReverseFailed(f"bad forward: {remote};{local}")
        if len(self._locals) >= MOST_FORWARDS and remote not in self._locals:
            raise ReverseFailed(
                f"cannot bind listener: {MOST_FORWARDS} reverse forwards are there already"
            )
        chosen: int | None = None
        if remote == "tcp:0":
            chosen = self._free_port()
            remote = f"tcp:{chosen}"
        if remote in self._locals:
            if not rebind:
                raise ReverseFailed("cannot rebind existing socket")
            self._locals[remote] = local
            return chosen

        async def carry(stream: Stream) -> None:
            await bridge(stream, await self._dial(self._locals[remote]))

        try:
            self._ports.bind(remote, carry)
        except OSError as error:
            raise ReverseFailed(f"cannot bind listener: {error}") from None
        self._locals[remote] = local
        return chosen

    def kill(self, remote: str) -> None:
        if remote not in self._locals:
            raise ReverseFailed(f"listener '{remote}' not found")
        del self._locals[remote]
        self._ports.release(remote)

    def kill_all(self) -> None:
        for remote in list(self._locals):
            self.kill(remote)

    def listing(self) -> str:
        return "".join(f"{self._name} {remote} {local}\n" for remote, local in self._locals.items())

    def _free_port(self) -> int:
        taken = set(self._ports.addresses())
        return next(port for port in range(FIRST_FREE_PORT, 65536) if f"tcp:{port}" not in taken)


def answer(reverses: Reverses, request: str) -> bytes:
    """What adbd says to the part of a request behind ``reverse:``, once the stream is open."""
    verb, _, argument = request.partition(":")
    try:
        if verb == "forward":
            rebind = not argument.startswith("norebind:")
            remote, _, local = argument.removeprefix("norebind:").partition(";")
            chosen = reverses.forward(remote, local, rebind=rebind)
            return framing.OKAY if chosen is None else framing.okay(str(chosen))
        if verb == "list-forward":
            return framing.block(reverses.listing())
        if verb == "killforward":
            reverses.kill(argument)
            return framing.OKAY
        if verb == "killforward-all":
            reverses.kill_all()
            return framing.OKAY
    except ReverseFailed as error:
        return framing.fail(str(error))
    return framing.fail(f"unknown reverse request '{request}'")
