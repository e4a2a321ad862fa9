"""Groups of steps."""

from __future__ import annotations

import pytest

from ..conftest import Play
from ..scripted_phone import button, screen

HOME = screen(button("Go"), title="Home")


def test_actions_are_in_the_groups_around_them_whatever_happens(play: Play) -> None:
    session, _ = play([HOME])

    def pay() -> None:
        with session.step("Pay"):
            session.tap(text="Go")
            raise ValueError("declined")

    with session.step("Buy"):
        with pytest.raises(ValueError, match="declined"):
            pay()
        session.tap(text="Go")
    session.tap(text="Go").expect_visible(text="Go")
    groups = [event.group for event in session._context.recorder._events.values()]
    assert groups == [("Buy", "Pay"), ("Buy",), (), ()]


class Terminal:
    def isatty(self) -> bool:
        return True


def test_a_pause_outside_a_test_shows_the_screen_without_secrets_and_waits(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, phone = play([screen(button("s3cret"), title="Home")])
    session._context.recorder.redactor.add("s3cret")
    asked: list[str] = []

    def press_enter(prompt: str) -> str:
        asked.append(prompt)
        phone.frames = [HOME]
        return ""

    monkeypatch.setattr("builtins.input", press_enter)
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdin.isatty", lambda: True)
        patch.setattr("sys.stdout.isatty", lambda: True)
        session.pause()
    assert "Home" in asked[0]
    assert "s3cret" not in asked[0]
    assert session.find(text="Go"), "what somebody did meanwhile is seen"
