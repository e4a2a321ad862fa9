"""BaseDriver: a driver without optional abilities, to derive drivers from that have some.

And what our own have in common: changes made to a phone, answers of it that hold until something
else is said to it, and what they send: how long each answer takes, and what may have had an effect.
Nothing of that is sent twice because an answer was lost. A hierarchy is read as deep as the phone
gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar, cast
from xml.parsers import expat

from ..errors import DeviceError, ProtocolError, UsageError
from ..model import Clock
from .base import Capability, DeviceInfo, Driver


class BaseDriver(Driver):
    """A driver in which every ability of ``Capability`` raises ``Unsupported`` and names the
    capability.

    A subclass writes the methods that every phone has, and of the others those that it states in
    ``capabilities``. It cannot be created while one of the former is missing. ``instead`` says, for
    abilities that are missing, what there is in their place; it becomes a part of the error.
    """


SHORTCUTS: Mapping[Capability, tuple[str, ...]] = {
    Capability.COLD_START: ("cold_start", "launch", "stop", "clear_data"),
    Capability.REPLACE_TEXT: ("replace_text", "type_text", "clear_text"),
}
"""Each with its method, and with those that it stands for."""


class OurDriver(BaseDriver):
    """The common part of this package's drivers. Their roles set ``_changes``; ``exchanges`` are
    all that is sent."""

    exchanges: Exchanges
    by_parts: ClassVar[Capability] = Capability.NONE
    """Shortcuts that do not count: a verb that they stand for was overridden since, and a driver
    means its own."""
    _changes: Changes
    _uri: str
    _info: DeviceInfo

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        own = vars(cls).keys()
        for shortcut, (verb, *parts) in SHORTCUTS.items():
            if verb in own:
                cls.by_parts &= ~shortcut
            elif own & set(parts):
                cls.by_parts |= shortcut
                setattr(cls, verb, getattr(BaseDriver, verb))  # which raises Unsupported

    @property
    def uri(self) -> str:
        return self._uri

    @property
    def info(self) -> DeviceInfo:
        return self._info

    def restore_settings(self) -> None:
        self._changes.undo()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._uri}>"


class Changes(dict[str, Callable[[], object]]):
    """What puts changes back, by their names. The first one of each counts, as ``setdefault`` keeps
    it: the state before it is restored."""

    def undo(self) -> None:
        """Restores everything, last first. A change that cannot be restored now is tried again by
        the next call, and its error raised once all others were restored; one of an app that is
        gone needs nothing."""
        errors: list[DeviceError] = []
        for name, put_back in reversed(list(self.items())):
            try:
                put_back()
            except UsageError:
                pass
            except DeviceError as error:
                errors.append(error)
                continue
            del self[name]
        if errors:
            raise errors[0]


T = TypeVar("T")


class CallCounter(Protocol):
    """A link to a phone that counts its calls."""

    calls: int


@dataclass
class Remembered(Generic[T]):
    """An answer that holds until the next call: later it may hold no more."""

    counter: CallCounter
    _kept: T | None = None
    _calls: int = -1

    def keep(self, what: T) -> None:
        self._kept, self._calls = what, self.counter.calls

    def take(self) -> T | None:
        """The answer, once; None if there is none, or another call was made since."""
        kept, self._kept = self._kept, None
        return kept if self._calls == self.counter.calls else None


@dataclass
class Sent:
    """Counts the requests that left this computer and may have had an effect; those that only look
    are not counted."""

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
def unsent() -> Iterator[None]:
    """What has to be done before a request can be sent: an error of that is one of a request that
    never left."""
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
    """A driver's verb that makes several requests, which are one to its caller: an error of any of
    them says ``never_sent`` if none before it has left that may have had an effect, and only
    there."""

    @wraps(verb)
    def whole(role: _Role, *args: Any, **named: Any) -> Any:
        sent = role._link.sent
        before = sent.count
        try:
            return verb(role, *args, **named)
        except DeviceError as error:
            error.sent_nothing(sent.count == before)
            raise

    return cast(F, whole)


@dataclass(frozen=True)
class Exchange:
    """One command or call to the phone, and its end. ``doing`` is the command's line, or a call's
    method or path, without its content; ``seconds`` what it took; ``words`` what a command printed,
    "" for a call."""

    kind: Literal["command", "call"]
    doing: str
    seconds: float
    words: str
    error: DeviceError | None


@dataclass
class Exchanges:
    """All of one link. ``listener`` hears each once it has ended, in the link's thread."""

    clock: Clock
    listener: Callable[[Exchange], object] | None = None

    @contextmanager
    def made(self, kind: Literal["command", "call"], doing: str) -> Iterator[list[str]]:
        """What a command prints is to be added to the list."""
        words: list[str] = []
        if self.listener is None:  # then a command takes none of the clock's time
            yield words
            return
        began = self.clock.now()
        failed: DeviceError | None = None
        try:
            yield words
        except DeviceError as error:
            failed = error
            raise
        finally:
            took = self.clock.now() - began
            self.listener(Exchange(kind, doing, took, "".join(words), failed))


