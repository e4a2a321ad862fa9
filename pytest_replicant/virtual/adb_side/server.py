"""Face A: an adb server on a loopback port of its own, with the phones behind it. Needs no adb
binary."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..listening import Listening
from ..socket_stream import SocketStream
from ..task_group import TaskGroup
from . import framing
from .attachment import Attachment, ServiceRefused
from .conversation import Conversation
from .forward import Forwards
from .host_services import answer, is_host_request
from .reverse import Reverses
from .roster import Device, Roster, State
from .services import resolve

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone

REQUEST_DEADLINE = 10.0  # seconds for the rest of a request, once it has begun
RESTART_TIME = 0.3  # seconds that a phone is away when it restarts


class AdbServer:
    """All methods belong to the loop's own thread. ``port`` is known once started."""

    def __init__(self, phones: Mapping[str, VirtualPhone]) -> None:
        self._phones = dict(phones)
        self._roster = Roster()
        self._forwards = Forwards(self._carry)
        self._listening = Listening(self._converse, "an adb connection")
        self._restarts = TaskGroup()
        self._followed: dict[
            str, Callable[[], None]
        ] = {}  # by serial, the listener for the phone's restarts

    @property
    def port(self) -> int:
        return self._listening.port

    async def start(self, port: int = 0) -> None:
        """Raises ``OSError`` if a fixed port is taken."""
        await self._listening.start(port)
        for serial in self._phones:
            self._attach(serial)

    async def close(self) -> None:
        self._listening.stop()
        for serial, phone in self._phones.items():
            self._unfollow(serial, phone)
        await self._restarts.end()
        await self._forwards.close()
        for device in self._roster:
            await self._hang_up(device)
        await self._listening.close()
        for phone in self._phones.values():
            await phone.jobs.close()

    def attach(self, serial: str, phone: VirtualPhone) -> None:
        """As a phone being plugged in. Raises ``ValueError`` for a serial that is taken."""
        if self._roster.get(serial):
            raise ValueError(f"a phone {serial!r} is attached already")
        self._phones[serial] = phone
        self._attach(serial)

    async def detach(self, serial: str) -> None:
        """As the cable being pulled: what runs on the phone for its clients ends. Raises
        ``KeyError``."""
        device = self._device(serial)
        self._roster.detach(device)
        await self._hang_up(device)
        self._unfollow(serial, self._phones.pop(serial))

    async def set_state(self, serial: str, state: State) -> None:
        """A phone that is not ``device`` any more drops its clients. Raises ``KeyError``."""
        device = self._device(serial)
        self._roster.set_state(device, state)
        if state != "device":
            await self._hang_up(device)

    def _device(self, serial: str) -> Device:
        device = self._roster.get(serial)
        if device is None:
            raise KeyError(
                f"no phone {serial!r}; attached: {', '.join(self._roster.serials()) or 'none'}"
            )
        return device

    async def _hang_up(self, device: Device) -> None:
        device.attachment.reverses.kill_all()
        await device.sessions.end()

    def _attach(self, serial: str) -> bool:
        phone = self._phones.get(serial)
        if phone is None:
            return False

        self._roster.attach(serial, Attachment(phone, Reverses(phone.ports, _dial)))
        self._follow(serial, phone)
        return True

    def _follow(self, serial: str, phone: VirtualPhone) -> None:
        """Listens for the phone's restarts, which any thread may report."""
        loop = asyncio.get_running_loop()
        self._unfollow(serial, phone)

        def restarting() -> None:
            self._restarts.start(lambda: self._restart(serial), f"restart of {serial}")

        def listener() -> None:
            loop.call_soon_threadsafe(restarting)

        self._followed[serial] = listener
        phone.on_restart.append(listener)

    def _unfollow(self, serial: str, phone: VirtualPhone) -> None:
        listener = self._followed.pop(serial, None)
        if listener is not None:
            phone.on_restart.remove(listener)

    async def _restart(self, serial: str) -> None:
        await self.set_state(serial, "offline")
        await asyncio.sleep(RESTART_TIME)
        device = self._roster.get(serial)
        if device is not None:
            self._roster.set_state(device, "device")

    async def _converse(self, stream: SocketStream) -> None:
        conversation = Conversation(stream, self._roster, self._forwards, self._attach)
        try:
            while (request := await _request(stream)) is not None:
                if is_host_request(request):
                    if not await answer(conversation, request):
                        return
                else:
                    await self._serve_device(conversation, request)
                    return
        finally:
            await stream.close()

    async def _serve_device(self, conversation: Conversation, request: str) -> None:
        stream, device = conversation.stream, conversation.device
        if device is None:
            await stream.write(framing.fail("device offline (no transport)"))
            return
        if device.state != "device":
            await stream.write(framing.fail(f"device {device.state}"))
            return
        try:
            service = resolve(device.attachment, request)
        except ServiceRefused as refusal:
            await stream.write(framing.fail(str(refusal)))
            return
        await stream.write(framing.OKAY)
        stream.acknowledge()
        await asyncio.wait({device.sessions.start(lambda: service(stream), f"{request[:80]!r}")})

    async def _carry(self, stream: SocketStream, serial: str, remote: str) -> None:
        device = self._roster.get(serial)
        if device is not None and device.state == "device":
            try:
                service = resolve(device.attachment, remote)
            except ServiceRefused:
                return  # for the client, a port without a listener behind it
            await asyncio.wait(
                {device.sessions.start(lambda: service(stream), f"forward to {remote}")}
            )


async def _request(stream: SocketStream) -> str | None:
    """The next request; None if the connection ends, or what comes is none. A client may take its
    time to begin one, since tools open connections ahead."""
    try:
        first = await stream.readexactly(1)
        rest = await stream.readexactly_within(3, REQUEST_DEADLINE)
        size = framing.length(first + rest)
        if size == 0:
            return None
        content = await stream.readexactly_within(size, REQUEST_DEADLINE)
    except (asyncio.IncompleteReadError, asyncio.TimeoutError, framing.FramingError):
        return None
    return content.decode("utf-8", "surrogateescape")


async def _dial(address: str) -> SocketStream:
    """Connects to one of the computer's own ports, as a reverse forward does."""
    kind, _, port = address.partition(":")
    if kind != "tcp" or not port.isdecimal() or int(port) > 65535:
        raise ConnectionRefusedError(f"{address} is no tcp port")
    return await SocketStream.connect("127.0.0.1", int(port))
