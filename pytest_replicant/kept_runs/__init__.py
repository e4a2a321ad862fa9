"""Kept runs: their attempts, steps, screens and pictures, for everything that reads them."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .attempt import (
        TRACE,
        RecordedAttempt,
        RecordedScreen,
        RecordedStep,
        element_name,
        file_and_line,
        hash_of,
        hashed,
        kept_attempt,
        normalise,
        recorded,
        signal_of,
        toast_signal,
    )
    from .pruning import carry_out, lines_of, plan_of
    from .reports import (
        RUN,
        attempt_in,
        attempt_of,
        attempts_of,
        best_attempt,
        chosen,
        content_of,
        files_below,
        is_foreign,
        is_of_another_version,
        newest_at,
        newest_run,
        one_chosen,
        passed_over,
        stored_at,
        why_not_read,
    )
    from .run import (
        APP_CRASH,
        BLOCKABLE,
        DEVICE_TROUBLE,
        FLAKY,
        NOT_RESPONDING,
        REQUEUED,
        TEST_ERROR,
        WORKER_DIED,
        ActionCause,
        AnyCause,
        Cause,
        CauseGroup,
        CheckCause,
        DeathCause,
        FlakyCause,
        Healed,
        JudgedScreens,
        Key,
        OpenAction,
        PhoneCause,
        PhoneHealth,
        ReplayedTest,
        ReplayOf,
        RunRecord,
        RunResult,
        RunRow,
        Shard,
        SlowStep,
        TestCause,
        failed_it,
        failing,
        first_failure,
        last_attempt,
        masked,
        phones_of,
        record_of,
        reported_outcome,
        results_of,
        test_of,
    )

__getattr__, __dir__ = lazy_names(__name__)
