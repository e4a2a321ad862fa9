"""``trace.html``: one test, read step by step, from a single file."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from .page import asset, page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

STYLES = ("look.css", "trace.css", "phone.css")
SCRIPTS = (
    "elements.js",
    "facts.js",
    "phone.js",
    "changes.js",
    "stages.js",
    "recovery.js",
    "details.js",
    "timeline.js",
    "trace.js",
)

PICTURE_BUDGET = 32_000_000
"""Bytes of pictures that one page carries: beyond it a browser on a laptop starts to stall."""


def trace_page(document: dict[str, Any], outlines: Mapping[str, str], pictures: Mapping[str, bytes]) -> str:
    """The page for a redacted ``replicant.trace/1`` document.

    ``outlines`` is keyed by snapshot id, ``pictures`` by the path that the document gives a screenshot.
    Pictures of failed steps are carried first; those beyond ``PICTURE_BUDGET`` are named by their path.
    """
    data = {"trace": document, "outlines": dict(outlines), "pictures": _carried(document, pictures)}
    title = document["test"]["nodeid"].rpartition("::")[2] or document["test"]["nodeid"]
    heading = f"{title} · {document['test']['outcome']}"
    return page(heading, asset("trace.html"), STYLES, SCRIPTS, data, "trace.json")


def _carried(document: dict[str, Any], pictures: Mapping[str, bytes]) -> dict[str, str]:
    carried: dict[str, str] = {}
    left = PICTURE_BUDGET
    for path in _by_importance(document):
        data = pictures.get(path)
        if data is None or path in carried or len(data) * 4 // 3 > left:
            continue
        left -= len(data) * 4 // 3
        kind = "webp" if path.endswith(".webp") else "png"
        carried[path] = f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"
    return carried


def _by_importance(document: dict[str, Any]) -> Iterator[str]:
    for event in sorted(document["events"], key=lambda event: not event["error"]):
        for name in (event["before"], event["after"]):
            screenshot = document["snapshots"].get(name, {}).get("screenshot")
            if screenshot:
                yield screenshot["blob"]
