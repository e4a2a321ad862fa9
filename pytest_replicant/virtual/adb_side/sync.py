"""The file sync service: looks at, lists, takes and gives the phone's files."""

from __future__ import annotations

import errno
import os
import posixpath
import stat
from collections.abc import Awaitable, Callable

from ..streams import Stream
from ..system.files import FileStat, FileSystem, check_shell_writes
from . import sync_packets

LARGEST_FILE = 1 << 30  # bytes; it is kept in memory
_NO_FOLDER = (
    "secure_mkdirs failed"  # adbd's file_sync_service.cpp makes the folders above a file first
)


class SyncBroken(Exception):
    """What the client sent cannot be followed any further; ``str()`` is the message for it."""


async def serve_sync(files: FileSystem, stream: Stream) -> None:
    """Answers requests until the client quits, closes, or sends an invalid request."""
    try:
        while True:
            kind, size = await _header(stream)
            if kind == b"QUIT":
                return
            request = _REQUESTS.get(kind)
            if request is None:
                raise SyncBroken(f"unknown command {kind.decode('ascii', 'backslashreplace')}")
            if size > sync_packets.LONGEST_PATH:
                raise SyncBroken("path too long")
            path = (await stream.readexactly(size)).decode("utf-8", "surrogateescape")
            await request(files, stream, path)
    except SyncBroken as broken:
        await stream.write(sync_packets.text(b"FAIL", str(broken)))


async def _header(stream: Stream) -> tuple[bytes, int]:
    kind, size = sync_packets.REQUEST.unpack(await stream.readexactly(sync_packets.REQUEST.size))
    return kind, size


def _facts(files: FileSystem, path: str) -> tuple[FileStat | None, int]:
    try:
        return files.stat(path), 0
    except OSError as error:
        return None, error.errno or errno.ENOENT


async def _stat1(files: FileSystem, stream: Stream, path: str) -> None:
    await stream.write(sync_packets.stat1(b"STAT", _facts(files, path)[0]))


def _stat2(kind: bytes) -> Callable[[FileSystem, Stream, str], Awaitable[None]]:
    async def request(files: FileSystem, stream: Stream, path: str) -> None:
        await stream.write(sync_packets.stat2(kind, *_facts(files, path)))

    return request


async def _list(files: FileSystem, stream: Stream, path: str) -> None:
    try:
        here = files.stat(path)
        listing = [(".", here), ("..", here), *files.list(path)]
    except OSError:
        listing = []  # all that the protocol can say of a folder that is not there
    await stream.write(sync_packets.entries(listing))


async def _receive(files: FileSystem, stream: Stream, path: str) -> None:
    try:
        data = files.read(path)
    except OSError as error:
        await stream.write(sync_packets.text(b"FAIL", _reason(error)))
        return
    for piece in sync_packets.contents(data):
        await stream.write(piece)


async def _send(files: FileSystem, stream: Stream, request: str) -> None:
    """Takes the whole file before it answers, since clients listen only after they have sent it
    all."""
    path, mode = sync_packets.destination(request)
    data = bytearray()
    too_large = False
    while True:
        kind, size = await _header(stream)
        if kind == b"DONE":
            break
        if kind != b"DATA" or size > sync_packets.LARGEST_CHUNK:
            raise SyncBroken("oversize data message" if kind == b"DATA" else "invalid data message")
        chunk = await stream.readexactly(size)
        too_large = too_large or len(data) + size > LARGEST_FILE
        if too_large:
            data.clear()
        else:
            data += chunk
    try:
        check_shell_writes(path)
        if too_large:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if stat.S_ISLNK(mode):
            raise OSError(errno.ENOTSUP, "symbolic links are not kept by a virtual phone")
        files.write(
            path, bytes(data), mode & 0o777 or 0o644, size
        )  # DONE's size is the time of change
    except OSError as error:
        there = files.exists(posixpath.dirname(files.normalise(path)))
        doing = (
            "write failed"
            if error.errno == errno.ENOSPC
            else "couldn't create file"
            if there
            else _NO_FOLDER
        )
        await stream.write(sync_packets.text(b"FAIL", f"{doing}: {_reason(error)}"))
        return
    await stream.write(sync_packets.number(b"OKAY", 0))


def _reason(error: OSError) -> str:
    return error.strerror or str(error) or "No such file or directory"


_REQUESTS: dict[bytes, Callable[[FileSystem, Stream, str], Awaitable[None]]] = {
    b"STAT": _stat1,
    b"STA2": _stat2(b"STA2"),
    b"LST2": _stat2(b"LST2"),
    b"LIST": _list,
    b"SEND": _send,
    b"RECV": _receive,
}
