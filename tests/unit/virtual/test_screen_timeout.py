"""The screen goes dark where no one touches it: by the phone's clock, its settings and its
cable."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_replicant.virtual import Latency, Profile, VirtualPhone

from .notes_phone import sh

TOUCHES: dict[str, Callable[[VirtualPhone], object]] = {
    "tap": lambda phone: phone.tap(500, 1000),
    "long press": lambda phone: phone.long_press(500, 1000),
    "swipe": lambda phone: phone.swipe(500, 1000, 500, 500),
    "drag": lambda phone: phone.drag(500, 1000, 500, 500),
    "key": lambda phone: phone.press_key("MENU"),
    "text": lambda phone: phone.type_text("a"),
    "shell": lambda phone: sh(phone, "input tap 500 1000"),
    "cable": lambda phone: sh(phone, "dumpsys battery set usb 1"),
}


class Desk:
    """A phone that lies there, with a clock in hand."""

    def __init__(self, **profile: int) -> None:
        self.now = 100.0
        still = Latency(*[0] * 8)
        self.phone = VirtualPhone(profile=Profile(**profile), latency=still, clock=lambda: self.now)  # type: ignore[arg-type]

    def lit_after(self, seconds: float) -> bool:
        self.now += seconds
        return self.phone.awake


def test_after_half_a_minute() -> None:
    desk = Desk()
    assert desk.lit_after(29.9)
    assert not desk.lit_after(0.2)
    assert desk.phone.windows() == []
    assert "mWakefulness=Asleep" in sh(desk.phone, "dumpsys power").out


@pytest.mark.parametrize("touch", TOUCHES)
def test_whatever_touches_it_begins_anew(touch: str) -> None:
    desk = Desk()
    assert desk.lit_after(29)
    TOUCHES[touch](desk.phone)
    assert desk.lit_after(29)
    assert not desk.lit_after(2)


@pytest.mark.parametrize(
    ("plugs", "kept"),
    [
        ("usb", "2"),
        ("usb", "7"),
        ("usb", "3"),
        ("ac", "1"),
        ("wireless", "4"),
        ("dock", "8"),
        ("ac", "15"),
    ],
)
def test_it_stays_on_while_plugged_in(plugs: str, kept: str) -> None:
    desk = Desk()
    sh(desk.phone, f"dumpsys battery unplug; dumpsys battery set {plugs} 1")
    sh(desk.phone, f"settings put global stay_on_while_plugged_in {kept}")
    assert desk.lit_after(3600)
    assert "mStayOn=true" in sh(desk.phone, "dumpsys power").out
    sh(desk.phone, "dumpsys battery unplug")  # counts as a touch
    assert desk.lit_after(29)
    assert not desk.lit_after(2)


def test_the_lock_screen_comes_with_it() -> None:
    desk = Desk()
    sh(desk.phone, "locksettings clear")
    assert not desk.lit_after(31)
    desk.phone.press_key("WAKEUP")
    assert "showing=true" in sh(desk.phone, "dumpsys window policy").out
