"""The log as values."""

from __future__ import annotations

from pytest_replicant.logs.logcat import LogLine, parse_threadtime

LINE = "01-02 03:04:05.678  4711  4712 W My Tag  : said: this"


def test_an_entry() -> None:
    assert parse_threadtime([LINE + "\r\n"]) == [
        LogLine("01-02 03:04:05.678", 4711, 4712, "W", "My Tag", "said: this")
    ]


def test_fatal_lines_are_entries() -> None:
    assert parse_threadtime([LINE.replace(" W ", " F ")])[0].level == "F"


def test_what_is_no_entry_belongs_to_the_one_above() -> None:
    parsed = parse_threadtime(
        ["lost", "--------- beginning of main", LINE, "  more", "", "--------- beginning of crash"]
    )
    assert [entry.message for entry in parsed] == ["said: this\n  more"]
