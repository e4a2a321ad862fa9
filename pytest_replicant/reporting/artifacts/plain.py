"""Any recorded value as plain JSON, and JSON that may stand inside a page."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from typing import Any

from ...model import Element, Selector

# What could end the script element that carries the data, or be read as markup by a sloppy reader.
_UNSAFE_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def plain(value: object) -> Any:
    """``value`` out of dicts, lists, strings, finite numbers, booleans and None.

    Dataclasses and named tuples become dicts of their fields that take part in ``repr``; bytes their length,
    as they are evidence for a blob and not for a document; NaN and infinities, which JSON lacks, their names.
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, (bytes, bytearray)):
        return f"{len(value)} bytes"
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((plain(item) for item in value), key=str)
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    if isinstance(value, Selector):
        return dict(_keywords(value))
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value) if item.repr}
    return str(value)


def _keywords(selector: Selector) -> Iterator[tuple[str, Any]]:
    """The keywords that were given; an element by its ref, a compiled pattern by its source and flags."""
    for name, value in selector.given():
        if isinstance(value, re.Pattern):
            yield name, {"pattern": str(value.pattern), "flags": value.flags}
        else:
            yield name, value.ref if isinstance(value, Element) else plain(value)


def file_json(value: object) -> bytes:
    """JSON for a file, readable, in UTF-8; half a surrogate pair is escaped, as UTF-8 cannot hold it."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    return (text + "\n").encode("utf-8", errors="backslashreplace")


def script_json(value: object) -> str:
    """JSON in ASCII that cannot end the ``<script>`` around it."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    for character, escape in _UNSAFE_IN_SCRIPT.items():
        text = text.replace(character, escape)
    return text
