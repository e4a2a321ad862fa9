"""Something that listens where a WebDriverAgent should: another service, or one between the client
and a good WebDriverAgent that spoils what it is reported to."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection
from types import TracebackType
from typing import Any

Behaviour = Callable[[socket.socket], None]
"""What becomes of one connection after its request was read; it is closed afterwards."""


def answer(body: bytes | str, status: str = "200 OK", kind: str = "application/json") -> Behaviour:
    data = body.encode() if isinstance(body, str) else body
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\nConnection: "
        "close\r\n\r\n"
    )
    return said(head.encode() + data)


def json_answer(document: object, status: str = "200 OK") -> Behaviour:
    """JSON, whatever it says."""
    return answer(json.dumps(document), status)


def refused(error: str, message: str, status: str = "500 Internal Server Error") -> Behaviour:
    """An error as WebDriverAgent words them."""
    return json_answer(
        {"value": {"error": error, "message": message, "traceback": ""}, "sessionId": None}, status
    )


def said(data: bytes) -> Behaviour:
    """Just these bytes, whether they are HTTP or not."""
    return lambda client: client.sendall(data)


def hang(client: socket.socket) -> None:
    """Says nothing until the client hangs up."""
    while client.recv(4096):
        pass


def lost(client: socket.socket) -> None:
    """It was done, and its answer is lost."""


def trickle(client: socket.socket) -> None:
    """A byte now and then, for ever, so that no read of the client's ever waits long."""
    client.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n"
    )
    client.settimeout(0.05)
    with suppress(OSError):
        while True:
            client.sendall(b" ")
            with suppress(TimeoutError):
                if not client.recv(1):
                    return


def pour(client: socket.socket) -> None:
    """As much as the client takes, without an end."""
    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while True:
        client.sendall(b" " * 1_000_000)


CUT = said(
    b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"value": {"rea'
)
HUNG_UP = said(b"")
SSH = said(b"SSH-2.0-OpenSSH_9.6p1\r\n")


class BadAgent:
    """A context manager. A request whose path ends in one of ``spoilt`` comes to that, and by
    ``spoils`` others may be chosen; any other comes to ``all``, and without one goes to the
    WebDriverAgent at ``upstream``, as does one that comes to ``lost``. ``calls`` are the requests,
    oldest first."""

    def __init__(self, all: Behaviour | None = None, *, upstream: int = 0) -> None:
        self.spoilt: dict[str, Behaviour] = {}
        self.spoils: Callable[[str], Behaviour | None] = self._spoilt
        self.calls: list[str] = []
        self._all = all
        self._upstream = upstream
        self._clients: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> BadAgent:
        self.up()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.down()

    def up(self) -> None:
        """Listens, again at the port that it had."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        self._run(self._listen, self._listener)

    def down(self) -> None:
        """Dies: nothing listens any more, and whoever was waiting is hung up on."""
        for each in (self._listener, *self._clients):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        threads, self._threads = self._threads, []
        for thread in threads:
            thread.join(5)

    def count(self, ending: str) -> int:
        return sum(call.endswith(ending) for call in self.calls)

    def _run(self, work: Callable[[socket.socket], None], one: socket.socket) -> None:
        thread = threading.Thread(target=work, args=(one,), daemon=True)
        self._threads = [each for each in self._threads if each.is_alive()] + [thread]
        thread.start()

    def _listen(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                self._clients.add(client)
                self._run(self._serve, client)

    def _serve(self, client: socket.socket) -> None:
        try:
            with client, suppress(OSError, ValueError):
                method, whole, body = _request(client)
                path = whole.partition("?")[0]
                self.calls.append(f"{method} {path}")
                behaviour = self.spoils(path) or self._all
                if behaviour in (None, lost):
                    good = self._passed_on(method, whole, body)
                (behaviour or good)(client)
        finally:
            self._clients.discard(client)

    def _spoilt(self, path: str) -> Behaviour | None:
        return next((each for ending, each in self.spoilt.items() if path.endswith(ending)), None)

    def _passed_on(self, method: str, path: str, body: bytes) -> Behaviour:
        upstream = HTTPConnection("127.0.0.1", self._upstream, timeout=30)
        try:
            upstream.request(
                method, path, body, {"Content-Type": "application/json"} if body else {}
            )
            reply = upstream.getresponse()
            return answer(reply.read(), f"{reply.status} {reply.reason}")
        finally:
            upstream.close()


def _request(client: socket.socket) -> tuple[str, str, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(client)
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    method, path, _ = lines[0].split(" ", 2)
    headers: dict[str, Any] = {
        name.lower(): value for name, _, value in (line.partition(":") for line in lines[1:])
    }
    while len(body) < int(headers.get("content-length", 0)):
        body += _more(client)
    return method, path, body


def _more(client: socket.socket) -> bytes:
    data = client.recv(65536)
    if not data:
        raise ValueError("hung up")
    return data
