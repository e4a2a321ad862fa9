"""The files of a trace on disk: blobs stored once by content, the bound on what a run may take, and
a warning for each part that could not be written. A report never costs a test its result."""

from __future__ import annotations

import gzip
import hashlib
import json
import linecache
import os
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from ...cassettes import digest_of as of_tape
from ...kept_runs import file_and_line
from ...kept_runs.whole_file import write_whole
from ...model import (
    UNSOUND,
    AnyDict,
    AnyMapping,
    Redactor,
    StoredAttachment,
    StoredPicture,
    StoredSnapshot,
    Strings,
    TestOutcome,
    TestTrace,
    TraceFile,
    json_schema,
    plain,
)
from ...redaction import PATHS, masked_attachment, masked_record, masked_source
from .pictures import Packed, pack


def digest_of(data: bytes) -> str:
    """What a blob is named by."""
    return hashlib.sha256(data).hexdigest()[:32]


KEY = "replicant_max_artifacts_mb"

PASSES = 0.75
"""Up to which share of the bound files of tests that passed are written: the rest is for failures
that are yet to come."""


@dataclass
class ArtifactBound:
    """The part of the bound that one process keeps to: each of several workers has the same part.

    Counted is what this run wrote below ``--replicant-output``; a blob that an earlier run left
    there is free. 0 is no bound.
    """

    megabytes: float = 0.0
    workers: int = 1
    _files: dict[str, int] = field(default_factory=dict)
    _used: int = 0

    def refusal(self, size: int, *, news: bool) -> str:
        """Why so many bytes have no room, "" if they have. ``news`` is whether someone will look
        into the test."""
        limit = self.megabytes * 1_000_000 / max(self.workers, 1) * (1 if news else PASSES)
        if not self.megabytes or self._used + size <= limit:
            return ""
        each = f", {self.workers} workers share it" if self.workers > 1 else ""
        return f"the files of this run have reached their bound ({KEY} = {self.megabytes:g}{each})"

    def spend(self, path: str, size: int) -> None:
        """A file was written, or written again."""
        self._used += size - self._files.get(path, 0)
        self._files[path] = size


@contextmanager
def never_raises(problems: list[str], what: str) -> Iterator[None]:
    """Runs its body; an exception of any kind ends it and becomes a line in ``problems``."""
    try:
        yield
    except Exception as error:
        problems.append(f"{what}: {named_error(error)}; the result stands")


def named_error(error: BaseException) -> str:
    """Its class and the first line of its text: it may be the user's own, and have none that can be
    read."""
    detail = ""
    with suppress(Exception):
        detail = str(error).partition("\n")[0]
    return f"{type(error).__name__}{': ' if detail else ''}{detail}"


MOST_LARGE = 4
"""Pictures of failed steps, the last ones, that are kept in the size in which they were taken."""

NEWS: frozenset[TestOutcome] = UNSOUND | {"recovered"}
"""Outcomes that people look into: things kept "on failure" are kept for these."""


def _extension(source: bytes) -> str:
    """Of the file of a hierarchy."""
    return ".json.gz" if source.lstrip()[:1] in (b"{", b"[") else ".xml.gz"


class Hierarchy(NamedTuple):
    """Where one is stored, and its redacted content, None if redaction left it as the phone gave
    it."""

    path: str
    clean: bytes | None


