"""How deep a hierarchy is read: as deep as the phone gives it, and its reader is handed the limit."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from xml.parsers import expat

from ..clock import Clock
from ..errors import ProtocolError

RETRY_SECONDS = 2.0


@dataclass
class Depths:
    """Reads with a limit of levels, of which ``levels`` has the deepest first. A phone may refuse a deep screen;
    then it is asked for less. Fewer levels are enough for a screen that ends before; one that goes on below is
    read deeper again as soon as it is another one than was refused, at most once in ``RETRY_SECONDS``."""

    levels: tuple[int, ...]
    clock: Clock
    ask: Callable[[int], bytes]
    too_deep: Callable[[ProtocolError], bool]
    _at: int = 0
    _refused: bytes = b""  # the screen that was refused, as far as it could be read
    _retry_at: float = float("-inf")

    def read(self) -> bytes:
        """The hierarchy that ``ask`` returns for one of the limits, which it says itself. Raises ``ProtocolError``
        where all are refused, or for anything that is not ``too_deep``."""
        first = self._at
        source = self._deepest_of(range(first, len(self.levels))) or b""  # refused by an error
        if self._at > first:
            self._refused = source
        elif self._goes_on(source):
            deeper = self._deepest_of(range(first))
            self._refused = source if deeper is None else b""
            source = source if deeper is None else deeper
        return limited(source, self.levels[self._at])

    def _goes_on(self, source: bytes) -> bool:
        """Whether a deeper look may show more."""
        if not self._at or source == self._refused or self.clock.now() < self._retry_at:
            return False
        return levels_of(source) >= self.levels[self._at]

    def _deepest_of(self, steps: range) -> bytes | None:
        """The first that is not refused; None where all of these are, and a lesser one is left."""
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
    """The hierarchy with a processing instruction of how many levels were asked for: its parser knows that
    more may follow where it has as many."""
    head, end, rest = source.partition(b"?>") if source.lstrip().startswith(b"<?xml") else (b"", b"", source)
    return (head + end or b'<?xml version="1.0" encoding="UTF-8"?>') + b'<?replicant levels="%d"?>' % levels + rest


def over_app(source: bytes, app: str) -> bytes:
    """The hierarchy of a window of the system, marked as one that lies over an app in front."""
    return source.replace(b"<?replicant ", b'<?replicant over="%s" ' % app.encode(), 1)


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
