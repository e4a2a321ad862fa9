"""``trace.zip``: the trace as events of Playwright's trace format, the console and the device log
among them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from ...drivers import system_name
from ...model import AnyDict, AnyMapping, ShownElement
from ..artifacts.pictures import address, carried_pictures
from ..artifacts.storage import Excerpt, epoch_ms
from .calls import (
    Call,
    calls_of,
    line,
    log_lines,
    moment_of,
    place,
    shown,
    sources_of,
    spelled_pairs,
    stages_of,
    title,
)

PICTURE_BUDGET = 16_000_000
"""Bytes of pictures. Each is there twice, as a file and within the lines, and the viewer reads all
at once."""

MOST_LOG_LINES = 5_000
"""Of the device's log: the last ones, as a failure shows at the end."""

_KINDS = {"E": "error", "F": "error", "W": "warning"}

Event = AnyDict

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

    ``elements``, redacted as well, are keyed by snapshot id, ``pictures`` by the path that the
    document gives a screenshot. ``folder`` is where the attachments lie. ``sources`` are lines
    around those that failed.
    """
    shown = carried_pictures(document, pictures, PICTURE_BUDGET)
    attachments, attached = [], {}  # as the viewer spells them; their bytes by file name
    left = ATTACHMENT_BUDGET
    for one in document["attachments"]:
        if one["path"] is None or one["bytes"] > left:
            continue
        name = file_name(one["path"])
        with suppress(OSError):
            attached[name] = (folder / one["path"]).read_bytes()
            left -= len(attached[name])
            kind = line(one["media_type"], 80)
            attachments.append({"name": line(one["name"], 200), "contentType": kind, "sha1": name})
    listing = listing_of(document, attachments)
    frames = Frames(
        document["snapshots"], elements, shown, epoch_ms(document["test"]["started_at"])
    )
    events = events_of(document, listing, frames)
    lines = "".join(
        json.dumps(event, separators=(",", ":"), allow_nan=False) + "\n" for event in events
    )
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


# --- events: one JSON object a line ---------------------------------------------------------------


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
                "url": line(entry["tag"], 120).replace("/", "∕")
                or "log",  # the viewer cuts at the last slash
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
            if call.touch:
                # The screen as it was touched. The target is not marked: the viewer would put the
                # touch into its middle.
                scale = scaled(snapshots[before]["size"])[2]
                x, y = (round(side * scale, 1) for side in call.touch[0])
                yield {
                    "type": "input",
                    "callId": call.id,
                    "inputSnapshot": f"input@{call.id}",
                    "point": {"x": x, "y": y},
                }
                yield frames.frame(call, "input", before, call.start, None)
        for at, text in call.logs:
            yield {"type": "log", "callId": call.id, "time": at, "message": text}
        yield _after(call, after)
        if after is not None:
            # A target is given in the pixels of the screen before, which for a check is the one it
            # looked at.
            yield frames.frame(
                call, "after", after, call.end, call.target if after == before else None
            )
    yield from _film(listing, snapshots, frames)
    yield from console_of(document, listing)


def _context(document: AnyMapping) -> Event:
    test, device = document["test"], document["device"]
    options: Event = {"isMobile": True}
    sizes = [record["size"] for record in document["snapshots"].values()]
    if sizes:
        width, height, scale = scaled(sizes[0])
        options["viewport"] = {"width": width, "height": height}
        options["deviceScaleFactor"] = round(1 / scale, 3)
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
        "wallTime": epoch_ms(test["started_at"]),
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


def _after(call: Call, snapshot: str | None) -> Event:
    event: Event = {"type": "after", "callId": call.id, "endTime": call.end}
    if snapshot is not None:
        event["afterSnapshot"] = f"after@{call.id}"
    if call.result:
        event["result"] = dict(call.result)
    if call.attachments:
        event["attachments"] = list(call.attachments)
    if call.error:
        event["error"] = {
            "name": line(call.exception or "Error", 120),
            "message": shown(call.error),
        }
    return event


FIRST_FRAME = 0.5
"""Milliseconds. The viewer takes a film that begins at 0 for none."""


def _film(
    listing: Sequence[Call], snapshots: Mapping[str, AnyMapping], frames: Frames
) -> Iterator[Event]:
    """The pictures in the order in which they were on the screen, the last one until the end."""
    seen = [(call.start, call.before or "") for call in listing]
    seen += [(call.end, call.after or "") for call in listing]
    last: Event = {}
    for at, name in sorted(seen, key=lambda one: one[0]):
        picture = frames.picture(name)
        if picture is not None and last.get("sha1") != file_name(picture):
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
    if last:
        yield {**last, "timestamp": max(FIRST_FRAME, *(call.end for call in listing))}


# --- what the viewer lists: calls, recoveries, other failures, the end ----------------------------

ATTACHMENT_BUDGET = 8_000_000
"""Bytes of attachments; larger ones stay in the test's folder alone."""


