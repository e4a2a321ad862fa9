"""The phone's adbd, spoken to as an adb server does, packet by packet."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from pytest_replicant.virtual import Latency, Stream, VirtualPhone
from pytest_replicant.virtual.adb_side import packets, transport
from pytest_replicant.virtual.adb_side.adbd import Adbd

PATIENCE = 5.0
ANY = (packets.WRTE, packets.OKAY, packets.CLSE, packets.OPEN, packets.AUTH)
BANNER = (
    b"device::ro.product.name=replicant_virtual;ro.product.model=Virtual Phone;ro.product.device=virtual;"
    b"features=shell_v2,cmd,stat_v2,fixed_push_mkdir,abb_exec,apex"
)


class Host:
    """An adb server's end of a transport."""

    def __init__(self, port: int, *, version: int = packets.VERSION, limit: int = 4096) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.version = version
        self.limit = limit

    def send(self, command: int, arg0: int, arg1: int, payload: bytes = b"") -> None:
        self.socket.sendall(packets.pack(command, arg0, arg1, payload))

    def take(self) -> tuple[str, int, int, bytes]:
        """The next packet; an empty name where the phone closed."""
        data = self._exactly(24)
        if not data:
            return ("", 0, 0, b"")
        header = packets.unpack_header(data)
        payload = self._exactly(header.length)
        if header.name == "CNXN" or self.version == packets.VERSION_CHECKSUM:
            packets.verify(header, payload)
        return (header.name, header.arg0, header.arg1, payload)

    def connect(self) -> tuple[str, int, int, bytes]:
        self.send(packets.CNXN, self.version, self.limit, b"host::features=shell_v2\0")
        return self.take()

    def open(self, service: bytes, local_id: int = 11) -> int:
        """The phone's id of the stream."""
        self.send(packets.OPEN, local_id, 0, service + b"\0")
        name, theirs, ours, _ = self.take()
        assert (name, ours) == ("OKAY", local_id)
        return theirs

    def silent(self) -> bool:
        return not select.select([self.socket], [], [], 0.02)[0]

    def dropped(self) -> bool:
        """The phone closed the connection, after closing what streams there were."""
        while (name := self.take()[0]) == "CLSE":
            pass
        return name == ""

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count and (more := self.socket.recv(count - len(data))):
            data += more
        return data


@contextmanager
def listening(phone: VirtualPhone, trusts: transport.Trusts | None = None) -> Iterator[Adbd]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    adbd = Adbd(phone, trusts)
    try:
        asyncio.run_coroutine_threadsafe(adbd.start(), loop).result(PATIENCE)
        yield adbd
    finally:
        asyncio.run_coroutine_threadsafe(adbd.close(), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        assert asyncio.all_tasks(loop) == set()
        loop.close()


@pytest.fixture
def phone() -> VirtualPhone:
    return VirtualPhone(latency=Latency.from_knobs({"latency": "0"}))


@pytest.fixture
def adbd(phone: VirtualPhone, caplog: pytest.LogCaptureFixture) -> Iterator[Adbd]:
    with listening(phone) as running:
        yield running
    gc.collect()  # asyncio reports what a task lost when the task is collected
    assert [
        record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR
    ] == []


@pytest.fixture
def host(adbd: Adbd) -> Iterator[Host]:
    host = Host(adbd.port)
    with host.socket:
        assert host.connect() == ("CNXN", packets.VERSION, packets.LARGEST_PAYLOAD, BANNER)
        yield host


async def echo(stream: Stream) -> None:
    while data := await stream.read():
        await stream.write(data)


def test_a_command_from_open_to_close(host: Host) -> None:
    theirs = host.open(b"shell:echo hello")
    assert host.take() == ("WRTE", theirs, 11, b"hello\n")
    host.send(packets.OKAY, 11, theirs)
    assert host.take() == ("CLSE", theirs, 11, b"")


def test_sums_are_checked_and_sent_for_an_old_server(adbd: Adbd) -> None:
    host = Host(adbd.port, version=packets.VERSION_CHECKSUM)
    with host.socket:
        assert host.connect()[:2] == ("CNXN", packets.VERSION_CHECKSUM)
        theirs = host.open(b"shell:echo hello")
        assert host.take() == ("WRTE", theirs, 11, b"hello\n")  # which verifies its sum
        host.socket.sendall(packets.pack(packets.OPEN, 12, 0, b"shell:ls\0", summed=False))
        assert host.dropped()


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        packets.pack(packets.CNXN, packets.VERSION, 4096, b"x" * 4097),
        packets.pack(packets.CNXN, 1, 4096, b"host::\0"),
    ],
    ids=["http", "too long", "too old"],
)
def test_what_is_no_adb_server_is_dropped(adbd: Adbd, sent: bytes) -> None:
    host = Host(adbd.port)
    with host.socket:
        host.socket.sendall(sent)
        with suppress(ConnectionResetError):  # bytes that no one read make the system reset
            assert host.take()[0] == ""


