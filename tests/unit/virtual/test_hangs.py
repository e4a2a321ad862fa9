"""An app whose main thread is blocked: its screen, the input that waits, the system's dialog, the log."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import VirtualPhone

from .frail_app import FRAIL, FrailHand, frail_phone, frail_state
from .notes_phone import sh
from .toy_app import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def hung(clock: ManualClock) -> tuple[VirtualPhone, FrailHand]:
    phone, hand = frail_phone(clock)
    hand.tap(id="hang")
    return phone, hand


Hung = tuple[VirtualPhone, FrailHand]


def test_the_screen_stands_still_until_the_app_is_back(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    assert frail_state(phone).count == 100
    assert hand.find(id="count").text == "0 taps"
    phone.press_key("VOLUME_UP")
    clock.now += 11
    assert hand.find(id="count").text == "0 taps"
    clock.now += 1
    assert hand.find(id="count").text == "100 taps"


def test_taps_wait_and_are_delivered_in_the_end(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    hand.tap(id="add")
    hand.tap(id="add")
    clock.now += 4
    assert frail_state(phone).count == 100
    clock.now += 8
    assert hand.find(id="count").text == "102 taps"
    hand.tap(id="add")
    assert hand.find(id="count").text == "103 taps"


def test_a_tap_that_waits_may_hang_the_app_again(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    hand.tap(id="hang")
    hand.tap(id="add")
    clock.now += 12
    assert hand.find(id="count").text == "100 taps"
    assert frail_state(phone).count == 200
    clock.now += 12
    assert hand.find(id="count").text == "201 taps"


def test_a_timer_waits_as_well(clock: ManualClock) -> None:
    phone, hand = frail_phone(clock)
    hand.tap(id="later")
    hand.tap(id="hang")
    clock.now += 11
    phone.windows()
    assert frail_state(phone).count == 100
    clock.now += 1
    phone.windows()
    assert frail_state(phone).count == 101


def test_no_one_complains_while_nothing_waits(hung: Hung, clock: ManualClock) -> None:
    _, hand = hung
    clock.now += 11
    assert hand.top_kind() == "app"


def test_the_system_says_that_the_app_is_not_responding(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    hand.tap(id="add")
    clock.now += 4.9
    assert hand.top_kind() == "app"
    clock.now += 0.1
    assert (hand.top.kind, hand.top.package) == ("system_dialog", "android")
    assert hand.top_texts() == ["Frail isn't responding", "Close app", "Wait"]
    texts = {"alertTitle": "Frail isn't responding", "aerr_close": "Close app", "aerr_wait": "Wait"}
    assert {name: hand.find(resource_id=f"android:id/{name}").text for name in texts} == texts
    assert phone.foreground() == (FRAIL, f"{FRAIL}.MainActivity")
    focus = sh(phone, "dumpsys window | grep mCurrentFocus").out
    assert f" u0 Application Not Responding: {FRAIL}}}" in focus


def test_the_log_says_so_in_androids_words(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    hand.tap(id="add")
    clock.now += 5
    phone.windows()
    (entry,) = [each for each in phone.log.entries() if each.message.startswith("ANR in")]
    assert (entry.buffer, entry.level, entry.tag) == ("system", "E", "ActivityManager")
    head, pid, reason, *_ = entry.message.splitlines()
    assert head == f"ANR in {FRAIL} ({FRAIL}/.MainActivity)"
    assert pid == f"PID: {phone.processes()[FRAIL]}"
    assert reason.startswith("Reason: Input dispatching timed out (")
    assert "Waited 5001ms" in reason
    assert "E ActivityManager: ANR in" in sh(phone, "logcat -d -b system -v threadtime").out
    assert "am_anr" in sh(phone, "logcat -d -b events").out


def test_waiting_brings_the_dialog_back_while_the_app_hangs(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    hand.tap(id="add")
    clock.now += 5
    hand.tap(text="Wait")
    assert hand.top_kind() == "app"
    clock.now += 4
    assert hand.top_kind() == "app"
    clock.now += 1
    assert hand.top_kind() == "system_dialog"
    clock.now += 2
    assert hand.top_kind() == "app"
    assert hand.find(id="count").text == "101 taps"
    assert len([each for each in phone.log.entries() if each.message.startswith("ANR in")]) == 2


def test_closing_the_app_ends_its_process(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    hand.tap(id="add")
    clock.now += 5
    hand.tap(text="Close app")
    assert phone.foreground()[0] == "com.replicant.launcher"
    assert FRAIL not in phone.processes()
    assert hand.top_kind() == "app"
    phone.start_app(FRAIL)
    assert hand.find(id="count").text == "0 taps"
    clock.now += 30
    assert hand.find(id="count").text == "0 taps"


def test_back_and_a_touch_next_to_it_leave_the_dialog(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    hand.tap(id="add")
    clock.now += 5
    assert hand.top_kind() == "system_dialog"
    phone.press_key("BACK")
    phone.tap(5, 300)
    assert hand.top_kind() == "system_dialog"


def test_how_long_input_may_wait_is_the_apps_own(clock: ManualClock) -> None:
    _, hand = frail_phone(clock, anr_ms=700)
    hand.tap(id="hang")
    hand.tap(id="add")
    clock.now += 0.7
    assert hand.top_kind() == "system_dialog"


def test_keys_and_text_wait_too(clock: ManualClock) -> None:
    phone, hand = frail_phone(clock)
    hand.tap(id="note")
    assert phone.keyboard_shown
    hand.tap(id="hang")
    assert phone.type_text("abc")
    phone.press_key("DEL")
    assert frail_state(phone).note == ""
    clock.now += 12
    assert hand.find(id="note").text == "ab"


def test_back_waits_and_home_does_not(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    phone.press_key("BACK")
    assert phone.foreground()[0] == FRAIL
    phone.press_key("HOME")
    assert phone.foreground()[0] == "com.replicant.launcher"
    clock.now += 4
    phone.start_app(FRAIL)
    assert hand.find(id="count").text == "0 taps"
    clock.now += 8
    assert phone.foreground()[0] == "com.replicant.launcher"


def test_a_stopped_app_hangs_no_more(hung: Hung, clock: ManualClock) -> None:
    phone, hand = hung
    hand.tap(id="add")
    phone.stop_app(FRAIL)
    phone.start_app(FRAIL)
    hand.tap(id="add")
    assert hand.find(id="count").text == "1 taps"
    clock.now += 6
    assert hand.top_kind() == "app"
