"""A test that stops: at ``mobile.pause()``, and with ``--replicant-debug`` where it fails.

Its assertions are not rewritten: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..errors import ReplicantError, UsageError, skips, what_happened
from ..pytest_private import error_of
from ..running import OPTIONS, PAUSE, REPLAYED_PHONES, SESSIONS

if TYPE_CHECKING:
    from ..exploring.writing import Edits
    from ..session import DeviceSession

_IDLE_MINUTES = 10.0


class Debugging:
    """One in each process that runs tests."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._options = config.stash[OPTIONS]
        self._item: pytest.Item | None = None
        self._began = time.time()  # no test is loaded yet
        self._edits: Edits | None = None
        config.stash[PAUSE] = self._pause

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._item = item

    def pytest_exception_interact(
        self,
        node: pytest.Item | pytest.Collector,
        call: pytest.CallInfo[object],
        report: pytest.TestReport,
    ) -> None:
        """Before the teardown: the app is as the failure left it."""
        if not self._options.debug or not isinstance(node, pytest.Item) or call.when == "teardown":
            return
        sessions = node.stash.get(SESSIONS, None) or []
        open_ones = [one for one in sessions if not one.is_over and not one.of_fixture]
        error = error_of(call)
        if not open_ones or error is None or isinstance(error, skips()):
            return
        if why := self._why_not():
            self._print(f"--replicant-debug: {node.nodeid} failed and was not stopped: {why}")
            return
        said = f"{node.nodeid} failed: {what_happened(error)}"
        path, line = _line_of(call, node)
        try:
            self._stop(open_ones[-1].session, said, path, line, error)
        except ReplicantError as failed:  # which must not end the run
            self._print(f"--replicant-debug: {node.nodeid} was not stopped: {failed}")

    def _pause(self, session: DeviceSession, place: str) -> None:
        """What ``mobile.pause()`` does. Raises ``UsageError`` if no one would come."""
        if REPLAYED_PHONES in self._config.stash:
            # what was done by hand then is on the recording, and comes again with the steps that
            # follow
            return
        if why := self._why_not():
            raise UsageError(
                f"pause(): {why}. Next: take it out, or run this with --replicant-debug=ci"
            )
        path, _, line = place.rpartition(":")
        name = self._item.nodeid if self._item else place
        self._stop(session, f"{name} is paused", path, int(line or 0))

    def _why_not(self) -> str:
        in_ci = os.environ.get("CI", "").lower() not in ("", "0", "false", "no")
        if not in_ci or self._options.debug == "ci":
            return ""
        return "this is a CI run (CI is set), where no one would come"

    def _stop(
        self,
        session: DeviceSession,
        said: str,
        path: str,
        line: int,
        failed: BaseException | None = None,
    ) -> None:
        from ..exploring.pausing import Stopped
        from ..exploring.writing import Edits

        if not self._edits:
            self._edits = Edits(self._began)
        place = Path(path).absolute() if path else None
        stopped = Stopped(session, said, place, line, edits=self._edits, failed=failed)
        with self._uncaptured() as terminal:
            if terminal:
                stopped.prompt()
            else:
                name = self._item.name if self._item else "paused"
                stopped.serve(name, self._config.rootpath, _IDLE_MINUTES, self._print)

    def _print(self, text: str) -> None:
        """To the terminal, also of a worker of pytest-xdist, whose standard error is that of the
        run."""
        with suppress(OSError, ValueError):
            os.write(2, f"\n{text}\n".encode())

    @contextmanager
    def _uncaptured(self) -> Iterator[bool]:
        """While it is entered, input and output are the terminal's own; whether there is one."""
        if capture := self._config.pluginmanager.getplugin("capturemanager"):
            capture.suspend(in_=True)
        try:
            is_worker = hasattr(self._config, "workerinput")
            streams = (sys.stdin, sys.stdout)
            yield not is_worker and all(one and one.isatty() for one in streams)
        finally:
            if capture:
                capture.resume()


def _line_of(call: pytest.CallInfo[object], node: pytest.Item) -> tuple[str, int]:
    """Where the test failed: its own line, else the innermost in its file."""
    assert call.excinfo
    own = [entry for entry in call.excinfo.traceback if str(entry.path) == str(node.path)]
    return (str(own[-1].path), own[-1].lineno + 1) if own else ("", 0)