def file_name(path: str) -> str:
    """What a file is called in the archive, by its path as a document spells it."""
    return PurePosixPath(path).name


def listing_of(document: AnyMapping, attachments: Sequence[Mapping[str, str]]) -> list[Call]:
    listed: list[Call] = []
    for call in calls_of(document):
        call.logs = log_lines(call)
        listed.append(call)
        answers = [stage for stage in stages_of(call) if stage["stage"] == "recover"]
        for number, stage in enumerate(answers, start=1):
            notes = spelled_pairs(stage.get("metadata", {}))
            start = min(moment_of(call, stage) + number / 10_000, call.end)
            named = (notes.get("strategy"), stage.get("policy"))
            step = Call(
                id=f"{call.id}.recovery-{number}",
                kind="recover",
                title=f"recover: {' by '.join(filter(None, named))}",
                start=start,
                end=min(start + max(stage["duration_ms"], 0), call.end),
                parent=call.id,
                source=call.source,
                before=call.before,
                parameters=notes,
                result={"result": stage["result"]},
                logs=[(start, f"{name}: {value}") for name, value in notes.items()],
            )
            listed.append(step)
    end = max([float(document["test"]["duration_ms"]), *(call.end for call in listed)])
    listed += _other_failures(document, [call.error for call in listed if call.error], end)
    return [*listed, _ending(document, end + len(document["failures"]) / 1000, attachments)]


def _other_failures(document: AnyMapping, known: Sequence[str], end: float) -> Iterator[Call]:
    """Failures of the test besides its actions, checks and waits: an assertion of its own, a
    fixture."""
    for number, failure in enumerate(document["failures"]):
        message = failure["message"]
        if any(error in message or message in error for error in known):
            continue
        name = failure["exception"] or "failure"
        start = end + number / 1000
        yield Call(
            id=f"failure-{number}",
            kind="failure",
            title=name if failure["phase"] == "call" else f"{failure['phase']}: {name}",
            start=start,
            end=start,
            source=failure["source"],
            error=message or name,
            exception=name,
        )


def _ending(document: AnyMapping, at: float, attachments: Sequence[Mapping[str, str]]) -> Call:
    test = document["test"]
    attempt = f" at attempt {test['attempt'] + 1}" if test["attempt"] else ""
    said: list[str] = []
    if divergence := document.get("divergence"):  # how a failure differs from the last pass
        said.append(f"unlike the last pass: {divergence['sentence']}")
        for evidence in divergence["evidence"]:
            said += (f"{evidence['kind']}: {evidence['text']}", *evidence["lines"][:20])
    said += [f"died: {death['text']}" for death in document["deaths"]]
    said += [one["text"] for one in document.get("anrs", ())]
    said += map(_recovery, document["recoveries"])
    said += [f"warning: {warning}" for warning in document["warnings"]]
    return Call(
        id="end",
        kind="test",
        title=f"test {test['outcome']}{attempt}",
        start=at,
        end=at,
        source=test["location"],
        parameters=spelled_pairs({"location": test["location"], **document["device"]}),
        logs=[(at, line(text)) for text in said],
        attachments=attachments,
    )


def _recovery(one: AnyMapping) -> str:
    done = "recovery in vain" if one["done"] else "recovery would have been tried"
    done = "recovered" if one["recovered"] else done
    by = f" by {one['policy']}" if one["policy"] else ""
    reason = f": {one['reason']}" if one["reason"] else ""
    return (
        f"{done}: {one['code']} of {one['kind']} ({one['action_id']}), "
        f"{one['strategy']}{by}{reason}"
    )


# --- frames: pictures, and snapshots of elements --------------------------------------------------

PAGE = "phone"
FRAME = "screen"

WIDTH = 412
"""Most CSS pixels along a screen's shorter side: the viewer's marks have the size that they have on
web pages."""

HEAD = 3
"""Nodes before the first in a frame's body: the style's text, the style, the head itself."""

_STYLE = (
    "html,body{margin:0;width:100%;height:100%;overflow:hidden;background:#fff}"
    "img,div{position:absolute;box-sizing:border-box}img{left:0;top:0;width:100%;height:100%}"
    ".drawn div{border:1px solid #8a8a99;font:11px/1.2 sans-serif;color:#222;overflow:hidden}"
    "body>.touch{width:16px;height:16px;margin:-8px;border:3px solid #f44336;border-radius:50%}"
    "body>.first{background:#f44336}"
)

