"""A request ends in time, brings no more than it may, and leaves neither a socket nor a thread."""

from __future__ import annotations

import gc
import http.client
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from pytest_replicant.drivers.ios import link as bounded_request

BoundedRequest = bounded_request.BoundedRequest
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
def calling() -> Iterator[Callable[[Behaviour], BoundedRequest]]:
    """A request, not yet made, to somebody who behaves like that."""
    listener = socket.create_server(("127.0.0.1", 0))
    threads: list[threading.Thread] = []

    def calling(behaviour: Behaviour) -> BoundedRequest:
        def serve() -> None:
            with suppress(OSError):
                client = listener.accept()[0]
                with client:
                    client.recv(4096)
                    behaviour(client)

        threads.append(threading.Thread(target=serve, daemon=True))
        threads[-1].start()
        return BoundedRequest("GET", f"http://127.0.0.1:{listener.getsockname()[1]}/status")

    yield calling
    listener.close()
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()


def has_ended(call: BoundedRequest) -> bool:
    """A thread that has said that it is over needs a moment to be."""
    call.join(1)
    return not call.is_alive()


def test_errors_of_the_connection_are_raised_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(url: str) -> http.client.HTTPConnection:
        raise LookupError("as it is")

    monkeypatch.setattr(bounded_request, "http_create", fails)
    with pytest.raises(LookupError, match="as it is"):
        BoundedRequest("GET", "http://127.0.0.1:1/status").result(1)


def test_a_connection_that_comes_too_late_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host's name may be looked up for long, and nothing can end that."""
    found, sent, closed = threading.Event(), threading.Event(), threading.Event()

    class Late(http.client.HTTPConnection):
        def connect(self) -> None:
            found.wait(5)

        def request(self, *_: object, **__: object) -> None:
            sent.set()

        def close(self) -> None:
            closed.set()

    monkeypatch.setattr(bounded_request, "http_create", lambda url: Late("127.0.0.1"))
    request = BoundedRequest("POST", "http://127.0.0.1:1/wda/tap")
    with pytest.raises(TimeoutError):
        request.result(0.02)
    found.set()
    assert closed.wait(5)
    request.join(5)
    assert not sent.is_set()


def test_a_connection_that_is_kept_alive_is_closed(
    calling: Callable[[Behaviour], BoundedRequest],
) -> None:
    call = calling(kept_alive)
    assert call.result(5) == (200, b'{"value": "a"}')
    del call
    gc.collect()  # a socket left open would warn by now, which fails the test


@pytest.mark.parametrize("behaviour", [trickle, silence])
def test_what_takes_too_long_is_hung_up_on(
    calling: Callable[[Behaviour], BoundedRequest], behaviour: Behaviour
) -> None:
    call = calling(behaviour)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        call.result(0.05)
    assert has_ended(call)
    assert time.monotonic() - began < 4  # and not the socket's own five
    assert calling(kept_alive).result(5)[0] == 200  # the next is not held up


def test_too_large_an_answer_is_hung_up_on(
    calling: Callable[[Behaviour], BoundedRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_request, "MOST_BYTES", 50_000)
    call = calling(pour)
    with pytest.raises(bounded_request.ResponseTooLarge):
        call.result(5)
    assert has_ended(call)


@pytest.mark.skipif(
    not hasattr(signal, "pthread_kill"), reason="this system sends no signal to a thread"
)
def test_ctrl_c_hangs_up_too(calling: Callable[[Behaviour], BoundedRequest]) -> None:
    """By a real signal: what it interrupts is Python's own waiting, and that is where it went
    wrong."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    call = calling(silence)
    before = signal.signal(signal.SIGUSR1, interrupt)
    timer = threading.Timer(
        0.05, signal.pthread_kill, (threading.main_thread().ident, signal.SIGUSR1)
    )
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            call.result(5)
    finally:
        timer.join()
        signal.signal(signal.SIGUSR1, before)
    assert has_ended(call)
    assert calling(kept_alive).result(5)[0] == 200  # the next is not held up
