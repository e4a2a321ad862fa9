"""Starting and stopping virtual phones."""

from __future__ import annotations

import contextlib
import gc
import socket
import threading
import time
from collections.abc import Callable

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.virtual import Latency, Profile, Stream, VirtualPhone, in_thread, start_server
from pytest_replicant.virtual.adb_side import packets
from pytest_replicant.virtual.daemon_threads import DaemonThreads


def phone_named(serial: str = "virtual-1") -> VirtualPhone:
    return VirtualPhone(
        profile=Profile(serial=serial), latency=Latency.from_knobs({"latency": "0"})
    )


Threads = Callable[[], "list[str]"]


@pytest.fixture
def threads() -> Threads:
    """The phones' threads that this test started; a warm phone of other tests may live in this
    process."""
    others = set(threading.enumerate())

    def started() -> list[str]:
        alive = (each for each in threading.enumerate() if each not in others)
        return [each.name for each in alive if each.name.startswith("replicant")]

    return started


def ask(port: int, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        client.sendall(b"%04x" % len(request) + request)
        data = b""
        while more := client.recv(65536):
            data += more
        return data


def test_everything_is_released(threads: Threads) -> None:
    server = start_server(phone_named(), adbd=True)
    ports = (server.port, server.adbd_port)
    assert ask(server.port, b"host:version") == b"OKAY00040029"
    assert threads() == ["replicant-virtual-phone"]
    with socket.create_connection((server.host, server.port)) as idle:
        server.close()
        with contextlib.suppress(ConnectionResetError):  # where it was still to be accepted
            assert idle.recv(1) == b""
    assert threads() == []
    for port in ports:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
    server.close()


def test_many_starts_leak_no_descriptor() -> None:
    with socket.socket() as probe:
        before = probe.fileno()
    for _ in range(20):
        with start_server(phone_named(), adbd=True) as server:
            ask(server.port, b"host:devices")
    with socket.socket() as probe:
        assert probe.fileno() == before


def test_one_thread_whatever_number_of_phones(threads: Threads) -> None:
    with start_server(phone_named("a"), phone_named("b"), phone_named("c"), adbd=True) as server:
        assert threads() == ["replicant-virtual-phone"]
        assert server.serials == ("a", "b", "c")
        assert sorted(server.adbd_ports) == ["a", "b", "c"]
        assert ask(server.port, b"host:devices") == b"OKAY001ba\tdevice\nb\tdevice\nc\tdevice\n"


def test_only_the_faces_that_were_asked_for() -> None:
    with start_server(phone_named()) as server, pytest.raises(LookupError, match="adbd=True"):
        assert server.adbd_port
    with start_server(phone_named(), server=False, adbd=True) as server:
        assert server.port == 0
        assert server.adbd_port > 0


@pytest.mark.parametrize("serial", ["", "a b", "a\nb", 'a"b', "日本", "x" * 65])
def test_serials_that_would_break_a_list(serial: str) -> None:
    with pytest.raises(UsageError, match="serial"):
        start_server(phone_named(serial))


def test_one_serial_cannot_be_two_phones() -> None:
    with pytest.raises(UsageError, match="one serial"):
        start_server(phone_named(), phone_named())


def test_phones_come_and_go() -> None:
    with start_server(adbd=True) as server:
        assert list(server.serials) == []
        server.attach(phone_named("late"))
        assert list(server.serials) == ["late"]
        assert server.adbd_ports["late"] > 0
        with pytest.raises(ValueError, match="attached already"):
            server.attach(phone_named("late"))
        server.detach("late")
        assert server.adbd_ports == {}


def test_a_call_that_never_returns_holds_up_no_one() -> None:
    phone = phone_named()
    looping = threading.Event()
    released = threading.Event()

    def loop_for_ever() -> None:
        looping.set()
        released.wait()

    async def listener(_stream: Stream) -> None:
        await in_thread(loop_for_ever)

    phone.ports.bind("tcp:7", listener)
    server = start_server(phone)
    with contextlib.closing(
        socket.create_connection((server.host, server.port), timeout=5)
    ) as client:
        client.sendall(b"0012host:transport-any0005tcp:7")
        assert looping.wait(5)
        assert ask(server.port, b"host:version") == b"OKAY00040029"
        begun = time.monotonic()
        server.close()
        assert time.monotonic() - begun < 2
    released.set()


@pytest.mark.slow
def test_clients_that_read_nothing_do_not_hold_up_the_end(threads: Threads) -> None:
    phone = phone_named()
    phone.files.write("/sdcard/big", bytes(40_000_000))
    server = start_server(phone, adbd=True)
    one = socket.create_connection((server.host, server.port), timeout=5)
    two = socket.create_connection((server.host, server.adbd_port), timeout=5)
    with one, two:
        one.sendall(b"0012host:transport-any0014exec:cat /sdcard/big")
        two.sendall(packets.pack(packets.CNXN, packets.VERSION, 1 << 20, b"host::\0"))
        for stream in range(1, 20):
            two.sendall(packets.pack(packets.OPEN, stream, 0, b"exec:cat /sdcard/big\0"))
        assert one.recv(4) == b"OKAY"
        assert two.recv(4) == b"CNXN"
        begun = time.monotonic()
        server.close()
        assert time.monotonic() - begun < 3
    assert threads() == []
    gc.collect()  # where a connection was left open, this warns


def test_threads_are_daemons_and_are_used_again() -> None:
    pool = DaemonThreads(limit=2)
    names = {pool.submit(lambda: threading.current_thread().name).result(5) for _ in range(20)}
    assert len(names) <= 2
    assert pool.submit(lambda: threading.current_thread().daemon).result(5)
    with pytest.raises(ZeroDivisionError):
        pool.submit(lambda: 1 // 0).result(5)
    pool.shutdown()
    with pytest.raises(RuntimeError, match="switched off"):
        pool.submit(int)
