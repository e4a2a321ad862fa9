"""The socket of a session: only who knows its token is answered, and only in frames of ours."""

from __future__ import annotations

import errno
import os
import secrets
import select
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from hmac import compare_digest
from typing import Any, TypeAlias

from ...model import encode
from . import protocol
from .protocol import GONE, USAGE
from .turns import Answer, Request

Ask: TypeAlias = "Callable[[Request, Callable[[str], None], Callable[[], bool]], Answer]"

REQUEST_SECONDS = 10.0  # for a whole request to arrive
SEND_SECONDS = 30.0
_ACCEPT_SECONDS = 5.0


class Listening:
    """Takes connections on threads of its own, until closed. ``ask`` answers a request."""

    def __init__(self, ask: Ask) -> None:
        self.token = secrets.token_hex(32)
        self._ask = ask
        self._socket = socket.socket()
        self._threads: set[threading.Thread] = set()
        self._closed = False
        self._acceptor = threading.Thread(target=self._accept, name="replicant-accept", daemon=True)

    def start(self) -> None:
        """Takes connections from now on. Raises ``OSError``."""
        if sys.platform == "win32":
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        self._socket.bind((protocol.HOST, 0))
        self._socket.listen(64)
        self._socket.settimeout(_ACCEPT_SECONDS)
        self._acceptor.start()

    @property
    def port(self) -> int:
        """On the loopback, of one that was started."""
        return int(self._socket.getsockname()[1])

    def stop(self) -> None:
        """Takes no more connections; those that are there go on."""
        self._closed = True
        self._socket.close()

    def wait(self, seconds: float) -> None:
        """Until what was to be sent is sent, so many seconds at most."""
        deadline = time.monotonic() + seconds
        for thread in [*self._threads]:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _accept(self) -> None:
        while not self._closed:
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            except OSError as error:
                if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ECONNABORTED):
                    threading.Event().wait(0.1)  # others may close theirs meanwhile
                    continue
                return
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.add(thread)
            try:
                thread.start()
            except RuntimeError:  # the system has no more threads to give
                self._threads.discard(thread)
                connection.close()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection, suppress(OSError, EOFError, ValueError):
                read = protocol.reader(connection, REQUEST_SECONDS)
                message = protocol.read_frame(read, protocol.LARGEST_REQUEST)
                token = str(message.get("token")).encode("utf-8", "replace")
                # else not a word: a web page may try every port
                if compare_digest(token, self.token.encode()):
                    connection.settimeout(SEND_SECONDS)
                    answer = self._answer_to(connection, message)
                    connection.sendall(protocol.pack(encode(answer)))
        finally:
            self._threads.discard(threading.current_thread())

    def _answer_to(self, connection: socket.socket, message: dict[str, Any]) -> Answer:
        if message.get("v") != protocol.VERSION:
            return Answer(
                err="replicant: the session was opened by another version of pytest-replicant. "
                "Next: close it "
                f"with that version, or end process {os.getpid()}; then open it again",
                code=GONE,
            )
        try:
            request = Request.from_message(message)
        except ValueError as error:
            return Answer(err=f"replicant: no request of a client: {error}", code=USAGE)

        def notice(text: str) -> None:
            with suppress(OSError):
                connection.sendall(protocol.pack(encode({"err": text})))

        def is_gone() -> bool:  # a client sends nothing after its request
            try:
                readable, _, _ = select.select([connection], [], [], 0)
                return bool(readable) and not connection.recv(1, socket.MSG_PEEK)
            except (OSError, ValueError):
                return True

        return self._ask(request, notice, is_gone)