def test_nothing_is_served_before_both_have_met(adbd: Adbd, phone: VirtualPhone) -> None:
    host = Host(adbd.port)
    with host.socket:
        host.send(packets.OPEN, 11, 0, b"shell:echo x > /sdcard/x\0")
        assert host.connect()[0] == "CNXN"
    assert not phone.files.exists("/sdcard/x")


def test_refused_streams(host: Host) -> None:
    for service in (b"tcp:1\0", b"bogus\0", b"jdwp\0", b"\0"):
        host.send(packets.OPEN, 11, 0, service)
        assert host.take() == ("CLSE", 0, 11, b"")


def test_one_packet_a_direction_is_under_way(host: Host, phone: VirtualPhone) -> None:
    phone.files.write("/sdcard/big", b"x" * 10_000)
    theirs = host.open(b"exec:cat /sdcard/big")
    received = b""
    while len(received) < 10_000:
        name, _, _, payload = host.take()
        assert name == "WRTE"
        assert len(payload) <= 4096  # as much as we said we take
        received += payload
        if len(received) < 10_000:
            assert host.silent()  # nothing more before the first has been acknowledged
        host.send(packets.OKAY, 11, theirs)
    assert received == b"x" * 10_000
    assert host.take()[0] == "CLSE"


def test_what_comes_is_acknowledged_once_it_is_read(host: Host, phone: VirtualPhone) -> None:
    phone.ports.bind("tcp:7", echo)
    theirs = host.open(b"tcp:7")
    host.send(packets.WRTE, 11, theirs, b"hi")
    assert host.take() == ("OKAY", theirs, 11, b"")
    assert host.take() == ("WRTE", theirs, 11, b"hi")
    host.send(packets.CLSE, 11, theirs)
    assert host.take() == ("CLSE", theirs, 11, b"")


async def deaf(_stream: Stream) -> None:
    await asyncio.Event().wait()


def test_what_comes_unasked_is_queued_as_by_adbd(host: Host, phone: VirtualPhone) -> None:
    """The server of a client that was killed sends all that it holds, then closes the stream."""
    theirs = host.open(b"exec:cat > /sdcard/x")
    host.socket.sendall(
        b"".join(
            packets.pack(packets.WRTE, 11, theirs, word) for word in (b"one ", b"two ", b"three")
        )
    )
    host.send(packets.CLSE, 11, theirs)
    while host.take()[0] != "CLSE":
        pass
    assert phone.files.read("/sdcard/x") == b"one two three"


def test_a_stream_that_never_waits_loses_itself_alone(host: Host, phone: VirtualPhone) -> None:
    phone.ports.bind("tcp:6", deaf)
    phone.ports.bind("tcp:7", echo)
    theirs, other = host.open(b"tcp:6"), host.open(b"tcp:7", 12)
    flood = packets.pack(packets.WRTE, 11, theirs, bytes(packets.LARGEST_PAYLOAD), summed=False)
    for _ in range(17):
        host.socket.sendall(flood)
    assert host.take() == ("CLSE", theirs, 11, b"")
    host.send(packets.WRTE, 12, other, b"still here")
    assert host.take() == ("OKAY", other, 12, b"")
    assert host.take()[3] == b"still here"


def test_packets_of_no_stream_harm_none(host: Host, phone: VirtualPhone) -> None:
    phone.ports.bind("tcp:7", echo)
    theirs = host.open(b"tcp:7")
    for command in (packets.CLSE, packets.WRTE, packets.OKAY):
        host.send(command, 99, theirs, b"of a stream of somebody else's")
    for packet in ((packets.OPEN, 0, 0, b"tcp:7\0"), (packets.SYNC, 0, 0, b"")):
        host.send(*packet)
    host.send(packets.WRTE, 11, theirs, b"hi")
    assert host.take() == ("OKAY", theirs, 11, b"")
    assert host.take() == ("WRTE", theirs, 11, b"hi")
    for _ in range(2):
        host.send(packets.CLSE, 11, theirs)
    assert host.take() == ("CLSE", theirs, 11, b"")
    assert host.open(b"tcp:7", 12) > 0


