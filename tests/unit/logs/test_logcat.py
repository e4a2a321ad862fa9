"""The log as values, in every form that logcat prints, and every line of it accounted for."""

from __future__ import annotations

import re

import pytest

from benchmarks.captures import NO_CORPUS, corpus
from pytest_replicant.logs import LogLine, parse_log
from pytest_replicant.logs.logcat import read_log
from pytest_replicant.virtual import LogEntry, LogFormat

LINE = "01-02 03:04:05.678  4711  4712 W My Tag  : said: this"
STAMPS = {
    "": "11-14 22:13:20.123",
    "usec": "11-14 22:13:20.123000",
    "year": "2023-11-14 22:13:20.123",
    "year zone": "2023-11-14 22:13:20.123 +0000",
    "epoch": "1700000000.123",
}


def test_an_entry() -> None:
    assert parse_log([LINE + "\r\n"]) == [LogLine("01-02 03:04:05.678", 4711, 4712, "W", "My Tag", "said: this")]


def test_what_is_no_entry_belongs_to_the_one_above() -> None:
    parsed = parse_log(["lost", "--------- beginning of main", LINE, "  more", "", "--------- beginning of crash"])
    assert [entry.message for entry in parsed] == ["said: this\n  more"]


def entry(message: str = "said: this", tag: str = "My Tag") -> LogEntry:
    return LogEntry(1, 1_700_000_000.123, "W", tag, message, 4711, 4712, 10123)


@pytest.mark.parametrize("modifiers", STAMPS)
@pytest.mark.parametrize("uid", ["", "10123"])
def test_an_entry_with_modifiers_gives_its_facts(modifiers: str, uid: str) -> None:
    printed = LogFormat("threadtime", {*modifiers.split(), *(["uid"] if uid else [])}).render(entry())
    assert parse_log(printed) == [LogLine(STAMPS[modifiers], 4711, 4712, "W", "My Tag", "said: this", uid)]


def test_a_message_of_several_lines_is_as_many_entries_as_heads() -> None:
    printed = LogFormat("threadtime").render(entry("one\nE/Other: two\n\n  (three)  (x)"))
    assert [line.message for line in parse_log(printed)] == ["one", "E/Other: two", "", "  (three)  (x)"]


@pytest.mark.parametrize("tag", ["", "a:b", "with blank", "(odd) tag", "tab\tbed", "é—日本", "x" * 200])
def test_tags_may_hold_anything(tag: str) -> None:
    assert parse_log(LogFormat("threadtime").render(entry("said", tag)))[0].tag == tag


@pytest.mark.parametrize(
    ("uid", "expected"), [(" root ", "root"), ("10123 ", "10123"), ("      ", ""), ("shell ", "shell")]
)
def test_a_user_is_a_number_or_a_name(uid: str, expected: str) -> None:
    (line,) = parse_log(f"01-02 03:04:05.678 {uid} 4711  4712 W Tag     : x")
    assert (line.uid, line.pid, line.tid) == (expected, 4711, 4712)


def test_seconds_are_distinguished_from_those_since_it_was_switched_on() -> None:
    line = "         {}  4711  4712 W Tag     : x"
    assert parse_log(line.format("1700000000.123"))[0].epoch == 1_700_000_000.123
    assert parse_log(line.format("1234.567"))[0] == LogLine("1234.567", 4711, 4712, "W", "Tag", "x")
    assert parse_log(line.format("1234.567"))[0].epoch is None
    assert parse_log(LINE)[0].epoch is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n"])
def test_files_as_programs_write_them(encoding: str, end: str) -> None:
    text = end.join(["--------- beginning of main", LINE, LINE.replace("this", "é\rthat"), ""])
    read = read_log(text.encode(encoding))
    assert [line.message for line in read.lines] == ["said: this", "said: é\rthat"]


@pytest.mark.parametrize("cut", range(19, 34))
def test_a_line_that_was_cut_off_is_no_entry(cut: int) -> None:
    read = read_log(f"{LINE}\n{LINE[:cut]}")
    assert len(read.lines) == 1


def test_one_that_says_nothing_is_an_entry_even_without_its_last_blank() -> None:
    assert [line.message for line in parse_log("01-02 03:04:05.678  1  2 W Tag:\n" + LINE)] == ["", "said: this"]


def test_an_entry_is_given_as_it_was_printed() -> None:
    read = read_log([LINE, "  more", "", "--------- switch to main", LINE])
    assert (read.raw(0), read.raw(1)) == (f"{LINE}\n  more", LINE)


@pytest.mark.skipif(corpus() is None, reason=NO_CORPUS)
@pytest.mark.parametrize(
    "name",
    ["crash_buffer.txt", "crash_v2.txt", "logcat_apppid_9837.txt", "logcat_pid.txt", "*aagtl*logcat.txt"],
)
def test_every_line_of_a_real_log_is_accounted_for(name: str) -> None:
    folder = corpus()
    assert folder is not None
    (path,) = (folder / "logs").rglob(name)
    raw = path.read_bytes()
    text = raw.decode("utf-16" if raw.startswith(b"\xff\xfe") else "utf-8-sig")
    lines = text.splitlines()
    entries = [line for line in lines if re.match(r"\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} ", line)]
    said = [line.rstrip() for line in lines if line.strip() and not line.startswith("--------- ")]
    read = read_log(raw)
    assert len(read.lines) == len(entries)
    assert "\n".join(map(read.raw, range(len(entries)))) == "\n".join(said)
    assert [line.time for line in read.lines] == [line[:18] for line in entries]
    assert sorted({line.level for line in read.lines}) == sorted({line[31] for line in entries})
