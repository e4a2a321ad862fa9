"""The lines of a test around those that failed, as they stood when it ran."""

from __future__ import annotations

import linecache
import os
import re
import textwrap
from collections.abc import Iterator
from contextlib import suppress

from ...model import AnyMapping, Redactor

AROUND = 2
"""Lines that are shown before the one that failed, and after it."""

LONGEST_LINE = 300

Excerpt = tuple[int, list[str]]
"""The number of its first line, and the lines without the indentation that all of them share."""


def place(source: str) -> tuple[str, int] | None:
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
        where = place(source)
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
