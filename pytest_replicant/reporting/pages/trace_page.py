"""``trace.html``: one test, read step by step, from a single file."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, TypeVar

from ...model import AnyDict, ShownElement
from ..artifacts.pictures import address, carried_pictures
from ..artifacts.source_lines import Excerpt
from .navigation import LITTLE_ROOM, ROOM, nav_block
from .page import asset, page

if TYPE_CHECKING:
    T = TypeVar("T", bound=Hashable)

STYLES = ("look.css", "trace.css", "phone.css", "looks.css", "beside.css")
SCRIPTS = (
    "elements.js",
    "theme.js",
    "help.js",
    "links.js",
    "message.js",
    "facts.js",
    "labels.js",
    "phone.js",
    "changes.js",
    "letters.js",
    "answer.js",
    "log.js",
    "compared.js",
    "stages.js",
    "recovery.js",
    "around.js",
    "blame.js",
    "looks.js",
    "details.js",
    "timeline.js",
    "printing.js",
    "trace.js",
    "trace_keys.js",
)

LONGEST_LABEL = 200
"""Characters of an element's label next to its mark; the outline has all of it."""

PICTURE_BUDGET = 32_000_000
"""Bytes of pictures that one page carries: beyond it a browser on a laptop starts to stall."""


def trace_page(
    document: AnyDict,
    outlines: Mapping[str, str],
    elements: Mapping[str, tuple[ShownElement, ...]],
    pictures: Mapping[str, bytes],
    sources: Mapping[str, Excerpt],
    *,
    packed: bool,
) -> str:
    """The page for a redacted ``replicant.trace/2`` document.

    ``outlines`` and ``elements``, redacted, are keyed by snapshot id, ``pictures`` by the path that the document
    gives a screenshot, ``sources`` by the line that failed. Pictures of failed steps are carried first; those
    beyond ``PICTURE_BUDGET`` are shown from where they lie. ``packed`` as for ``page``.
    """
    outline_places, texts = _shared(outlines)
    marks, shown = _shared(elements)
    carried = carried_pictures(document, pictures, PICTURE_BUDGET, lambda picture: len(picture) * 4 // 3)
    data = {
        "trace": document,
        "outlines": outline_places,
        "texts": texts,
        "marks": marks,
        "elements": [
            [[one.ref, one.class_name, one.label[:LONGEST_LABEL], *one.bounds] for one in each] for each in shown
        ],
        "sources": sources,
        "pictures": {path: address(path, picture) for path, picture in carried.items()},
    }
    title = document["test"]["nodeid"].rpartition("::")[2] or document["test"]["nodeid"]
    heading = f"{title} · {document['test']['outcome']}"
    links = nav_block(LITTLE_ROOM if packed else ROOM)
    return page(heading, asset("trace.html"), STYLES, SCRIPTS, data, "trace.json", links, packed=packed)


def _shared(values: Mapping[str, T]) -> tuple[dict[str, int], list[T]]:
    """Most steps leave a screen as it was: each value once, and which one belongs to a name."""
    places: dict[T, int] = {}
    return {name: places.setdefault(value, len(places)) for name, value in values.items()}, list(places)
