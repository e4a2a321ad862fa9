"""One test's folder: ``<output>/<run-id>/<slug>-<hash8>[-retryN]/{trace.json, trace.html, trace.zip}``.

The page and the archive of a test that people look into carry their pictures. Of another one the page shows those
that lie once in the run's ``blobs/``, and the archive is made where it is wanted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..codec import decode, encode
from ..kept import content_of
from ..model import AnyDict, AnyMapping, Rect, Redactor, ShownElement, Strings, TestTrace, TraceFile
from ..redaction import masked_record
from .artifacts.pictures import Packed, address, carried_pictures, pack
from .artifacts.storage import (
    NEWS,
    ArtifactBound,
    Excerpt,
    PartStorage,
    digest_of,
    excerpts,
    folder_name,
    trace_document,
)
from .cassette_file import CassetteWriting, TapeParts
from .pages.index_page import LITTLE_ROOM, ROOM, nav_block
from .pages.page import page, page_data
from .playwright.trace_zip import trace_zip

if TYPE_CHECKING:
    T = TypeVar("T", bound=Hashable)
    Elements = Mapping[str, tuple[ShownElement, ...]]


@dataclass(frozen=True)
class TraceFiles:
    """What was written for one test. A path is None where it could not be; ``warnings`` say why.

    ``screenshots`` are the stored pictures by snapshot id, ``trace_zip`` is the trace for Playwright's viewer, or
    None for a plain pass: ``replicant zip`` makes it.
    """

    folder: Path
    trace_json: Path | None
    trace_html: Path | None
    screenshots: tuple[tuple[str, Path], ...] = ()
    warnings: Strings = ()
    trace_zip: Path | None = None


def write_trace(
    trace: TestTrace,
    output: Path,
    run_id: str,
    redactor: Redactor,
    divergence: AnyMapping | None = None,
    *,
    bound: ArtifactBound | None = None,
    packed: Callable[[bytes], Packed] = pack,
    tape: TapeParts | None = None,
) -> TraceFiles:
    """Write everything about one attempt of one test. Never raises for a full disk or a closed folder.

    ``output`` is ``--replicant-output``. A second call for the same attempt overwrites the first. ``divergence``
    is how a failure differs from the last pass, redacted. ``bound`` limits the files of the run, ``packed`` turns
    a PNG into the stored picture. ``tape`` is what the attempt can be replayed from.
    """
    folder = output / run_id / folder_name(trace.test.nodeid, trace.test.attempt, redactor)
    news = trace.test.outcome in NEWS
    whole = news or trace.test.attempt > 0  # a flaky or requeued test is looked into as well
    storage = PartStorage(folder, output / run_id / "blobs", redactor, bound or ArtifactBound(), packed, news)
    storage.warnings.extend(map(redactor.text, trace.losses))
    stored = storage.store(trace)
    if tape is not None:
        CassetteWriting(tape, storage).write()
    document = trace_document(trace, stored, redactor, tuple(storage.warnings), divergence)
    json_path = storage.write("trace.json", encode(document, indent=int(whole)))
    outlines = {name: redactor.text(record.outline) for name, record in trace.snapshots.items()}
    elements = masked_record({name: record.elements for name, record in trace.snapshots.items()}, redactor)
    sources = excerpts(document, redactor)
    parts = _Parts(document, outlines, elements, sources)
    html_path = storage.write("trace.html", _page(parts, storage, whole))
    zip_path = _write_zip(parts, storage) if whole else None
    screenshots = tuple((name, folder / path) for name, path in stored.screenshots.items())
    return TraceFiles(folder, json_path, html_path, screenshots, _few(storage.warnings, folder), zip_path)


def write_cassette(tape: TapeParts, run: Path, redactor: Redactor, bound: ArtifactBound) -> Strings:
    """Of a test that has no trace, since it used no phone itself; what could not be written. ``run`` is the folder
    of the run."""
    header = tape.header
    folder = run / folder_name(header.nodeid, header.attempt, redactor)
    storage = PartStorage(folder, run / "blobs", redactor, bound, news=True)
    CassetteWriting(tape, storage).write()
    return _few(storage.warnings, folder)


@dataclass(frozen=True)
class _Parts:
    """What the page and the archive are made of, redacted: ``outlines`` and ``elements`` by snapshot id,
    ``sources`` by the line that failed."""

    document: AnyDict
    outlines: Mapping[str, str]
    elements: Elements
    sources: Mapping[str, Excerpt]

    def page(self, pictures: Mapping[str, bytes], *, packed: bool = False) -> bytes:
        """``trace.html``: one test, read step by step, from a single file. ``pictures`` are by the path that the
        document gives a screenshot. Those of failed steps are carried first; those beyond ``PICTURE_BUDGET`` are
        shown from where they lie. ``packed`` as for ``page``."""
        outline_places, texts = _shared(self.outlines)
        marks, shown = _shared(self.elements)
        carried = carried_pictures(self.document, pictures, PICTURE_BUDGET, lambda one: len(one) * 4 // 3)
        data = {
            "trace": self.document,
            "outlines": outline_places,
            "texts": texts,
            "marks": marks,
            "elements": [
                [[one.ref, one.class_name, one.label[:LONGEST_LABEL], *one.bounds] for one in each]
                for each in shown
            ],
            "sources": self.sources,
            "pictures": {path: address(path, picture) for path, picture in carried.items()},
        }
        test = self.document["test"]
        title = test["nodeid"].rpartition("::")[2] or test["nodeid"]
        heading = f"{title} · {test['outcome']}"
        links = nav_block(LITTLE_ROOM if packed else ROOM)
        made = page(heading, "trace.html", data, "trace.json", links, packed=packed)
        return made.encode("utf-8")


def _page(parts: _Parts, storage: PartStorage, whole: bool) -> bytes:
    """With its pictures if there is room for them; else they are named by their path."""
    if not whole:
        return parts.page({}, packed=True)
    page = parts.page({**storage.pictures, **storage.compared})
    reason = storage.want_of_room(len(page))
    if not reason:
        return page
    storage.warnings.append(f"trace.html does not carry its pictures: {reason}")
    return parts.page({})


def _write_zip(parts: _Parts, storage: PartStorage) -> Path | None:
    """Next to the others, which stand if this one fails."""
    try:
        data = trace_zip(parts.document, parts.elements, storage.pictures, storage.folder, parts.sources)
    except Exception as error:
        storage.warnings.append(f"trace.zip not made: {type(error).__name__}: {error}")
        return None
    reason = storage.want_of_room(len(data)) if storage.news else ""
    if reason:  # trace.json and trace.html are always tried; they say the same
        storage.warnings.append(f"trace.zip not stored: {reason}")
        return None
    return storage.write("trace.zip", data)


LONGEST_LABEL = 200
"""Characters of an element's label next to its mark; the outline has all of it."""

