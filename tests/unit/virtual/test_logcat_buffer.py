from __future__ import annotations

import asyncio

import pytest

from pytest_replicant.virtual import LogEntry, LogFormat
from pytest_replicant.virtual.system.logcat import LogBuffer

ENTRY = LogEntry(0, 1_700_000_000.1234, "I", "Shop", "first\nsecond", 77, 78, 10100)


def test_an_ended_follower_is_forgotten() -> None:
    log = LogBuffer()

    async def cancel() -> None:
        async def follow() -> None:
            async for _ in log.follow():
                pass

        task = asyncio.ensure_future(follow())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    log.append("I", "tag", "nobody listens", 1)  # would fail on the closed loop
    assert log._wakers == []


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("brief", "I/Shop    (   77): first"),
        ("tag", "I/Shop    : first"),
        ("raw", "first"),
        ("time", "11-14 22:13:20.123 I/Shop    (   77): first"),
        ("threadtime", "11-14 22:13:20.123    77    78 I Shop    : first"),
        ("threadtime uid", "11-14 22:13:20.123 10100    77    78 I Shop    : first"),
        (
            "threadtime,year,usec,zone",
            "2023-11-14 22:13:20.123400 +0000    77    78 I Shop    : first",
        ),
        ("epoch", "         1700000000.123    77    78 I Shop    : first"),
    ],
)
def test_formats(words: str, line: str) -> None:
    style = LogFormat()
    style.add(words)
    assert style.render(ENTRY).splitlines()[0] == line
