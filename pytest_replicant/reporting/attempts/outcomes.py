"""How a phase of a test ended, as pytest says it and in the words of a trace."""

from __future__ import annotations

import os
import sysconfig
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ...errors import DeviceError, ExpectationFailed, ReplicantError, TargetError
from ...model import FailureRecord, RaisedError
from .attempt import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    import pytest

    from ...model import Phase as PhaseName
    from ...model import TestOutcome

_NOT_THE_TESTS = tuple(
    str(path) + os.sep
    for path in (
        Path(__file__).parents[2],
        *(sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib")),
    )
)


def phase_of(
    report: pytest.TestReport, error: BaseException | None, beside: tuple[RaisedError, ...] = ()
) -> Phase:
    """``beside`` are further failures that the report tells."""
    if not report.failed:
        return Phase(outcome_of(report, error))
    return Phase(outcome_of(report, error), (*_raised_in(report, error), *beside))


def outcome_of(report: pytest.TestReport, error: BaseException | None) -> TestOutcome:
    """``infra`` where a phone or a tool was in trouble, which says nothing about the app."""
    if report.failed and isinstance(error, DeviceError):
        return "infra"
    if report.failed and report.when != "call":
        return "error"
    if hasattr(report, "wasxfail"):
        return "xpassed" if report.passed else "xfailed"
    return cast("TestOutcome", report.outcome)


def raised(error: BaseException, phase: PhaseName) -> RaisedError:
    """One error as a trace keeps it."""
    known = error.failure if isinstance(error, (ReplicantError, ExpectationFailed)) else None
    if known is None and isinstance(error, TargetError):
        known = FailureRecord("find", error.code, exception=type(error).__name__)
    return RaisedError(
        _printed(error) or type(error).__name__,
        type(error).__name__,
        _line_in_test(error),
        phase,
        failure=known,
        detail=error.detail if isinstance(error, DeviceError) else "",
    )


def parts_of(error: BaseException) -> tuple[BaseException, ...]:
    """What a group holds; nothing for any other error, whatever it calls its own fields."""
    with suppress(Exception):  # a field may be a property that fails
        held = getattr(error, "exceptions", ())
        if type(held) in (list, tuple):
            return tuple(one for one in held if isinstance(one, BaseException))
    return ()


def _printed(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as reason:  # the test's own class; pytest copes with it as well
        return f"{type(error).__name__}, whose message cannot be had: its __str__ raised {type(reason).__name__}"


def _raised_in(report: pytest.TestReport, error: BaseException | None) -> Iterator[RaisedError]:
    phase = report.when
    if error is None:  # a strict xfail that passed: pytest says so in the report alone
        yield RaisedError(report.longrepr if isinstance(report.longrepr, str) else "failed", phase=phase)
        return
    yield from (raised(one, phase) for one in parts_of(error) or (error,))


def _line_in_test(error: BaseException) -> str:
    """The innermost line on its way that is neither ours nor a library's: the test's, or that of what it calls."""
    place = ""
    traceback: TracebackType | None = error.__traceback__
    while traceback is not None:
        path = traceback.tb_frame.f_code.co_filename
        if not path.startswith(("<", *_NOT_THE_TESTS)):
            place = f"{_shown(path)}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place


def _shown(path: str) -> str:
    """As seen from where the run began, as steps of a trace name their lines."""
    try:
        return Path(os.path.relpath(path)).as_posix()
    except (ValueError, OSError):  # another drive on Windows; a test that took away the folder it stands in
        return Path(path).as_posix()
