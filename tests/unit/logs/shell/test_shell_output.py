"""Commands that are known, and what they printed as values; of all others nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.logs import parse
from pytest_replicant.logs.shell_output import PARSERS, known_words

BATTERY = "Current Battery Service state:\n  level: 85\n"


@pytest.mark.parametrize(
    "command",
    [
        "dumpsys battery",
        " dumpsys  'battery' ",
        ["dumpsys", "battery"],
        ("/system/bin/dumpsys", "battery"),
    ],
)
def test_a_command_is_known_by_its_words(command: str | Sequence[str]) -> None:
    assert parse(command, BATTERY) == {"level": 85}


@pytest.mark.parametrize(
    "command",
    [
        "dumpsys battery | head",
        "dumpsys battery; getprop",
        "dumpsys battery && wm size",
        "dumpsys battery > /sdcard/x",
        "dumpsys $WHAT",
        "dumpsys `echo battery`",
        "dumpsys batter?",
        "A=b dumpsys battery",
        "sh -c 'dumpsys battery'",
        ["sh", "-c", "dumpsys battery"],
        ["dumpsys battery"],
        ["dumpsys", "battery", "set", "level", "1"],
        "dumpsys 'battery",
        "dumpsys",
        "ls",
        "",
        [],
    ],
)
def test_whatever_is_more_than_one_known_command_is_not_parsed(
    command: str | Sequence[str],
) -> None:
    assert parse(command, BATTERY) is None


@pytest.mark.parametrize(
    ("command", "said", "expected"),
    [
        ("wm size", "Physical size: 1080x2400\n", {"physical": [1080, 2400], "override": None}),
        (
            "wm size",
            "Physical size: 1080x2400\nOverride size: 720x1600\n",
            {"physical": [1080, 2400], "override": [720, 1600]},
        ),
        (
            "wm density",
            "Physical density: 420\r\nOverride density: 320\r\n",
            {"physical": 420, "override": 320},
        ),
        ("wm size 1x2", "Physical size: 1080x2400\n", None),
        ("getprop ro.x", "a b\n", {"ro.x": "a b"}),
        ("getprop ro.none", "\n", {"ro.none": ""}),
        (
            "getprop",
            "[a.b]: [1]\n[c]: [two\nlines]\n[d]: []\n",
            {"a.b": "1", "c": "two\nlines", "d": ""},
        ),
        ("getprop -T", "[a]: [string]\n", None),
        ("settings get global x", "null\n", {"x": None}),
        ("cmd settings get system x", "a=b\n", {"x": "a=b"}),
        ("settings get --user 0 secure x", "1\n", {"x": "1"}),
        ("settings get nowhere x", "1\n", None),
        ("settings get global x", "", None),
        ("settings list global", "a=1\nb=x=y\nmore\nc=\n", {"a": "1", "b": "x=y\nmore", "c": ""}),
        ("settings list global", "", {}),
        ("settings put global a 1", "", None),
        ("pm list packages", "package:a.b\npackage:c.d\n", ["a.b", "c.d"]),
        ("cmd package list packages -3", "package:a.b\n", ["a.b"]),
        ("pm list packages nothing", "", []),
        ("pm list packages", "package:a.b\nWARNING: odd\n", None),
        ("pm list packages --odd", "package:a.b\n", None),
        (
            "pm list packages -f -U -i --show-versioncode",
            "package:/data/app/~~a==/a.b-c==/base.apk=a.b versionCode:7 installer=null uid:10123\n",
            [
                {
                    "package": "a.b",
                    "path": "/data/app/~~a==/a.b-c==/base.apk",
                    "version_code": 7,
                    "installer": None,
                    "uid": 10123,
                }
            ],
        ),
        ("pm list permissions -g", "All Permissions:\n\n+ group:g\n  permission:a.B\n", ["a.B"]),
        ("pm list features", "feature:a.b=3\nfeature:c\n", {"a.b": "3", "c": None}),
        (
            "pm list users",
            "Users:\n\tUserInfo{0:Ann: the owner:c13} running\n\tUserInfo{10:Work:1030}\n",
            [
                {"id": 0, "name": "Ann: the owner", "flags": "c13", "running": True},
                {"id": 10, "name": "Work", "flags": "1030", "running": False},
            ],
        ),
        (
            "pm list instrumentation",
            "instrumentation:a.test/b.Runner (target=a)\n",
            [{"instrumentation": "a.test/b.Runner", "target": "a"}],
        ),
        ("pm list libraries", "library:x\n", None),
        ("pm list packages", "Error: no such thing\n", None),
        ("dumpsys package a.b", "Unable to find package: a.b\n", None),
    ],
)
def test_what_each_prints(command: str, said: str, expected: Any) -> None:
    assert parse(command, said) == expected


@given(
    st.sampled_from([" ".join(named) for named in PARSERS]),
    st.sampled_from(
        ["", " a.b", " activities", " top", " packages -f", " users", " global x", " '", " --"]
    ),
    st.text(max_size=100),
)
def test_it_never_raises(command: str, more: str, said: str) -> None:
    parse(f"{command} {more}", said)
    parse([*command.split(), *more.split()], said)


def test_a_name_after_the_path_of_a_command_is_a_word() -> None:
    assert known_words(["cmd", "package", "list"]) == ("pm", "list")
    assert known_words("echo 'a b'") == ("echo", "a b")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            "dumpsys package a.b",
            "Packages:\n  Package [a.b] (1):\n    versionCode=1\n    runtime permissions:\n      "
            + "a." * 100_000
            + "!",
        ),
        ("dumpsys activity activities", "\n" * 200_000),
        ("dumpsys activity activities", (" " * 80 + "\n") * 5_000),
        ("pm list instrumentation", "instrumentation:" + "a/" * 50_000 + " (target="),
        ("pm list instrumentation", "instrumentation:" + "=a/" * 50_000),
    ],
)
def test_what_an_app_makes_long_takes_no_longer_than_it_is(command: str, said: str) -> None:
    began = time.process_time()
    parse(command, said)
    assert time.process_time() - began < 5.0  # one that looks back again and again takes minutes


def test_an_instrumentation_with_its_path() -> None:
    said = "instrumentation:/data/app/~~x==/a.test-1==/base.apk=a.test/b.Runner (target=a)\n"
    assert parse("pm list instrumentation -f", said) == [
        {"instrumentation": "a.test/b.Runner", "target": "a"}
    ]
    assert parse("pm list instrumentation", "instrumentation:nothing (target=a)\n") is None
