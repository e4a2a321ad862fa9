"""``run.json`` and ``index.html``: one run, why its tests failed, and where their traces are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..artifacts.document import file_json
from ..artifacts.storage import write_whole
from .index_data import index_data
from .page import asset, page

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..triage.run_record import RunRecord

STYLES = ("look.css", "index.css", "causes.css", "tests.css")
SCRIPTS = (
    "elements.js",
    "theme.js",
    "help.js",
    "run.js",
    "headline.js",
    "causes.js",
    "markdown.js",
    "notes.js",
    "tests.js",
    "phones.js",
    "keys.js",
    "index.js",
)


@dataclass(frozen=True)
class RunFiles:
    """What was written for a run. ``index_html`` is None where it could not be; ``warnings`` say why."""

    index_html: Path | None
    warnings: tuple[str, ...] = ()


def write_run(run: RunRecord, output: Path) -> RunFiles:
    """Write ``<output>/<run-id>/{run.json, index.html}``. Never raises for a disk that refuses."""
    folder = output / run.run_id
    document = run.to_dict()
    try:
        write_whole(folder / "run.json", file_json(document))
        write_whole(folder / "index.html", index_page(document).encode("utf-8"))
    except OSError as error:
        return RunFiles(None, (f"{folder}: no index of the run: {error.strerror or error}",))
    return RunFiles(folder / "index.html")


def index_page(document: Mapping[str, Any]) -> str:
    """The page for a ``replicant.run/1`` document; its links start from the folder of that document."""
    return page(
        f"Run {document['run_id']}", asset("index.html"), STYLES, SCRIPTS, index_data(document), "run.json"
    )
