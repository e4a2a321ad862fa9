"""What a driver sends, and how long each answer takes: heard by whoever listens, such as a proof of the phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from ..clock import Clock
from ..errors import DeviceError


@dataclass
class Exchange:
    """One command or call to the phone, and its end. ``doing`` is the command's line, or a call's method or path,
    without its content; ``seconds`` what it took; ``words`` what a command printed, "" for a call."""

    kind: Literal["command", "call"]
    doing: str
    seconds: float = 0.0
    words: str = ""
    error: DeviceError | None = None

    def print(self, words: str) -> None:
        self.words = words

    def end(self, seconds: float, error: DeviceError | None) -> None:
        self.seconds, self.error = seconds, error


class Exchanges:
    """All of one link. ``listener`` hears each once it has ended, in the link's thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.listener: Callable[[Exchange], object] | None = None

    @contextmanager
    def made(self, kind: Literal["command", "call"], doing: str) -> Iterator[Exchange]:
        exchange = Exchange(kind, doing)
        if self.listener is None:
            yield exchange
            return
        began = self._clock.now()
        failed: DeviceError | None = None
        try:
            yield exchange
        except DeviceError as error:
            failed = error
            raise
        finally:
            exchange.end(self._clock.now() - began, failed)
            self.listener(exchange)
