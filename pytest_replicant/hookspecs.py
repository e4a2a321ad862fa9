"""The hooks that pytest-replicant calls. Each docstring is its reference page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .drivers import Driver
    from .model import Failure, Recovery, RecoveryState
    from .session import RecoveryContext

hookimpl = pytest.hookimpl
"""Marks an implementation of one of these hooks, as of any of pytest's: ``@hookimpl(tryfirst=True)``."""


@pytest.hookspec(firstresult=True)
def pytest_replicant_driver(uri: str, config: pytest.Config) -> Driver | None:
    """Return a driver for a phone that only you know how to reach, or None.

    Called once for every phone that a run opens, before the built-in kinds are tried; the first answer wins.
    ``uri`` is what the user gave with ``--replicant-device``; of ``android`` and ``virtual:3``, which are several
    phones, one after the other has a ``uri`` of its own. Raise ``DeviceError`` where the URI is yours but
    the phone is not there.

    In a ``conftest.py``::

        def pytest_replicant_driver(uri, config):
            if uri.startswith("farm:"):
                return FarmDriver(uri)
    """


@pytest.hookspec(firstresult=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """Return a ``Recovery`` for a failed action or check, or None.

    Called each time an action or a check has failed, after all waiting, until it succeeds, no policy has an answer
    or the budget is spent (3 recoveries, of which 3 may resolve the target again). The first answer wins; hooks of
    the test's own folders are asked before the built-in policies. ``session`` is a ``RecoveryContext``: it reads
    the phone and the test so far. ``failure`` says what happened and where, ``failure.snapshot`` is the screen;
    ``state`` says what was tried so far.

    A policy only answers: the session performs the ``Recovery``, in the trace and within the budget, never the
    same one twice on the same screen, and never repeats an action that may have taken effect unless it is
    idempotent or the screen proves that nothing changed. Actions and checks that a policy makes by itself are a
    ``UsageError``. A test that needed recovery ends as *recovered*.

    In a ``conftest.py``::

        def pytest_replicant_recover(session, failure, state):
            survey = failure.snapshot and failure.snapshot.find_all(text="How do you like our app?")
            if survey:
                return Recovery("state_refresh", before=(Remedy.tap(by(text="Not now")),), reason="a survey")
    """
