"""The screen as WebDriverAgent prints it."""

from __future__ import annotations

import logging
from contextlib import suppress
from xml.parsers import expat

from .answers import Refused
from .role import Role
from .settings import DEEPEST, DEPTH, SHALLOWER
from .trouble import DEPTH_REFUSED, NEXT_FOR_DEPTH

DUMP_SECONDS = 20.0  # WebDriverAgent itself gives iOS 15 s for a snapshot

_log = logging.getLogger(__name__)


class IosHierarchy(Role):
    def dump_hierarchy(self) -> bytes:
        """XML in UTF-8, in points. Raises ``ProtocolError`` for a hierarchy without an element, and for one that
        is deeper than the phone shows: WebDriverAgent leaves out what lies deeper and does not say so, and what is
        left would be taken for the whole screen."""
        try:
            source = self._source()
        except Refused as refused:
            if DEPTH_REFUSED not in refused.said or self._depth <= SHALLOWER:
                raise
            self._read_to(SHALLOWER, str(refused))
            source = self._source()
        if levels_of(source) >= self._depth < DEEPEST:
            self._read_to(DEEPEST, f"what is on the screen now goes deeper than {self._depth}")
            source = self._source()
        self._must_be_whole(source)
        self._screen.learn_from(source)
        return source

    @property
    def _depth(self) -> int:
        return int(self._link.settings[DEPTH])

    def _read_to(self, depth: int, why: str) -> None:
        self._link.change_setting(DEPTH, depth)
        _log.info("%s reads %d levels of its screens from now on: %s", self._link.name, depth, why)

    def _source(self) -> bytes:
        xml = self._link.get("source?format=xml", seconds=DUMP_SECONDS)
        if isinstance(xml, str) and xml.count("<XCUIElementType") > 1:  # an app without a window shows nothing
            return xml.encode("utf-8", "replace")
        told = (
            "the phone gave a hierarchy without an element. It may be changing screens, locked or off; read again."
        )
        raise self._link.senseless("dump_hierarchy", told, repr(xml)[:500])

    def _must_be_whole(self, source: bytes) -> None:
        levels = levels_of(source)
        if levels < self._depth:
            return
        told = (
            f"the screen is at least {levels} levels deep, and {self._depth} are read ({DEPTH}): what lies deeper "
            f"is not shown, so it is not the whole screen. {NEXT_FOR_DEPTH}"
        )
        raise self._link.senseless("dump_hierarchy", told, f"{levels} levels")


def levels_of(source: bytes) -> int:
    """How deep the elements lie in each other; as far as the XML can be read. Pure."""
    deepest = now = 0

    def begin(name: str, attributes: object) -> None:
        nonlocal deepest, now
        now += name.startswith("XCUIElementType")
        deepest = max(deepest, now)

    def end(name: str) -> None:
        nonlocal now
        now -= name.startswith("XCUIElementType")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    with suppress(expat.ExpatError):  # whoever reads the screen says what is wrong with it
        parser.Parse(source, True)
    return deepest
