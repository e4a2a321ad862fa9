"""Face B: one phone listening as its adbd does over Wi-Fi, for ``adb connect`` of a real adb
server."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ..listening import Listening
from ..socket_stream import SocketStream
from .packets import PacketError
from .transport import Transport, Trusts

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone

log = logging.getLogger(__name__)


class Adbd:
    """All methods belong to the loop's own thread. ``port`` is known once started."""

    def __init__(self, phone: VirtualPhone, trusts: Trusts | None = None) -> None:
        self._phone = phone
        self._trusts = trusts
        self._transports: set[Transport] = set()
        self._listening = Listening(self._serve, "an adb transport")

    @property
    def port(self) -> int:
        return self._listening.port

    async def start(self, port: int = 0) -> None:
        """Raises ``OSError`` if a fixed port is taken."""
        await self._listening.start(port)

    async def close(self) -> None:
        await self._listening.close()
        await self._phone.jobs.close()

    def hang_up(self) -> None:
        """Drops every adb server that is connected; each may connect again."""
        for transport in self._transports:
            transport.hang_up()

    async def _serve(self, stream: SocketStream) -> None:
        transport = Transport(self._phone, stream, self._trusts)
        self._transports.add(transport)
        try:
            await transport.run()
        except PacketError as error:
            log.warning("virtual phone: an adb server was dropped: %s", error)
        finally:
            self._transports.discard(transport)
