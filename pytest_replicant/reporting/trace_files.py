"""One test's folder: ``<output>/<run-id>/<slug>-<hash8>[-retryN]/{trace.json, trace.html, trace.zip}``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..model import Redactor, ShownElement, TestTrace
from .artifacts.document import file_json, trace_document
from .artifacts.folder_names import folder_name
from .artifacts.pictures import Packed, pack
from .artifacts.storage import NEWS, ArtifactBound, PartStorage
from .pages.trace_page import trace_page
from .playwright.trace_zip import trace_zip

if TYPE_CHECKING:
    Elements = Mapping[str, tuple[ShownElement, ...]]


@dataclass(frozen=True)
class TraceFiles:
    """What was written for one test. A path is None where it could not be; ``warnings`` say why.

    ``screenshots`` are the stored pictures by snapshot id, ``trace_zip`` is the trace for Playwright's viewer.
    """

    folder: Path
    trace_json: Path | None
    trace_html: Path | None
    screenshots: tuple[tuple[str, Path], ...] = ()
    warnings: tuple[str, ...] = ()
    trace_zip: Path | None = None


def write_trace(
    trace: TestTrace,
    output: Path,
    run_id: str,
    redactor: Redactor,
    divergence: Mapping[str, Any] | None = None,
    *,
    bound: ArtifactBound | None = None,
    packed: Callable[[bytes], Packed] = pack,
) -> TraceFiles:
    """Write everything about one attempt of one test. Never raises for a full disk or a closed folder.

    ``output`` is ``--replicant-output``; ``blobs/`` lies directly below it. A second call for the same
    attempt overwrites the first. ``divergence`` is how a failure differs from the last pass, redacted.
    ``bound`` limits the files of the run, ``packed`` turns a PNG into the stored picture.
    """
    shown = redactor.text(trace.test.nodeid)
    folder = output / run_id / folder_name(trace.test.nodeid, shown, trace.test.attempt)
    news = trace.test.outcome in NEWS
    storage = PartStorage(folder, output / "blobs", redactor, bound or ArtifactBound(), packed, news)
    storage.warnings += [redactor.text(line) for line in trace.losses]
    stored = storage.store(trace)
    document = trace_document(trace, stored, redactor, tuple(storage.warnings), divergence)
    json_path = storage.write("trace.json", file_json(document))
    clean = redactor.text
    outlines = {name: clean(record.outline) for name, record in trace.snapshots.items()}
    elements = {name: _clean(record.elements, clean) for name, record in trace.snapshots.items()}
    html_path = storage.write("trace.html", _page(document, outlines, elements, storage))
    zip_path = _write_zip(document, elements, storage)
    screenshots = tuple((name, folder / path) for name, path in stored.screenshots.items())
    return TraceFiles(folder, json_path, html_path, screenshots, _few(storage.warnings, folder), zip_path)


def _clean(elements: Sequence[ShownElement], clean: Callable[[str], str]) -> tuple[ShownElement, ...]:
    return tuple(replace(one, class_name=clean(one.class_name), label=clean(one.label)) for one in elements)


def _page(
    document: dict[str, Any], outlines: Mapping[str, str], elements: Elements, storage: PartStorage
) -> bytes:
    """With its pictures where there is room for them; else they are named by their path."""
    page = trace_page(document, outlines, elements, storage.pictures).encode("utf-8")
    reason = storage.want_of_room(len(page))
    if not reason:
        return page
    storage.warnings.append(f"trace.html does not carry its pictures: {reason}")
    return trace_page(document, outlines, elements, {}).encode("utf-8")


def _write_zip(document: dict[str, Any], elements: Elements, storage: PartStorage) -> Path | None:
    """Beside the others, which stand whatever becomes of this one."""
    try:
        data = trace_zip(document, elements, storage.pictures, storage.folder)
    except Exception as error:
        storage.warnings.append(f"trace.zip not made: {type(error).__name__}: {error}")
        return None
    reason = storage.want_of_room(len(data)) if storage.news else ""
    if reason:  # trace.json and trace.html are always tried; they say the same
        storage.warnings.append(f"trace.zip not stored: {reason}")
        return None
    return storage.write("trace.zip", data)


def _few(warnings: list[str], folder: Path) -> tuple[str, ...]:
    """One cause usually stops every file: the first says it, the rest are counted."""
    if not warnings:
        return ()
    more = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
    return (f"{folder}: {warnings[0]}{more}; the test's result stands",)