@dataclass
class PartStorage:
    """Writes the parts of one trace. ``folder`` is the test's; ``blobs`` is the run's, its files
    are named by the SHA-256 of what they hold (the first 32 hex digits); hierarchies are packed
    with gzip.

    ``pictures`` holds each stored screenshot by its path as the document spells it, so that a page
    can carry it without reading it back, and ``compared`` those of checks of looks; ``hierarchies``
    each stored one by the digest of what the phone gave. ``pack`` turns a PNG into the stored
    picture. ``news`` is whether the test is one that people look into, of which more is kept where
    ``bound`` leaves little room.
    """

    folder: Path
    blobs: Path
    redactor: Redactor
    bound: ArtifactBound = field(default_factory=ArtifactBound)
    pack: Callable[[bytes], Packed] = pack
    news: bool = False
    warnings: list[str] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    compared: dict[str, bytes] = field(default_factory=dict)
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)

    def store(self, trace: TestTrace) -> StoredParts:
        attachments = self._store_attachments(trace)
        sources: dict[str, str | None] = {}
        outlines: dict[str, str | None] = {}
        for name, record in trace.snapshots.items():
            outline = self.redactor.text(record.outline).encode("utf-8", errors="backslashreplace")
            source = masked_source(record.source, self.redactor)
            if source:
                packed = gzip.compress(source, mtime=0)
                sources[name] = path = self._keep(
                    f"hierarchy of {name}", packed, _extension(source)
                )
                if path is not None:
                    clean = source if source is not record.source else None
                    self.hierarchies[of_tape(record.source)] = Hierarchy(path, clean)
            if outline:
                outlines[name] = self._keep(f"outline of {name}", outline, ".txt")
        return StoredParts(sources, outlines, self._store_screenshots(trace), attachments)

    def keep_blob(self, data: bytes, *, plain: bool) -> str | None:
        """A further hierarchy, or a ``plain`` text or picture; None if it could not be stored."""
        extension = ".txt.gz" if plain else _extension(data)
        if data.startswith(b"\x89PNG"):
            extension = ".png"
        else:
            data = gzip.compress(data, mtime=0)
        return self._keep("a part of the cassette", data, extension)

    def write(self, name: str, data: bytes) -> Path | None:
        """A file of the test's own folder; None if it could not be stored, which is then
        reported."""
        target = self.folder / name
        # The trace of a failure is always tried.
        written = self._write(name, target, data, always=self.news)
        return target if written is not None else None

    def _keep(self, what: str, data: bytes, extension: str) -> str | None:
        """A blob, stored once; None if it could not be."""
        target = self.blobs / f"{digest_of(data)}{extension}"
        with suppress(OSError):
            if target.stat().st_size == len(data):  # it is there already, whole
                return self._seen(target)
        return self._write(what, target, data)

    def _write(self, what: str, target: Path, data: bytes, *, always: bool = False) -> str | None:
        reason = "" if always else self.bound.refusal(len(data), news=self.news)
        if not reason:
            try:
                write_whole(target, data)
                self.bound.spend(str(target), len(data))
                return self._seen(target)
            except OSError as error:
                reason = error.strerror or str(error)
        self.warnings.append(f"{what} not stored: {reason}")
        return None

    def _store_screenshots(self, trace: TestTrace) -> dict[str, str]:
        known: dict[bytes, str | None] = {}  # by PNG: most steps leave a screen as it was
        failed = chain.from_iterable((one.before, one.after) for one in trace.events if one.error)
        shots = map(trace.screenshots.get, filter(None, failed))
        large = {shot.png for shot in [*shots][-MOST_LARGE:] if shot is not None}
        found: dict[str, str] = {}
        for name, screenshot in trace.screenshots.items():
            png = screenshot.png
            if png not in known:
                data, extension = pack(png, whole=True) if png in large else self.pack(png)
                known[png] = path = self._keep(f"screenshot of {name}", data, extension)
                if path is not None:
                    self.pictures[path] = data
            if path := known[png]:
                found[name] = path
        return found

    def _store_attachments(self, trace: TestTrace) -> dict[int, str | None]:
        kept: dict[int, str | None] = {}
        looks = [check.looks for check in trace.checks if check.looks is not None]
        compared = {place for one in looks for place in (one.expected, one.actual, one.difference)}
        for index, attachment in enumerate(trace.attachments):
            shown, kind = self.redactor.text(attachment.name), attachment.media_type
            target = self.folder / "attachments" / attachment_file_name(index, shown, kind)
            data = masked_attachment(attachment.data, kind, self.redactor)
            kept[index] = path = self._write(f"attachment {shown!a:.200}", target, data)
            if path is not None and index in compared:
                self.compared[path] = attachment.data
        return kept

    def _seen(self, path: Path) -> str:
        return os.path.relpath(path, self.folder).replace(os.sep, "/")


SLUG_LENGTH = 51
"""Longest readable part, in characters: a folder has 60 with its hash, short enough for Windows'
260 with room for the folders above."""

_EXTENSIONS = {
    "application/json": ".json",
    "application/xml": ".xml",
    "application/zip": ".zip",
    "application/pdf": ".pdf",
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/svg+xml": ".svg",
    "image/webp": ".webp",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/plain": ".txt",
    "text/xml": ".xml",
    "video/mp4": ".mp4",
}


def slug(text: str, length: int = SLUG_LENGTH) -> str:
    """Lower-case ASCII letters, digits and single hyphens, at most ``length`` characters, never
    empty.

    No dot survives: ``con.txt`` is a device on Windows, and ``..`` a way out of the folder
    everywhere.
    """
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    words = re.sub(r"[^A-Za-z0-9]+", "-", ascii_text).strip("-").lower()
    return words[:length].rstrip("-") or "test"


def folder_name(nodeid: str, attempt: int, redactor: Redactor) -> str:
    """``<slug>-<hash8>[-retryN]``: the slug of what may be shown, the test's name before its file,
    and the hash of the whole node id."""
    retry = f"-retry{attempt}" if attempt > 0 else ""
    path, bracket, parameters = redactor.text(nodeid).partition("[")
    within, _, name = path.rpartition("::")
    file = within.rpartition("/")[2].replace(".py", "", 1)
    return f"{slug(f'{name}{bracket}{parameters} {file}')}-{short_digest(nodeid)}{retry}"


