"""What a driver has sent that may have had an effect: nothing of that is sent twice because an answer was lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

from ..errors import DeviceError


class Sent:
    """Counts the requests that left this computer and may have had an effect; those that only look are not
    counted."""

    def __init__(self) -> None:
        self.count = 0

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
        """Several requests that are one to whoever asked for them: an error of any of them says ``never_sent``
        where none before it has left that may have had an effect, and only there."""
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
