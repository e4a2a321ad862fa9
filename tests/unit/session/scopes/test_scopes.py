"""Groups of steps, and a pause for looking around by hand."""

from __future__ import annotations

import sys

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


SCREEN = screen(button("Go"), title="Home")


class Terminal:
    def isatty(self) -> bool:
        return True


def attach_terminal(patch: pytest.MonkeyPatch) -> None:
    """In the test itself: between a fixture and its test, pytest puts its own streams there."""
    patch.delenv("CI", raising=False)
    patch.delenv("PYTEST_XDIST_WORKER", raising=False)
    patch.setattr(sys, "stdin", Terminal())
    patch.setattr(sys, "stdout", Terminal())


def test_it_shows_the_screen_without_secrets_and_waits(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    session, phone = play([screen(button("s3cret"), title="Home")])
    session._context.recorder.redactor.add("s3cret")
    asked: list[str] = []

    def press_enter(prompt: str) -> str:
        asked.append(prompt)
        phone.frames = [SCREEN]
        return ""

    monkeypatch.setattr("builtins.input", press_enter)
    with monkeypatch.context() as patch:
        attach_terminal(patch)
        session.pause()
    (prompt,) = asked
    assert "Home" in prompt
    assert "Enter goes on" in prompt
    assert "s3cret" not in prompt
    assert session.find(text="Go"), "what somebody did meanwhile is seen"
