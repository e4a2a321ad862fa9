"""``trace.zip``: the trace as events of Playwright's trace format, the console and the device log among them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...drivers import system_name
from ...model import AnyMapping, ShownElement
from ..artifacts.document import epoch_ms
from ..artifacts.pictures import carried_pictures
from ..artifacts.source_lines import Excerpt
from .calls import Call, line, place, shown, sources_of, title
from .frames import PAGE, Frames, carried_attachments, file_name, listing_of, on_target, scaled

PICTURE_BUDGET = 16_000_000
"""Bytes of pictures. Each is there twice, as a file and within the lines, and the viewer reads all at once."""

MOST_LOG_LINES = 5_000
"""Of the device's log: the last ones, as a failure shows at the end."""

_KINDS = {"E": "error", "F": "error", "W": "warning"}

Event = dict[str, Any]


def console_of(document: AnyMapping, calls: Sequence[Call]) -> Iterator[Event]:
    for entry in document["logs"][-MOST_LOG_LINES:]:
        yield {
            "type": "console",
            "time": entry["at_ms"],
            "pageId": PAGE,
            "messageType": _KINDS.get(entry["level"], "log"),
            "text": f"{entry['level']} {shown(entry['message'], 4_000)}",
            "args": [],
            "location": {
                "url": line(entry["tag"], 120).replace("/", "∕") or "log",  # the viewer cuts at the last slash
                "lineNumber": entry["pid"],
                "columnNumber": 0,
            },
        }
    ends = {call.id: call.end for call in calls}
    last = max(ends.values(), default=0.0)
    for death in document["deaths"]:
        text = shown(death["text"], 4_000)
        yield {
            "type": "event",
            "time": ends.get(death["after"], last),
            "class": "BrowserContext",
            "method": "pageError",
            "params": {"error": {"error": {"name": "Error", "message": text, "stack": ""}}},
            "pageId": PAGE,
        }


VERSION = 8
"""Of the format. The viewer brings older ones up to its own, and refuses newer ones."""


def events_of(document: AnyMapping, listing: Sequence[Call], frames: Frames) -> Iterator[Event]:
    """Everything about one test, in an order in which each line names only what came before it."""
    snapshots = document["snapshots"]
    yield _context(document)
    for call in listing:
        before = call.before if call.before in snapshots else None
        after = call.after if call.after in snapshots else None
        yield _before(call, before)
        if before is not None:
            yield frames.frame(call, "before", before, call.start, call.target)
        if before is not None and call.touch:
            yield from _input(call, before, snapshots[before], frames)
        yield from ({"type": "log", "callId": call.id, "time": at, "message": text} for at, text in call.logs)
        yield _after(call, after)
        if after is not None:
            # A target is given in the pixels of the screen before, which for a check is the one it looked at.
            yield frames.frame(call, "after", after, call.end, call.target if after == before else None)
    yield from _film(listing, snapshots, frames)
    yield from console_of(document, listing)


def _context(document: AnyMapping) -> Event:
    test, device = document["test"], document["device"]
    options: Event = {"isMobile": True}
    sizes = [record["size"] for record in document["snapshots"].values()]
    if sizes:
        width, height, scale = scaled(sizes[0])
        options |= {"viewport": {"width": width, "height": height}, "deviceScaleFactor": round(1 / scale, 3)}
    return {
        "type": "context-options",
        "version": VERSION,
        "origin": "library",
        "browserName": line(system_name(device), 80) or "phone",
        "channel": line(device.get("model") or "", 80),
        "platform": line(device.get("platform") or "", 80),
        "sdkLanguage": "python",
        "testIdAttributeName": "data-testid",
        "title": line(test["nodeid"], 500),
        "wallTime": epoch_ms(document["test"]["started_at"]),
        "monotonicTime": 0,
        "options": options,
        "contextId": "test",
    }


def _before(call: Call, snapshot: str | None) -> Event:
    event: Event = {
        "type": "before",
        "callId": call.id,
        "startTime": call.start,
        "title": title(call.title) or call.kind,
        "class": "Mobile",
        "method": call.kind,
        "params": dict(call.parameters),
        "pageId": PAGE,
    }
    if call.remark:
        event["subtitle"] = call.remark
    if call.parent:
        event["parentId"] = call.parent
    if snapshot is not None:
        event["beforeSnapshot"] = f"before@{call.id}"
    if where := place(call.source):
        event["stack"] = [{"file": where[0], "line": where[1], "column": 0, "function": ""}]
    return event


