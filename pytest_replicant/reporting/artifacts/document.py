"""``TestTrace`` as the ``replicant.trace/2`` document that ``trace.json`` holds: plain JSON, its schema, and
values of ours out of JSON that may be anybody's."""

from __future__ import annotations

import json
import linecache
import os
import re
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import suppress
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


AROUND = 2
"""Lines that are shown before the one that failed, and after it."""

LONGEST_LINE = 300

Excerpt = tuple[int, list[str]]
"""The number of its first line, and the lines without the indentation that all of them share."""


def file_and_line(source: str) -> tuple[str, int] | None:
    """The file and the line of ``"tests/test_shop.py:18"``."""
    found = re.fullmatch(r"(.{1,500}):(\d{1,7})", source, re.DOTALL)
    return (found[1], int(found[2])) if found else None


def excerpts(document: AnyMapping, redactor: Redactor) -> dict[str, Excerpt]:
    """Of a redacted ``replicant.trace/2`` document: by source, those of its failed steps, and of failures that no
    step raised. Read where the test ran; a file that is not at hand, or no longer says what the step recorded, has
    none."""
    files: dict[str, list[str]] = {}
    found: dict[str, Excerpt] = {}
    for source, text in _failed_at(document):
        where = file_and_line(source)
        if where is None or source in found:
            continue
        path, number = where
        if path not in files:
            files[path] = _read(path, redactor)
        lines = files[path]
        if 0 < number <= len(lines) and (not text or lines[number - 1].strip() == text.strip()):
            first = max(number - AROUND, 1)
            shown = "\n".join(line[:LONGEST_LINE] for line in lines[first - 1 : number + AROUND])
            found[source] = first, textwrap.dedent(shown).split("\n")
    return found


def _failed_at(document: AnyMapping) -> Iterator[tuple[str, str]]:
    yield from ((one["source"], one["source_text"]) for one in document["events"] if one["error"])
    yield from ((one["source"], "") for one in document["failures"] if not one["step"])


def _read(path: str, redactor: Redactor) -> list[str]:
    """The whole file, redacted as one: a secret may be spread over lines of which only some are shown."""
    text = ""
    with suppress(OSError, ValueError):  # the test took away the folder it stands in; a name that no file can have
        # What a step took its own line from; the last line break begins no further line.
        text = "".join(linecache.getlines(os.path.abspath(path))).removesuffix("\n")
    clean = redactor.text(text, code=True).split("\n")
    return clean if text and len(clean) == text.count("\n") + 1 else []
