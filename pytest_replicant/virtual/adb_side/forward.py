"""Forwards: TCP ports of the computer, held by the adb server, whose traffic ends on a phone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ..listening import Listening
from ..socket_stream import SocketStream

Carry = Callable[[SocketStream, str, str], Awaitable[None]]
"""(connection, serial, remote): serves one connection, and closes it."""

MOST_FORWARDS = 300  # a list of them must fit into one block
LONGEST_ADDRESS = 108  # characters, as of a Unix socket


class ForwardFailed(Exception):
    """A refusal; ``str()`` is the message for the client."""


@dataclass
class _Forward:
    serial: str
    remote: str
    listening: Listening


class Forwards:
    def __init__(self, carry: Carry) -> None:
        self._carry = carry
        self._forwards: dict[str, _Forward] = {}
        self._killed: list[Listening] = []  # connections outlive the forward that they came through

    async def forward(
        self, serial: str, local: str, remote: str, *, rebind: bool = True
    ) -> int | None:
        """Listens on the loopback port ``local``; the port chosen where that is ``tcp:0``, else
        None."""
        kind, _, number = local.partition(":")
        if len(remote) > LONGEST_ADDRESS or len(self._forwards) >= MOST_FORWARDS:
            raise ForwardFailed(
                f"cannot bind listener: too long an address, or {MOST_FORWARDS} forwards already"
            )
        if not remote or kind != "tcp" or not number.isdecimal() or int(number) > 65535:
            raise ForwardFailed(
                f"cannot bind listener: '{local}' is no tcp port (tcp:0 to tcp:65535)"
            )
        known = self._forwards.get(local)
        if known is not None:
            if not rebind:
                raise ForwardFailed("cannot rebind existing socket")
            known.serial, known.remote = serial, remote
            return None
        listening = await self._listen(int(number))
        self._forwards[f"tcp:{listening.port}"] = _Forward(serial, remote, listening)
        return listening.port if number == "0" else None

    def kill(self, local: str) -> None:
        forward = self._forwards.pop(local, None)
        if forward is None:
            raise ForwardFailed(f"listener '{local}' not found")
        forward.listening.stop()
        self._killed.append(forward.listening)

    def kill_all(self, serial: str | None = None) -> None:
        for local, forward in list(self._forwards.items()):
            if serial in (None, forward.serial):
                self.kill(local)

    def listing(self) -> str:
        return "".join(
            f"{each.serial} {local} {each.remote}\n" for local, each in self._forwards.items()
        )

    async def close(self) -> None:
        self.kill_all()
        for listening in self._killed:
            await listening.close()
        self._killed.clear()

    async def _listen(self, port: int) -> Listening:
        async def serve(stream: SocketStream) -> None:
            await self._serve(f"tcp:{listening.port}", stream)

        listening = Listening(serve, "a forwarded connection")
        try:
            await listening.start(port)
        except OSError as error:
            raise ForwardFailed(f"cannot bind listener: {error.strerror or error}") from None
        return listening

    async def _serve(self, local: str, stream: SocketStream) -> None:
        forward = self._forwards.get(local)
        try:
            if forward is not None:
                await self._carry(stream, forward.serial, forward.remote)
        finally:
            await stream.close()
