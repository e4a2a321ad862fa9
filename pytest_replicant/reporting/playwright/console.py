"""The device's log and how apps died, as the viewer's console."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .wording import line, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .calls import Call

MOST_LINES = 5_000
"""Of the device's log: the last ones, as it is the end that tells of a failure."""

_KINDS = {"E": "error", "F": "error", "W": "warning"}

Event = dict[str, Any]


def console_of(document: Mapping[str, Any], calls: Sequence[Call], page: str) -> Iterator[Event]:
    for entry in document["logs"][-MOST_LINES:]:
        yield {
            "type": "console",
            "time": entry["at_ms"],
            "pageId": page,
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
        told = shown(death["told"], 4_000)
        yield {
            "type": "event",
            "time": ends.get(death["after"], last),
            "class": "BrowserContext",
            "method": "pageError",
            "params": {"error": {"error": {"name": "Error", "message": told, "stack": ""}}},
            "pageId": page,
        }
