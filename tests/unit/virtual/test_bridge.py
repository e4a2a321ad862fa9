"""Both ends of a bridge are closed, whenever it is that somebody ends it."""

from __future__ import annotations

import asyncio
from typing import cast

from pytest_replicant.virtual import Stream
from pytest_replicant.virtual.adb_side.reverse import bridge


class End:
    """``parts`` is set once it is being closed, which takes for ever where ``lingers``."""

    def __init__(self, *, lingers: bool = False) -> None:
        self.parts = asyncio.Event()
        self._lingers = lingers

    async def read(self, limit: int = 65536) -> bytes:
        return b""

    async def close(self) -> None:
        self.parts.set()
        if self._lingers:
            await asyncio.Event().wait()


def test_one_that_is_ended_while_it_closes_one_side_closes_the_other() -> None:
    async def run() -> bool:
        slow, other = End(lingers=True), End()
        bridging = asyncio.ensure_future(bridge(cast("Stream", slow), cast("Stream", other)))
        await slow.parts.wait()
        bridging.cancel()
        await asyncio.wait([bridging])
        return other.parts.is_set()

    assert asyncio.run(run())
