"""A message shows the screen, and of a very large one only so much of it."""

from __future__ import annotations

from pytest_replicant import Snapshot
from pytest_replicant.model import LONGEST_SCREEN, screen_text


def a_screen_of(buttons: int) -> Snapshot:
    nodes = "".join(
        f'<node text="Item {at}" class="android.widget.Button" package="a.b" clickable="true" '
        f'enabled="true" bounds="[0,{at}][100,{at + 1}]"/>'
        for at in range(buttons)
    )
    return Snapshot.parse(f"<hierarchy rotation='0'>{nodes}</hierarchy>", "android")


def test_an_ordinary_screen_is_shown_whole() -> None:
    screen = a_screen_of(50)
    assert screen_text(screen) == screen.outline()


def test_of_a_very_large_one_it_says_how_much_is_left_out() -> None:
    told = screen_text(a_screen_of(2000))
    assert len(told) <= LONGEST_SCREEN
    assert "Item 1" in told
    assert told.splitlines()[-1].startswith("(+")
