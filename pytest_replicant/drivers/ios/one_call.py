"""One call of facebook-wda, bounded as a whole: in time, and in what it may bring.

facebook-wda bounds each read of a socket alone, so that an answer that trickles would never end, and it holds a
lock for the host meanwhile, so that every later call would wait for that one. Each call is therefore made in a
thread of its own; one that takes too long, or brings too much, is hung up on, which also gives the lock back.
"""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from types import FrameType
from typing import Any

MOST_BYTES = 64 * 1024 * 1024  # a screenshot of the largest iPad takes a quarter of that
_SLACK = 0.1  # the socket's own limit comes first, and says more
_END_SECONDS = 1.0
_HEARD = 400
_NEW_SOCKET = socket.socket.__init__.__code__
_READ = HTTPResponse.read.__code__


class Overdue(Exception):
    """It has not ended in time."""


class TooMuch(Exception):
    """The answer is longer than ``MOST_BYTES``."""


class OneCall(threading.Thread):
    """For one use. A daemon thread: one that will not end keeps no process alive. ``heard`` is how the answer
    began, for messages."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(name="replicant-wda-call", daemon=True)
        self.heard = b""
        self._work = work
        self._sockets: list[socket.socket] = []
        self._responses: list[HTTPResponse] = []
        self._received = 0
        self._answer: Any = None
        self._error: BaseException | None = None
        # Not ``join``: Ctrl-C in it makes Python 3.11 and 3.12 take a thread that still runs for one that ended.
        self._ended = threading.Event()

    @property
    def runs(self) -> bool:
        return not self._ended.is_set()

    def ended_in(self, seconds: float) -> bool:
        """Whether it has ended, waiting so long for it."""
        ended = self._ended.wait(seconds)
        if ended:
            self.join(_END_SECONDS)  # what is left of it takes no time
        return ended

    def run(self) -> None:
        sys.setprofile(self._notice)  # of this thread alone
        try:
            self._answer = self._work()
        except BaseException as error:  # told to whoever waits
            self._error = error
        finally:
            sys.setprofile(None)
            self._close()
            self._ended.set()

    def made(self, seconds: float) -> Any:
        """What the work gives or raises. Raises ``Overdue`` and ``TooMuch``."""
        self.start()
        try:
            if not self.ended_in(seconds + _SLACK):
                raise Overdue
        finally:
            if self.runs:  # Ctrl-C included
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
        if frame.f_code is _NEW_SOCKET:
            self._sockets.append(frame.f_locals["self"])
        elif isinstance(given, HTTPResponse):
            self._responses.append(given)
        elif frame.f_code is _READ and given:
            self.heard = (self.heard + given[:_HEARD])[:_HEARD]
            self._received += len(given)
            if self._received > MOST_BYTES:
                raise TooMuch

    def _hang_up(self) -> None:
        """Ends the connection under the call, which then fails and ends the thread. One that still connects, or
        still asks for an address, ends by its own limit."""
        for each in list(self._sockets):
            with suppress(OSError):  # closed in this very moment
                each.shutdown(socket.SHUT_RDWR)
        self.ended_in(_END_SECONDS)

    def _close(self) -> None:
        """The responses first: a socket stays open for as long as one reads from it."""
        held: list[HTTPResponse | socket.socket] = [*self._responses, *self._sockets]
        for each in held:
            with suppress(OSError, HTTPException, ValueError, AttributeError):
                each.close()
