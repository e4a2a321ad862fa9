"""A call ends in time, brings no more than it may, and leaves no socket open."""

from __future__ import annotations

import gc
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from pytest_replicant.drivers import wda_client
from pytest_replicant.drivers.ios import one_call
from pytest_replicant.drivers.ios.one_call import OneCall, Overdue, TooMuch

Behaviour = Callable[[socket.socket], None]
KEPT_ALIVE = b'HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{"value": "a"}'


def kept_alive(client: socket.socket) -> None:
    """As WebDriverAgent does: the connection stays open for another request."""
    client.sendall(KEPT_ALIVE)
    client.recv(1)


def trickle(client: socket.socket) -> None:
    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    client.settimeout(0.02)
    while True:
        client.sendall(b" ")
        with suppress(TimeoutError):
            client.recv(1)


def pour(client: socket.socket) -> None:
    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        client.sendall(b" " * 10_000)


def silence(client: socket.socket) -> None:
    client.recv(1)


@pytest.fixture
def calling() -> Iterator[Callable[[Behaviour], OneCall]]:
    """A request, not yet made, to somebody who behaves like that."""
    listener = socket.create_server(("127.0.0.1", 0))
    threads: list[threading.Thread] = []

    def calling(behaviour: Behaviour) -> OneCall:
        def serve() -> None:
            with suppress(OSError):
                client = listener.accept()[0]
                with client:
                    client.recv(4096)
                    behaviour(client)

        threads.append(threading.Thread(target=serve, daemon=True))
        threads[-1].start()
        client = wda_client(f"http://127.0.0.1:{listener.getsockname()[1]}")
        return OneCall(lambda: client.http.fetch("GET", "status", None, timeout=5))

    yield calling
    listener.close()
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()


def test_it_gives_what_the_work_gives_and_raises_what_it_raises() -> None:
    def fails() -> Any:
        raise LookupError("as it is")

    assert OneCall(lambda: 7).made(1) == 7
    with pytest.raises(LookupError, match="as it is"):
        OneCall(fails).made(1)


def test_a_connection_that_is_kept_alive_is_closed(calling: Callable[[Behaviour], OneCall]) -> None:
    call = calling(kept_alive)
    assert call.made(5)["value"] == "a"
    assert call.heard == b'{"value": "a"}'
    del call
    gc.collect()  # a socket left open would warn by now, which fails the test


@pytest.mark.parametrize("behaviour", [trickle, silence])
def test_what_takes_too_long_is_hung_up_on(calling: Callable[[Behaviour], OneCall], behaviour: Behaviour) -> None:
    call = calling(behaviour)
    began = time.monotonic()
    with pytest.raises(Overdue):
        call.made(0.05)
    assert not call.is_alive()
    assert time.monotonic() - began < 4  # and not the socket's own five
    assert calling(kept_alive).made(5)["value"] == "a"  # facebook-wda's lock of this host is free again


def test_what_brings_too_much_is_hung_up_on(
    calling: Callable[[Behaviour], OneCall], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one_call, "MOST_BYTES", 50_000)
    call = calling(pour)
    with pytest.raises(TooMuch):
        call.made(5)
    assert not call.is_alive()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="this system sends no signal to a thread")
def test_ctrl_c_hangs_up_too(calling: Callable[[Behaviour], OneCall]) -> None:
    """By a real signal: what it interrupts is Python's own waiting, and that is where it went wrong."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    call = calling(silence)
    before = signal.signal(signal.SIGUSR1, interrupt)
    timer = threading.Timer(0.05, signal.pthread_kill, (threading.main_thread().ident, signal.SIGUSR1))
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            call.made(5)
    finally:
        timer.join()
        signal.signal(signal.SIGUSR1, before)
    assert not call.runs
    assert calling(kept_alive).made(5)["value"] == "a"  # facebook-wda's lock of this host is free again
