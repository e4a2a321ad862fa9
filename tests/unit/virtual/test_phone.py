"""The phone as its faces use it: touches, keys, apps, time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_replicant.virtual import IPHONE, App, AppCrash, Latency, Profile, Screen, VirtualPhone

from .toy_app import PACKAGE, STILL, TOY, Hand, ManualClock, ToyState, state_of, toy_phone

LAUNCHER = ("com.replicant.launcher", "com.replicant.launcher.HomeActivity")


# --- apps -------------------------------------------------------------------------------------------------
def test_the_phone_starts_at_home_and_an_icon_starts_its_app() -> None:
    phone = VirtualPhone([TOY], latency=STILL)
    assert phone.foreground() == LAUNCHER
    Hand(phone).tap(text="Toy")
    assert phone.foreground() == (PACKAGE, f"{PACKAGE}.ControlsActivity")
    assert phone.processes()[PACKAGE] > 1


def test_a_stopped_app_loses_its_state_and_keeps_its_data() -> None:
    phone = toy_phone("Perils")
    Hand(phone).tap(text="Keep")
    phone.stop_app(PACKAGE)
    assert phone.foreground() == LAUNCHER
    assert PACKAGE not in phone.processes()
    phone.start_app(PACKAGE)
    assert state_of(phone).stored == {"kept": True}
    assert phone.clear_app(PACKAGE)
    phone.start_app(PACKAGE)
    assert state_of(phone).stored == {}


def test_a_link_opens_the_screen_that_it_names() -> None:
    phone = toy_phone()
    phone.start_app(PACKAGE, url="toy://rows")
    assert phone.foreground() == (PACKAGE, f"{PACKAGE}.RowsActivity")


# --- crashes ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("button", "said"),
    [
        ("Null", "java.lang.NullPointerException: cart is null"),
        ("Python", "java.lang.RuntimeException: KeyError: 'nothing'"),
        ("Break", "java.lang.RuntimeException: ValueError: cannot be built"),
    ],
)
def test_a_crash_kills_the_app_and_not_the_phone(button: str, said: str) -> None:
    phone = toy_phone("Perils")
    pid = phone.processes()[PACKAGE]
    Hand(phone).tap(text=button)
    assert phone.foreground() == LAUNCHER
    assert PACKAGE not in phone.processes()
    block = next(entry for entry in phone.log.entries() if entry.tag == "AndroidRuntime")
    lines = block.message.splitlines()
    assert lines[:3] == ["FATAL EXCEPTION: main", f"Process: {PACKAGE}, PID: {pid}", said]
    assert lines[3].startswith(f"\tat {PACKAGE}.")
    assert (block.level, block.buffer, block.pid) == ("E", "crash", pid)
    phone.start_app(PACKAGE)
    assert phone.processes()[PACKAGE] != pid


# --- time -------------------------------------------------------------------------------------------------
def test_timers_run_when_somebody_looks_and_not_before_they_are_due() -> None:
    clock = ManualClock()
    phone = toy_phone("Perils", clock=clock)
    Hand(phone).tap(text="Later")
    clock.now += 0.499
    phone.windows()
    assert state_of(phone).events == []
    clock.now += 0.002
    version = phone.version()
    assert state_of(phone).events == ["later"]
    assert phone.version() == version


def test_a_dead_process_has_no_timers() -> None:
    clock = ManualClock()
    phone = toy_phone("Perils", clock=clock)
    Hand(phone).tap(text="Late crash")
    phone.stop_app(PACKAGE)
    phone.start_app(PACKAGE)
    clock.now += 1
    assert phone.foreground()[0] == PACKAGE


def test_the_next_screen_comes_after_the_screen_change() -> None:
    clock = ManualClock()
    phone = toy_phone(latency=Latency(screen_change_ms=180), clock=clock)
    assert phone.foreground() == LAUNCHER
    clock.now += 0.2
    assert phone.foreground()[0] == PACKAGE
    hand = Hand(phone)
    hand.tap(text="Next")
    clock.now += 0.1
    assert "Rows" not in hand.texts()
    clock.now += 0.1
    assert "Rows" in hand.texts()


def test_a_keyboard_that_is_still_rising_goes_with_the_back_key() -> None:
    clock = ManualClock()
    phone = toy_phone(latency=Latency(screen_change_ms=180), clock=clock)
    clock.now += 1
    Hand(phone).tap(hint="Email")
    assert not phone.keyboard_shown
    phone.press_key("BACK")
    clock.now += 1
    assert not phone.keyboard_shown
    assert phone.foreground()[0] == PACKAGE


@pytest.mark.parametrize(("profile", "stays"), [(Profile(), True), (IPHONE, False)], ids=["android", "iphone"])
def test_what_an_iphones_app_says_ends_with_the_app(profile: Profile, stays: bool) -> None:
    phone = VirtualPhone([TOY], profile=profile, latency=STILL, clock=ManualClock())
    phone.start_app(PACKAGE)
    Hand(phone).tap(text="Say")
    phone.stop_app(PACKAGE)
    phone.start_app(PACKAGE)
    said = [node.text for window in phone.windows() for node in window.root.walk()]
    assert ("Said" in said) == stays


# --- looking ----------------------------------------------------------------------------------------------
def test_nothing_changes_and_nothing_is_built_while_no_one_touches() -> None:
    phone = toy_phone()
    version, windows = phone.version(), phone.windows()
    assert phone.windows() is windows
    assert phone.version() == version
    Hand(phone).tap(text="Agree")
    assert phone.version() != version
    assert phone.windows() is not windows


def test_the_system_bars_frame_every_app_and_are_in_no_dump() -> None:
    phone = toy_phone()
    assert Hand(phone).kinds() == ["app", "status_bar", "navigation_bar"]
    assert [window.kind for window in phone.windows() if window.accessible] == ["app"]


@pytest.mark.parametrize("rotation", [1, 3])
def test_rotation_swaps_the_sides_and_lays_out_again(rotation: int) -> None:
    phone = toy_phone("Rows")
    phone.set_rotation(rotation)
    assert phone.size == (2400, 1080)
    assert phone.rotation == rotation
    root = phone.windows()[0].root
    assert (root.bounds.width, root.bounds.height) == (2400, 1080)
    assert Hand(phone).find(id="toolbar").bounds.width == 2400


# --- keys -------------------------------------------------------------------------------------------------


def test_back_closes_one_thing_at_a_time() -> None:
    phone = toy_phone("Form")
    hand = Hand(phone)
    hand.tap(hint="Name")
    assert phone.keyboard_shown
    phone.press_key("BACK")
    assert not phone.keyboard_shown
    assert phone.foreground()[1].endswith("FormActivity")
    phone.press_key("BACK")
    assert phone.foreground() == LAUNCHER


def broken_state(stored: dict[str, Any]) -> ToyState:
    raise AppCrash("java.lang.IllegalStateException", "no database")


def broken_link(url: str) -> Screen[ToyState]:
    raise AppCrash("java.net.URISyntaxException", url)


@pytest.mark.parametrize(
    ("app", "url", "said"),
    [
        (replace(TOY, state=broken_state), None, "java.lang.IllegalStateException: no database"),
        (replace(TOY, links=broken_link), "toy://x", "java.net.URISyntaxException: toy://x"),
    ],
)
def test_an_app_that_dies_while_it_starts_leaves_the_launcher_in_front(
    app: App[ToyState], url: str | None, said: str
) -> None:
    phone = VirtualPhone([app], latency=STILL)
    phone.start_app(PACKAGE, url=url)
    assert phone.foreground() == LAUNCHER
    assert any(said in entry.message for entry in phone.log.entries() if entry.tag == "AndroidRuntime")
