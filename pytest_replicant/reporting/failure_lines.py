"""How pytest shows an error of ours: its first line where there is room for one, and never an empty traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import ExpectationFailed, ReplicantError, SoftFailures

if TYPE_CHECKING:
    import pytest

    from ..model import Redactor


def shorten(report: pytest.TestReport, error: BaseException | None, redactor: Redactor) -> None:
    """Changes the report of a failure: the line of pytest's short summary, which is JUnit's message too, and where
    it happened if every line on the way there is ours, as in a rule that was broken once the test was over."""
    if not report.failed or not isinstance(error, (ReplicantError, ExpectationFailed, SoftFailures)):
        return
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        crash.message = redactor.text(_first_line(error))
    traceback = getattr(report.longrepr, "reprtraceback", None)
    if traceback is not None and traceback.extraline:
        _place(report, traceback, crash, type(error).__name__)


def _place(report: pytest.TestReport, traceback: Any, crash: Any, error: str) -> None:
    """pytest says that everything is hidden, and a frame of its own as the place: the test's is."""
    path, line, _ = report.location
    number = (line or 0) + 1
    traceback.extraline = f"\n{path}:{number}: {error}"
    if crash is not None:
        crash.path, crash.lineno = path, number


def _first_line(error: BaseException) -> str:
    first, *others = error.exceptions if isinstance(error, SoftFailures) else (error,)
    line = str(first).partition("\n")[0]
    if not others:
        return f"{type(first).__name__}: {line}"
    return f"{type(error).__name__}: {1 + len(others)} checks failed, the first: {line}"
