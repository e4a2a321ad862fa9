"""How a phase of a test ended, as pytest says it and in the words of a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ...errors import DeviceError
from .attempt import Phase

if TYPE_CHECKING:
    import pytest

    from ...model.test_trace import TestOutcome


def phase_of(report: pytest.TestReport, error: BaseException | None, beside: tuple[str, ...] = ()) -> Phase:
    """``beside`` are further failures that the report tells."""
    if not report.failed:
        return Phase(outcome_of(report, error))
    return Phase(outcome_of(report, error), (*_messages(report, error), *beside))


def outcome_of(report: pytest.TestReport, error: BaseException | None) -> TestOutcome:
    """``infra`` where a phone or a tool was in trouble, which says nothing about the app."""
    if report.failed and isinstance(error, DeviceError):
        return "infra"
    if report.failed and report.when != "call":
        return "error"
    if hasattr(report, "wasxfail"):
        return "xpassed" if report.passed else "xfailed"
    return cast("TestOutcome", report.outcome)


def _messages(report: pytest.TestReport, error: BaseException | None) -> tuple[str, ...]:
    if error is None:  # a strict xfail that passed: pytest says so in the report alone
        return (report.longrepr if isinstance(report.longrepr, str) else "failed",)
    several = getattr(error, "exceptions", None)
    return tuple(str(one) for one in several) if several else (str(error) or type(error).__name__,)
