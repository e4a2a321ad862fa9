"""The end of a run, on the process that a person watches: outcomes of our own, the index page, the
summary."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..model.printable import LONGEST_LINE, as_seen_from, date_of, printable
from ..options.ini_file import given_on_the_command_line
from ..pytest_private import worker_of_crash
from ..running import ASKED, OPTIONS, REQUEUED, RUN_ID, SECRETS, SHARD
from .attempts.attempt import KNOWN_FLAKY
from .junit import Property, properties
from .report_rows import (
    environment_of,
    left_rows,
    place_of,
    put_rows,
    rerun_command,
    rows_of,
    with_phones,
)
from .test_reporter import INFRA, WRITTEN, TestReporter, call_each

if TYPE_CHECKING:
    from ..kept_runs import RunRecord, RunRow
    from .known_flaky import KnownFlaky


class RunReporter:
    """Registered once a run, on the controller, next to the ``tests`` of its own process and the
    ``deaths`` of others."""

    def __init__(self, config: pytest.Config, tests: TestReporter, deaths: WorkerDeaths) -> None:
        self._tests = tests
        self._deaths = deaths
        self._config = config
        self._stash = config.stash
        self._secrets = config.stash[SECRETS]
        self._options = config.stash[OPTIONS]
        self._run_folder = self._options.output / config.stash[RUN_ID]
        self._seen_from = config.invocation_params.dir
        self._began = time.time()
        self._rows: dict[tuple[str, int], RunRow] = {}
        self._run: RunRecord | None = None
        self._index: Path | None = None
        self._warnings: list[str] = []
        self._cut_short: list[RunRow] = []  # of tests that the end of the run interrupted
        self._stale: list[str] = []
        self._written: list[str] = []  # lines about baselines

    def _plugin(self, name: str) -> Any:
        """None where the run was not asked for what it does."""
        return self._config.pluginmanager.getplugin(name)

    @property
    def _replays(self) -> Any:
        return self._plugin("replicant-replay-reporter")

    @property
    def _accessibility(self) -> Any:
        return self._plugin("replicant-accessibility-run")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._keep(rows_of(report))
        self._written += getattr(report, WRITTEN, ())

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Tool trouble is an error of its own: it says nothing about the app. A recovered test is
        no plain pass."""
        set_aside: str = getattr(report, REQUEUED, "")
        if set_aside:
            return ("requeued", "Q", "REQUEUED") if set_aside == "reported" else ("", "", "")
        if report.failed and getattr(report, INFRA, False):
            return "error", "E", "INFRA"
        if getattr(report, KNOWN_FLAKY, ""):
            return "known flaky", "k", "KNOWN FLAKY"
        outcomes = {row.outcome for row in rows_of(report)}  # one: all phones share it
        ended = (report.when, report.outcome)
        if ended == ("call", "passed") and outcomes == {"recovered"}:
            return "recovered", "r", "RECOVERED"
        return None

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._cut_short += self._tests.interrupted
        if os.path.isdir(self._run_folder):  # a path that is too long is none
            from .artifacts.storage import never_raises

            with never_raises(self._warnings, "the test that was interrupted"):
                self._cut_short += left_rows(self._run_folder)
        self._keep(self._cut_short)
        shard = self._stash.get(SHARD, None)
        if session.config.option.collectonly:  # a part that was only listed has not run
            return
        # A worker may die of any reason, in a run that has no phone.
        has_phones = any(not row.is_death for row in self._rows.values())
        if shard is None and not has_phones and not (self._rows and self._deaths.about_phones):
            return
        from .artifacts.storage import never_raises
        from .pages.index_page import write_run
        from .run_text import failure_blocks
        from .triage.grouping import run_of

        took = round((time.time() - self._began) * 1000)
        rows = tuple(map(self._with_phones, self._rows.values()))
        facts = environment_of(self._config)
        run = run_of(self._run_folder.name, date_of(self._began), took, rows, facts)
        replay = self._replays.record(self._run_folder) if self._replays is not None else None
        phones = () if replay is not None else run.phones
        terminal: pytest.TerminalReporter | None = self._plugin("terminalreporter")
        errors = len(terminal.stats.get("error", ())) if terminal is not None else 0
        self._run = replace(run, shard=shard, replay=replay, phones=phones, errors=errors)
        if self._accessibility is not None and self._options.trace != "off":
            with never_raises(self._warnings, "the report of accessibility"):
                judged = self._accessibility.write(self._run, self._run_folder)
                self._run = replace(self._run, accessibility=judged)
        files = None
        if self._options.trace != "off":
            if replay is None:  # which is no run of a test, and says nothing of how it stands
                with never_raises(self._warnings, "the history of the tests"):
                    self._run = self._remembered(self._run)
            with never_raises(self._warnings, "the index of the run"):
                files = write_run(self._run, self._options.output)
                self._index = files.index_html
                self._warnings += files.warnings
                lines = failure_blocks(self._run, self._folder())
                if lines:  # for chats and agents: what the terminal prints of them
                    text = "\n".join([*lines, *self._page])
                    (self._run_folder / "failures.txt").write_text(f"{text}\n", "utf-8")
        self._look_for_stale(session, self._run)
        hook = session.config.hook.pytest_replicant_run
        problems = call_each(hook, config=session.config, run=self._run, files=files)
        self._warnings += map(self._secrets.text, problems)
        if self._options.ci:
            from .github import (
                summarize,
            )  # like all that makes reports, loaded when there is something to report

            with never_raises(self._warnings, "the summary of the job"):
                summarize(self._run, [line for line, _ in self._details(self._run)])

    def _with_phones(self, row: RunRow) -> RunRow:
        given = given_on_the_command_line(self._config, "--replicant-device")
        apps = given_on_the_command_line(self._config, "--replicant-app")[-1:]
        app = [f"--replicant-app={one}" for one in apps]
        command = with_phones(row.rerun, given, row.phone, matrix=self._options.matrix, further=app)
        return replace(row, rerun=self._secrets.text(command))

    def _remembered(self, run: RunRecord) -> RunRecord:
        """The run with what the last runs say of its tests, which it is written to."""
        from .triage.flaky import with_history
        from .triage.history import FILE_NAME, kept_run, remember

        ended = [row for row in run.rows if row not in self._cut_short]
        revision = run.environment.get("revision", "")
        own = kept_run(run.run_id, run.started_at, ended, revision=revision, shard=run.shard)
        known, problem = remember([own], self._options.output / FILE_NAME)
        if problem:
            self._warnings.append(problem)
        return with_history(run, known)

    def _look_for_stale(self, session: pytest.Session, run: RunRecord) -> None:
        """Entries of the file of known flaky tests that should be in there no more."""
        known: KnownFlaky | None = self._plugin("replicant-known-flaky")
        if known is None or self._options.known_flaky_stale == "ignore":
            return
        self._stale = known.stale(run)
        if self._stale and self._options.known_flaky_stale == "fail" and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._run is None:
            return
        from .github import defused, error_commands, is_here, prefix_of

        terminalreporter.write_sep("-", "replicant")
        on_github = self._options.ci and is_here()
        for line, colour in self._lines(self._run, terminalreporter):
            markup = {colour: True, "bold": True} if colour and not line.startswith(" ") else {}
            terminalreporter.write_line(defused(line) if on_github else line, **markup)
        if on_github:
            for command in error_commands(self._run, prefix_of(self._seen_from)):
                terminalreporter.write_line(command)

    def _lines(
        self, run: RunRecord, terminal: pytest.TerminalReporter
    ) -> Iterator[tuple[str, str]]:
        """Each with the colour of its part, for the lines that are not indented; "" for none.
        Without details where the user asked pytest for few of its own: ``-qq``, ``-rN``,
        ``--no-summary``."""
        from ..kept_runs import failing
        from .run_text import closing_lines, on_phones, summary_line

        yield from zip(dict.fromkeys(self._written), repeat(""))
        options = terminal.config.option
        brief = options.no_summary or options.verbose <= -2 or not terminal.reportchars.strip("w")
        if brief:
            yield from zip(closing_lines((), self._warnings), repeat("yellow"))
            yield from zip(self._page, repeat(""))
        else:
            yield from self._details(run, whole=options.verbose > 0)
        folder = self._folder()
        has_recordings = any(row.trace for row in run.rows) and run.replay is None
        if folder is not None and not brief and failing(run) and has_recordings:
            yield f"replay: replicant replay {shlex.quote(folder.as_posix())}", ""
        phones = on_phones(run) if run.replay is None else ""
        counts = f"replicant: {summary_line(run) or 'no test used a phone'} {phones}".rstrip()
        yield self._secrets.text(counts), "red" if failing(run) else "green"
        if self._accessibility is not None:
            from .accessibility import summary_line as judged_line

            yield judged_line(run.accessibility, folder), ""

    def _details(self, run: RunRecord, *, whole: bool = False) -> Iterator[tuple[str, str]]:
        """The same lines, of what failed and of what deserves a look: those of the job's summary
        too. Of a replay the verdicts: recoveries, and checks that prove little, are in the report
        of the recorded run."""
        from . import run_text as say

        folder = self._folder()
        failed = say.failure_blocks(run, folder)  # in a replay of those whose process died
        if run.replay is not None:
            seen = as_seen_from(self._run_folder, self._seen_from)
            warnings = [*self._warnings, *(line for row in run.rows for line in row.warnings)]
            replayed = say.replay_blocks(run, seen, self._replays.failures if whole else {})
            yield from zip([*failed, *replayed, *say.closing_lines((), warnings)], repeat(""))
        else:
            known = say.known_flaky_lines(run, folder, self._stale)
            again = [*say.flaky_lines(run, folder), *known, *say.requeued_lines(run, folder)]
            again += say.trouble_lines(run.phones)
            again += say.closing_lines(run.rows, self._warnings)
            yield from zip(again, repeat("yellow"))
            yield from zip(failed, repeat("red"))
        yield from zip(self._page, repeat(""))

    def _folder(self) -> Path | None:
        """The run's, as the reader would open it; None if nothing was written."""
        if self._options.trace == "off":
            return None
        return as_seen_from(self._run_folder, self._seen_from)

    @property
    def _page(self) -> list[str]:
        """The line that names the page of the run, as the reader would open it."""
        if self._index is None:
            return []
        return [printable(f"report: {as_seen_from(self._index, self._seen_from)}", LONGEST_LINE)]

    def _keep(self, rows: Iterable[RunRow]) -> None:
        """With ``--dist each`` every worker runs every test: a failure stays if another passes
        later."""
        for row in rows:
            known = self._rows.get((row.nodeid, row.attempt))
            if known is None or known.worker == row.worker or not known.is_broken:
                self._rows[row.nodeid, row.attempt] = row


