"""Joins two streams, so that what one side says the other hears."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from ..streams import Stream
from ..task_group import HANG_UPS, end


async def bridge(one: Stream, other: Stream) -> None:
    """Carries bytes both ways until either side ends, then closes both."""
    async with AsyncExitStack() as at_the_end:  # each of these, though the one before it was cancelled
        at_the_end.push_async_callback(other.close)
        at_the_end.push_async_callback(one.close)
        ways = [asyncio.ensure_future(_carry(one, other)), asyncio.ensure_future(_carry(other, one))]
        at_the_end.push_async_callback(end, *ways)
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)


async def _carry(source: Stream, target: Stream) -> None:
    try:
        while data := await source.read():
            await target.write(data)
    except HANG_UPS:
        return
