"""The adb server of the virtual phone, spoken to over raw sockets."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import random
import socket
import struct
import time
from collections.abc import Callable, Iterator, Sequence

import pytest

from pytest_replicant.virtual import (
    Latency,
    PhoneServer,
    Profile,
    Stream,
    Terminal,
    VirtualPhone,
    start_server,
)

PATIENCE = 5.0  # seconds for what takes milliseconds


class Client:
    """One connection to an adb server, a step above bytes."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_error: object) -> None:
        self.socket.close()

    def ask(self, request: str) -> bytes:
        """``OKAY`` or ``FAIL``; b"" where the server closed."""
        self.socket.sendall(b"%04x" % len(request.encode()) + request.encode())
        return self.take(4)

    def take(self, count: int) -> bytes:
        data = b""
        while len(data) < count and (more := self.socket.recv(count - len(data))):
            data += more
        return data

    def block(self) -> str:
        return self.take(int(self.take(4), 16)).decode()

    def rest(self) -> bytes:
        data = b""
        while more := self.socket.recv(65536):
            data += more
        return data


def phone_named(serial: str) -> VirtualPhone:
    return VirtualPhone(
        profile=Profile(serial=serial), latency=Latency.from_knobs({"latency": "0"})
    )


@pytest.fixture
def phone() -> VirtualPhone:
    return phone_named("virtual-1")


@pytest.fixture
def server(phone: VirtualPhone, caplog: pytest.LogCaptureFixture) -> Iterator[PhoneServer]:
    with caplog.at_level(logging.WARNING), start_server(phone) as running:
        yield running
    gc.collect()  # asyncio reports what a task lost when the task is collected
    assert [
        record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR
    ] == []


@pytest.fixture
def connect(server: PhoneServer) -> Iterator[Callable[[], Client]]:
    with contextlib.ExitStack() as clients:
        yield lambda: clients.enter_context(Client(server.port))


Connect = Callable[[], Client]


def on_phone(connect: Connect, service: str, serial: str = "virtual-1") -> Client:
    client = connect()
    assert client.ask(f"host:transport:{serial}") == b"OKAY"
    assert client.ask(service) == b"OKAY"
    return client


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not (held := holds()) and time.monotonic() < deadline:
        time.sleep(0.005)
    return held


async def echo(stream: Stream) -> None:
    while data := await stream.read():
        await stream.write(data)


# --- host services --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("request_text", "answer"),
    [
        ("host:version", "0029"),
        ("host:devices", "virtual-1\tdevice\n"),
        ("host:get-state", "device"),
        ("host-serial:virtual-1:get-state", "device"),
        ("host-transport-id:1:get-serialno", "virtual-1"),
        ("host:list-forward", ""),
        ("host:features", "shell_v2,cmd,stat_v2,fixed_push_mkdir,abb_exec,apex"),
        ("host:connect:127.0.0.1:1", "failed to connect to '127.0.0.1:1': Connection refused"),
        ("host:connect:virtual-1", "already connected to virtual-1"),
        ("host:disconnect:", "disconnected everything"),
    ],
)
def test_host_services_answer_and_close(connect: Connect, request_text: str, answer: str) -> None:
    client = connect()
    assert client.ask(request_text) == b"OKAY"
    assert client.block() == answer
    assert client.rest() == b""


@pytest.mark.parametrize(
    ("request_text", "reason"),
    [
        ("host:bogus", "unknown host service 'bogus'"),
        ("host:versions", "unknown host service 'versions'"),
        ("host:transport:nope", "device 'nope' not found"),
        ("host:transport:", "device '' not found"),
        ("host:tport:serial:nope", "device 'nope' not found"),
        ("host:transport-id:99", "no device with transport id '99'"),
        ("host:transport-id:x", "invalid transport id"),
        ("host-serial:10.0.0.1:5555:get-state", "device '10.0.0.1:5555' not found"),
        ("host-serial:nope:bogus", "unknown host service 'bogus'"),
        ("host:kill", "kill-server rejected by remote server"),
        ("host:killforward:tcp:1", "listener 'tcp:1' not found"),
        ("host:disconnect:virtual-1", "no such device 'virtual-1'"),
        ("shell:ls", "device offline (no transport)"),
        ("hostile", "device offline (no transport)"),
    ],
)
def test_what_cannot_be_done_says_why_and_closes(
    connect: Connect, request_text: str, reason: str
) -> None:
    client = connect()
    assert client.ask(request_text) == b"FAIL"
    assert client.block() == reason
    assert client.rest() == b""


