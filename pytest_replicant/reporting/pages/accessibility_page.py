"""``accessibility.html``: the findings of a run by rule, each with its picture, its locator and its tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from ..printable import few
from .page import asset, page

BUDGET = 16_000_000
"""Characters of pictures in one page; those beyond it lie in ``blobs/``, and the page says so."""
MOST_TESTS = 20
"""How many tests a page names of each finding; ``accessibility.json`` has them all."""

STYLES = ("look.css", "index.css", "accessibility.css")
SCRIPTS = ("elements.js", "theme.js", "links.js", "accessibility.js")


def accessibility_page(document: Mapping[str, Any], crops: Sequence[str]) -> str:
    """The page for a ``replicant.accessibility/1`` document. ``crops`` are the addresses of the pictures of its
    findings, "" for none. Its links start from the folder of the document."""
    sizes = accumulate(map(len, crops))
    shown = [crop if total <= BUDGET else "" for crop, total in zip(crops, sizes, strict=True)]
    rows = zip(document["findings"], crops, shown, strict=True)
    data = {
        **document,
        "findings": [
            {
                **{name: value for name, value in one.items() if name not in ("key", "crop", "tests")},
                "tests": one["tests"][:MOST_TESTS],
                "more": len(one["tests"][MOST_TESTS:]),
                "picture": picture,
                "left_out": bool(crop) and not picture,
            }
            for one, crop, picture in rows
        ],
        "screens": [{**one, "tests": few(one["tests"], MOST_TESTS)} for one in document["screens"]],
    }
    title = f"Accessibility of run {document['run_id']}"
    return page(title, asset("accessibility.html"), STYLES, SCRIPTS, data, "accessibility.json")
