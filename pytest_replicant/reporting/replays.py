"""Verdicts of a replay in the terminal, in the exit code, and for whoever reads reports."""

from __future__ import annotations

from typing import Any

import pytest

from .attempts.attempt import VERDICT

_LETTERS = {
    "reproduced": "R",
    "holds on the recording": "h",
    "fails on the recording": "f",
    "diverged": "D",
    "beyond the recording": "b",
}


class ReplayReporter:
    """Registered on the controller of a run that is a replay."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._ended: list[tuple[str, dict[str, Any]]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if (ended := getattr(report, VERDICT, None)) is not None:
            self._ended.append((report.nodeid, ended))

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        ended = getattr(report, VERDICT, None)
        if ended is None:
            return None
        verdict = str(ended["verdict"])
        return verdict, _LETTERS[verdict], verdict.upper()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """No other verdict than the wanted one ends as a success."""
        wanted = all(ended["verdict"] == ended["wanted"] for _, ended in self._ended)
        if not wanted and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self._ended:
            return
        terminalreporter.write_sep("-", "replayed")
        for nodeid, ended in self._ended:
            mark = "" if ended["verdict"] == ended["wanted"] else f" ({ended['wanted']} was expected)"
            terminalreporter.write_line(f"{ended['verdict']} {ended['sentence']}{mark}")
            terminalreporter.write_line(f"  {nodeid}")
