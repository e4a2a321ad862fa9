"""The lines of the test that are known, as files for the viewer's source tab: only what ran, in its place."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from .wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .calls import Call

LAST_LINE = 20_000
"""Of a file that is written out; a line beyond it is named, but not shown."""


def place(source: str) -> tuple[str, int] | None:
    """The file and the line of ``"tests/test_shop.py:18"``."""
    found = re.fullmatch(r"(.{1,500}):(\d{1,7})", source, re.DOTALL)
    return (shown(found[1]), int(found[2])) if found else None


def sources_of(calls: Iterable[Call]) -> Mapping[str, bytes]:
    """Files by the name under which the viewer looks for them."""
    known: dict[str, dict[int, str]] = {}
    for call in calls:
        where = place(call.source)
        if where and call.source_text and 0 < where[1] <= LAST_LINE:
            known.setdefault(where[0], {})[where[1]] = shown(call.source_text, 500).replace("\n", " ")
    return {
        f"src@{hashlib.sha1(file.encode(), usedforsecurity=False).hexdigest()}.txt": _text(lines)
        for file, lines in known.items()
    }


def _text(lines: Mapping[int, str]) -> bytes:
    return "\n".join(lines.get(number, "") for number in range(1, max(lines) + 1)).encode()
