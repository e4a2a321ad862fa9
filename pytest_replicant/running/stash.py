"""Where state between hooks is kept: keys of pytest's own stash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ..options.options import Options

if TYPE_CHECKING:
    from ..cassettes import Recording, Replay
    from ..model import Redactor
    from ..pool import AppPackage, DevicePool, Loss, ResourcePool
    from ..session import BaselineFiles, Death, DeviceSession, Recorder, SecondsLeft


ASKED = "replicant_asked"
"""Attribute of the report of a setup, of a test that asked for a phone, as only its process knows:
the ids of the cases that it covers, ``""`` where its marker names none."""


@dataclass(eq=False)
class TestSession:
    """One phone's session in one attempt of one test, and what it left behind. ``nodeid`` is the
    test's, marked for the second phone and further ones. ``of_fixture``: of a replay, the earlier
    test in which a fixture of a wider scope had it; the next use begins one of this test's own."""

    __test__ = False  # the name looks like a test class to pytest

    session: DeviceSession
    recorder: Recorder
    nodeid: str
    attempt: int
    late_death: Death | None = None  # of an app, while fixtures were torn down
    is_over: bool = False
    of_fixture: str = ""


def attempt_number(item: pytest.Item) -> int:
    """Number of the attempt: 0, and one more for each rerun, as pytest-rerunfailures counts them,
    and for each requeue, after which that starts again."""
    return item.stash.get(EARLIER_ATTEMPTS, 0) + max(getattr(item, "execution_count", 1) - 1, 0)


OPTIONS = pytest.StashKey[Options]()
APP: pytest.StashKey[AppPackage] = pytest.StashKey()
"""The package that --replicant-app named; absent where it named an id, or nothing."""
SESSIONS = pytest.StashKey["list[TestSession]"]()
RUN_ID = pytest.StashKey[str]()
BUILT = pytest.StashKey[str]()
"""What was built before the run and how long that took; absent if nothing was."""
GROUPS = pytest.StashKey["list[str]"]()
"""Titles of the steps of a scenario that are under way, the outermost first; absent where the test
is none."""
LOSS: pytest.StashKey[Loss] = pytest.StashKey()
"""The phone that the attempt under way has lost."""
EARLIER_ATTEMPTS = pytest.StashKey[int]()
"""Attempts of a test before it was requeued, which happens once; absent where it was not."""
SECRETS: pytest.StashKey[Redactor] = pytest.StashKey()
"""Every secret of this process, shared by all sessions: what one test typed may turn up in the next
one."""
TRACE_PAGE: pytest.StashKey[Callable[[str, int], str]] = pytest.StashKey()
"""(node id, attempt) to where the page of a test will be, "" if none is written."""
PICTURE_TAKEN: pytest.StashKey[Callable[[bytes], None]] = pytest.StashKey()
"""Called with each screenshot as it is taken; absent where most are not kept."""
PAUSE: pytest.StashKey[Callable[[DeviceSession, str], None]] = pytest.StashKey()
"""What ``mobile.pause()`` does at a line of the test, "tests/test_shop.py:18"; absent if nothing is
paused."""
READING_ON: pytest.StashKey[SecondsLeft] = pytest.StashKey()
"""How long the failed checks of this process are still read on about."""
BASELINES: pytest.StashKey[Callable[[pytest.Item], BaselineFiles]] = pytest.StashKey()
"""The files next to the file of a test that its checks compare with, and that
``--replicant-update`` writes."""
POOL: pytest.StashKey[DevicePool] = pytest.StashKey()
"""The phones of this process; absent until a test has asked for one."""
TAPE: pytest.StashKey[Recording] = pytest.StashKey()
"""What the attempt under way is recorded on; absent until it has a phone, and where no trace is
kept."""
RESOURCES_OF_TEST = "resources of the test"
"""Under which the accounts and other resources of a test are among the values of its recording."""
REPLAYED_RESOURCES: pytest.StashKey[ResourcePool] = pytest.StashKey()
"""Those of a run that is a replay; absent in any other."""
REPLAYED_PHONES: pytest.StashKey[DevicePool] = pytest.StashKey()
"""The phones of a run that is a replay; absent in any other."""
REPLAY: pytest.StashKey[Replay] = pytest.StashKey()
"""The recording that a test is replayed from; absent where it runs on a phone."""
RESOURCES: pytest.StashKey[ResourcePool] = pytest.StashKey()
"""The accounts and other resources of this process; absent until a test has asked for one."""
WAITS: pytest.StashKey[dict[str, float]] = pytest.StashKey()
"""Node id to the seconds for which the test waited for a phone or an account that others held."""


def note_wait(item: pytest.Item, seconds: float) -> None:
    """Adds to the waits of a test."""
    if seconds:
        waits = item.config.stash.setdefault(WAITS, {})
        waits[item.nodeid] = waits.get(item.nodeid, 0) + seconds
