"""One call of facebook-wda, bounded as a whole: in time, and in what it may bring.

facebook-wda bounds each read of a socket alone, so that an answer that trickles would never end, and it holds a
lock for the host meanwhile, so that every later call would wait for that one. Each call is therefore made in a
thread of its own; one that takes too long, or brings too much, is hung up on, which also gives the lock back.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from types import TracebackType
from typing import Any

MOST_BYTES = 64 * 1024 * 1024  # a screenshot of the largest iPad takes a quarter of that
_LOOK_EVERY = 0.25
_SLACK = 0.1  # the socket's own limit comes first, and says more
_END_SECONDS = 1.0


class Overdue(Exception):
    """It has not ended in time."""


class TooMuch(Exception):
    """The answer is longer than ``MOST_BYTES``."""


class OneCall(threading.Thread):
    """For one use. A daemon thread: one that will not end keeps no process alive."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(name="replicant-wda-call", daemon=True)
        self._work = work
        self._answer: Any = None
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._answer = self._work()
        except BaseException as error:  # told to whoever waits
            _close_all(error)
            self._error = error

    def made(self, seconds: float) -> Any:
        """What the work gives or raises. Raises ``Overdue`` and ``TooMuch``."""
        self.start()
        deadline = time.monotonic() + seconds + _SLACK
        try:
            while self.is_alive():
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Overdue
                self.join(min(left, _LOOK_EVERY))
                if self._received() > MOST_BYTES:
                    raise TooMuch
        finally:
            if self.is_alive():  # Ctrl-C included
                self._hang_up()
        if self._error is not None:
            raise self._error
        return self._answer

    def _hang_up(self) -> None:
        """Ends the connection under the call, which then fails and ends the thread. One that still connects, or
        still asks for an address, ends by its own limit."""
        for held in list(self._held()):
            with suppress(OSError, ValueError, AttributeError):  # closed in this very moment
                if isinstance(held, HTTPConnection) and held.sock is not None:
                    held.sock.shutdown(socket.SHUT_RDWR)
                elif isinstance(held, HTTPResponse):
                    _shut(held)
        self.join(_END_SECONDS)

    def _received(self) -> int:
        """How much of the answer is here by now."""
        return max((len(held) for held in self._held() if isinstance(held, bytearray)), default=0)

    def _held(self) -> Iterator[Any]:
        """What the call works with at this moment: facebook-wda gives its connection to nobody."""
        frame = sys._current_frames().get(self.ident or 0) if self.is_alive() else None
        while frame is not None:
            yield from list(frame.f_locals.values())
            frame = frame.f_back


def _shut(response: HTTPResponse) -> None:
    """A response whose connection has let go of it holds the socket alone."""
    with socket.socket(fileno=os.dup(response.fileno())) as copy:
        copy.shutdown(socket.SHUT_RDWR)


def _close_all(error: BaseException) -> None:
    """A call that fails leaves its connection open until the garbage is collected, with a warning then."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        for held in _in_traceback(error.__traceback__):
            if isinstance(held, (HTTPConnection, HTTPResponse)):
                with suppress(OSError, HTTPException, ValueError, AttributeError):
                    held.close()
        error = error.__context__  # type: ignore[assignment]


def _in_traceback(trace: TracebackType | None) -> Iterator[Any]:
    while trace is not None:
        yield from list(trace.tb_frame.f_locals.values())
        trace = trace.tb_next
