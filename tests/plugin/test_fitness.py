"""A phone is made ready before its first test, or the run says what to do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual import Latency, Profile, VirtualPhone, start_server
from tests.conftest import Run

pytestmark = pytest.mark.slow

SOURCE = """
def test_shop(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
"""
DEVICE = "--replicant-device=android"


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch) -> Iterator[VirtualPhone]:
    """Attached to this computer, dark."""
    phone = VirtualPhone(demo_apps(()), latency=Latency.from_knobs({"latency": "0"}))
    with start_server(phone) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        yield phone


@pytest.mark.thorough
def test_a_dark_phone_is_woken_and_storage_that_runs_out_is_told(
    run: Run, phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_replicant.virtual.shell.commands.files._CAPACITY_KIB", 300 * 1024)
    phone.keyguard.disable(False)
    phone.press_key("POWER")
    result = run(SOURCE, DEVICE, "-W", "default")
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(
        ["*PytestWarning: android:virtual-1: /data is nearly full: 2* MiB free*Next: delete*"]
    )


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock screen that stays is waited for only a moment."""
    monkeypatch.setattr("pytest_replicant.pool.readiness._LIT_SECONDS", 0.3)


@pytest.mark.usefixtures("impatient")
def test_a_locked_phone_fails_no_test(run: Run, phone: VirtualPhone) -> None:
    """It is infra: nothing was tested."""
    phone.keyguard.set_pin("1234")
    phone.press_key("POWER")
    result = run(SOURCE, DEVICE)
    assert result.parseoutcomes().keys() & {"failed", "passed"} == set()
    result.stdout.no_fnmatch_line("*passed over*")
    result.stdout.fnmatch_lines(
        [
            "*android:virtual-1 cannot be tested on: the lock screen is up*Next: unlock it, and "
            "set Settings > *"
        ]
    )


@pytest.mark.usefixtures("impatient")
def test_a_locked_phone_is_passed_over_while_another_will_do(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    latency = Latency.from_knobs({"latency": "0"})
    locked, sound = (
        VirtualPhone(demo_apps(()), profile=Profile(serial=serial), latency=latency)
        for serial in ("a", "b")
    )
    locked.keyguard.set_pin("1234")
    locked.press_key("POWER")
    with start_server(locked, sound) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        result = run(SOURCE, DEVICE)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["replicant: passed over android:a cannot be tested on: the lock screen is up*"]
    )
