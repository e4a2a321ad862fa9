"""Face B's protocol: one connection of a real adb server, and the streams that it carries."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, ClassVar

from ..socket_stream import SocketStream
from ..task_group import TaskGroup, end
from . import packets
from .attachment import FEATURES, Attachment, ServiceRefused
from .reverse import Reverses
from .services import resolve

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone


Send = Callable[[int, int, int, bytes], Awaitable[None]]
"""(command, arg0, arg1, payload): sends one packet."""


QUEUED = 16 << 20  # bytes that wait to be read; a stream that brings more is closed


class ChannelStream:
    """``virtual.streams.Stream`` over a transport. What comes is acknowledged once it has been
    read, which is how a slow reader holds the sender back. A server whose client was killed sends
    what it still holds without waiting (its ``fdevent`` takes the hang-up for data), and adbd
    queues it (``sockets.cpp local_socket_enqueue``)."""

    def __init__(self, send: Send, local_id: int, remote_id: int, limit: int) -> None:
        self._send = send
        self.local_id = local_id
        self.remote_id = remote_id  # 0 until the other side has accepted
        self._limit = limit
        self._received = bytearray()
        self._owes_okay = False
        self._ended = False
        self._reported = False
        self._may_send = remote_id != 0
        self._changed = asyncio.Condition()
        self._writing = asyncio.Lock()

    async def read(self, limit: int = 65536) -> bytes:
        async with self._changed:
            await self._changed.wait_for(lambda: self._received or self._ended)
            data = bytes(self._received[:limit])
            del self._received[: len(data)]
            owes = self._owes_okay and not self._received and not self._ended
            if owes:
                self._owes_okay = False
        if owes:
            await self._send(packets.OKAY, self.local_id, self.remote_id, b"")
        return data

    async def readexactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = await self.read(count - len(data))
            if not more:
                raise asyncio.IncompleteReadError(data, count)
            data += more
        return data

    async def write(self, data: bytes) -> None:
        async with self._writing:
            for start in range(0, len(data), self._limit):
                await self._until_acknowledged()
                self._may_send = False
                piece = data[start : start + self._limit]
                await self._send(packets.WRTE, self.local_id, self.remote_id, piece)

    async def close(self) -> None:
        """What was written has arrived before the other side hears of the end."""
        async with self._changed:
            self._ended = True
            self._changed.notify_all()
        if not self._reported:
            self._reported = True
            await self._send(packets.CLSE, self.local_id, self.remote_id, b"")

    async def accepted(self) -> None:
        """Waits for the answer to our own OPEN. Raises ``ConnectionRefusedError``."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.remote_id or self._ended)
        if not self.remote_id:
            raise ConnectionRefusedError("the computer refused the stream")

    # --- what the transport hears -----------------------------------------------------------------
    async def heard_data(self, data: bytes) -> None:
        """Queues it. A client that never waits for our acknowledgement loses this stream, and no
        other."""
        async with self._changed:
            if self._ended:
                return
            self._received += data
            self._owes_okay = True
            self._changed.notify_all()
        if len(self._received) > QUEUED:
            self._received.clear()
            await self.close()

    async def heard_okay(self, remote_id: int) -> None:
        async with self._changed:
            self.remote_id = self.remote_id or remote_id
            self._may_send = True
            self._changed.notify_all()

    async def heard_close(self) -> None:
        async with self._changed:
            self._ended = True
            self._changed.notify_all()

    async def _until_acknowledged(self) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._may_send or self._ended)
            if self._ended:
                raise ConnectionResetError("the client closed the stream")


Trusts = Callable[[bytes], bool]
"""Whether a computer with this public key (base64, then a name) may use the phone."""

Hear = Callable[["Transport", packets.Header, bytes], Awaitable[None]]

OPEN_STREAMS = 512  # at once; more are refused


