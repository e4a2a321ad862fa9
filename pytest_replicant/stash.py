"""Where state between hooks is kept: keys of pytest's own stash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from .options import Options

if TYPE_CHECKING:
    from .session.device_session import DeviceSession
    from .session.trace import Recorder


@dataclass(frozen=True)
class TestSession:
    """One phone's session in one test, and what it left behind."""

    __test__ = False  # the name looks like a test class to pytest

    session: DeviceSession
    recorder: Recorder


OPTIONS = pytest.StashKey[Options]()
SESSIONS = pytest.StashKey["list[TestSession]"]()
RUN_ID = pytest.StashKey[str]()
