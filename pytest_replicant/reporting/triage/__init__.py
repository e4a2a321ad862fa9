"""Why tests failed: records of runs, causes, the difference from the last pass. Knows nothing of pytest."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy_names import lazy_names

if TYPE_CHECKING:
    from .baseline import LARGEST_PASS, Baselines, TraceFolders
    from .cause import cause_of, cause_of_trace
    from .comparison import aligned, reached, same_place
    from .divergence import Divergence, Evidence, compared
    from .flaky import flaky_causes, history_of, interval, with_history, with_recordings
    from .grouping import group, run_of
    from .history import (
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
    from .lines import changed_lines, likeness
    from .runs import Found, FoundRow, FoundRun, find_runs, joined, latest, linked_from
    from .summary import Summary, render, render_flaky, summary_of

__getattr__, __dir__ = lazy_names(__name__)
