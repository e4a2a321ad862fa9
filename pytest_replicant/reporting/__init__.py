"""The reports of attempts and of runs: traces on disk, pages, the terminal, and other tools' reports."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from ..kept import RunRecord, RunRow
    from .accessibility import accessibility_schema
    from .artifacts.storage import StoredParts, trace_document, trace_schema
    from .known_flaky import read_known_flaky
    from .pages.index_page import RunFiles, index_page, link_pages, write_run
    from .publisher import run_row, with_files
    from .redaction import redacted_trace
    from .trace_files import TraceFiles, write_trace, zip_of
    from .triage import run_of

__getattr__, __dir__ = lazy_names(__name__)
