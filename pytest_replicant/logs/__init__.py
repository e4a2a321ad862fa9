"""Device logs, read into values."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .build_output import BuildError, BuildSummary, plain, read_build_output, read_stage
    from .crash import Cause, Crash, StackFrame, read_stack_trace, read_tombstone
    from .crashes import read_crashes, read_deaths
    from .logcat import GRAVITY, Level, LogLine, LogText, is_notice, parse_log, pids_of, read_log
    from .requests import Request, read_requests
    from .shell_output import (
        SCREEN_QUESTION,
        ScreenState,
        hints,
        parse,
        permissions_of,
        resumed_activity,
        screen_densities,
        screen_sizes,
        screen_state,
    )

__getattr__, __dir__ = lazy_names(__name__)
