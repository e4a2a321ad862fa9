"""A thousand verified steps leave nothing behind: no thread, no socket, no open file, and bounded
memory."""

from __future__ import annotations

import gc
import os
import resource
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_replicant import by
from pytest_replicant.pool import open_device
from pytest_replicant.session import DeviceSession, build_session

STEPS = 1000
WARM_UP = 200
MOST_GROWTH_KIB = 48 * 1024
# the virtual phone, which lives in this process too, starts the threads of its pool as it needs
# them
POOL = 4


@pytest.fixture
def mobile() -> Iterator[DeviceSession]:
    with open_device("virtual?latency=0") as opened:
        session, recorder = build_session(opened.driver, interval=0.0, quiet=0.0, screenshots=False)
        try:
            yield session
        finally:
            recorder.close()


def held() -> tuple[int, int]:
    """Threads, and open files with sockets among them."""
    gc.collect()
    return threading.active_count(), len(os.listdir("/proc/self/fd"))


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts open files in /proc")
def test_a_thousand_verified_steps_leave_nothing_behind(mobile: DeviceSession) -> None:
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    remember = by(text="Remember me")
    before, peak = held(), 0
    for number in range(STEPS):
        mobile.tap(remember).expect_state(remember, checked=number % 2 == 0)
        if number == WARM_UP:
            before, peak = held(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    threads, files = held()
    assert files == before[1]
    assert threads <= before[0] + POOL
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < MOST_GROWTH_KIB
