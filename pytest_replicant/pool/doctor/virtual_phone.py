"""A virtual phone: whether one starts on this computer, and answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..fitness.finding import Finding
from ..uri import parse_uri
from .check import Check, Subject
from .opened import opened

_COUNT = re.compile(r"^(virtual(?::android|:ios)?):\d+")
_GRACE = 2.0


def virtual_phone(uri: str, open_seconds: float) -> Subject:
    """One of them, where the URI asks for several."""
    one = _COUNT.sub(r"\1", uri)

    def look() -> Iterator[Finding]:
        parse_uri(uri)  # a number of phones that a run refuses
        yield from (finding for finding in opened(one, open_seconds, "screen") if finding.name != "lease")

    return Subject(uri, lambda: iter([Check("screen", open_seconds + _GRACE, look)]))
