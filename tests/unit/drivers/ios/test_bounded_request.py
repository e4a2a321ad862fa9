"""A request ends in time, brings no more than it may, and leaves no socket."""

from __future__ import annotations

import gc
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from pytest_replicant.drivers.ios import link
from pytest_replicant.drivers.ios.link import Response, ResponseTooLarge

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
def asked() -> Iterator[Callable[[Behaviour, float], Response]]:
    """The answer of somebody who behaves like that."""
    listener = socket.create_server(("127.0.0.1", 0))
    threads: list[threading.Thread] = []

    def asked(behaviour: Behaviour, seconds: float = 5) -> Response:
        def serve() -> None:
            with suppress(OSError):
                client = listener.accept()[0]
                with client:
                    client.recv(4096)
                    behaviour(client)

        threads.append(threading.Thread(target=serve, daemon=True))
        threads[-1].start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/status"
        return link.requested("GET", url, None, seconds, bytearray())

    yield asked
    listener.close()
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()


def test_a_connection_that_is_kept_alive_is_closed(asked: Callable[..., Response]) -> None:
    assert asked(kept_alive) == Response(200, b'{"value": "a"}')
    gc.collect()  # a socket left open would warn by now, which fails the test


@pytest.mark.parametrize("behaviour", [trickle, silence])
def test_what_takes_too_long_is_hung_up_on(asked: Callable[..., Response], behaviour: Behaviour) -> None:
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        asked(behaviour, 0.05)
    assert time.monotonic() - began < 4
    assert asked(kept_alive).status == 200  # the next is not held up


def test_too_large_an_answer_is_hung_up_on(
    asked: Callable[..., Response], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "MOST_BYTES", 50_000)
    with pytest.raises(ResponseTooLarge):
        asked(pour)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="this system sends no signal to a thread")
def test_ctrl_c_hangs_up_too(asked: Callable[..., Response]) -> None:
    """By a real signal: what it interrupts is Python's own waiting."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    def signal_then_silence(client: socket.socket) -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
        client.recv(1)

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            asked(signal_then_silence)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert asked(kept_alive).status == 200  # the next is not held up
