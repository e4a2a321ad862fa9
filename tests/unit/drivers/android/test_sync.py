"""Files over the wire: every byte once, every refusal in the phone's words, no end without an
end."""

from __future__ import annotations

import io
import socket
import struct
from typing import cast

import pytest

from pytest_replicant.drivers.android.adb import Transfer
from pytest_replicant.errors import ProtocolError, UsageError


class Pipe:
    """Answers with ``said``, some bytes at a time; after ``takes`` bytes it is closed."""

    def __init__(self, said: bytes, takes: int = 1 << 30) -> None:
        self._said = io.BytesIO(said)
        self._takes = takes
        self.sent = bytearray()

    def recv(self, bufsize: int) -> bytes:
        return self._said.read(min(bufsize, 3))

    def sendall(self, data: bytes) -> None:
        if len(self.sent) + len(data) > self._takes:
            raise BrokenPipeError(32, "Broken pipe")
        self.sent += data


def packet(kind: bytes, data: bytes = b"", number: int | None = None) -> bytes:
    return kind + struct.pack("<I", len(data) if number is None else number) + data


def push(pipe: Pipe, content: bytes) -> None:
    transfer(pipe, "push_file to /sdcard/a,b").push(io.BytesIO(content), "/sdcard/a,b")


def pull(pipe: Pipe) -> bytes:
    return transfer(pipe, "pull_file /sdcard/a").pull("/sdcard/a")


def transfer(pipe: Pipe, doing: str) -> Transfer:
    return Transfer(cast(socket.socket, pipe), doing, "R5CT")


def test_a_file_goes_in_portions_that_a_phone_takes() -> None:
    pipe = Pipe(packet(b"OKAY"))
    content = bytes(range(256)) * 600
    push(pipe, content)
    head = packet(b"SEND", b"/sdcard/a,b,33188")
    first = packet(b"DATA", content[:65536])
    assert bytes(pipe.sent).startswith(head + first)
    assert pipe.sent[-8:-4] == b"DONE"
    assert len(pipe.sent) == len(head) + len(content) + 3 * 8 + 8


def test_a_refusal_is_in_the_phones_words() -> None:
    with pytest.raises(
        UsageError, match=r"/sdcard/a,b on R5CT: Permission denied\. Open to everybody are /sdcard"
    ):
        push(Pipe(packet(b"FAIL", b"Permission denied")), b"x")


def test_a_phone_that_refuses_at_once_has_said_why() -> None:
    with pytest.raises(UsageError, match="Is a directory"):
        push(Pipe(packet(b"FAIL", b"Is a directory"), takes=100), bytes(1 << 20))


def test_a_connection_that_breaks_without_a_word_is_no_refusal() -> None:
    with pytest.raises((BrokenPipeError, EOFError)):
        push(Pipe(b"", takes=100), bytes(1 << 20))


@pytest.mark.parametrize("said", [packet(b"OKAY", number=7), packet(b"OKAY")])
def test_what_a_phone_counts_behind_its_okay_is_of_no_interest(said: bytes) -> None:
    push(Pipe(said), b"x")


def test_a_file_comes_whole() -> None:
    said = packet(b"DATA", b"one") + packet(b"DATA", b"\0two") + packet(b"DONE")
    assert pull(Pipe(said)) == b"one\0two"


def test_what_is_no_answer_is_a_protocol_error() -> None:
    with pytest.raises(ProtocolError, match="means nothing here"):
        pull(Pipe(packet(b"HTTP")))
    with pytest.raises(ProtocolError, match="means nothing here"):
        push(Pipe(packet(b"DENT")), b"x")


def test_a_file_that_is_not_there_names_itself() -> None:
    with pytest.raises(UsageError, match="pull_file /sdcard/a on R5CT: No such file or directory"):
        pull(Pipe(packet(b"FAIL", b"No such file or directory")))
