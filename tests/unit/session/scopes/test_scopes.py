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
