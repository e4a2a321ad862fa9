"""The lock screen: when it comes up, what it hides, and what opens it."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import VirtualPhone, render_png

from .notes_phone import APP, make_phone, sh, shown


@pytest.fixture
def phone() -> VirtualPhone:
    phone = make_phone()
    phone.start_app(APP)
    return phone


def dark_and_lit(phone: VirtualPhone) -> None:
    phone.press_key("POWER")
    phone.press_key("POWER")


def test_it_hides_the_app_and_takes_no_key_and_no_touch(phone: VirtualPhone) -> None:
    before = shown(phone)
    sh(phone, "locksettings set-pin 1234")
    assert shown(phone) == before  # it is up once the screen was dark
    dark_and_lit(phone)
    assert "Swipe up to open" in shown(phone)
    assert not set(before) & set(shown(phone)) - {"10:00"}
    phone.tap(500, 1000)
    assert not phone.type_text("x")
    phone.press_key("BACK")
    assert "Swipe up to open" in shown(phone)
    assert "showing=true" in sh(phone, "dumpsys window policy").out
    assert "keyguard_root_view" in sh(phone, "uiautomator dump /dev/stdout").out
    assert render_png(phone.windows(), phone.size)[:4] == b"\x89PNG"


@pytest.mark.parametrize("command", ["wm dismiss-keyguard", "input keyevent 82"])
def test_what_opens_one_without_a_pin_does_not_open_one_with_a_pin(
    phone: VirtualPhone, command: str
) -> None:
    sh(phone, "locksettings clear")
    before = shown(phone)
    dark_and_lit(phone)
    assert shown(phone) != before
    sh(phone, command)
    assert shown(phone) == before
    sh(phone, "locksettings set-pin 1234")
    dark_and_lit(phone)
    sh(phone, command)
    assert shown(phone) != before


def test_the_pin_is_taken_away_by_who_knows_it(phone: VirtualPhone) -> None:
    sh(phone, "locksettings set-pin 1234")
    assert sh(phone, "locksettings clear --old 4321").code == 255
    assert sh(phone, "locksettings clear").code == 255
    assert sh(phone, "locksettings clear --old 1234").code == 0
    dark_and_lit(phone)
    assert sh(phone, "wm dismiss-keyguard; dumpsys window policy").out.count("showing=false") == 1
