"""How a test with phones ended, and what it has to answer for when it raised nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ..errors import DeviceError, ExpectationFailed, SoftFailures, is_told
from ..model.test_trace import TestFacts
from .findings import unverified, vacuous_checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from ..model.test_trace import TestOutcome, TestTrace
    from ..options import Options
    from ..session.trace import Recorder

__tracebackhide__ = is_told


def outcome_of(report: pytest.TestReport, error: BaseException | None) -> TestOutcome:
    """``infra`` where a phone or a tool was in trouble, which says nothing about the app."""
    if report.failed and isinstance(error, DeviceError):
        return "infra"
    if report.failed and report.when != "call":
        return "error"
    if hasattr(report, "wasxfail"):
        return "xpassed" if report.passed else "xfailed"
    return cast("TestOutcome", report.outcome)


def raise_findings(nodeid: str, recorders: Sequence[Recorder], options: Options) -> None:
    """Raises what soft checks collected, and what the options make a failure of. One alone is raised as
    itself, several as ``SoftFailures``."""
    failures: list[Exception] = [failure for recorder in recorders for failure in recorder.soft_failures]
    for recorder in recorders:
        so_far = recorder.finish(TestFacts(nodeid, 0, "passed", "", 0))
        failures += [ExpectationFailed(line) for line in _broken_rules(so_far, options)]
    if len(failures) == 1:
        raise failures[0]
    if failures:
        raise SoftFailures(f"{len(failures)} checks failed", failures)


def _broken_rules(trace: TestTrace, options: Options) -> list[str]:
    lines = []
    open_end = unverified(trace) if trace.actions or trace.checks else ""
    if options.unverified == "fail" and open_end:
        lines.append(f"the test {open_end} (replicant_unverified = fail)")
    if options.vacuous == "fail":
        lines += [f"{line} (replicant_vacuous = fail)" for line in vacuous_checks(trace)]
    return lines
