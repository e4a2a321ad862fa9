"""What a driver sends: how long each answer takes, and what may have had an effect. Nothing of that is sent twice
because an answer was lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal, Protocol, TypeVar, cast

from ..clock import Clock
from ..errors import DeviceError


@dataclass
class Sent:
    """Counts the requests that left this computer and may have had an effect; those that only look are not
    counted."""

    count: int = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """One such request: counted, unless its error says that it never left."""
        self.count += 1
        try:
            yield
        except DeviceError as error:
            self.count -= error.never_sent
            raise

    @contextmanager
    def as_one(self) -> Iterator[None]:
        """Several requests that are one to their caller: an error of any of them says ``never_sent``
        if none before it has left that may have had an effect, and only there."""
        before = self.count
        try:
            yield
        except DeviceError as error:
            error.sent_nothing(self.count == before)
            raise


@contextmanager
def unsent() -> Iterator[None]:
    """What has to be done before a request can be sent: an error of that is one of a request that never left."""
    try:
        yield
    except DeviceError as error:
        error.sent_nothing()
        raise


class _Counting(Protocol):
    sent: Sent


class _Role(Protocol):
    _link: _Counting


F = TypeVar("F", bound=Callable[..., Any])


def as_one(verb: F) -> F:
    """A driver's verb that makes several requests; its error is about all of them together."""

    @wraps(verb)
    def whole(role: _Role, *args: Any, **named: Any) -> Any:
        with role._link.sent.as_one():
            return verb(role, *args, **named)

    return cast(F, whole)


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


@dataclass
class Exchanges:
    """All of one link. ``listener`` hears each once it has ended, in the link's thread."""

    clock: Clock
    listener: Callable[[Exchange], object] | None = None

    @contextmanager
    def made(self, kind: Literal["command", "call"], doing: str) -> Iterator[Exchange]:
        exchange = Exchange(kind, doing)
        if self.listener is None:
            yield exchange
            return
        began = self.clock.now()
        failed: DeviceError | None = None
        try:
            yield exchange
        except DeviceError as error:
            failed = error
            raise
        finally:
            exchange.end(self.clock.now() - began, failed)
            self.listener(exchange)