class Transport:
    """``trusts`` is None if no client has to authenticate, which is the default everywhere."""

    def __init__(
        self, phone: VirtualPhone, stream: SocketStream, trusts: Trusts | None = None
    ) -> None:
        self._phone = phone
        self._stream = stream
        self._trusts = trusts
        self._attachment = Attachment(phone, Reverses(phone.ports, self._dial))
        self._services = TaskGroup()
        self._streams: dict[int, ChannelStream] = {}
        self._ids = itertools.count(1)
        self._version = packets.VERSION
        self._limit = packets.FIRST_PAYLOAD
        self._online = False
        self._gone = asyncio.Event()

    async def run(self) -> None:
        """Serves the connection to its end. Raises ``PacketError`` for a client that is no adb
        server."""
        loop = asyncio.get_running_loop()

        def restarted() -> None:
            loop.call_soon_threadsafe(self.hang_up)

        self._phone.on_restart.append(restarted)
        listening = asyncio.ensure_future(self._listen())
        leaving = asyncio.ensure_future(self._gone.wait())
        try:
            await asyncio.wait({listening, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                listening.result()
        finally:
            self._phone.on_restart.remove(restarted)
            try:
                await end(listening, leaving)
            finally:
                await self._close()

    def hang_up(self) -> None:
        """Ends the connection, as a phone does that restarts."""
        self._gone.set()

    async def _listen(self) -> None:
        while True:
            limit = packets.LARGEST_PAYLOAD if self._online else packets.FIRST_PAYLOAD
            header = packets.unpack_header(
                await self._stream.readexactly(packets.HEADER.size), limit
            )
            payload = await self._stream.readexactly(header.length)
            if self._version == packets.VERSION_CHECKSUM:
                packets.verify(header, payload)
            hear = self._HEARS.get(header.command)
            if hear is not None and (
                self._online or header.command in (packets.CNXN, packets.AUTH)
            ):
                await hear(self, header, payload)

    async def _close(self) -> None:
        self._attachment.reverses.kill_all()
        self._stream.abort()  # a server that reads nothing must not hold up the end of the services
        try:
            await self._services.end()
        finally:
            await self._stream.close()

    async def _send(self, command: int, arg0: int, arg1: int, payload: bytes = b"") -> None:
        if command == packets.CLSE:
            self._streams.pop(arg0, None)
        summed = command == packets.CNXN or self._version == packets.VERSION_CHECKSUM
        await self._stream.write(packets.pack(command, arg0, arg1, payload, summed=summed))

    # --- who is there -----------------------------------------------------------------------------
    async def _hear_connect(self, header: packets.Header, payload: bytes) -> None:
        self._version = min(header.arg0, packets.VERSION)
        if self._version < packets.VERSION_CHECKSUM:
            raise packets.PacketError(f"adb protocol version {header.arg0:#x} is too old")
        if self._version == packets.VERSION_CHECKSUM:
            packets.verify(header, payload)
        self._limit = max(1, min(header.arg1, packets.LARGEST_PAYLOAD))
        if self._trusts is None:
            await self._welcome()
        else:
            await self._send(packets.AUTH, packets.TOKEN, 0, os.urandom(20))

    async def _hear_auth(self, header: packets.Header, payload: bytes) -> None:
        """No signature is believed, since no key is kept; the public key that follows is asked
        about."""
        if self._trusts is None:
            return
        if header.arg0 == packets.SIGNATURE:
            await self._send(packets.AUTH, packets.TOKEN, 0, os.urandom(20))
        elif header.arg0 == packets.PUBLIC_KEY and self._trusts(payload.rstrip(b"\0")):
            await self._welcome()

    async def _welcome(self) -> None:
        profile = self._phone.profile
        facts = {
            "ro.product.name": profile.product,
            "ro.product.model": profile.model,
            "ro.product.device": profile.device,
            "features": ",".join(FEATURES),
        }
        banner = "device::" + ";".join(f"{name}={value}" for name, value in facts.items())
        self._online = True
        await self._send(packets.CNXN, self._version, packets.LARGEST_PAYLOAD, banner.encode())

    # --- streams ----------------------------------------------------------------------------------
    async def _hear_open(self, header: packets.Header, payload: bytes) -> None:
        """``arg1`` is a buffer's size for servers that were offered delayed acknowledgement, which
        none is."""
        request = payload.rstrip(b"\0").decode("utf-8", "surrogateescape")
        if not header.arg0:
            return
        try:
            if header.arg1 or len(self._streams) >= OPEN_STREAMS:
                raise ServiceRefused("closed")
            service = resolve(self._attachment, request)
        except ServiceRefused:
            await self._send(packets.CLSE, 0, header.arg0)
            return
        stream = self._new_stream(header.arg0)
        await self._send(packets.OKAY, stream.local_id, stream.remote_id)
        self._services.start(lambda: self._serve(stream, service), f"{request[:80]!r}")

    async def _serve(
        self, stream: ChannelStream, service: Callable[[ChannelStream], Awaitable[None]]
    ) -> None:
        try:
            await service(stream)
        finally:
            await stream.close()

    def _new_stream(self, remote_id: int) -> ChannelStream:
        stream = ChannelStream(self._send, next(self._ids), remote_id, self._limit)
        self._streams[stream.local_id] = stream
        return stream

    async def _dial(self, address: str) -> ChannelStream:
        """A stream to one of the computer's own ports, through its adb server."""
        stream = self._new_stream(0)
        await self._send(
            packets.OPEN, stream.local_id, 0, address.encode("utf-8", "surrogateescape") + b"\0"
        )
        await stream.accepted()
        return stream

    # A packet that fits no stream concerns no other one either: adbd passes it over (``adb.cpp
    # handle_packet``).
    async def _hear_okay(self, header: packets.Header, payload: bytes) -> None:
        stream = self._stream_of(header)
        if stream is not None:
            await stream.heard_okay(header.arg0)

    async def _hear_write(self, header: packets.Header, payload: bytes) -> None:
        stream = self._stream_of(header)
        if stream is not None:
            await stream.heard_data(payload)
        elif header.arg1 not in self._streams:
            await self._send(packets.CLSE, 0, header.arg0)

    async def _hear_close(self, header: packets.Header, payload: bytes) -> None:
        stream = self._stream_of(header)
        if stream is not None:
            del self._streams[header.arg1]
            await stream.heard_close()

    def _stream_of(self, header: packets.Header) -> ChannelStream | None:
        """The stream of both ids; 0 for theirs is a refused OPEN, and any CLSE of old servers."""
        stream = self._streams.get(header.arg1)
        known = stream is not None and stream.remote_id
        return stream if not (known and header.arg0) or known == header.arg0 else None

    _HEARS: ClassVar[dict[int, Hear]] = {
        packets.CNXN: _hear_connect,
        packets.AUTH: _hear_auth,
        packets.OPEN: _hear_open,
        packets.OKAY: _hear_okay,
        packets.WRTE: _hear_write,
        packets.CLSE: _hear_close,
    }
