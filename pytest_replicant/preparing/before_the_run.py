"""What is done once, before the first test and before there are workers: one step after the other, in order."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ..errors import DeviceError, UsageError
from .app import prepare_app
from .build import build
from .emulators import boot_emulators
from .shared_phones import share_phones

Step = Callable[[pytest.Config], None]
"""Puts what it found into ``config.stash[OPTIONS]``, and what undoes it into ``config.add_cleanup``."""

STEPS: tuple[Step, ...] = (build, boot_emulators, prepare_app, share_phones)
_LISTING = ("collectonly", "setupplan", "showfixtures", "show_fixtures_per_test", "cacheshow")
"""Options with which pytest begins a session and runs no test."""


class BeforeTheRun:
    """Registered on the controller, or on the only process."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Workers are started by a later hook. Where tests or fixtures are only listed, nothing is prepared."""
        if any(getattr(session.config.option, name, None) for name in _LISTING):
            return
        for step in STEPS:
            try:
                step(session.config)
            except (UsageError, DeviceError) as error:
                raise pytest.UsageError(f"replicant: {error}") from None
