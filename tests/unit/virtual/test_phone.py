"""The phone as its faces use it: touches, keys, apps, time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_replicant.virtual import App, AppCrash, Latency, Screen, VirtualPhone

from .toy_app import PACKAGE, STILL, TOY, Hand, ManualClock, ToyState, state_of, toy_phone

LAUNCHER = ("com.replicant.launcher", "com.replicant.launcher.HomeActivity")


# --- apps -----------------------------------------------------------------------------------------


# --- crashes --------------------------------------------------------------------------------------
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


# --- time -----------------------------------------------------------------------------------------
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


# --- looking --------------------------------------------------------------------------------------
def test_nothing_changes_and_nothing_is_built_while_no_one_touches() -> None:
    phone = toy_phone()
    version, windows = phone.version(), phone.windows()
    assert phone.windows() is windows
    assert phone.version() == version
    Hand(phone).tap(text="Agree")
    assert phone.version() != version
    assert phone.windows() is not windows


# --- keys -----------------------------------------------------------------------------------------


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
    assert any(
        said in entry.message for entry in phone.log.entries() if entry.tag == "AndroidRuntime"
    )
