"""A log of any shape is read: nothing raises, every line is accounted for, and what logcat printed
comes back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.logs import (
    LogLine,
    LogText,
    is_notice,
    read_crashes,
    read_log,
    read_stack_trace,
    read_tombstone,
)
from pytest_replicant.virtual import LogEntry, LogFormat

from .effort import examples

FRAGMENTS = (
    "01-02 03:04:05.678  4711  4712 W Tag     : said",
    "2026-01-02 03:04:05.678901 +0100 10123  4711  4712 E AndroidRuntime: FATAL EXCEPTION: main",
    "01-02 03:04:05.678  4711  4712 E AndroidRuntime: Process: a.b, PID: 4711",
    "01-02 03:04:05.678  4711  4712 E AndroidRuntime: java.lang.Error: no",
    "01-02 03:04:05.678  1402  1402 I ActivityManager: Process a.b (pid 4711) has died: fg  TOP",
    "01-02 03:04:05.678  1402  1402 I ActivityManager: Force stopping a.b appid=1",
    "01-02 03:04:05.678  5790  5790 F DEBUG   : pid: 4711, tid: 1, name: x  >>> a.b <<<",
    "W/Tag     ( 4711): said",
    "W( 4711) said  (Tag)",
    "W( 4711: 4712) said",
    "W/Tag     : said",
    "[ 01-02 03:04:05.678  4711: 4712 W/Tag      ]",
    "--------- beginning of main",
    "\tat a.b.C.d(C.kt:1)",
    "Caused by: a.b.C: no",
    "  ",
    "",
    "\r",
    "\ufeff",
    "\x1b[31m",
    "\x00",
)
LINES = st.one_of(
    st.sampled_from(FRAGMENTS),
    st.tuples(st.sampled_from(FRAGMENTS), st.integers(0, 60)).map(lambda cut: cut[0][: cut[1]]),
    st.text(max_size=30),
)
TEXTS = st.lists(LINES, max_size=30).map("\n".join)
NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="\n\r:\ufeff\x1b"), max_size=12
).map(str.strip)
SAID = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\ufeff\x1b"), min_size=1, max_size=40
)


def is_whole(read: LogText) -> bool:
    """Whether each line from the first entry on is part of one, but for those that say nothing."""
    lines = read.text[read.starts[0] :].split("\n") if read.starts else []
    said = [line.rstrip() for line in lines if line.strip() and not is_notice(line)]
    return "\n".join(map(read.raw, range(len(read.lines)))) == "\n".join(said)


@pytest.mark.slow
@examples(50)
@given(TEXTS)
def test_every_line_is_accounted_for(text: str) -> None:
    read = read_log(text)
    assert is_whole(read)
    assert len(read.lines) == len(read.starts)
    assert read.starts == sorted(set(read.starts))
    assert all(read.raw(at) for at in range(len(read.lines)))


@pytest.mark.slow
@examples(50)
@given(TEXTS)
def test_whatever_is_in_it_deaths_are_looked_for(text: str) -> None:
    for crash in read_crashes(text):
        assert crash.lines
        assert "\n" not in crash.summary
    read_stack_trace(text.split("\n"), "a.b")
    read_tombstone(text.split("\n"))


@pytest.mark.slow
@examples(30)
@given(st.binary(max_size=300))
def test_bytes_of_any_kind_are_a_log(data: bytes) -> None:
    read_log(data)


@pytest.mark.slow
@examples(30)
@given(
    st.lists(st.tuples(NAMES, SAID, st.integers(0, 99_999), st.sampled_from("VDIWEF")), max_size=8)
)
def test_what_was_printed_comes_back(reported: list[tuple[Any, ...]]) -> None:
    entries = [
        LogEntry(1, 1_700_000_000.5, level, tag, said, pid, 7) for tag, said, pid, level in reported
    ]
    printed = "".join(LogFormat("threadtime").render(entry) for entry in entries)
    expected = [
        LogLine("11-14 22:13:20.500", entry.pid, 7, entry.level, entry.tag, line)
        for entry in entries
        for line in entry.message.rstrip("\n").split("\n")
    ]
    assert read_log(printed).lines == expected
