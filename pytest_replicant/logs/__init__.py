"""Device logs, read into values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .building.build_error import BuildError, BuildSummary
    from .building.build_output import plain, read_build_output, read_stage
    from .crashes.crash import Crash, read_crashes
    from .crashes.deaths import read_deaths
    from .crashes.frames import Cause, StackFrame
    from .logcat import GRAVITY, Level, LogLine, parse_log
    from .processes import pids_of
    from .requests import Request, read_requests
    from .shell.dumpsys import resumed_activity
    from .shell.shell_hints import hints
    from .shell.shell_output import parse, screen_densities, screen_sizes

__getattr__ = lazy_names(
    __name__,
    {
        "building.build_error": "BuildError BuildSummary",
        "building.build_output": "plain read_build_output read_stage",
        "crashes.crash": "Crash read_crashes",
        "crashes.deaths": "read_deaths",
        "crashes.frames": "Cause StackFrame",
        "logcat": "GRAVITY Level LogLine parse_log",
        "processes": "pids_of",
        "requests": "Request read_requests",
        "shell.dumpsys": "resumed_activity",
        "shell.shell_hints": "hints",
        "shell.shell_output": "parse screen_densities screen_sizes",
    },
)
