"""``TestTrace`` as the ``replicant.trace/2`` document that ``trace.json`` holds: plain JSON, its schema, and
values of ours out of JSON that may be anybody's."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from typing import Any

from ...codec import json_schema
from ...model import (
    TRACE_SCHEMA,
    Attachment,
    Element,
    Redactor,
    Screenshot,
    Selector,
    SnapshotRecord,
    TestTrace,
    TraceEvent,
    TraceFile,
)
from ...redaction import PATHS, masked_record

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
    return {**masked_record(document, redactor, PATHS), "divergence": divergence}


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
