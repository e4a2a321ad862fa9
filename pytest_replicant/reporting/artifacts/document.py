"""``TestTrace`` as the ``replicant.trace/2`` document that ``trace.json`` holds: plain JSON, its schema, and
values of ours out of JSON that may be anybody's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from ...codec import json_schema
from ...model import (
    TRACE_SCHEMA,
    AnyDict,
    AnyMapping,
    Attachment,
    Redactor,
    Screenshot,
    SnapshotRecord,
    Strings,
    TestTrace,
    TraceFile,
    plain,
)
from ...redaction import PATHS, masked_record

# What could end the script element that carries the data, or be read as markup by a sloppy reader.
_UNSAFE_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def _rest(value: object) -> str:
    """Bytes are evidence for a blob and not for a document."""
    return f"{len(value)} bytes" if isinstance(value, (bytes, bytearray)) else str(value)


def script_json(value: object) -> str:
    """JSON in ASCII that cannot end the ``<script>`` around it."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    for character, escape in _UNSAFE_IN_SCRIPT.items():
        text = text.replace(character, escape)
    return text


def epoch_ms(moment: str) -> int:
    """Of a date in ISO 8601. Raises ``ValueError`` and ``OverflowError``."""
    return round(datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp() * 1000)  # 3.10 reads no "Z"


def trace_schema() -> AnyDict:
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
    warnings: Strings = (),
    divergence: AnyMapping | None = None,
) -> AnyDict:
    """The document, redacted, of plain JSON values. ``warnings`` says what could not be stored.
    ``divergence`` is redacted already."""
    document = {
        "schema": TRACE_SCHEMA,
        "test": plain(trace.test),
        "device": plain(trace.device, _rest),
        "events": plain(trace.events, _rest),
        "snapshots": {
            name: _snapshot(name, record, trace.screenshots.get(name), stored)
            for name, record in trace.snapshots.items()
        },
        "attachments": [
            _attachment(attachment, stored.attachments.get(index))
            for index, attachment in enumerate(trace.attachments)
        ],
        "recoveries": plain(trace.recoveries),
        "deaths": plain(trace.deaths),
        "anrs": plain(trace.anrs),
        "logs": plain(trace.logs),
        "failures": plain(trace.failures, _rest),
        "warnings": list(warnings),
    }
    return {**masked_record(document, redactor, PATHS), "divergence": divergence}


_OF_A_SCREEN = ("screen", "screen_key", "app", "structure", "dialog", "fingerprint", "captured_at_ms")


def _snapshot(name: str, record: SnapshotRecord, screenshot: Screenshot | None, stored: StoredParts) -> AnyDict:
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


def _attachment(attachment: Attachment, path: str | None) -> AnyDict:
    return {
        "name": str(attachment.name),
        "media_type": str(attachment.media_type),
        "path": path,
        "bytes": len(attachment.data) if isinstance(attachment.data, (bytes, bytearray)) else 0,
    }
