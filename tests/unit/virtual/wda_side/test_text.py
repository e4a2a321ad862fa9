"""Typing, the keyboard, the pasteboard."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.testing import SharedClock
from pytest_replicant.virtual import start_server

from .desk_app import AT_ONCE, Wire, desk_phone


@pytest.mark.parametrize("value", [None, [], [1], 5, ["a", None]])
def test_keys_are_texts(desk: Wire, value: object) -> None:
    desk.tap("note")
    assert desk.refused("POST", "wda/keys", {"value": value})[:2] == (400, "invalid argument")


def test_the_value_of_an_element_is_typed_at_its_end(desk: Wire) -> None:
    note = desk.find("note")
    desk.post(f"element/{note}/value", value=["ab", "c"])
    desk.post(f"element/{note}/value", text="d")
    desk.post(f"element/{note}/value", value="e")
    assert desk.state.note == "abcde"
    assert desk.get(f"element/{note}/text") == "abcde"
    desk.post(f"element/{note}/clear")
    assert desk.state.note == ""


def test_a_slider_goes_to_a_share(desk: Wire) -> None:
    level = desk.find("level")
    desk.post(f"element/{level}/value", value="1")
    assert desk.events == ["level 10"]
    for text in ("1.5", "-0.1", "much"):
        assert (
            desk.refused("POST", f"element/{level}/value", {"value": text})[1] == "invalid argument"
        )
    assert desk.events == ["level 10"]


def test_the_keyboard_goes_by_its_own_keys_alone(desk: Wire) -> None:
    desk.post("wda/keyboard/dismiss")  # there is none
    desk.tap("note")
    status, error, message = desk.refused("POST", "wda/keyboard/dismiss")
    assert (status, error) == (400, "invalid element state")
    assert "Did not know how to dismiss the keyboard" in message
    assert (
        desk.refused("POST", "wda/keyboard/dismiss", {"keyNames": ["Gone"]})[1]
        == "invalid element state"
    )
    assert desk.phone.keyboard_shown
    desk.tap("memo")
    by_return = {"keyNames": ["no such key", "return"]}
    assert desk.refused("POST", "wda/keyboard/dismiss", by_return)[1] == "invalid element state"
    assert desk.attribute(desk.find("memo"), "value") == "\n"  # a return key is a return key


def test_keys_before_the_keyboard_is_up_are_lost_and_an_element_waits_for_it() -> None:
    phone = desk_phone(latency=replace(AT_ONCE, screen_change_ms=60))
    with start_server(phone, server=False, wda=True) as server:
        wire = Wire(server.wda_port, phone).show()
        assert wire.wait_for("note")
        wire.tap("note")
        assert not phone.keyboard_shown
        wire.post("wda/keys", value=["too soon"])
        wire.post(f"element/{wire.find('note')}/value", value=["at last"])
        assert wire.state.note == "at last"


def test_a_keyboard_that_does_not_go_is_waited_for_first() -> None:
    """fb_dismissKeyboardWithKeyNames spins for 3 s; on a phone without latency nothing takes that
    time."""
    clock = SharedClock()
    phone = desk_phone(latency=replace(AT_ONCE, gesture_ms=1), clock=clock.read, sleep=clock.sleep)
    with start_server(phone, server=False, wda=True) as server:
        desk = Wire(server.wda_port, phone).show()
        desk.tap("note")
        began = clock.read()
        assert (
            desk.refused("POST", "wda/keyboard/dismiss", {"keyNames": ["Gone"]})[1]
            == "invalid element state"
        )
        assert 3 <= clock.read() - began < 4


def test_without_a_keyboard_keys_go_nowhere(desk: Wire) -> None:
    desk.post("wda/keys", value=["a\n"])
    assert desk.state.note == ""