def shown_id(nodeid: str, redactor: Redactor) -> str:
    """What may be shown of a node id, and the hash of its folder if that is not all: two tests
    whose ids differ in a secret alone are two tests."""
    shown = redactor.text(nodeid)
    return shown if shown == nodeid else f"{shown} #{short_digest(nodeid)}"


def short_digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="backslashreplace")).hexdigest()[:8]


def attachment_file_name(index: int, name: str, media_type: str) -> str:
    """``02-request-log.txt``: unique by ``index`` within its test, extension from the media type
    alone."""
    extension = _EXTENSIONS.get(media_type.split(";")[0].strip().lower(), ".bin")
    return f"{index:02d}-{slug(name, 40)}{extension}"


# --- the document that trace.json holds: plain JSON, its schema, and lines of the test ------------

# What could end the script element that carries the data, or be read as markup by a sloppy reader.
_UNSAFE_IN_SCRIPT = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def _rest(value: object) -> str:
    """Bytes are evidence for a blob and not for a document."""
    return f"{len(value)} bytes" if isinstance(value, (bytes, bytearray)) else str(value)


def script_json(value: object) -> str:
    """JSON in ASCII that cannot end the ``<script>`` around it."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    for character, escape in _UNSAFE_IN_SCRIPT.items():
        text = text.replace(character, escape)
    return text


def epoch_ms(moment: str) -> int:
    """Of a date in ISO 8601. Raises ``ValueError`` and ``OverflowError``."""
    return round(
        datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp() * 1000
    )  # 3.10 reads no "Z"


def trace_schema() -> AnyDict:
    """The schema of ``replicant.trace/2`` (JSON Schema, draft 2020-12); a new value on every
    call."""
    return json_schema(TraceFile)


@dataclass(frozen=True)
class StoredParts:
    """Where the large parts of a trace lie, as paths relative to ``trace.json``, with forward
    slashes.

    Keyed by snapshot id, ``attachments`` by position; what could not be stored is None, or absent.
    """

    sources: Mapping[str, str | None] = field(default_factory=dict)
    outlines: Mapping[str, str | None] = field(default_factory=dict)
    screenshots: Mapping[str, str] = field(default_factory=dict)
    attachments: Mapping[int, str | None] = field(default_factory=dict)


def trace_document(
    trace: TestTrace,
    stored: StoredParts,
    redactor: Redactor,
    warnings: Strings = (),
    divergence: AnyMapping | None = None,
) -> AnyDict:
    """The document, redacted, of plain JSON values. ``warnings`` says what could not be stored.
    ``divergence`` is redacted already."""
    snapshots = {}
    for name, one in trace.snapshots.items():
        picture, screenshot = stored.screenshots.get(name), trace.screenshots.get(name)
        shown = None
        if screenshot and picture:
            shown = StoredPicture(picture, screenshot.width, screenshot.height)
        snapshots[name] = StoredSnapshot(
            stored.sources.get(name), one.screen, one.fingerprint, stored.outlines.get(name),
            one.captured_at_ms, one.size, shown, one.screen_key, one.app, one.structure, one.dialog,
        )  # fmt: skip
    attachments = [
        StoredAttachment(one.name, one.media_type, stored.attachments.get(at), len(one.data))
        for at, one in enumerate(trace.attachments)
    ]
    file = TraceFile(
        trace.test, trace.device, trace.events, snapshots, tuple(attachments), trace.failures,
        warnings, trace.recoveries, trace.deaths, trace.logs, None, trace.anrs,
    )  # fmt: skip
    return {**masked_record(plain(file, _rest), redactor, PATHS), "divergence": divergence}


AROUND = 2
"""Lines that are shown before the one that failed, and after it."""

LONGEST_LINE = 300

Excerpt = tuple[int, list[str]]
"""The number of its first line, and the lines without the indentation that all of them share."""


def excerpts(document: AnyMapping, redactor: Redactor) -> dict[str, Excerpt]:
    """Of a redacted ``replicant.trace/2`` document: by source, those of its failed steps, and of
    failures that no step raised. Read where the test ran; a file that is not at hand, or no longer
    says what the step recorded, has none."""
    files: dict[str, list[str]] = {}
    found: dict[str, Excerpt] = {}
    failed = [(one["source"], one["source_text"]) for one in document["events"] if one["error"]]
    failed += [(one["source"], "") for one in document["failures"] if not one["step"]]
    for source, text in failed:
        where = file_and_line(source)
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


def _read(path: str, redactor: Redactor) -> list[str]:
    """The whole file, redacted as one: a secret may be spread over lines of which only some are
    shown."""
    text = ""
    with suppress(
        OSError, ValueError
    ):  # the test took away the folder it stands in; a name that no file can have
        # What a step took its own line from; the last line break begins no further line.
        text = "".join(linecache.getlines(os.path.abspath(path))).removesuffix("\n")
    clean = redactor.text(text, code=True).split("\n")
    return clean if text and len(clean) == text.count("\n") + 1 else []
