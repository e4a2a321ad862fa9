from __future__ import annotations

import asyncio

import pytest

from pytest_replicant.virtual import LogEntry, LogFormat
from pytest_replicant.virtual.shell.commands.logcat import LogFilter, read_filters
from pytest_replicant.virtual.system.logcat import Level, LogBuffer

ENTRY = LogEntry(0, 1_700_000_000.1234, "I", "Shop", "first\nsecond", 77, 78, 10100)


def test_entries_are_numbered_and_bounded() -> None:
    log = LogBuffer(capacity=3, now=lambda: 5.0)
    for index in range(5):
        log.append("I", "tag", str(index), pid=9)
    kept = log.entries()
    assert [entry.message for entry in kept] == ["2", "3", "4"]
    assert [entry.number for entry in kept] == [2, 3, 4]
    assert (kept[0].epoch, kept[0].tid, log.last_number) == (5.0, 9, 4)
    assert [entry.number for entry in log.entries(after=3)] == [4]


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
        ("threadtime,year,usec,zone", "2023-11-14 22:13:20.123400 +0000    77    78 I Shop    : first"),
        ("epoch", "         1700000000.123    77    78 I Shop    : first"),
        ("brief uid", "I/Shop    (10100:   77): first"),
    ],
)
def test_formats(words: str, line: str) -> None:
    style = LogFormat()
    style.add(words)
    assert style.render(ENTRY).splitlines()[0] == line


@pytest.mark.parametrize(
    ("words", "silent", "shown"),
    [
        ([], False, ["V Other", "W Other", "D Shop", "E Shop"]),
        (["Shop:E"], False, ["V Other", "W Other", "E Shop"]),
        (["Shop:D", "*:S"], False, ["D Shop", "E Shop"]),
        (["*:W"], False, ["W Other", "E Shop"]),
        (["Shop"], True, ["D Shop", "E Shop"]),
        (["Shop:e"], True, ["E Shop"]),
    ],
)
def test_filters(words: list[str], silent: bool, shown: list[str]) -> None:
    log = LogBuffer()
    levels: list[tuple[Level, str]] = [("V", "Other"), ("W", "Other"), ("D", "Shop"), ("E", "Shop")]
    for level, tag in levels:
        log.append(level, tag, "m", 1)
    by_tag, otherwise = read_filters(words, silent=silent)
    taken = [entry for entry in log.entries() if LogFilter(by_tag, otherwise).takes(entry)]
    assert [f"{entry.level} {entry.tag}" for entry in taken] == shown
