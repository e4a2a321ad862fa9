"""The end of a run, on the process that a person watches: outcomes of our own, the index page, the summary."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ..stash import OPTIONS, RUN_ID
from .test_reporter import PROPERTY


class RunReporter:
    """Registered once a run, on the controller."""

    def __init__(self, config: pytest.Config) -> None:
        self._options = config.stash[OPTIONS]
        self._run_id = config.stash[RUN_ID]
        self._notes: dict[str, dict[str, Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == PROPERTY:
                note = json.loads(str(value))
                self._notes[note["nodeid"]] = note

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Tool trouble is an error of its own: it says nothing about the app."""
        if not report.failed:
            return None
        for name, value in report.user_properties:
            if name == PROPERTY and json.loads(str(value))["outcome"] == "infra":
                return "error", "E", "INFRA"
        return None
