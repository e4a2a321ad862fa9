"""``TestTrace`` as the ``replicant.trace/2`` document that ``trace.json`` holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from ...model import TRACE_SCHEMA
from .plain import plain
from .redaction import redacted_document

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model import Attachment, Rect, Redactor, Screenshot, SnapshotRecord, TestTrace, TraceEvent


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
        "deaths": [plain(death) for death in trace.deaths],
        "logs": [plain(entry) for entry in trace.logs],
        "failures": [plain(failure) for failure in trace.failures],
        "warnings": list(warnings),
    }
    return {**cast("dict[str, Any]", redacted_document(document, redactor)), "divergence": divergence}


def _event(event: TraceEvent) -> dict[str, Any]:
    details = {"details": plain(event.details)} if event.details else {}
    return {
        **details,
        "id": event.id,
        "kind": event.kind,
        "title": event.title,
        "start_ms": event.start_ms,
        "duration_ms": event.duration_ms,
        "result": plain(event.result.to_dict()) if event.result is not None else None,
        "check": plain(event.check.to_dict()) if event.check is not None else None,
        "diff": plain(event.diff),
        "failure": plain(event.failure),
        "group": list(event.group),
        "before": event.before,
        "after": event.after,
        "target": _rect(event.target),
        "touch": [[point.x, point.y] for point in event.touch],
        "source": event.source,
        "source_text": event.source_text,
        "error": event.error,
    }


def _rect(rect: Rect | None) -> list[int] | None:
    return None if rect is None else [rect.left, rect.top, rect.right, rect.bottom]


def _snapshot(
    name: str, record: SnapshotRecord, screenshot: Screenshot | None, stored: StoredParts
) -> dict[str, Any]:
    picture = stored.screenshots.get(name)
    return {
        "blob": stored.sources.get(name),
        "screen": record.screen,
        "screen_key": record.screen_key,
        "app": record.app,
        "structure": record.structure,
        "dialog": record.dialog,
        "fingerprint": record.fingerprint,
        "outline": stored.outlines.get(name),
        "captured_at_ms": record.captured_at_ms,
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
