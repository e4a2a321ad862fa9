"""The lines of ``trace.trace``: what Playwright's trace viewer, from format version 8 on, reads of a test."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from .calls import calls_of
from .wording import line, shown, title

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .calls import Call

VERSION = 8
"""Of the format. The viewer brings older ones up to its own, and refuses what is newer than itself."""

PAGE = "phone"

Event = dict[str, Any]


def events_of(document: Mapping[str, Any]) -> Iterator[Event]:
    """Everything about one test, in an order in which each line names only what came before it."""
    yield _context(document)
    for call in calls_of(document):
        yield _before(call)
        yield from ({"type": "log", "callId": call.id, "time": at, "message": text} for at, text in call.logs)
        yield _after(call)


def _context(document: Mapping[str, Any]) -> Event:
    test, device = document["test"], document["device"]
    system = " ".join(str(device[key]) for key in ("platform", "os_version") if device.get(key))
    return {
        "type": "context-options",
        "version": VERSION,
        "origin": "library",
        "browserName": line(system, 80) or "phone",
        "channel": line(device.get("model") or "", 80),
        "platform": line(device.get("platform") or "", 80),
        "sdkLanguage": "python",
        "title": line(test["nodeid"], 500),
        "wallTime": _epoch_ms(test["started_at"]),
        "monotonicTime": 0,
        "options": {"isMobile": True},
        "contextId": "test",
    }


def _epoch_ms(moment: str) -> int:
    return round(datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp() * 1000)


def _before(call: Call) -> Event:
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
    if stack := _stack(call.source):
        event["stack"] = stack
    return event


def _after(call: Call) -> Event:
    event: Event = {"type": "after", "callId": call.id, "endTime": call.end}
    if call.result:
        event["result"] = dict(call.result)
    if call.error:
        event["error"] = {"name": line(call.exception or "Error", 120), "message": shown(call.error)}
    return event


def _stack(source: str) -> list[Event]:
    found = re.fullmatch(r"(.{1,500}):(\d{1,9})", source)
    return [{"file": shown(found[1]), "line": int(found[2]), "column": 0, "function": ""}] if found else []
