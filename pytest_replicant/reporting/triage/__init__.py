"""Why tests failed: records of runs, causes, the difference from the last pass. Knows nothing of pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy_names import lazy_names

if TYPE_CHECKING:
    from .baseline import (
        LARGEST_PASS,
        LARGEST_TRACE,
        PASS_SCHEMA,
        Baselines,
        OldSchema,
        TraceFolders,
        digest_of,
        pass_json,
        passed_over,
        read_json,
        run_in,
        stored_outline,
    )
    from .cause import APP_CRASH, DEVICE_TROUBLE, TEST_ERROR, Cause, cause_of, cause_of_trace, masked
    from .comparison import Finding, Walk, aligned, changed_lines, likeness, reached, same_place
    from .divergence import Divergence, compared
    from .evidence import Evidence
    from .grouping import group, run_of
    from .healing import healed, parsed
    from .recorded_run import (
        RecordedError,
        RecordedRun,
        RecordedStep,
        ScreenFacts,
        element_name,
        normalise,
        read_run,
        recorded,
    )
    from .run_record import (
        FLAKY,
        REQUEUED,
        CauseGroup,
        Healed,
        OpenAction,
        PhoneHealth,
        RunRecord,
        RunResult,
        RunRow,
        SlowStep,
        in_trouble,
        phones_of,
        results_of,
    )
    from .runs import Found, FoundRow, FoundRun, devices_of, find_runs, joined, latest, linked_from, row_of
    from .summary import Summary, summary_of
    from .summary_text import Markdown, Plain, code, prose, render

__getattr__ = lazy_names(
    __name__,
    {
        "baseline": (
            "LARGEST_PASS LARGEST_TRACE PASS_SCHEMA Baselines OldSchema TraceFolders "
            "digest_of pass_json passed_over read_json run_in stored_outline"
        ),
        "cause": "APP_CRASH DEVICE_TROUBLE TEST_ERROR Cause cause_of cause_of_trace masked",
        "comparison": "Finding Walk aligned changed_lines likeness reached same_place",
        "divergence": "Divergence compared",
        "evidence": "Evidence",
        "grouping": "group run_of",
        "healing": "healed parsed",
        "recorded_run": (
            "RecordedError RecordedRun RecordedStep ScreenFacts element_name normalise read_run recorded"
        ),
        "summary_text": "Markdown Plain code prose render",
        "run_record": (
            "FLAKY REQUEUED CauseGroup Healed OpenAction PhoneHealth "
            "RunRecord RunResult RunRow SlowStep in_trouble phones_of results_of"
        ),
        "runs": "Found FoundRow FoundRun devices_of find_runs joined latest linked_from row_of",
        "summary": "Summary summary_of",
    },
)
