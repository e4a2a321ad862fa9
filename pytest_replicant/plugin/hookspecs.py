"""The hooks that pytest-replicant calls. Each docstring is its reference page.

Its assertions are not rewritten: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ..drivers import Driver
    from ..model import Failure, Recovery, RecoveryState, TestTrace
    from ..reporting import RunFiles, RunRecord, RunRow, TraceFiles
    from ..session import RecoveryContext

hookimpl = pytest.hookimpl
"""Marks an implementation of one of these hooks, as of any of pytest's:
``@hookimpl(tryfirst=True)``."""


@pytest.hookspec(firstresult=True)
def pytest_replicant_driver(uri: str, config: pytest.Config) -> Driver | None:
    """Return a driver for a phone that only you know how to reach, or None.

    Called once for every phone that a run opens, before the built-in kinds are tried; the first
    answer wins. ``uri`` is what the user gave with ``--replicant-device``. Of ``android`` and
    ``virtual:3``, which are several phones, each has a ``uri`` of its own. Raise ``DeviceError`` if
    the URI is yours but the phone is not there.

    In a ``conftest.py``::

        def pytest_replicant_driver(uri, config):
            if uri.startswith("farm:"):
                return FarmDriver(uri)
    """


@pytest.hookspec(firstresult=True)
def pytest_replicant_recover(
    session: RecoveryContext, failure: Failure, state: RecoveryState
) -> Recovery | None:
    """Return a ``Recovery`` for a failed action or check, or None.

    Called each time an action or a check has failed, after all waiting, until it succeeds, no
    policy has an answer, or the budget is spent. The first answer wins; hooks of the test's own
    folders are asked before the built-in policies. ``session`` is a ``RecoveryContext``: it reads
    the phone and the test so far. ``failure`` says what happened and where, ``failure.snapshot`` is
    the screen; ``state`` says what was tried so far.

    A policy only answers, and the session performs the ``Recovery``. Actions and checks that a
    policy makes by itself are a ``UsageError``.

    In a ``conftest.py``::

        def pytest_replicant_recover(session, failure, state):
            survey = failure.snapshot and failure.snapshot.find_all(text="How do you like our app?")
            if survey:
                close = Remedy.tap(by(text="Not now"))
                return Recovery("state_refresh", before=(close,), reason="a survey")
    """


@pytest.hookspec
def pytest_replicant_trace(
    item: pytest.Item,
    report: pytest.TestReport,
    trace: TestTrace,
    files: TraceFiles | None,
    row: RunRow,
) -> None:
    """Report one attempt of one test, whose trace is complete.

    Called once for each attempt of a test that asked for a phone, or once for each phone of
    several, in the process that ran it, after the teardown. ``report`` is that of the teardown,
    still open for sections and properties. A rerun and a requeue are attempts of their own. A test
    that Ctrl-C ended has no such call.

    ``trace`` holds what was done and seen: ``trace.test`` (node id, attempt, outcome, duration),
    ``trace.events``, ``trace.failures``. ``files`` says what was written: ``folder``,
    ``trace_json``, ``trace_html``, ``trace_zip``, each a path or None, and ``screenshots``. It is
    None if nothing was. ``row`` is the line of the run's index: ``row.outcome``, ``row.divergence``
    from the last pass, and ``row.cause``, None for a pass. A cause has ``failure_class``,
    ``failure_code``, ``target``, ``screen`` and more. Secrets, and what ``replicant_redact``
    matches, are masked in all of them. All their types are in ``pytest_replicant``.

    An exception changes neither the test's result nor other reports. It is listed at the end of the
    run. Wrappers are not called. The reports of this package use the same hook, before any other.
    ``-p no:replicant-allure``, ``-p no:replicant-pytest-html`` and ``-p no:replicant-junit`` switch
    them off.

    In a ``conftest.py``::

        def pytest_replicant_trace(item, trace, files, row):
            code = row.cause.failure_code if row.cause else ""
            page = files.trace_html if files else ""
            with open("attempts.csv", "a", newline="") as file:
                csv.writer(file).writerow([trace.test.nodeid, row.outcome, code, page])
    """


@pytest.hookspec
def pytest_replicant_run(config: pytest.Config, run: RunRecord, files: RunFiles | None) -> None:
    """Report a run in which tests used phones.

    Called once, at the end, in the process that a person watches: with pytest-xdist that is the
    controller. ``run`` holds ``rows`` (one for each attempt), ``results`` (one for each test),
    ``causes`` (grouped failures), ``phones``, and ``flaky`` (tests that fail now and then in the
    last runs). ``run.to_dict()`` is the content of ``run.json``. ``files`` says where the index is
    (``files.index_html``); it is None if traces are off. Secrets are masked. An exception is listed
    at the end of the run, and changes neither its results nor other reports.

    In a ``conftest.py``::

        def pytest_replicant_run(run, files):
            failed = [result.nodeid for result in run.results if result.outcome == "failed"]
            page = files and files.index_html
            post_to_chat(f"{len(failed)} failed, {len(run.causes)} causes", page)
    """