def test_a_request_may_come_byte_by_byte(connect: Connect) -> None:
    client = connect()
    for byte in b"000chost:version":
        client.socket.sendall(bytes([byte]))
    assert client.rest() == b"OKAY00040029"


@pytest.mark.parametrize("sent", [b"0000", b"zzzz", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 64])
def test_what_is_no_request_is_closed_without_a_byte(connect: Connect, sent: bytes) -> None:
    client = connect()
    client.socket.sendall(sent)
    with contextlib.suppress(ConnectionResetError):  # bytes that no one read make the system reset
        assert client.rest() == b""
    assert connect().ask("host:version") == b"OKAY"


def test_transports_by_id(connect: Connect) -> None:
    client = connect()
    assert client.ask("host:tport:any") == b"OKAY"
    assert client.take(8) == struct.pack("<Q", 1)
    assert client.ask("host:get-serialno") == b"OKAY"  # host services go on about the chosen phone
    assert client.block() == "virtual-1"


# --- several phones, states -----------------------------------------------------------------------


def test_trackers_hear_of_every_change(server: PhoneServer, connect: Connect) -> None:
    client = connect()
    assert client.ask("host:track-devices") == b"OKAY"
    assert client.block() == "virtual-1\tdevice\n"
    server.attach(phone_named("virtual-2"))
    assert client.block() == "virtual-1\tdevice\nvirtual-2\toffline\n"
    assert client.block() == "virtual-1\tdevice\nvirtual-2\tdevice\n"
    server.detach("virtual-1")
    assert client.block() == "virtual-1\toffline\nvirtual-2\tdevice\n"
    assert client.block() == "virtual-2\tdevice\n"
    server.detach("virtual-2")
    assert client.block() == "virtual-2\toffline\n"
    assert client.block() == ""


def test_waiting_for_a_phone(server: PhoneServer, connect: Connect) -> None:
    client = connect()
    assert client.ask("host-serial:virtual-2:wait-for-any-device") == b"OKAY"
    server.attach(phone_named("virtual-2"))
    assert client.rest() == b"OKAY"
    client = connect()
    assert client.ask("host-serial:virtual-2:wait-for-any-disconnect") == b"OKAY"
    server.detach("virtual-2")
    assert client.rest() == b"OKAY"


def test_a_phone_with_an_address_can_be_disconnected_and_connected(
    server: PhoneServer, connect: Connect
) -> None:
    server.attach(phone_named("10.0.0.1:5555"))
    for request, answer in (
        ("host:connect:10.0.0.1:5555", "already connected to 10.0.0.1:5555"),
        ("host-serial:10.0.0.1:5555:get-state", "device"),
        ("host:disconnect:10.0.0.1:5555", "disconnected 10.0.0.1:5555"),
        ("host:devices", "virtual-1\tdevice\n"),
        ("host:connect:10.0.0.1:5555", "connected to 10.0.0.1:5555"),
    ):
        client = connect()
        assert client.ask(request) == b"OKAY"
        assert client.block() == answer


# --- the phone's services -------------------------------------------------------------------------


def test_the_new_shell_reads_standard_input_to_its_end(connect: Connect) -> None:
    client = on_phone(connect, "shell,v2,raw:cat")
    client.socket.sendall(b"\0\x03\0\0\0abc" + b"\x05\x07\0\0\x0030x80,0"[:12] + b"\x04\0\0\0\0")
    assert client.rest() == b"\x01\x03\0\0\0abc" + b"\x03\x01\0\0\0\0"


async def program(phone: VirtualPhone, arguments: Sequence[str], terminal: Terminal) -> int:
    """Listens on the port it is given until it is ended, as the on-device servers do."""
    phone.ports.bind(f"tcp:{arguments[0]}", echo)
    try:
        await terminal.write(b"ready\n")
        await asyncio.Event().wait()
    finally:
        phone.ports.release(f"tcp:{arguments[0]}")
    return 0


@pytest.mark.parametrize("service", ["shell:", "shell,v2,raw:", "exec:"])
def test_a_command_ends_when_its_client_goes(
    phone: VirtualPhone, connect: Connect, service: str
) -> None:
    phone.programs["dev.test.Main"] = program
    phone.files.write("/data/local/tmp/x.jar", b"jar")
    client = on_phone(
        connect, f"{service}CLASSPATH=/data/local/tmp/x.jar app_process / dev.test.Main 7"
    )
    assert client.take(5).strip(b"\x01\x06\0") in (b"ready", b"")
    assert phone.ports.addresses() == ["tcp:7"]
    client.socket.close()
    assert eventually(lambda: phone.ports.addresses() == [])


