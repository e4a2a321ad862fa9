"""``trace.html``: one test, read step by step, from a single file."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from ..artifacts.pictures import carried_pictures
from .page import asset, page

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from ...model import ShownElement

    T = TypeVar("T", bound=Hashable)

STYLES = ("look.css", "trace.css", "phone.css", "beside.css")
SCRIPTS = (
    "elements.js",
    "theme.js",
    "help.js",
    "facts.js",
    "labels.js",
    "phone.js",
    "changes.js",
    "log.js",
    "compared.js",
    "stages.js",
    "recovery.js",
    "blame.js",
    "details.js",
    "timeline.js",
    "printing.js",
    "trace.js",
    "trace_keys.js",
)

LONGEST_LABEL = 200
"""Characters of an element's label beside its mark; the outline has all of it."""

PICTURE_BUDGET = 32_000_000
"""Bytes of pictures that one page carries: beyond it a browser on a laptop starts to stall."""


@dataclass(frozen=True)
class PageScreen:
    """What a page tells of one screen beside its picture, redacted."""

    outline: str
    elements: tuple[ShownElement, ...] = ()


def trace_page(document: dict[str, Any], screens: Mapping[str, PageScreen], pictures: Mapping[str, bytes]) -> str:
    """The page for a redacted ``replicant.trace/2`` document.

    ``screens`` is keyed by snapshot id, ``pictures`` by the path that the document gives a screenshot.
    Pictures of failed steps are carried first; those beyond ``PICTURE_BUDGET`` are named by their path.
    """
    outlines, texts = _shared({name: screen.outline for name, screen in screens.items()})
    marks, elements = _shared({name: screen.elements for name, screen in screens.items()})
    data = {
        "trace": document,
        "outlines": outlines,
        "texts": texts,
        "marks": marks,
        "elements": [[_mark(one) for one in each] for each in elements],
        "pictures": _carried(document, pictures),
    }
    title = document["test"]["nodeid"].rpartition("::")[2] or document["test"]["nodeid"]
    heading = f"{title} · {document['test']['outcome']}"
    return page(heading, asset("trace.html"), STYLES, SCRIPTS, data, "trace.json")


def _shared(values: Mapping[str, T]) -> tuple[dict[str, int], list[T]]:
    """Most steps leave a screen as it was: each value once, and which one belongs to a name."""
    places: dict[T, int] = {}
    return {name: places.setdefault(value, len(places)) for name, value in values.items()}, list(places)


def _mark(element: ShownElement) -> list[Any]:
    left, top, right, bottom = element.bounds
    return [element.ref, element.class_name, element.label[:LONGEST_LABEL], left, top, right, bottom]


def _carried(document: dict[str, Any], pictures: Mapping[str, bytes]) -> dict[str, str]:
    """As addresses that hold the pictures themselves."""
    chosen = carried_pictures(document, pictures, PICTURE_BUDGET, lambda data: len(data) * 4 // 3)
    return {path: _address(path, data) for path, data in chosen.items()}


def _address(path: str, data: bytes) -> str:
    kind = "webp" if path.endswith(".webp") else "png"
    return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"
