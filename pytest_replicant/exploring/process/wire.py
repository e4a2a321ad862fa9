"""What goes over the socket: frames of JSON, each after its length in four bytes, within this computer."""

from __future__ import annotations

import json
import socket
import time

TYPE_CHECKING = False  # as type checkers read it; the client imports this module
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Read = Callable[[int], bytes]

VERSION = 1
LARGEST_REQUEST = 1 << 20  # bytes; a request is typed, or a script of steps
LARGEST_ANSWER = 64 << 20
CONNECT_SECONDS = 10.0
HOST = "127.0.0.1"


def pack(message: Mapping[str, Any]) -> bytes:
    body = json.dumps(message).encode("ascii")
    return len(body).to_bytes(4, "big") + body


def read_frame(read: Read, largest: int) -> dict[str, Any]:
    """The next message. ``read`` returns at most so many bytes, none at the end. Raises ``EOFError`` where there
    is no more, ``ValueError`` where it is no frame of ours, and what ``read`` raises."""
    size = int.from_bytes(_exactly(read, 4), "big")
    if size > largest:
        raise ValueError(f"a frame of {size} bytes, {largest} allowed")
    try:
        message = json.loads(_exactly(read, size))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(message, dict):
        raise ValueError("no object")
    return message


def _exactly(read: Read, size: int) -> bytes:
    parts = []
    while size:
        part = read(min(size, 1 << 16))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def reader(connection: socket.socket, seconds: float | None = None) -> Read:
    """Reads from the socket; ``seconds`` bounds all reads together, as whoever sends a byte now and then is slow
    too. It raises ``TimeoutError``."""
    deadline = None if seconds is None else time.monotonic() + seconds

    def read(size: int) -> bytes:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            connection.settimeout(left)
        return connection.recv(size)

    return read


def connect(address: str, seconds: float = CONNECT_SECONDS) -> socket.socket:
    """A connection to ``unix:PATH`` or ``tcp:HOST:PORT``. Raises ``OSError``, ``ValueError`` for another form."""
    kind, _, place = address.partition(":")
    if kind == "unix":
        connection = socket.socket(socket.AF_UNIX)
    elif kind == "tcp" and place.startswith(f"{HOST}:"):
        connection = socket.socket(socket.AF_INET)
    else:
        raise ValueError(f"no address of a session: {address!r}")
    try:
        connection.settimeout(seconds)
        connection.connect(place if kind == "unix" else (HOST, int(place.rpartition(":")[2])))
    except BaseException:
        connection.close()
        raise
    return connection
