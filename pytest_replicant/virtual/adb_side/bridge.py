"""Joins two streams, so that what one side says the other hears."""

from __future__ import annotations

import asyncio

from ..streams import Stream
from ..task_group import HANG_UPS, end


async def bridge(one: Stream, other: Stream) -> None:
    """Carries bytes both ways until either side ends, then closes both."""
    ways = [asyncio.ensure_future(_carry(one, other)), asyncio.ensure_future(_carry(other, one))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await end(*ways)
        await one.close()
        await other.close()


async def _carry(source: Stream, target: Stream) -> None:
    try:
        while data := await source.read():
            await target.write(data)
    except HANG_UPS:
        return
