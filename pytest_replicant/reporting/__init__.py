"""The reports of attempts and of runs: traces on disk, pages, the terminal, and other tools'
reports."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from ..kept_runs import RunRecord, RunRow
    from ..model.printable import preformatted
    from .accessibility import accessibility_schema
    from .artifacts.storage import PartStorage, StoredParts, trace_document, trace_schema
    from .attempts.attempt import raised
    from .known_flaky import read_known_flaky
    from .pages.index_page import RunFiles, index_page, link_pages, write_run
    from .publisher import parsed, run_row, with_files
    from .redaction import redacted_trace
    from .run_text import flaky_table, in_trouble, triage_lines
    from .trace_files import (
        CassetteWriting,
        TapeParts,
        TraceFiles,
        failures_of,
        write_trace,
        zip_of,
    )
    from .triage.baseline import LARGEST_PASS, Baselines, TraceFolders
    from .triage.cause import cause_of, cause_of_trace
    from .triage.comparison import aligned, reached, same_place
    from .triage.divergence import Divergence, Evidence, compared
    from .triage.flaky import flaky_causes, history_of, interval, with_history
    from .triage.grouping import group, run_of
    from .triage.history import (
        FailedAttempt,
        KeptRun,
        KnownEntry,
        TestInRun,
        history_json,
        joined_history,
        kept_run,
        letters,
        read_history,
        remember,
    )
    from .triage.lines import changed_lines, likeness
    from .triage.runs import Found, FoundRow, FoundRun, find_runs, joined, latest, linked_from
    from .triage.summary import Summary, summary_of

__getattr__, __dir__ = lazy_names(__name__)
