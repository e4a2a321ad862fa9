"""An element that WebDriverAgent names: what it came with, and what has to be asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .answers import Refused
from .link import Link

_W3C = "element-6066-11e4-a52e-4f735466cecf"
_PREFIX = "attribute/"
_LOOKS = ("type", "rect", "label", _PREFIX + "name")
_ID = re.compile(r"[\w.:-]+")  # it becomes a part of a path


@dataclass(frozen=True)
class Element:
    """``told`` is the whole answer that named it. Ids are the session's, and of this one screen."""

    id: str
    told: Mapping[str, Any]

    @classmethod
    def of(cls, link: Link, answer: object) -> Element:
        """Raises ``ProtocolError`` for what names no element."""
        found = answer.get(_W3C) or answer.get("ELEMENT") if isinstance(answer, Mapping) else None
        if not isinstance(found, str) or not _ID.fullmatch(found):
            raise link.odd("elements", answer)
        assert isinstance(answer, Mapping)
        return cls(found, answer)

    def kind(self, link: Link) -> str:
        """Its type, as ``TextField``."""
        said = self.told.get("type")
        if not isinstance(said, str):
            said = link.get(f"element/{self.id}/name")  # W3C's word for what iOS calls the type
        return str(said or "").removeprefix("XCUIElementType")

    def rect(self, link: Link) -> Mapping[str, Any]:
        said = self.told.get("rect")
        if not isinstance(said, Mapping):
            said = link.get(f"element/{self.id}/rect")
        if not isinstance(said, Mapping):
            raise link.odd("rect", said)
        return said

    def looks_like(self, other: Element) -> bool:
        """Whether all that both came with, their text apart, is the same; not, where that is nothing."""
        mine, its = ({name: each.told.get(name) for name in _LOOKS} for each in (self, other))
        return mine == its and mine["rect"] is not None

    def attribute(self, link: Link, name: str, *, anew: bool = False) -> str:
        """ "" where it has none, or where this WebDriverAgent does not know it."""
        for key in (_PREFIX + name, name if name == "label" else _PREFIX + name):
            if key in self.told and not anew:
                return _text(self.told[key])
        try:
            return _text(link.get(f"element/{self.id}/attribute/{name}"))
        except Refused as refused:
            if refused.error in ("stale element reference", "no such element"):
                raise
            return ""


def _text(said: object) -> str:
    return "" if said is None else str(said)
