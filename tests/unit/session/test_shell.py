"""Commands on the virtual phone: what failed says what to do next, what is known comes as
values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pytest_replicant import connect
from pytest_replicant.errors import UsageError
from pytest_replicant.session import DeviceSession
from tests.conformance.phones import SHOP


@pytest.fixture(scope="module")
def mobile() -> Iterator[DeviceSession]:
    with connect("virtual?latency=0") as session:
        session.launch(SHOP)
        yield session


@pytest.mark.parametrize(
    "command",
    [
        "dumpsys battery",
        f"dumpsys package {SHOP}",
        "dumpsys activity activities",
        "pm list packages",
        "settings get system screen_off_timeout",
        "getprop ro.build.version.sdk",
        "wm size",
    ],
)
def test_well_known_commands_are_parsed_in_either_form(mobile: DeviceSession, command: str) -> None:
    told = mobile.shell(command)
    assert told.parsed
    assert told.hints == ()
    if "battery" in command:
        assert told.parsed["level"] == 85
    assert mobile.shell(command.split()).parsed == told.parsed


def test_values_are_those_of_the_phone(mobile: DeviceSession) -> None:
    front = mobile.current_app
    assert (
        mobile.shell("dumpsys activity activities").parsed["resumed"]
        == f"{front.app}/{front.activity}"
    )
    assert SHOP in mobile.shell("pm list packages").parsed
    assert mobile.shell("wm size").parsed["physical"] == [mobile.info.width, mobile.info.height]
    assert mobile.shell(["getprop", "ro.product.model"]).parsed == {
        "ro.product.model": mobile.info.model
    }


def test_a_command_that_failed_says_what_to_do_next(mobile: DeviceSession) -> None:
    told = mobile.shell(["nope", "it's"])
    assert (told.exit_code, told.parsed) == (127, None)
    assert "`which nope`" in told.hints[0]
    assert "resolve-activity" in mobile.shell(f"am start -n {SHOP}/.Nope").hints[0]
    assert "`service list`" in mobile.shell("dumpsys nope").hints[0]


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), "5", True, 30_000])
def test_a_time_out_that_is_none_is_not_the_phones_fault(
    mobile: DeviceSession, timeout: Any
) -> None:
    with pytest.raises(UsageError, match=r"shell\(timeout="):
        mobile.shell("echo x", timeout=timeout)