def test_a_command_uses_up_its_input_after_its_client_has_gone(
    phone: VirtualPhone, connect: Connect
) -> None:
    client = on_phone(connect, "exec:cat > /sdcard/x")
    client.socket.sendall(b"x" * 100_000)
    client.socket.close()
    assert eventually(
        lambda: phone.files.exists("/sdcard/x") and phone.files.stat("/sdcard/x").size == 100_000
    )


@pytest.mark.parametrize("service", ["tcp:1", "localabstract:nobody", "jdwp:1", "bogus", "shell"])
def test_what_no_one_serves_is_refused(connect: Connect, service: str) -> None:
    client = connect()
    assert client.ask("host:transport:virtual-1") == b"OKAY"
    assert client.ask(service) == b"FAIL"
    assert client.block() == "closed"


def test_a_listener_that_fails_ends_its_own_stream_only(
    phone: VirtualPhone, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_stream: Stream) -> None:
        raise RuntimeError("a bug in an app")

    phone.ports.bind("tcp:7", broken)
    with start_server(phone) as server, Client(server.port) as client:
        assert client.ask("host:transport-any") == b"OKAY"
        assert client.ask("tcp:7") == b"OKAY"
        assert client.rest() == b""
        with Client(server.port) as other:
            assert other.ask("host:version") == b"OKAY"
    assert any("'tcp:7' failed" in record.getMessage() for record in caplog.records)


SESSIONS = (
    b"000chost:version",
    b"0012host:track-devices",
    b"0012host:transport-any0014shell,v2,raw:cat foo\0\x03\0\0\0abc\x04\0\0\0\0",
    b"0012host:transport-any000dexec:cat /etc",
    b"0012host:transport-any0005sync:SEND\x0b\0\0\0/sdcard/x,1DATA\x02\0\0\0abDONE\0\0\0\0QUIT\0\0\0\0",
    b"0012host:transport-any0005sync:LIST\x01\0\0\0/",
    b"0012host:transport-any0005tcp:7hello",
    b"0012host:transport-any001freverse:forward:tcp:0;tcp:65535",
    b"0012host:transport-any001fabb_exec:package\0install\0-S\x00100some bytes of no app",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (2, 3))]
)
def test_broken_clients_do_no_harm(
    server: PhoneServer, phone: VirtualPhone, connect: Connect, seed: int
) -> None:
    """Sessions with bytes changed, cut short and left at any point; the server's own fixture
    watches its log."""
    phone.ports.bind("tcp:7", echo)
    chance = random.Random(seed)
    for _ in range(100):
        session = bytearray(chance.choice(SESSIONS))
        for _ in range(chance.choice((0, 0, 1, 3))):
            session[chance.randrange(len(session))] = chance.randrange(256)
        with contextlib.suppress(ConnectionError), Client(server.port) as client:
            client.socket.sendall(session[: chance.randrange(len(session) + 1)])
            client.socket.settimeout(chance.choice((0.001, 0.02)))
            with contextlib.suppress(TimeoutError):
                client.rest()
    client = connect()
    assert client.ask("host:devices") == b"OKAY"
    assert client.block() == "virtual-1\tdevice\n"
    assert on_phone(connect, "shell:echo well").rest() == b"well\n"


# --- sync -----------------------------------------------------------------------------------------
def test_files_go_there_and_back(phone: VirtualPhone, connect: Connect) -> None:
    client = on_phone(connect, "sync:")
    path = b"/sdcard/new folder/a,b.bin"
    client.socket.sendall(b"SEND" + struct.pack("<I", len(path) + 6) + path + b",33188")
    client.socket.sendall(b"DATA\x03\0\0\0abcDATA\x02\0\0\0deDONE" + struct.pack("<I", 1700000000))
    assert client.take(8) == b"OKAY\0\0\0\0"
    assert phone.files.read(path.decode()) == b"abcde"
    client.socket.sendall(b"RECV" + struct.pack("<I", len(path)) + path)
    assert client.take(8 + 5 + 8) == b"DATA\x05\0\0\0abcdeDONE\0\0\0\0"
    client.socket.sendall(b"STAT" + struct.pack("<I", len(path)) + path)
    assert client.take(16) == b"STAT" + struct.pack("<III", 0o100644, 5, 1700000000)
    client.socket.sendall(b"QUIT\0\0\0\0")
    assert client.rest() == b""


