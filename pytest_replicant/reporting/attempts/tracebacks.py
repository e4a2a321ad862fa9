"""An error of ours says all that there is to say: its traceback ends in the test."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from ...errors import ExpectationFailed, ReplicantError, SoftFailures

PACKAGE = Path(__file__).parents[2]


class ShortTracebacks:
    """Takes the frames of this package out of the traceback of its own errors, before pytest makes its cut. Any
    other error shows the way it came."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[Any]) -> Generator[None, object, object]:
        error = call.excinfo.value if call.excinfo is not None else None
        if isinstance(error, (ReplicantError, ExpectationFailed, SoftFailures)):
            shorter = error.with_traceback(_without_our_frames(error.__traceback__))
            call.excinfo = pytest.ExceptionInfo.from_exception(shorter)
        return (yield)


def _without_our_frames(frames: TracebackType | None) -> TracebackType:
    __tracebackhide__ = True
    kept: list[TracebackType] = []
    while frames is not None:
        if PACKAGE not in Path(frames.tb_frame.f_code.co_filename).parents:
            kept.append(frames)
        frames = frames.tb_next
    here = sys._getframe()
    # Ends in a hidden frame: where only pytest's own are left, it would show those.
    shorter = TracebackType(None, here, here.f_lasti, here.f_lineno)
    for one in reversed(kept):
        shorter = TracebackType(shorter, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return shorter
