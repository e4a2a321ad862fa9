"""The archive: one JSON event a line, and the files that the lines refer to."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

from .calls import sources_of
from .events import began_ms, events_of
from .frames import Frames, carried_attachments, file_name, listing_of, pictures_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ...model import ShownElement

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""Every entry's date: the same trace is the same bytes."""

_QUICK = 1
"""How hard text is packed: more costs time and saves little."""


def trace_zip(
    document: Mapping[str, Any],
    elements: Mapping[str, Sequence[ShownElement]],
    pictures: Mapping[str, bytes],
    folder: Path,
) -> bytes:
    """``trace.zip`` for a redacted ``replicant.trace/2`` document.

    ``elements``, redacted as well, are keyed by snapshot id, ``pictures`` by the path that the document gives a
    screenshot. ``folder`` is where the attachments lie.
    """
    shown = pictures_of(document, pictures)
    attachments, attached = carried_attachments(document, folder)
    listing = listing_of(document, attachments)
    frames = Frames(document["snapshots"], elements, shown, began_ms(document))
    events = events_of(document, listing, frames)
    lines = "".join(json.dumps(event, separators=(",", ":"), allow_nan=False) + "\n" for event in events)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        _put(archive, "trace.trace", lines.encode("ascii"))
        _put(archive, "trace.network", b"")
        for path, data in shown.items():
            _put(archive, f"resources/{file_name(path)}", data, packed=False)
        for name, data in {**attached, **sources_of(listing)}.items():
            _put(archive, f"resources/{name}", data)
    return written.getvalue()


def _put(archive: zipfile.ZipFile, name: str, data: bytes, packed: bool = True) -> None:
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.create_system = 3  # of which the next line is a file's mode, whatever system writes this
    entry.external_attr = 0o100644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    archive.writestr(entry, data, compresslevel=_QUICK)
