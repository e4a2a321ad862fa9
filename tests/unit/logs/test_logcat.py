"""The log as values, in every form that logcat prints, and every line of it accounted for."""

from __future__ import annotations

import re
import time

import pytest

from benchmarks.captures import NO_CORPUS, corpus
from pytest_replicant.logs import LogLine, parse_log, read_log
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
    assert parse_log([LINE + "\r\n"]) == [
        LogLine("01-02 03:04:05.678", 4711, 4712, "W", "My Tag", "said: this")
    ]


def test_fatal_lines_are_entries() -> None:
    assert parse_log([LINE.replace(" W ", " F ")])[0].level == "F"


def test_what_is_no_entry_belongs_to_the_one_above() -> None:
    parsed = parse_log(
        ["lost", "--------- beginning of main", LINE, "  more", "", "--------- beginning of crash"]
    )
    assert [entry.message for entry in parsed] == ["said: this\n  more"]


def entry(message: str = "said: this", tag: str = "My Tag") -> LogEntry:
    return LogEntry(1, 1_700_000_000.123, "W", tag, message, 4711, 4712, 10123)


@pytest.mark.parametrize("modifiers", STAMPS)
@pytest.mark.parametrize("uid", ["", "10123"])
@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("threadtime", "time pid tid tag"),
        ("time", "time pid tag"),
        ("brief", "pid tag"),
        ("process", "pid tag"),
        ("thread", "pid tid"),
        ("tag", "tag"),
        ("long", "time pid tid tag"),
    ],
)
def test_every_form_gives_its_facts(form: str, names: str, modifiers: str, uid: str) -> None:
    printed = LogFormat(form, {*modifiers.split(), *(["uid"] if uid else [])}).render(entry())
    facts = {"time": STAMPS[modifiers], "pid": 4711, "tid": 4712, "tag": "My Tag"}
    given = {
        name: value if name in names.split() else type(value)() for name, value in facts.items()
    }
    expected = LogLine(level="W", message="said: this", uid=uid if form != "tag" else "", **given)  # type: ignore[arg-type]
    assert parse_log(printed) == [expected]


@pytest.mark.parametrize("form", ["threadtime", "time", "brief", "process", "thread", "tag"])
def test_a_message_of_several_lines_is_as_many_entries_where_each_has_a_head(form: str) -> None:
    printed = LogFormat(form).render(entry("one\nE/Other: two\n\n  (three)  (x)"))
    assert [line.message for line in parse_log(printed)] == [
        "one",
        "E/Other: two",
        "",
        "  (three)  (x)",
    ]


def test_a_long_entry_holds_its_lines_whatever_they_look_like() -> None:
    message = f"one\n\nE/Other( 12): two\n{LINE}\nI(  1:  2) three"
    printed = LogFormat("long").render(entry(message)) + LogFormat("long").render(entry("next"))
    assert [line.message for line in parse_log(printed)] == [message, "next"]


@pytest.mark.parametrize(
    "tag", ["", "a:b", "with blank", "(odd) tag", "tab\tbed", "é—日本", "x" * 200]
)
@pytest.mark.parametrize("form", ["threadtime", "time", "brief", "long"])
def test_tags_may_hold_anything(form: str, tag: str) -> None:
    assert parse_log(LogFormat(form).render(entry("said", tag)))[0].tag == tag


@pytest.mark.parametrize(
    ("uid", "expected"),
    [(" root ", "root"), ("10123 ", "10123"), ("      ", ""), ("shell ", "shell")],
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


def test_a_file_may_hold_several_forms() -> None:
    parts = [
        LogFormat(form).render(entry(form))
        for form in ("brief", "threadtime", "time", "process", "long")
    ]
    parts.append(f"--------- beginning of system\n{LogFormat('tag').render(entry('tag'))}")
    messages = [line.message for line in parse_log("".join(parts))]
    assert messages == ["brief", "threadtime", "time", "process", "long", "tag"]


def test_prose_that_looks_like_the_form_with_a_tag_alone_is_none_below_another() -> None:
    assert [line.message for line in parse_log(f"{LINE}\nE/Other: no entry")] == [
        "said: this\nE/Other: no entry"
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n"])
def test_files_as_programs_write_them(encoding: str, end: str) -> None:
    text = end.join(["--------- beginning of main", LINE, LINE.replace("this", "é\rthat"), ""])
    read = read_log(text.encode(encoding))
    assert [line.message for line in read.lines] == ["said: this", "said: é\rthat"]


def test_colours_are_none_of_it() -> None:
    assert parse_log(f"\x1b[38;5;75m{LINE}\x1b[0m")[0].message == "said: this"


@pytest.mark.parametrize("cut", range(19, 34))
def test_a_line_that_was_cut_off_is_no_entry(cut: int) -> None:
    read = read_log(f"{LINE}\n{LINE[:cut]}")
    assert len(read.lines) == 1


def test_one_that_says_nothing_is_an_entry_even_without_its_last_blank() -> None:
    assert [line.message for line in parse_log("01-02 03:04:05.678  1  2 W Tag:\n" + LINE)] == [
        "",
        "said: this",
    ]


def test_an_entry_is_given_as_it_was_printed() -> None:
    read = read_log([LINE, "  more", "", "--------- switch to main", LINE])
    assert (read.raw(0), read.raw(1)) == (f"{LINE}\n  more", LINE)


@pytest.mark.parametrize("filler", [" ", ":", "(", "a:", "( ", "1", "E/", "  (", "9:"])
@pytest.mark.timeout(20)
def test_no_line_takes_longer_than_in_proportion(filler: str) -> None:
    heads = (
        "",
        "E/",
        "E(",
        "01-02 03:04:05.678 ",
        "01-02 03:04:05.678  1  2 W ",
        "[ 01-02 03:04:05.678 1: 2 W/",
    )
    began = time.process_time()
    for head in heads:
        read_log(head + filler * 20_000)
    assert time.process_time() - began < 5.0  # one that looks back again and again takes minutes


@pytest.mark.skipif(corpus() is None, reason=NO_CORPUS)
@pytest.mark.parametrize(
    "name",
    [
        "crash_buffer.txt",
        "crash_v2.txt",
        "logcat_apppid_9837.txt",
        "logcat_pid.txt",
        "*aagtl*logcat.txt",
    ],
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