@pytest.mark.parametrize(
    "sent",
    [
        b"BOOM\x01\0\0\0x",
        b"STAT\xff\xff\xff\xff",
        b"SEND\x04\0\0\0/a,1DATA\xff\xff\xff\x7f",
        b"SEND\x04\0\0\0/a,1BOOM\0\0\0\0",
    ],
)
def test_what_is_no_sync_request_is_reported_so_and_closed(connect: Connect, sent: bytes) -> None:
    client = on_phone(connect, "sync:")
    client.socket.sendall(sent)
    assert client.take(4) == b"FAIL"
    (length,) = struct.unpack("<I", client.take(4))
    assert len(client.rest()) == length


def test_a_client_that_vanishes_in_mid_file_leaves_no_file(
    phone: VirtualPhone, connect: Connect
) -> None:
    client = on_phone(connect, "sync:")
    client.socket.sendall(b"SEND\x0b\0\0\0/sdcard/x,1DATA\xff\xff\0\0abc")
    client.socket.close()
    assert connect().ask("host:version") == b"OKAY"
    assert not phone.files.exists("/sdcard/x")


# --- forward and reverse --------------------------------------------------------------------------
def test_a_forward(phone: VirtualPhone, connect: Connect) -> None:
    phone.ports.bind("tcp:7", echo)
    client = connect()
    assert client.ask("host-serial:virtual-1:forward:tcp:0;tcp:7") == b"OKAY"
    assert client.take(4) == b"OKAY"
    port = int(client.block())
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as through:
        through.sendall(b"hi")
        assert through.recv(10) == b"hi"
    client = connect()
    assert client.ask("host:list-forward") == b"OKAY"
    assert client.block() == f"virtual-1 tcp:{port} tcp:7\n"
    client = connect()
    assert client.ask(f"host:forward:norebind:tcp:{port};tcp:8") == b"FAIL"
    assert client.block() == "cannot rebind existing socket"
    assert connect().ask(f"host:forward:tcp:{port};tcp:8") == b"OKAY"
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as through:
        assert through.recv(10) == b""  # no one listens on 8
    assert connect().ask("host:killforward-all") == b"OKAY"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


@pytest.mark.parametrize("local", ["foo", "tcp:x", "tcp:99999", "localabstract:x", ""])
def test_a_forward_from_nowhere_is_refused(connect: Connect, local: str) -> None:
    client = connect()
    assert client.ask(f"host:forward:{local};tcp:7") == b"FAIL"
    assert client.block().startswith("cannot bind listener")


def test_a_reverse_forward_reaches_the_computer(connect: Connect) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(PATIENCE)
        local = f"tcp:{listening.getsockname()[1]}"
        assert on_phone(connect, f"reverse:forward:tcp:9;{local}").rest() == b"OKAY"
        assert on_phone(connect, "reverse:list-forward").rest() == b"%04x" % (14 + len(local)) + (
            f"host-0 tcp:9 {local}\n".encode()
        )
        client = on_phone(connect, "tcp:9")
        incoming, _ = listening.accept()
        with incoming:
            client.socket.sendall(b"from the phone")
            assert incoming.recv(100) == b"from the phone"
            incoming.sendall(b"from the computer")
            assert client.take(17) == b"from the computer"
        assert client.rest() == b""
    refused = on_phone(connect, "tcp:9")
    assert refused.rest() == b""
    assert on_phone(connect, "reverse:killforward:tcp:9").rest() == b"OKAY"
    assert (
        on_phone(connect, "reverse:killforward:tcp:9").rest()
        == b"FAIL001alistener 'tcp:9' not found"
    )


def test_a_reverse_forward_of_a_port_in_use(phone: VirtualPhone, connect: Connect) -> None:
    phone.ports.bind("tcp:7", echo)
    assert on_phone(connect, "reverse:forward:tcp:7;tcp:1").rest().startswith(b"FAIL")
    assert on_phone(connect, "reverse:forward:tcp:0;tcp:1").rest() == b"OKAY000540000"
    assert on_phone(connect, "reverse:forward:norebind:tcp:40000;tcp:1").rest().startswith(b"FAIL")
    assert on_phone(connect, "reverse:killforward-all").rest() == b"OKAY"
    assert phone.ports.addresses() == ["tcp:7"]
    assert on_phone(connect, "reverse:bogus").rest().startswith(b"FAIL")