Node = list[Any]


class Frames:
    """The frame snapshots of one trace, in the order in which they are asked for.

    A picture is spelled once; where it is seen again, a frame points back to it by the number of
    frames in between and its place there, counted as the viewer does: children before their parent.
    """

    def __init__(
        self,
        snapshots: Mapping[str, AnyMapping],
        elements: Mapping[str, Sequence[ShownElement]],
        pictures: Mapping[str, bytes],
        began_ms: int,
    ) -> None:
        self._snapshots = snapshots
        self._elements = elements
        self._pictures = pictures
        self._began_ms = began_ms
        self._spelled: dict[str, int] = {}  # pictures, by the number of a frame
        self._made = 0

    def picture(self, snapshot: str) -> str | None:
        """The path of the screen's picture, None if none is carried."""
        path = (self._snapshots.get(snapshot, {}).get("screenshot") or {}).get("blob")
        return path if path in self._pictures else None

    def frame(
        self, call: Call, phase: str, snapshot: str, at: float, target: Sequence[int] | None
    ) -> AnyDict:
        """The event. ``target`` is the rectangle to highlight, in the pixels of the screen."""
        record = self._snapshots[snapshot]
        width, height, scale = scaled(record["size"])
        children = [*self._children(call, snapshot, target, scale)]
        # A dot where a gesture began, a ring where it went. Newer viewers draw a dot of their own.
        for number, point in enumerate(call.touch if phase == "input" else ()):
            x, y = (round(side * scale, 1) for side in point)
            name = "touch" if number else "touch first"
            children.append(["DIV", {"class": name, "style": f"left:{x}px;top:{y}px"}])
        body: Node = ["BODY", {} if self.picture(snapshot) else {"class": "drawn"}, *children]
        self._made += 1
        return {
            "type": "frame-snapshot",
            "snapshot": {
                "callId": call.id,
                "snapshotName": f"{phase}@{call.id}",
                "pageId": PAGE,
                "frameId": FRAME,
                "frameUrl": line(": ".join(filter(None, (record["app"], record["screen"]))), 200)
                or snapshot,
                "doctype": "html",
                "html": ["HTML", {}, ["HEAD", {}, ["STYLE", {}, _STYLE]], body],
                "viewport": {"width": width, "height": height},
                "timestamp": at,
                "wallTime": self._began_ms + at,
                "collectionTime": 0,
                "resourceOverrides": [],
                "isMainFrame": True,
            },
        }

    def _children(
        self, call: Call, snapshot: str, target: Sequence[int] | None, scale: float
    ) -> Iterator[Node]:
        picture = self.picture(snapshot)
        if picture is not None:
            back = self._made - self._spelled.setdefault(picture, self._made)
            image = ["IMG", {"src": address(picture, self._pictures[picture]), "alt": ""}]
            yield [[back, HEAD]] if back else image
        shown = self._elements.get(snapshot, ())
        meant = _meant(shown, target, call)
        for at, element in enumerate(shown):
            label, kind = line(element.label, 240), line(element.class_name, 120)
            about = {
                "data-testid": line(element.ref, 80),
                "data-class": kind,
                "aria-label": label,
                "style": _place(element.bounds, scale),
            }
            if at == meant:
                about["__playwright_target__"] = call.id
            words = [label or kind] if picture is None else ()
            yield ["DIV", about, *words]
        if target is not None and meant is None:
            yield ["DIV", {"style": _place(target, scale), "__playwright_target__": call.id}]


def scaled(size: Sequence[int]) -> tuple[int, int, float]:
    """Width and height in CSS pixels, and how many of them a pixel of the screen is."""
    width, height = max(size[0], 1), max(size[1], 1)
    scale = min(1.0, WIDTH / min(width, height))
    return round(width * scale), round(height * scale), scale


def _meant(shown: Sequence[ShownElement], target: Sequence[int] | None, call: Call) -> int | None:
    """The place of the element that stands in the rectangle, the one with the ref first."""
    if target is None:
        return None
    there = [at for at, one in enumerate(shown) if list(one.bounds) == list(target)]
    ref = ((call.record.get("target") or {}).get("resolved") or {}).get("ref")
    return next((at for at in there if shown[at].ref == ref), there[-1] if there else None)


def _place(box: Sequence[int], scale: float) -> str:
    left, top, right, bottom = (round(side * scale, 1) for side in box)
    width, height = round(right - left, 1), round(bottom - top, 1)
    return f"left:{left}px;top:{top}px;width:{width}px;height:{height}px"
