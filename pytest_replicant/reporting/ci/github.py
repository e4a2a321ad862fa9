"""Where a run is a step of a GitHub workflow: what it writes into the summary of the job and beside the lines."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from .step_summary import append_summary, step_summary
from .workflow_commands import error_commands

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..triage.run_record import RunRecord


class GitHub:
    """``began_in`` is the folder from which pytest was started, ``environment`` the variables of the job."""

    def __init__(self, began_in: Path, environment: Mapping[str, str] = os.environ) -> None:
        self._began_in = began_in
        self._environment = environment

    @property
    def is_here(self) -> bool:
        """Whether lines that are printed may be taken for commands."""
        return self._environment.get("GITHUB_ACTIONS") == "true"

    def errors(self, run: RunRecord) -> list[str]:
        return error_commands(run, self._prefix()) if self.is_here else []

    def summarize(self, run: RunRecord, folder: Path | None) -> None:
        """Raises ``OSError`` where the file cannot be written."""
        path = self._environment.get("GITHUB_STEP_SUMMARY", "")
        if path:
            append_summary(path, step_summary(run, folder, self._source_url()))

    def _prefix(self) -> str:
        """Where the run began, seen from the root of the repository, as ``"apps/shop/"``."""
        root = self._environment.get("GITHUB_WORKSPACE", "")
        if not root or not self._began_in.is_relative_to(root):
            return ""
        shown = self._began_in.relative_to(root).as_posix()
        return "" if shown == "." else f"{shown}/"

    def _source_url(self) -> str:
        names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA")
        server, repository, commit = (self._environment.get(name, "") for name in names)
        if not (server and repository and commit):
            return ""
        return f"{server}/{repository}/blob/{commit}/{self._prefix()}"
