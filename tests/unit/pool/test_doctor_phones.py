"""The checks of phones, each where it is fine and where it is not."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pytest_replicant.pool import Finding, Lease, bounded, phones
from pytest_replicant.virtual import (
    IPHONE,
    Latency,
    PhoneServer,
    Profile,
    VirtualPhone,
    start_server,
)

pytestmark = pytest.mark.slow

NO_WAITING = Latency.from_knobs({"latency": "0"})
SOUND = [
    "connection",
    "system",
    "boot",
    "screen",
    "lock",
    "storage",
    "battery",
    "keyboard",
    "clock",
    "lease",
]


@pytest.fixture
def phone() -> VirtualPhone:
    return VirtualPhone(profile=Profile(serial="R5CT"), latency=NO_WAITING)


@pytest.fixture
def server(phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch) -> Iterator[PhoneServer]:
    with start_server(phone) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        yield server


def look(*uris: str, seconds: float = 30) -> dict[str, Finding]:
    """By name, of one phone."""
    (subject,) = phones(uris, seconds)
    return {each.name: each for check in subject.checks() for each in bounded(check)}


def troubled(found: dict[str, Finding]) -> dict[str, str]:
    return {name: each.status for name, each in found.items() if each.status != "ok"}


def test_a_sound_android_phone(server: PhoneServer, phone: VirtualPhone) -> None:
    found = look("android:R5CT")
    assert troubled(found) == {"animations": "warn"}
    assert [*found] == [*SOUND[:5], "animations", *SOUND[5:], "uiautomator2"]
    assert found["system"].found == "Virtual Phone, Android 14, API 34, arm64-v8a"
    assert "3.7" in found["uiautomator2"].found
    assert "LatinIME" in found["keyboard"].found
    Lease(f"adb://127.0.0.1:{server.port}/R5CT").acquire().release()  # it was given back


def test_a_phone_in_trouble(server: PhoneServer, phone: VirtualPhone) -> None:
    """Every trouble is reported, one next to the other."""
    for name in ("window_animation_scale", "transition_animation_scale", "animator_duration_scale"):
        phone.settings.put("global", name, "0")
    phone.settings.put("battery", "level", "7")
    phone.settings.put("battery", "status", "3")
    phone.keyguard.set_pin("1234")
    phone.press_key("POWER")
    phone.log.now = lambda: time.time() - 7200
    found = look("android:R5CT")
    assert troubled(found) == {"screen": "warn", "lock": "fail", "battery": "warn", "clock": "warn"}
    assert found["clock"].found.startswith("2 hours behind")
    assert "its screen is off" in found["uiautomator2"].found
    assert not phone.awake
    phone.keyguard.set_pin("")
    assert look("android:R5CT")["lock"].status == "warn"


def test_a_phone_that_is_still_starting_is_not_opened(
    server: PhoneServer, phone: VirtualPhone
) -> None:
    phone.settings.put("property", "sys.boot_completed", "0")
    found = look("android")
    assert found["boot"].status == "fail"
    assert "uiautomator2" not in found


@pytest.mark.parametrize(
    ("state", "message", "advice"),
    [
        (
            "unauthorized",
            "R5CT does not trust this computer",
            "accept the question about USB debugging on its screen",
        ),
        ("offline", "R5CT does not answer adb", "unplug it and plug it in again, or restart it"),
    ],
)
def test_a_phone_that_cannot_be_used(
    server: PhoneServer, state: str, message: str, advice: str
) -> None:
    server.set_state("R5CT", state)  # type: ignore[arg-type]
    found = look(f"adb://127.0.0.1:{server.port}/R5CT")
    assert [*found] == ["connection"]
    assert (found["connection"].status, found["connection"].found, found["connection"].next) == (
        "fail",
        message,
        advice,
    )


def test_a_phone_that_is_not_there(server: PhoneServer) -> None:
    found = look("android:R5CTX")
    assert (
        found["connection"].status,
        "Did you mean android:R5CT?" in found["connection"].next,
    ) == (
        "fail",
        True,
    )
    assert look("android:quite-another")["connection"].next.startswith(
        "Name one that is attached:\n  R5CT: "
    )


def test_a_phone_that_another_run_holds_is_left_alone(
    server: PhoneServer, phone: VirtualPhone
) -> None:
    lease = Lease(f"adb://127.0.0.1:{server.port}/R5CT").acquire()
    try:
        found = look("android:R5CT")
    finally:
        lease.release()
    assert troubled(found) == {"animations": "warn", "lease": "warn", "uiautomator2": "skip"}
    assert "is in use by" in found["lease"].found


def test_all_that_are_attached(server: PhoneServer) -> None:
    server.attach(VirtualPhone(profile=Profile(serial="emulator-5554")))
    groups = [subject.group for subject in phones(["android", "virtual", "android:R5CT"], 1)]
    assert groups == ["android:R5CT", "android:emulator-5554", "virtual"]


@pytest.mark.parametrize(
    "uri",
    [
        "virtual?latency=0",
        "virtual:3?latency=0",
        "virtual:ios:2?latency=0",
        "virtual:ios?latency=0",
    ],
)
def test_a_virtual_phone(uri: str) -> None:
    assert {name: each.status for name, each in look(uri).items()} == {"screen": "ok"}


def test_a_virtual_phone_that_does_not_answer() -> None:
    (found,) = look("virtual?latency=0&fail_dump=1", seconds=20).values()
    assert found.status == "fail"
    (found,) = look("virtual?lattency=0").values()
    assert (found.status, "no knob 'lattency'" in found.found) == ("fail", True)


def test_what_only_a_driver_of_the_project_knows() -> None:
    assert look("farm:7")["driver"].status == "skip"


@pytest.mark.parametrize(
    "uri", ["ios:nope", "adb://host", "android:", "ios:http://user:secret@127.0.0.1:8100"]
)
def test_one_of_ours_that_is_written_wrong_is_not_passed_by(uri: str) -> None:
    found = look(uri)["driver"]
    assert (found.status, found.found.startswith("device '"), "secret" in found.found) == (
        "warn",
        True,
        False,
    )


# --- iPhones --------------------------------------------------------------------------------------
@pytest.fixture
def an_iphone() -> VirtualPhone:
    return VirtualPhone(profile=IPHONE, latency=NO_WAITING)


@pytest.fixture
def agent(an_iphone: VirtualPhone) -> Iterator[PhoneServer]:
    with start_server(an_iphone, server=False, wda=True) as server:
        yield server


def test_a_sound_iphone(agent: PhoneServer) -> None:
    found = look(f"ios:{agent.wda_url}")
    assert troubled(found) == {}
    assert [*found] == ["WebDriverAgent", "lease", "session", "lock", "alert", "screen"]
    assert "iOS 17.5" in found["WebDriverAgent"].found
    assert "1179 x 2556 pixels, 3 to a point" in found["screen"].found


def test_a_locked_iphone_and_an_alert(agent: PhoneServer, an_iphone: VirtualPhone) -> None:
    an_iphone.show_system_dialog("Battery low", "10 % left")
    found = look(f"ios:{agent.wda_url}")
    assert troubled(found) == {"alert": "warn"}
    assert "Battery low" in found["alert"].found
    an_iphone.press_key("POWER")
    assert look(f"ios:{agent.wda_url}")["lock"].status == "fail"


def test_a_webdriveragent_that_is_too_old(an_iphone: VirtualPhone) -> None:
    old = VirtualPhone([], profile=replace(an_iphone.profile, wda="8.12"))
    with start_server(old, server=False, wda=True) as server:
        found = look(f"ios:{server.wda_url}")
    assert found["WebDriverAgent"].status == "fail"
    assert (
        "version 8.12.0, and the oldest that can be driven is 9.0" in found["WebDriverAgent"].found
    )
    assert "session" not in found
