"""The archive: one JSON event a line, and what the lines refer to."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

from .events import events_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""Every entry's date: the same trace is the same bytes."""

_QUICK = 1
"""How hard text is packed: more takes twice the time for a tenth of the size."""


def trace_zip(document: Mapping[str, Any]) -> bytes:
    """``trace.zip`` for a redacted ``replicant.trace/1`` document."""
    lines = "".join(
        json.dumps(event, separators=(",", ":"), allow_nan=False) + "\n" for event in events_of(document)
    )
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        _put(archive, "trace.trace", lines.encode("ascii"))
        _put(archive, "trace.network", b"")
    return written.getvalue()


def _put(archive: zipfile.ZipFile, name: str, data: bytes, packed: bool = True) -> None:
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.create_system = 3  # of which the next line is a file's mode, whatever system writes this
    entry.external_attr = 0o100644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    archive.writestr(entry, data, compresslevel=_QUICK)
