"""Text of an app, a test or a log where control characters would be obeyed: a terminal, XML, a CI job's log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

from ..model.quoting import shortened

LONGEST = 400


def printable(text: str, longest: int = LONGEST) -> str:
    """One line without control characters, marks that turn it around, and halves of characters: each stands as
    Python writes it."""
    cut = shortened(text, longest)
    if cut.isprintable():
        return cut
    return shortened("".join(each if each.isprintable() else _escaped(each) for each in cut), longest)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def device_name(device: Mapping[str, Any]) -> str:
    """``"Pixel 7, android 14"`` out of a phone's facts; "" where nothing is known."""
    system = " ".join(str(device[key]) for key in ("platform", "os_version") if device.get(key))
    return ", ".join(part for part in (str(device.get("model") or device.get("serial") or ""), system) if part)
