"""How pytest shows an error of ours: its first line in summaries, and a traceback that ends in the test."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import pytest

from ...errors import ExpectationFailed, ReplicantError, SoftFailures
from ...pytest_private import place_hidden_error, set_summary

if TYPE_CHECKING:
    from ...model import Redactor

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


def shorten(report: pytest.TestReport, error: BaseException | None, redactor: Redactor) -> None:
    """Changes the report of a failure: the line of pytest's short summary, which is JUnit's message too, and where
    it happened if every line on the way there is ours, as in a rule that was broken once the test was over."""
    if not report.failed or not isinstance(error, (ReplicantError, ExpectationFailed, SoftFailures)):
        return
    set_summary(report, redactor.text(_first_line(error)))
    place_hidden_error(report, type(error).__name__)


def _first_line(error: BaseException) -> str:
    first, *others = error.exceptions if isinstance(error, SoftFailures) else (error,)
    line = str(first).partition("\n")[0]
    if not others:
        return f"{type(first).__name__}: {line}"
    return f"{type(error).__name__}: {1 + len(others)} checks failed, the first: {line}"
