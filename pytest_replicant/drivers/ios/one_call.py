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
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from types import FrameType
from typing import Any

MOST_BYTES = 64 * 1024 * 1024  # a screenshot of the largest iPad takes a quarter of that
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
        self._open: list[HTTPConnection | HTTPResponse] = []
        self._received = 0
        self._answer: Any = None
        self._error: BaseException | None = None

    def run(self) -> None:
        sys.setprofile(self._notice)  # of this thread alone
        try:
            self._answer = self._work()
        except BaseException as error:  # told to whoever waits
            self._error = error
        finally:
            sys.setprofile(None)
            self._close()

    def made(self, seconds: float) -> Any:
        """What the work gives or raises. Raises ``Overdue`` and ``TooMuch``."""
        self.start()
        try:
            self.join(seconds + _SLACK)
            if self.is_alive():
                raise Overdue
        finally:
            if self.is_alive():  # Ctrl-C included
                self._hang_up()
        if self._received > MOST_BYTES:  # it may have come out as another error
            raise TooMuch
        if self._error is not None:
            raise self._error
        return self._answer

    def _notice(self, frame: FrameType, event: str, given: Any) -> None:
        """Sees what each function gives: facebook-wda shows its connection to nobody, and leaves it open, which
        warns of an unclosed socket later."""
        if event != "return":
            return
        if isinstance(given, (HTTPConnection, HTTPResponse)):
            self._open.append(given)
        elif frame.f_code is HTTPResponse.read.__code__ and given:
            self._received += len(given)
            if self._received > MOST_BYTES:
                raise TooMuch

    def _hang_up(self) -> None:
        """Ends the connection under the call, which then fails and ends the thread. One that still connects, or
        still asks for an address, ends by its own limit."""
        for held in list(self._open):
            with suppress(OSError, ValueError, AttributeError):  # closed in this very moment
                _shut(held)
        self.join(_END_SECONDS)

    def _close(self) -> None:
        for held in self._open:
            with suppress(OSError, HTTPException, ValueError, AttributeError):
                held.close()
        self._open.clear()


def _shut(held: HTTPConnection | HTTPResponse) -> None:
    """Wakes whoever reads from it. A response may hold the socket that its connection has let go of."""
    if isinstance(held, HTTPResponse):
        with socket.socket(fileno=os.dup(held.fileno())) as copy:
            copy.shutdown(socket.SHUT_RDWR)
    elif held.sock is not None:
        held.sock.shutdown(socket.SHUT_RDWR)
