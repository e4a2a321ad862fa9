"""The parts of a trace on disk: every blob and attachment, and a warning for each that could not be written."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from ..redacting.redaction import redacted_attachment, redacted_source
from .blobs import BlobFolder, write_whole
from .document import StoredParts
from .folder_names import attachment_file_name

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ...model.secret import Redactor
    from ...model.test_trace import TestTrace
    from ...model.trace import Attachment

SMALL_PNG = 96_000
"""Bytes up to which a screenshot is kept as it came: packing it would cost more time than it saves space."""


@dataclass
class PartStorage:
    """Writes the parts of one trace. ``folder`` is the test's, ``blobs`` is shared.

    ``pictures`` holds each stored screenshot by its path as the document spells it, so that a page can
    carry it without reading it back.
    """

    folder: Path
    blobs: BlobFolder
    redactor: Redactor
    warnings: list[str] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)

    def store(self, trace: TestTrace) -> StoredParts:
        sources: dict[str, str] = {}
        outlines: dict[str, str] = {}
        for name, record in trace.snapshots.items():
            outline = self.redactor.text(record.outline).encode("utf-8", errors="backslashreplace")
            source = redacted_source(record.source, self.redactor)
            self._keep(sources, name, f"hierarchy of {name}", source, _source_extension(source))
            self._keep(outlines, name, f"outline of {name}", outline, ".txt")
        return StoredParts(sources, outlines, self._store_screenshots(trace), self._store_attachments(trace))

    def _keep(self, kept: dict[str, str], name: str, what: str, data: bytes, extension: str) -> str | None:
        path = self._attempt(what, partial(self.blobs.put, data, extension))
        if path is not None:
            kept[name] = path
        return path

    def _store_screenshots(self, trace: TestTrace) -> dict[str, str]:
        kept: dict[str, str] = {}
        known: dict[bytes, str | None] = {}  # by PNG: most steps leave a screen as it was
        for name, screenshot in trace.screenshots.items():
            if screenshot.png not in known:
                data, extension = _packed(screenshot.png)
                path = self._keep(kept, name, f"screenshot of {name}", data, extension)
                known[screenshot.png] = path
                if path is not None:
                    self.pictures[path] = data
            elif (path := known[screenshot.png]) is not None:
                kept[name] = path
        return kept

    def _store_attachments(self, trace: TestTrace) -> dict[int, str]:
        kept: dict[int, str] = {}
        for index, attachment in enumerate(trace.attachments):
            what = f"attachment {self.redactor.text(str(attachment.name))!a}"
            path = self._attempt(what, partial(self._write_attachment, index, attachment))
            if path is not None:
                kept[index] = path
        return kept

    def _write_attachment(self, index: int, attachment: Attachment) -> Path:
        shown = self.redactor.text(attachment.name)
        target = self.folder / "attachments" / attachment_file_name(index, shown, attachment.media_type)
        write_whole(target, redacted_attachment(attachment.data, attachment.media_type, self.redactor))
        return target

    def _attempt(self, what: str, write: Callable[[], Path]) -> str | None:
        try:
            path = write()
        except OSError as error:
            self.warnings.append(f"{what} not stored: {error.strerror or error}")
            return None
        except Exception as error:  # what a test attached may be anything; the rest is stored all the same
            self.warnings.append(f"{what} not stored: {type(error).__name__}: {error}")
            return None
        return os.path.relpath(path, self.folder).replace(os.sep, "/")


def _source_extension(source: bytes) -> str:
    return ".json" if source.lstrip()[:1] in (b"{", b"[") else ".xml"


def _packed(png: bytes) -> tuple[bytes, str]:
    if len(png) <= SMALL_PNG:
        return png, ".png"
    from .screenshot_image import webp  # draws in Pillow, which a run without a phone never needs

    packed = webp(png)
    return (png, ".png") if packed is None else (packed, ".webp")
