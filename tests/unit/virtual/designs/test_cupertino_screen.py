"""An app's screen on iOS: safe area, navigation bar, what the app says."""

from __future__ import annotations

import pytest

from ..toy_app import PACKAGE
from .iphone import iphone


@pytest.mark.parametrize(
    ("start", "end", "leads_back"), [(5, 250, True), (5, 60, False), (40, 300, False)]
)
def test_a_swipe_from_the_left_edge_leads_back(start: int, end: int, leads_back: bool) -> None:
    phone, hand = iphone()
    hand.tap(text="Next")
    phone.swipe(start * 3, 1500, end * 3, 1520)
    assert bool(hand.find_all(resource_id="BackButton")) is not leads_back
    phone.swipe(5, 1500, 900, 1520)  # and where nothing lies below, it is a swipe like any other
    assert phone.foreground()[0] == PACKAGE
