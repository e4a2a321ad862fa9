"""Files over adb's sync protocol, its first version, which every phone speaks.

adbutils' own hands a socket more than it may take at once and drops the phone's reason where it refuses.
"""

from __future__ import annotations

import stat
import struct
import time
from typing import Protocol

from ...errors import ProtocolError, UsageError

_CHUNK = 64 * 1024  # the most that a phone takes at once
_MODE = stat.S_IFREG | 0o644
_SIZE = struct.Struct("<I")
_PHONES_TROUBLE = ("No space left", "Read-only file system", "I/O error", "Out of memory")
FULL = "The phone's storage is full: `adb shell df /data` tells. Next: remove apps or files, and run again."
_OPEN_TO_ALL = "Open to everybody are /sdcard and /data/local/tmp."


class Pipe(Protocol):
    """The part of a socket that is used here."""

    def recv(self, bufsize: int, /) -> bytes: ...

    def sendall(self, data: bytes, /) -> None: ...


class Source(Protocol):
    def read(self, size: int, /) -> bytes: ...


def push(pipe: Pipe, source: Source, remote: str, device: str, doing: str = "") -> None:
    """Raises ``UsageError`` where the phone does not take it under that name."""
    doing = f"{doing or f'push_file to {remote}'} on {device}"
    _request(pipe, b"SEND", f"{remote},{_MODE}".encode())
    try:
        while chunk := source.read(_CHUNK):
            pipe.sendall(b"DATA" + _SIZE.pack(len(chunk)) + chunk)
        pipe.sendall(b"DONE" + _SIZE.pack(int(time.time()) & 0xFFFFFFFF))
    except ConnectionError:  # a phone that has refused listens no longer; it has said why
        _answer(pipe, doing, device)
        raise
    kind = _answer(pipe, doing, device)
    if kind[0] != b"OKAY":
        raise _senseless(doing, kind[0], device)


def pull(pipe: Pipe, remote: str, device: str) -> bytes:
    """Raises ``UsageError`` where the phone has no such file, or does not give it away."""
    doing = f"pull_file {remote} on {device}"
    _request(pipe, b"RECV", remote.encode())
    content = bytearray()
    while True:
        kind, size = _answer(pipe, doing, device)
        if kind == b"DONE":
            return bytes(content)
        if kind != b"DATA":
            raise _senseless(doing, kind, device)
        content += _exactly(pipe, size)


def _request(pipe: Pipe, kind: bytes, name: bytes) -> None:
    pipe.sendall(kind + _SIZE.pack(len(name)) + name)


def _answer(pipe: Pipe, doing: str, device: str) -> tuple[bytes, int]:
    """What kind it is, and the number behind it; the phone's refusal is raised."""
    kind, size = _exactly(pipe, 4), _SIZE.unpack(_exactly(pipe, 4))[0]
    if kind != b"FAIL":
        return kind, size
    why = _exactly(pipe, min(size, 4096)).decode("utf-8", "replace")
    if any(sign in why for sign in _PHONES_TROUBLE):
        advice = FULL if "No space left" in why else ""
        error = ProtocolError(f"{doing}: {why}. {advice}".rstrip(), exchange=why, device=device)
        error.mendable = False  # it answered, and would answer so again
        raise error
    raise UsageError(f"{doing}: {why}. {_OPEN_TO_ALL if 'denied' in why else ''}".rstrip())


def _exactly(pipe: Pipe, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        chunk = pipe.recv(min(count - len(data), 1 << 20))
        if not chunk:
            raise EOFError("connection closed in the middle of a file")
        data += chunk
    return bytes(data)


def _senseless(doing: str, kind: bytes, device: str) -> ProtocolError:
    return ProtocolError(f"{doing}: the phone answered {kind!r}, which means nothing here.", device=device)
