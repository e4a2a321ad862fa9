"""Taps that count, dialogs that come in between, servers that fail, apps that die."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual.demo_apps.lab import PACKAGE

from .visitor import Visitor


def test_the_counter_counts_every_tap() -> None:
    visitor = Visitor("counter")
    for _ in range(3):
        visitor.tap("Tap")
    assert visitor.find(id="count").text == "3"
    assert visitor.events == ["tap 1", "tap 2", "tap 3"]
    assert visitor.log.count("I Lab: tap ") == 3


def test_no_tap_is_lost_where_none_should_be() -> None:
    visitor = Visitor("lost-tap?lost=0")
    visitor.tap("Unlock")
    assert visitor.result == "Unlocked"


def test_each_tap_is_an_order_and_they_outlive_the_process() -> None:
    visitor = Visitor("place-order")
    visitor.tap(id="place_order")
    visitor.tap(id="place_order")
    assert visitor.result == "Orders: 2"
    visitor.phone.stop_app(PACKAGE)
    visitor.open("place-order")
    assert visitor.result == "Orders: 2"
    visitor.phone.clear_app(PACKAGE)
    visitor.open("place-order")
    assert visitor.result == "Orders: 0"


# --- dialogs ------------------------------------------------------------------------------------------------
def coming(seed: int) -> list[tuple[int, str]]:
    """When a new window came, in tenths of a second, and what it said first; each is answered with no."""
    visitor = Visitor(f"surprise-dialogs?seed={seed}&most=4")
    seen = []
    for tenth in range(1, 200):
        visitor.wait(100)
        for refusal in ("Not now", "Don’t allow"):
            if visitor.sees(refusal):
                seen.append((tenth, visitor.texts()[0]))
                visitor.tap(refusal)
    return seen


def test_dialogs_come_by_the_seed_and_always_the_same_way() -> None:
    first = coming(3)
    assert len(first) == 4
    assert coming(3) == first
    assert coming(4) != first


def test_work_goes_on_between_the_dialogs_and_no_dialog_comes_elsewhere() -> None:
    visitor = Visitor("surprise-dialogs?most=0")
    visitor.wait(60_000)
    visitor.tap("Work")
    assert visitor.result == "Worked 1 times"
    visitor = Visitor("surprise-dialogs")
    visitor.open("counter")
    visitor.wait(60_000)
    visitor.tap("Tap")
    assert visitor.events == ["tap 1"]


def test_a_survey_comes_shortly_after_a_tap_that_counted() -> None:
    visitor = Visitor("survey?tap=2&delay=300")
    visitor.tap("Continue")
    visitor.wait(5000)
    visitor.tap("Continue")
    visitor.wait(299)
    assert not visitor.sees("How are we doing?")
    visitor.wait(1)
    visitor.phone.press_key("BACK")
    assert visitor.sees("How are we doing?")
    visitor.tap(id="no_thanks")
    assert visitor.find(id="step").text == "Step 3 of 3"
    visitor.tap("Continue")
    assert visitor.find(id="step").text == "Done"
    assert not visitor.find("Continue").enabled
    assert visitor.events == ["step 1 done", "step 2 done", "did not take part", "step 3 done"]


def test_there_may_be_no_survey() -> None:
    visitor = Visitor("survey?tap=0")
    for _ in range(3):
        visitor.tap("Continue")
        visitor.wait(5000)
    assert visitor.find(id="step").text == "Done"


# --- servers ------------------------------------------------------------------------------------------------
def test_a_server_answers() -> None:
    visitor = Visitor("backend?delay=800")
    visitor.tap("Load")
    visitor.wait(799)
    assert visitor.result == "Nothing yet"
    visitor.wait(1)
    assert visitor.result == "Two parcels are on their way"
    assert "I OkHttp: --> GET https://api.lab.replicant.dev/v1/parcels" in visitor.log
    assert "I OkHttp: <-- 200 OK https://api.lab.replicant.dev/v1/parcels (800ms)" in visitor.log
    assert "E " not in visitor.log


def test_a_server_fails_and_the_screen_says_so() -> None:
    visitor = Visitor("failing-backend?status=503")
    visitor.tap("Load")
    visitor.wait(800)
    assert visitor.result == "Could not load"
    assert "E Backend: GET https://api.lab.replicant.dev/v1/parcels failed: HTTP 503" in visitor.log


def test_a_server_fails_and_the_screen_does_not_change() -> None:
    visitor = Visitor("silent-backend")
    before = visitor.texts()
    visitor.tap("Load")
    visitor.wait(800)
    assert visitor.texts() == before
    assert "failed: HTTP 500" in visitor.log
    assert visitor.events == ["server answered 500"]


# --- deaths -------------------------------------------------------------------------------------------------
def test_a_tap_kills_the_app() -> None:
    visitor = Visitor("crash")
    visitor.tap("Weigh")
    assert PACKAGE not in visitor.phone.processes()
    assert visitor.phone.foreground()[0] != PACKAGE
    assert "FATAL EXCEPTION: main" in visitor.log
    assert "java.lang.NullPointerException" in visitor.log
    assert f"\tat {PACKAGE}.dying.Scales.weigh(dying.kt:42)" in visitor.log


def test_it_may_take_a_while_to_die() -> None:
    visitor = Visitor("crash?delay=500")
    visitor.tap("Weigh")
    assert visitor.title == "Crash on tap"
    visitor.wait(500)
    assert PACKAGE not in visitor.phone.processes()


@pytest.mark.parametrize("where", ["home", "exhibit"])
def test_the_app_dies_in_the_background(where: str) -> None:
    visitor = Visitor("background-crash?delay=1500")
    visitor.tap("Synchronise")
    if where == "home":
        visitor.phone.press_key("HOME")
    else:
        visitor.open("counter")
    visitor.wait(1499)
    assert PACKAGE in visitor.phone.processes()
    visitor.wait(1)
    assert PACKAGE not in visitor.phone.processes()
    assert "FATAL EXCEPTION: main" in visitor.log


# --- hangs, and what the system says ------------------------------------------------------------------------
def test_a_hanging_app_takes_its_taps_later_and_once() -> None:
    visitor = Visitor("hang?lasts=3000")
    visitor.tap("Sort")
    visitor.tap("Tap")
    assert visitor.result == "Tapped 0 times"
    visitor.wait(2999)
    assert visitor.events == ["sorting"]
    visitor.wait(1)
    assert visitor.result == "Tapped 1 times"
    assert visitor.events == ["sorting", "tap 1"]


def test_the_system_asks_what_to_do_with_an_app_that_hangs() -> None:
    visitor = Visitor("hang?lasts=60000")
    visitor.tap("Sort")
    visitor.tap("Tap")
    visitor.wait(5000)
    assert visitor.sees("Lab isn't responding")
    visitor.tap("Close app")
    assert PACKAGE not in visitor.phone.processes()


def test_what_was_allowed_is_not_asked_again() -> None:
    visitor = Visitor("permission-question")
    visitor.tap("Where am I?")
    visitor.tap("While using the app")
    visitor.tap("Where am I?")
    assert visitor.events == ["location allowed", "location allowed"]


def test_both_kinds_of_dialogs_come() -> None:
    kinds = {text for seed in range(6) for _, text in coming(seed)}
    assert "Do you like the lab?" in kinds
    assert any(text.startswith("Allow Lab to ") for text in kinds)


def test_the_log_knows_nothing_of_a_lost_tap() -> None:
    visitor = Visitor("lost-tap")
    visitor.tap("Unlock")
    assert "lost tap" not in visitor.log
    visitor.tap("Unlock")
    assert "unlock tap 2" in visitor.log