def test_a_reverse_stream_is_opened_by_the_phone(host: Host) -> None:
    theirs = host.open(b"reverse:forward:tcp:9;tcp:5000")
    assert host.take() == ("WRTE", theirs, 11, b"OKAY")
    host.send(packets.OKAY, 11, theirs)
    assert host.take()[0] == "CLSE"
    inside = host.open(b"tcp:9", 12)
    name, outside, zero, destination = host.take()
    assert (name, zero, destination) == ("OPEN", 0, b"tcp:5000\0")
    host.send(packets.OKAY, 13, outside)
    host.send(packets.WRTE, 12, inside, b"hello")
    heard = {host.take(), host.take()}
    assert heard == {("OKAY", inside, 12, b""), ("WRTE", outside, 13, b"hello")}
    host.send(packets.OKAY, 13, outside)
    host.send(packets.CLSE, 13, outside)
    assert {host.take()[:3], host.take()[:3]} == {("CLSE", inside, 12), ("CLSE", outside, 13)}


def test_reverse_forwards_end_with_their_server(adbd: Adbd, phone: VirtualPhone) -> None:
    host = Host(adbd.port)
    with host.socket:
        host.connect()
        theirs = host.open(b"reverse:forward:tcp:9;tcp:5000")
        host.take()
        host.send(packets.OKAY, 11, theirs)
        assert host.take()[0] == "CLSE"
        assert phone.ports.addresses() == ["tcp:9"]
        host.open(b"reboot:", 12)
        assert host.dropped()
    assert phone.ports.addresses() == []


def test_a_key_is_asked_about_where_somebody_decides(phone: VirtualPhone) -> None:
    asked: list[bytes] = []

    def trusts(key: bytes) -> bool:
        asked.append(key)
        return key.startswith(b"good")

    with listening(phone, trusts) as adbd:
        host = Host(adbd.port)
        with host.socket:
            name, kind, _, token = host.connect()
            assert (name, kind, len(token)) == ("AUTH", packets.TOKEN, 20)
            host.send(packets.AUTH, packets.SIGNATURE, 0, b"s" * 256)
            name, kind, _, other = host.take()
            assert (name, kind) == ("AUTH", packets.TOKEN)
            assert other != token
            host.send(packets.AUTH, packets.PUBLIC_KEY, 0, b"bad me@here\0")
            host.send(packets.AUTH, packets.PUBLIC_KEY, 0, b"good me@here\0")
            assert host.take()[0] == "CNXN"
    assert asked == [b"bad me@here", b"good me@here"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (1, 2))]
)
def test_broken_servers_do_no_harm(adbd: Adbd, phone: VirtualPhone, seed: int) -> None:
    """Whole conversations with bytes changed and left at any point; the phone's own fixture watches
    its log."""
    phone.ports.bind("tcp:7", echo)
    connected = packets.pack(packets.CNXN, packets.VERSION, 4096, b"host::\0")
    services = (
        b"tcp:7",
        b"shell,v2,raw:cat",
        b"sync:",
        b"exec:cat /x",
        b"reverse:forward:tcp:0;tcp:1",
    )
    chance = random.Random(seed)
    for _ in range(60):
        parts = [connected]
        for local_id in range(1, chance.randrange(2, 6)):
            parts.append(packets.pack(packets.OPEN, local_id, 0, chance.choice(services) + b"\0"))
            guess = chance.randrange(1, 6)
            parts.append(
                packets.pack(chance.choice(ANY), local_id, guess, b"\x00\x01\x00\x00\x00x")
            )
        conversation = bytearray(b"".join(parts))
        for _ in range(chance.choice((0, 0, 1, 2))):
            conversation[chance.randrange(len(conversation))] = chance.randrange(256)
        host = Host(adbd.port)
        with host.socket, suppress(ConnectionError, TimeoutError):
            host.socket.sendall(conversation[: chance.randrange(len(conversation) + 1)])
            host.socket.settimeout(chance.choice((0.001, 0.01)))
            while host.take()[0]:
                pass
    host = Host(adbd.port)
    with host.socket:
        assert host.connect()[0] == "CNXN"
        assert host.open(b"shell:echo well") > 0
