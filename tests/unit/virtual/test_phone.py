"""The phone as its faces use it: touches, keys, apps, time."""

from __future__ import annotations

import threading
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


def test_home_and_start_resume_a_running_app_where_it_was() -> None:
    phone = toy_phone()
    hand = Hand(phone)
    hand.tap(text="Agree")
    phone.press_key("HOME")
    assert phone.foreground() == LAUNCHER
    phone.start_app(PACKAGE)
    assert hand.find(text="Agree").checked


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


def test_clearing_what_is_not_installed_says_so() -> None:
    assert not toy_phone().clear_app("com.nobody")


@pytest.mark.parametrize(
    ("package", "activity", "wording"),
    [
        ("com.nobody", None, "unable to resolve Intent"),
        ("com.nobody", ".Main", r"Activity class \{com.nobody/.Main\} does not exist"),
        (PACKAGE, ".NoSuchActivity", r"Activity class \{dev.replicant.toy/.NoSuchActivity\} does not exist"),
    ],
)
def test_starting_what_is_not_there_is_worded_as_android_words_it(
    package: str, activity: str | None, wording: str
) -> None:
    phone = toy_phone()
    with pytest.raises(LookupError, match=wording):
        phone.start_app(package, activity)
    assert phone.foreground()[0] == PACKAGE


def test_an_uninstalled_app_does_not_start_and_has_no_icon() -> None:
    phone = VirtualPhone([TOY], latency=STILL)
    phone.packages.uninstall(PACKAGE)
    phone.stop_app(PACKAGE)
    assert "Toy" not in Hand(phone).texts()
    with pytest.raises(LookupError):
        phone.start_app(PACKAGE)


def test_a_link_opens_the_screen_that_it_names() -> None:
    phone = toy_phone()
    phone.start_app(PACKAGE, url="toy://rows")
    assert phone.foreground() == (PACKAGE, f"{PACKAGE}.RowsActivity")


def test_a_broadcast_reaches_the_app_that_listens() -> None:
    phone = toy_phone()
    assert phone.send_broadcast("toy.COUNT", {"who": "ada"}) == (1, "ada")
    assert phone.send_broadcast("toy.NOBODY", {}) == (0, "")


def test_the_overview_key_goes_to_the_app_before() -> None:
    phone = toy_phone()
    phone.press_key("HOME")
    phone.press_key("KEYCODE_APP_SWITCH")
    assert phone.foreground()[0] == PACKAGE


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


def test_a_frame_of_a_java_crash_names_its_file_and_line() -> None:
    phone = toy_phone("Perils")
    Hand(phone).tap(text="Null")
    block = next(entry.message for entry in phone.log.entries() if entry.tag == "AndroidRuntime")
    assert f"\tat {PACKAGE}.CartStore.total(CartStore.kt:42)" in block


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


def test_a_timer_that_crashes_kills_only_its_app() -> None:
    clock = ManualClock()
    phone = toy_phone("Perils", clock=clock)
    Hand(phone).tap(text="Late crash")
    clock.now += 1
    assert phone.foreground() == LAUNCHER


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


def test_a_toast_shows_for_two_seconds_in_a_window_of_its_own() -> None:
    clock = ManualClock()
    phone = toy_phone(clock=clock)
    hand = Hand(phone)
    hand.tap(text="Say")
    toast = next(window for window in phone.windows() if window.kind == "toast")
    assert not toast.accessible
    assert phone.last_toast == "Said"
    clock.now += 2.1
    assert "toast" not in hand.kinds()
    assert phone.last_toast == "Said"


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


def test_the_navigation_bar_can_be_tapped() -> None:
    phone = toy_phone()
    hand = Hand(phone)
    hand.tap(text="Next")
    hand.tap(description="Back")
    assert phone.foreground()[1] == f"{PACKAGE}.ControlsActivity"
    hand.tap(description="Home")
    assert phone.foreground() == LAUNCHER


@pytest.mark.parametrize("rotation", [1, 3])
def test_rotation_swaps_the_sides_and_lays_out_again(rotation: int) -> None:
    phone = toy_phone("Rows")
    phone.set_rotation(rotation)
    assert phone.size == (2400, 1080)
    assert phone.rotation == rotation
    root = phone.windows()[0].root
    assert (root.bounds.width, root.bounds.height) == (2400, 1080)
    assert Hand(phone).find(id="toolbar").bounds.width == 2400


def test_there_is_no_fifth_quarter_turn() -> None:
    with pytest.raises(ValueError, match="0 to 3"):
        toy_phone().set_rotation(4)


def test_density_scales_everything() -> None:
    small = VirtualPhone([TOY], latency=STILL, profile=Profile(width=480, height=800, density=160))
    small.start_app(PACKAGE)
    assert Hand(small).find(id="toolbar").bounds.height == 56
    assert Hand(toy_phone()).find(id="toolbar").bounds.height == 147


def test_threads_may_touch_and_look_at_the_same_time() -> None:
    phone = toy_phone("Rows")
    button = Hand(phone).find_all(id="add")[0].bounds.center

    def add() -> None:
        for _ in range(20):
            phone.tap(button.x, button.y)
            phone.windows()

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(state_of(phone).events) == 80


# --- keys -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("key", [4, "4", "BACK", "back", "KEYCODE_BACK"])
def test_a_key_by_number_or_name(key: str | int) -> None:
    phone = toy_phone()
    assert phone.press_key(key)
    assert phone.foreground() == LAUNCHER


@pytest.mark.parametrize("key", [9999, "NONSENSE", ""])
def test_an_unknown_key_is_refused(key: str | int) -> None:
    assert not toy_phone().press_key(key)


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


def test_an_activity_that_is_in_front_is_not_opened_twice() -> None:
    phone = toy_phone("Rows")
    phone.start_app(PACKAGE, f"{PACKAGE}.RowsActivity")
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
