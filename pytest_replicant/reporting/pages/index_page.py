"""``run.json`` and ``index.html``: one run, its tests and where their traces are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..artifacts.blobs import write_whole
from ..artifacts.plain import file_json
from .page import asset, page

if TYPE_CHECKING:
    from pathlib import Path

    from ..triage.run_record import RunRecord

STYLES = ("look.css", "index.css")
SCRIPTS = ("elements.js", "index.js")


@dataclass(frozen=True)
class RunFiles:
    """What was written for a run. ``index_html`` is None where it could not be; ``warnings`` say why."""

    index_html: Path | None
    warnings: tuple[str, ...] = ()


def write_run(run: RunRecord, output: Path) -> RunFiles:
    """Write ``<output>/<run-id>/{run.json, index.html}``. Never raises for a disk that refuses."""
    folder = output / run.run_id
    document = run.to_dict()
    html = page(f"Run {run.run_id}", asset("index.html"), STYLES, SCRIPTS, document, "run.json")
    try:
        write_whole(folder / "run.json", file_json(document))
        write_whole(folder / "index.html", html.encode("utf-8"))
    except OSError as error:
        return RunFiles(None, (f"{folder}: no index of the run: {error.strerror or error}",))
    return RunFiles(folder / "index.html")
