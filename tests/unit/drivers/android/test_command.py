"""One command: how it is written, and how its packets are read, at every split point."""

from __future__ import annotations

import shlex
import socket
import struct
import threading
import time
from collections.abc import Iterator
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.drivers import Ended
from pytest_replicant.drivers.android.adb import command_line, read_to_end
from pytest_replicant.errors import DeviceTimeout, UsageError

CLOSE_STDIN = b"\x04\0\0\0\0"


def packet(kind: int, data: bytes) -> bytes:
    return struct.pack("<BI", kind, len(data)) + data


CONVERSATION = (
    packet(1, b"out")
    + packet(2, b"err")
    + packet(1, b"")
    + packet(1, b" more\n")
    + packet(3, b"\x07")
)
EXPECTED = Ended(b"out more\n", b"err", 7)


@pytest.fixture
def pipe() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def read(ours: object, seconds: float = 5.0) -> Ended:
    return read_to_end(cast(socket.socket, ours), seconds, "a command", "R5CT")


def test_the_command_is_reported_that_no_input_will_come(
    pipe: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pipe
    theirs.sendall(CONVERSATION)
    read(ours)
    assert theirs.recv(100) == CLOSE_STDIN


class Dribble:
    """Gives its bytes in two parts."""

    def __init__(self, data: bytes, split: int) -> None:
        self._context = [data[:split], data[split:]]

    def settimeout(self, value: float | None, /) -> None:
        pass

    def sendall(self, data: bytes, /) -> None:
        pass

    def recv(self, bufsize: int, /) -> bytes:
        while self._context and not self._context[0]:
            self._context.pop(0)
        if not self._context:
            return b""
        chunk, self._context[0] = self._context[0][:bufsize], self._context[0][bufsize:]
        return chunk


@pytest.mark.parametrize("split", range(len(CONVERSATION) + 1))
def test_packets_may_be_split_anywhere(split: int) -> None:
    assert read(Dribble(CONVERSATION, split)) == EXPECTED


@pytest.mark.parametrize("length", range(len(CONVERSATION)))
def test_a_connection_that_ends_early_is_no_result(length: int) -> None:
    with pytest.raises(EOFError, match="connection closed"):
        read(Dribble(CONVERSATION[:length], 0))


def test_silence_is_a_timeout_that_names_the_command(
    pipe: tuple[socket.socket, socket.socket],
) -> None:
    began = time.monotonic()
    with pytest.raises(
        DeviceTimeout, match=r"'a command' on R5CT did not end in 0\.05 s"
    ) as raised:
        read(pipe[0], 0.05)
    assert time.monotonic() - began < 2.0
    assert raised.value.device == "R5CT"


def test_a_command_that_prints_for_ever_is_left_in_time(
    pipe: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pipe
    done = threading.Event()

    def print_for_ever() -> None:
        while not done.wait(0.005):
            theirs.sendall(packet(1, b"tick"))

    printing = threading.Thread(target=print_for_ever)
    printing.start()
    try:
        began = time.monotonic()
        with pytest.raises(DeviceTimeout):
            read(ours, 0.1)
        assert time.monotonic() - began < 2.0
    finally:
        done.set()
        printing.join()


@given(
    st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), min_size=1)
)
def test_a_list_arrives_word_by_word(words: list[str]) -> None:
    line = command_line(words)
    assert shlex.split(line) == words


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("", "empty command"),
        (" \n", "empty command"),
        ([], "empty command"),
        ("echo a\0b", "NUL"),
        (["echo", "\ud800"], "half a character"),
        ("x" * 70_000, "at most"),
    ],
)
def test_what_no_command_line_can_carry_is_refused(command: str | list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        command_line(command)
