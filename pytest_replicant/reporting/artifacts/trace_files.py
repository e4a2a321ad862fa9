"""One test's folder: ``<output>/<run-id>/<slug>-<hash8>[-retryN]/{trace.json, trace.html, trace.zip}``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..pages.trace_page import trace_page
from ..playwright.trace_zip import trace_zip
from .blobs import BlobFolder, write_whole
from .document import trace_document
from .folder_names import folder_name
from .plain import file_json
from .storage import PartStorage

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ...model.secret import Redactor
    from ...model.test_trace import TestTrace


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
) -> TraceFiles:
    """Write everything about one attempt of one test. Never raises for a full disk or a closed folder.

    ``output`` is ``--replicant-output``; ``blobs/`` lies directly below it. A second call for the same
    attempt overwrites the first. ``divergence`` is how a failure differs from the last pass, redacted.
    """
    shown = redactor.text(trace.test.nodeid)
    folder = output / run_id / folder_name(trace.test.nodeid, shown, trace.test.attempt)
    storage = PartStorage(folder, BlobFolder(output / "blobs"), redactor)
    stored = storage.store(trace)
    document = trace_document(trace, stored, redactor, tuple(storage.warnings), divergence)
    outlines = {name: redactor.text(record.outline) for name, record in trace.snapshots.items()}
    warnings = list(storage.warnings)
    json_path = _write(folder / "trace.json", file_json(document), warnings)
    page = trace_page(document, outlines, storage.pictures)
    html_path = _write(folder / "trace.html", page.encode("utf-8"), warnings)
    zip_path = _write_zip(trace, document, storage, warnings)
    screenshots = tuple((name, folder / path) for name, path in stored.screenshots.items())
    return TraceFiles(folder, json_path, html_path, screenshots, _few(warnings, folder), zip_path)


def _write_zip(
    trace: TestTrace, document: dict[str, Any], storage: PartStorage, warnings: list[str]
) -> Path | None:
    """Beside the others, which stand whatever becomes of this one."""
    clean = storage.redactor.text
    try:
        elements = {
            name: [
                replace(one, class_name=clean(one.class_name), label=clean(one.label)) for one in record.elements
            ]
            for name, record in trace.snapshots.items()
        }
        data = trace_zip(document, elements, storage.pictures, storage.folder)
    except Exception as error:
        warnings.append(f"trace.zip not made: {type(error).__name__}: {error}")
        return None
    return _write(storage.folder / "trace.zip", data, warnings)


def _write(target: Path, data: bytes, warnings: list[str]) -> Path | None:
    try:
        write_whole(target, data)
    except OSError as error:
        warnings.append(f"{target.name} not stored: {error.strerror or error}")
        return None
    return target


def _few(warnings: list[str], folder: Path) -> tuple[str, ...]:
    """One cause usually stops every file: the first says it, the rest are counted."""
    if not warnings:
        return ()
    more = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
    return (f"{folder}: {warnings[0]}{more}; the test's result stands",)