PICTURE_BUDGET = 32_000_000
"""Bytes of pictures that one page carries: beyond it a browser on a laptop starts to stall."""


def _shared(values: Mapping[str, T]) -> tuple[dict[str, int], list[T]]:
    """Most steps leave a screen as it was: each value once, and which one belongs to a name."""
    places: dict[T, int] = {}
    return {name: places.setdefault(value, len(places)) for name, value in values.items()}, list(places)


# --- the archive of a trace that is on disk -----------------------------------------------------------


def zip_of(folder: Path) -> bytes:
    """``trace.zip`` out of the other files of a test's folder. They may be anybody's: no other file of this
    machine gets into it. Raises ``OSError``, and ``ValueError`` where they are no trace."""
    content = content_of(folder / "trace.json")
    decode(TraceFile, content)
    document = json.loads(content)
    try:
        data = page_data((folder / "trace.html").read_text(encoding="utf-8"))
        elements = {
            name: tuple(
                ShownElement(ref, class_name, label, Rect(*box))
                for ref, class_name, label, *box in data["elements"][place]
            )
            for name, place in data["marks"].items()
        }
        for one in document["attachments"]:
            one["path"] = one["path"] if re.fullmatch(r"attachments/[\w-]+\.\w+", one["path"] or "") else None
        return trace_zip(document, elements, _pictures(document, folder), folder, data["sources"])
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"no trace of ours: {type(error).__name__}: {error}") from None


def _pictures(document: AnyMapping, folder: Path) -> dict[str, bytes]:
    """By path, those that are at hand: files that are named by the hash of what they hold."""
    found: dict[str, bytes] = {}
    for record in document["snapshots"].values():
        path = (record["screenshot"] or {}).get("blob", "")
        named = re.fullmatch(r"(?:\.\./)*(?:[\w.-]+/)*([0-9a-f]{32})\.(?:webp|png)", path)
        if named is not None and path not in found and (folder / path).is_file():
            data = (folder / path).read_bytes()
            if digest_of(data) == named[1]:
                found[path] = data
    return found


def _few(warnings: list[str], folder: Path) -> Strings:
    """One cause usually stops every file: the first says it, the rest are counted."""
    if not warnings:
        return ()
    more = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
    return (f"{folder}: {warnings[0]}{more}; the test's result stands",)