RETRY_SECONDS = 2.0


@dataclass
class Depths:
    """Reads with a limit of levels, of which ``levels`` has the deepest first. A phone may refuse a
    deep screen; then it is asked for less. Fewer levels are enough for a screen that ends before;
    one that goes on below is read deeper again as soon as it is another one than was refused, at
    most once in ``RETRY_SECONDS``."""

    levels: tuple[int, ...]
    clock: Clock
    ask: Callable[[int], bytes]
    too_deep: Callable[[ProtocolError], bool]
    _at: int = 0
    _refused: bytes = b""  # the screen that was refused, as far as it could be read
    _retry_at: float = float("-inf")

    def read(self) -> bytes:
        """The hierarchy that ``ask`` returns for one of the limits, which it says itself. Raises
        ``ProtocolError`` if all are refused, or for anything that is not ``too_deep``."""
        first = self._at
        source = self._deepest_of(range(first, len(self.levels))) or b""  # refused by an error
        may_go_on = self._at and source != self._refused and self.clock.now() >= self._retry_at
        if self._at > first:
            self._refused = source
        elif may_go_on and levels_of(source) >= self.levels[self._at]:
            deeper = self._deepest_of(range(first))
            self._refused = source if deeper is None else b""
            source = source if deeper is None else deeper
        return limited(source, self.levels[self._at])

    def _deepest_of(self, steps: range) -> bytes | None:
        """The first that is not refused; None if all of these are, and a lesser one is left."""
        for at in steps:
            try:
                source = self.ask(self.levels[at])
            except ProtocolError as error:
                if not self.too_deep(error) or at == len(self.levels) - 1:
                    raise
                self._at, self._retry_at = at + 1, self.clock.now() + RETRY_SECONDS
            else:
                self._at = at
                return source
        return None


def limited(source: bytes, levels: int) -> bytes:
    """The hierarchy with a processing instruction of how many levels were asked for: its parser
    knows that more may follow where it has as many."""
    head = b'<?xml version="1.0" encoding="UTF-8"?>'
    if source.lstrip().startswith(b"<?xml"):
        head, end, source = source.partition(b"?>")
        head += end
    return head + b'<?replicant levels="%d"?>' % levels + source


def levels_of(source: bytes) -> int:
    """How deep the elements lie in each other; as far as the XML can be read. Pure."""
    deepest = now = 0

    def begin(name: str, attributes: object) -> None:
        nonlocal deepest, now
        now += name == "node" or name.startswith("XCUIElementType")
        deepest = max(deepest, now)

    def end(name: str) -> None:
        nonlocal now
        now -= name == "node" or name.startswith("XCUIElementType")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    with suppress(expat.ExpatError):  # the parser of the screen reports the error
        parser.Parse(source, True)
    return deepest
