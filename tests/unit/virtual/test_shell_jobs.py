"""What a shell runs in the background; ``logcat`` stands for what runs until it is ended."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import Latency, VirtualPhone
from tests.unit.virtual.notes_phone import sh

FOREVER = "logcat > /dev/null 2>&1"


@pytest.fixture
def phone() -> VirtualPhone:
    return VirtualPhone(latency=Latency.from_knobs({"latency": "0"}))


@pytest.mark.parametrize(
    ("line", "out"),
    [
        (f"{FOREVER} & echo at once", "at once\n"),
        ("cat & echo without input", "without input\n"),
        ("X=1; { X=2; echo $X; } & true; echo $X", "1\n2\n"),
        ("false & echo $?", "0\n"),
        ("echo 'a & b' \"c & d\" >&2; echo x&>/dev/null", ""),
    ],
)
def test_what_comes_of_a_line(phone: VirtualPhone, line: str, out: str) -> None:
    assert sh(phone, line).out == out


def test_a_client_waits_for_whoever_holds_its_output(phone: VirtualPhone) -> None:
    assert sh(phone, "echo late & echo first").out == "first\nlate\n"
    assert sh(phone, "{ echo held; logcat -d > /dev/null; } & true").out == "held\n"


def test_it_is_a_process_that_can_be_found_and_killed(phone: VirtualPhone) -> None:
    said = sh(
        phone,
        f"{FOREVER} & echo $!; pidof logcat; ps -o PID,USER,NAME -p $!; killall logcat; pidof "
        "logcat",
    ).out
    pid, found, _, listed = said.splitlines()
    assert pid == found
    assert listed.split() == [pid, "shell", "logcat"]


@pytest.mark.parametrize("line", ["& echo", "echo a & ; echo b", "echo a && & b", "echo a & && b"])
def test_an_ampersand_ends_a_command(phone: VirtualPhone, line: str) -> None:
    answer = sh(phone, line)
    assert (answer.code, answer.out) == (1, "")
    assert "syntax error: unexpected" in answer.error