# --- a worker that died in the middle of a test has no report, so one is made ---


class WorkerDeaths:
    """Registered once a run, on the controller. ``about_phones`` is whether any test asked for a
    phone so far."""

    def __init__(self, config: pytest.Config) -> None:
        self.about_phones = False
        self._config = config
        self._secrets = config.stash[SECRETS]
        self._begun: dict[str, pytest.TestReport] = {}
        self._attempts: dict[str, int] = {}
        self._died: list[pytest.TestReport] = []
        self._extras: dict[str, list[object]] = {}

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """The report says neither phase nor worker; a failed call is what every other report
        understands."""
        from ..kept_runs import WORKER_DIED, RunRow, TestCause

        shown, worker = self._secrets.text(crashitem), worker_of_crash(report)
        source, start = shown.partition("::")[0], time.time()
        begun = self._begun.get(crashitem)  # the report of its setup, if that one had arrived
        if begun is not None:
            report.location = begun.location
            source, start = place_of(begun.location), begun.start
        text = "the process that ran it died in the middle of the test"
        message = f"{text}: worker {worker}" if worker else text
        row = RunRow(
            shown, self._attempts.get(crashitem, 0), "error", date_of(start),
            round((time.time() - start) * 1000), "",
            failure=message, location=source, worker=worker, message=message,
            cause=TestCause(WORKER_DIED, message=text, source=source), test=shown,
            case_id=getattr(begun, ASKED, ""),
            rerun=rerun_command(self._config, crashitem, self._secrets),
        )  # fmt: skip
        put_rows(report, [row])
        report.when = "call"
        self._died.append(report)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Generator[None, None, None]:
        if hasattr(report, ASKED):
            self.about_phones = True
            self._begun[report.nodeid] = report
        if report.when == "teardown" and hasattr(report, "extras"):
            self._extras[report.nodeid] = report.extras
        for row in rows_of(report):
            self._attempts[report.nodeid] = row.attempt + 1
        yield
        if any(report is died for died in self._died):
            self._died.remove(report)
            folder = self._config.invocation_params.dir
            known: list[Property] = []
            if not self._config.pluginmanager.is_blocked("replicant-junit"):
                known = properties(rows_of(report), folder / self._config.stash[RUN_ID], folder)
            # The teardown that will never come, without which other reports leave out what they
            # know of the test. JUnit tells apart by the node what workers send, pytest-html wants
            # the extras.
            end = pytest.TestReport(
                report.nodeid, report.location, {}, "passed", None, "teardown",
                user_properties=known, node=getattr(report, "node", None),
                extras=self._extras.get(report.nodeid, []),
            )  # fmt: skip
            self._config.hook.pytest_runtest_logreport(report=end)
