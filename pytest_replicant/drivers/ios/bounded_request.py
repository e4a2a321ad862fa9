"""One HTTP request to WebDriverAgent, bounded as a whole: in time, and in the size of its answer.

facebook-wda bounds each read of a socket alone, so that an answer that trickles would never end, and holds a lock
for the host meanwhile, so that every later request would wait for that one. Of it only ``wda.usbmux.http_create``
is used, which knows the way to a phone on a cable; the connection is our own, and is shut down at the limit.
"""

from __future__ import annotations

import json
import socket
import threading
import traceback
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

MOST_BYTES = 64 * 1024 * 1024  # a screenshot of the largest iPad takes a quarter of that
_CHUNK = 64 * 1024
_END_SECONDS = 1.0


class RequestTimeout(Exception):
    """The answer was not complete in time."""


class ResponseTooLarge(Exception):
    """The answer is longer than ``MOST_BYTES``."""


@dataclass(frozen=True)
class Response:
    status: int
    content: bytes


class BoundedRequest(threading.Thread):
    """A request, for one use. ``received`` is the part of the answer's body that has come so far.

    A thread makes it, since neither a look-up of a host's name nor usbmuxd can be given a limit. A daemon: one
    that still waits for those keeps no process alive, and sends nothing any more.
    """

    def __init__(self, method: str, url: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(name="replicant-wda-request", daemon=True)
        self.received = bytearray()
        self._method = method
        self._url = url
        self._data = data
        self._seconds = 0.0
        self._response: Response | None = None
        self._error: BaseException | None = None
        self._socket: socket.socket | None = None
        self._abandoned = False
        self._state = threading.Lock()
        # Not ``join``: Ctrl-C in it makes Python 3.11 and 3.12 take a thread that still runs for one that ended.
        self._ended = threading.Event()

    def result(self, seconds: float) -> Response:
        """Sends the request and waits for its answer. Raises ``RequestTimeout`` after ``seconds``,
        ``ResponseTooLarge``, and what the connection raises."""
        self._seconds = seconds
        self.start()
        try:
            if not self._ended.wait(seconds):
                raise RequestTimeout
        finally:
            if not self._ended.is_set():  # Ctrl-C included
                self._hang_up()
        self.join(_END_SECONDS)  # the rest of it takes no time
        if self._error is not None:
            raise self._error
        assert self._response is not None
        return self._response

    def run(self) -> None:
        try:
            self._response = self._exchanged()
        except BaseException as error:  # raised again where the result is awaited
            self._error = error
        finally:
            self._ended.set()

    def _exchanged(self) -> Response:
        connection = self._connected()
        try:
            with self._state:
                if self._abandoned:
                    raise RequestTimeout
                self._socket = connection.sock
            connection.sock.settimeout(self._seconds)
            parts = urlsplit(self._url)
            path = self._url[len(parts.scheme) + len("://") + len(parts.netloc) :]
            if self._data:
                body, headers = json.dumps(self._data), {"Content-Type": "application/json"}
                connection.request(self._method, path, body, headers)
            else:
                connection.request(self._method, path)
            with connection.getresponse() as response:
                while chunk := response.read1(_CHUNK):
                    self.received += chunk
                    if len(self.received) > MOST_BYTES:
                        raise ResponseTooLarge
                return Response(response.status, bytes(self.received))
        except TimeoutError:  # the socket's own, a moment before that of whoever waits for the answer
            raise RequestTimeout from None
        finally:
            connection.close()

    def _connected(self) -> HTTPConnection:
        try:
            connection = http_create(self._url)
            connection.timeout = self._seconds
            connection.connect()
        except Exception as error:
            error.never_sent = True  # type: ignore[attr-defined]  # read where it becomes one of ours
            _drop_frames(error)
            raise
        return connection

    def _hang_up(self) -> None:
        """Shuts the connection down, which ends the thread. One that still connects sends nothing any more."""
        with self._state:
            self._abandoned = True
            connected = self._socket
        if connected is not None:
            with suppress(OSError):  # closed in this very moment
                connected.shutdown(socket.SHUT_RDWR)
            self._ended.wait(_END_SECONDS)


def http_create(url: str) -> HTTPConnection:
    """facebook-wda's connection to ``url``, not yet open. Imported here: it costs 70 ms."""
    with warnings.catch_warnings():
        # It has escape sequences that Python complains about where it compiles them, on its first import.
        warnings.filterwarnings("ignore", message=".*invalid escape sequence")
        from wda.usbmux import http_create as create
    connection: HTTPConnection = create(url)
    return connection


def _drop_frames(error: Exception) -> None:
    """Lets go of the sockets that facebook-wda leaves open where usbmuxd fails: its frames alone hold them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        traceback.clear_frames(error.__traceback__)