def _input(call: Call, snapshot: str, record: AnyMapping, frames: Frames) -> Iterator[Event]:
    """The screen as it was touched. Where the target is marked, the viewer puts the touch into its middle."""
    scale = scaled(record["size"])[2]
    name = f"input@{call.id}"
    x, y = (round(side * scale, 1) for side in call.touch[0])
    yield {"type": "input", "callId": call.id, "inputSnapshot": name, "point": {"x": x, "y": y}}
    yield frames.frame(call, "input", snapshot, call.start, call.target if on_target(call, scale) else None)


def _after(call: Call, snapshot: str | None) -> Event:
    event: Event = {"type": "after", "callId": call.id, "endTime": call.end}
    if snapshot is not None:
        event["afterSnapshot"] = f"after@{call.id}"
    if call.result:
        event["result"] = dict(call.result)
    if call.attachments:
        event["attachments"] = list(call.attachments)
    if call.error:
        event["error"] = {"name": line(call.exception or "Error", 120), "message": shown(call.error)}
    return event


FIRST_FRAME = 0.5
"""Milliseconds. The viewer takes a film that begins at 0 for none."""


def _film(listing: Sequence[Call], snapshots: Mapping[str, AnyMapping], frames: Frames) -> Iterator[Event]:
    """The pictures in the order in which they were on the screen, the last one until the end."""
    seen = [(call.start, call.before or "") for call in listing]
    seen += [(call.end, call.after or "") for call in listing]
    last: Event | None = None
    for at, name in sorted(seen, key=lambda one: one[0]):
        picture = frames.picture(name) if name in snapshots else None
        if picture is not None and (last is None or last["sha1"] != file_name(picture)):
            size = snapshots[name]["screenshot"]
            last = {
                "type": "screencast-frame",
                "pageId": PAGE,
                "sha1": file_name(picture),
                "width": size["width"],
                "height": size["height"],
                "timestamp": max(at, FIRST_FRAME),
            }
            yield last
    if last is not None:
        yield {**last, "timestamp": max(FIRST_FRAME, *(call.end for call in listing))}


# --- the archive: one JSON event a line, and the files that the lines refer to ----------------------------

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""Every entry's date: the same trace is the same bytes."""

_QUICK = 1
"""How hard text is packed: more costs time and saves little."""


def trace_zip(
    document: AnyMapping,
    elements: Mapping[str, Sequence[ShownElement]],
    pictures: Mapping[str, bytes],
    folder: Path,
    sources: Mapping[str, Excerpt],
) -> bytes:
    """``trace.zip`` for a redacted ``replicant.trace/2`` document.

    ``elements``, redacted as well, are keyed by snapshot id, ``pictures`` by the path that the document gives a
    screenshot. ``folder`` is where the attachments lie. ``sources`` are lines around those that failed.
    """
    shown = carried_pictures(document, pictures, PICTURE_BUDGET)
    attachments, attached = carried_attachments(document, folder)
    listing = listing_of(document, attachments)
    frames = Frames(document["snapshots"], elements, shown, epoch_ms(document["test"]["started_at"]))
    events = events_of(document, listing, frames)
    lines = "".join(json.dumps(event, separators=(",", ":"), allow_nan=False) + "\n" for event in events)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        _put(archive, "trace.trace", lines.encode("ascii"))
        _put(archive, "trace.network", b"")
        for path, data in shown.items():
            _put(archive, f"resources/{file_name(path)}", data, packed=False)
        for name, data in {**attached, **sources_of(listing, sources)}.items():
            _put(archive, f"resources/{name}", data)
    return written.getvalue()


def _put(archive: zipfile.ZipFile, name: str, data: bytes, packed: bool = True) -> None:
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.create_system = 3  # of which the next line is a file's mode, whatever system writes this
    entry.external_attr = 0o100644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    archive.writestr(entry, data, compresslevel=_QUICK)
