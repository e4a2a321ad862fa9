"""One client's connection to the adb server, as its host services see it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from ..socket_stream import SocketStream
from ..task_group import end
from . import framing
from .forward import Forwards
from .roster import Device, Roster, Which


@dataclass
class Conversation:
    """``device`` is set once the client has chosen a transport."""

    stream: SocketStream
    roster: Roster
    forwards: Forwards
    reconnect: Callable[
        [str], bool
    ]  # brings back a phone that was disconnected; False: no such phone
    device: Device | None = None

    async def say(self, content: str | bytes | None = None) -> None:
        await self.stream.write(framing.okay(content))

    async def while_connected(self, work: Coroutine[Any, Any, None]) -> None:
        """Does ``work``, unless the client closes its end first."""
        tasks = [asyncio.ensure_future(work), asyncio.ensure_future(self._hung_up())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await end(*tasks)

    async def _hung_up(self) -> None:
        while await self.stream.read():
            pass


Verb = Callable[[Conversation, Which, str], Awaitable[None]]
"""One host service: (conversation, the device it is about, what follows the service's name)."""
