"""``TestTrace`` as the ``replicant.trace/2`` document that ``trace.json`` holds: plain JSON, its schema, and
values of ours out of JSON that may be anybody's."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from ...codec import json_schema
from ...model import (
    TRACE_SCHEMA,
    Attachment,
    Element,
    FailureRecord,
    Redactor,
    Screenshot,
    Selector,
    SnapshotRecord,
    TestTrace,
    TraceEvent,
    TraceFile,
)
from .redaction import redacted_document

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


_LONGEST = 1_000
_MOST = 100  # entries of a list in one record
_DEEPEST = 9  # records within records
_LARGEST = 1 << 50
_PLAIN = (bool, int, float, str)
_FOR_TYPES_ALONE = {
    "Mapping": Mapping,
    "Selector": Selector,
    "FailureRecord": FailureRecord,
    "Element": str,  # stands by its ref
}


def read(kind: Any, value: object, *, strict: bool = True, depth: int = _DEEPEST) -> Any:
    """What ``plain`` made of a ``kind``, as that again: a dataclass, a tuple, a text. Raises ``ValueError``.

    Fields that a dataclass does not know are left out, absent ones have their default. What does not fit raises,
    or, where not ``strict``, counts as absent; long texts and lists are then cut.
    """
    origin, inner = _parts(kind)
    if origin is str and isinstance(value, str):
        return value if strict else value[:_LONGEST]
    if origin in (Union, UnionType):
        for one in inner:
            with suppress(ValueError):
                return read(one, value, strict=strict, depth=depth)
    elif origin is tuple and isinstance(value, list):
        if strict:
            kinds = inner[:1] * len(value) if inner[-1] is ... else inner
            return tuple(read(one, each, depth=depth) for one, each in zip(kinds, value, strict=True))
        found = [loosely(inner[0], one, depth) for one in value[:_MOST]]
        return tuple(one for one in found if one is not None)
    elif origin is Mapping and isinstance(value, dict):
        facts = [(str(name), one) for name, one in value.items() if one is None or isinstance(one, _PLAIN)]
        return {name[:_LONGEST]: one[:_LONGEST] if isinstance(one, str) else one for name, one in facts[:_MOST]}
    elif origin is re.Pattern and isinstance(value, dict):
        return read(str, value.get("pattern"), strict=strict)
    elif origin in (int, bool) and isinstance(value, int) and type(value) is origin:
        if abs(value) <= _LARGEST:
            return value
    elif (origin is Literal and value in inner) or (origin is NoneType and value is None):
        return value
    elif isinstance(value, dict) and is_dataclass(origin) and depth:
        return _record(origin, value, strict, depth - 1)
    raise ValueError(f"no {kind}")


@cache
def _parts(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(kind) or kind, get_args(kind)


def loosely(kind: Any, value: object, depth: int = _DEEPEST) -> Any:
    """As ``read`` if not strict; None if it is no such value at all."""
    with suppress(ValueError):
        return read(kind, value, strict=False, depth=depth)
    return None


def _record(kind: Any, given: Mapping[str, Any], strict: bool, depth: int) -> Any:
    """A record of which nothing fits is none, nor is one without a field that has no default."""
    values: dict[str, Any] = {}
    for name, one in _types(kind).items():
        try:
            if name in given:
                values[name] = read(one, given[name], strict=strict, depth=depth)
        except ValueError:
            if strict:
                raise
    with suppress(TypeError):
        if values:
            return kind(**values)
    raise ValueError(f"no {kind.__name__}")


@cache
def _types(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind, localns=_FOR_TYPES_ALONE)


def file_json(value: object, *, indent: int | None = 1) -> bytes:
    """JSON for a file in UTF-8, readable, or on one line without ``indent``; half a surrogate pair is escaped, as
    UTF-8 cannot hold it."""
    separators = None if indent else (",", ":")
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, allow_nan=False)
    return (text + "\n").encode("utf-8", errors="backslashreplace")


def script_json(value: object) -> str:
    """JSON in ASCII that cannot end the ``<script>`` around it."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    for character, escape in _UNSAFE_IN_SCRIPT.items():
        text = text.replace(character, escape)
    return text


def epoch_ms(moment: str) -> int:
    """Of a date in ISO 8601. Raises ``ValueError`` and ``OverflowError``."""
    return round(datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp() * 1000)  # 3.10 reads no "Z"


def trace_schema() -> dict[str, Any]:
    """The schema of ``replicant.trace/2`` (JSON Schema, draft 2020-12); a new value on every call."""
    return json_schema(TraceFile)


@dataclass(frozen=True)
class StoredParts:
    """Where the large parts of a trace lie, as paths relative to ``trace.json``, with forward slashes.

    Keyed by snapshot id, ``attachments`` by position; what could not be stored is absent.
    """

    sources: Mapping[str, str] = field(default_factory=dict)
    outlines: Mapping[str, str] = field(default_factory=dict)
    screenshots: Mapping[str, str] = field(default_factory=dict)
    attachments: Mapping[int, str] = field(default_factory=dict)


def trace_document(
    trace: TestTrace,
    stored: StoredParts,
    redactor: Redactor,
    warnings: tuple[str, ...] = (),
    divergence: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The document, redacted, of plain JSON values. ``warnings`` says what could not be stored.
    ``divergence`` is redacted already."""
    document = {
        "schema": TRACE_SCHEMA,
        "test": plain(trace.test),
        "device": plain(trace.device),
        "events": [_event(event) for event in trace.events],
        "snapshots": {
            name: _snapshot(name, record, trace.screenshots.get(name), stored)
            for name, record in trace.snapshots.items()
        },
        "attachments": [
            _attachment(attachment, stored.attachments.get(index))
            for index, attachment in enumerate(trace.attachments)
        ],
        "recoveries": [plain(one.to_dict()) for one in trace.recoveries],
        "deaths": plain(trace.deaths),
        "anrs": plain(trace.anrs),
        "logs": plain(trace.logs),
        "failures": plain(trace.failures),
        "warnings": list(warnings),
    }
    return {**cast("dict[str, Any]", redacted_document(document, redactor)), "divergence": divergence}


def _event(event: TraceEvent) -> dict[str, Any]:
    document: dict[str, Any] = plain(replace(event, result=None, check=None, target=None, touch=()))
    details = document.pop("details")
    return {
        **({"details": details} if details else {}),
        **document,
        "result": plain(event.result.to_dict()) if event.result is not None else None,
        "check": plain(event.check.to_dict()) if event.check is not None else None,
        "target": list(event.target) if event.target is not None else None,
        "touch": [[point.x, point.y] for point in event.touch],
    }


_OF_A_SCREEN = ("screen", "screen_key", "app", "structure", "dialog", "fingerprint", "captured_at_ms")


def _snapshot(
    name: str, record: SnapshotRecord, screenshot: Screenshot | None, stored: StoredParts
) -> dict[str, Any]:
    picture = stored.screenshots.get(name)
    return {
        "blob": stored.sources.get(name),
        **{part: getattr(record, part) for part in _OF_A_SCREEN},
        "outline": stored.outlines.get(name),
        "size": list(record.size),
        "screenshot": (
            {"blob": picture, "width": screenshot.width, "height": screenshot.height}
            if screenshot is not None and picture is not None
            else None
        ),
    }


def _attachment(attachment: Attachment, path: str | None) -> dict[str, Any]:
    return {
        "name": str(attachment.name),
        "media_type": str(attachment.media_type),
        "path": path,
        "bytes": len(attachment.data) if isinstance(attachment.data, (bytes, bytearray)) else 0,
    }
