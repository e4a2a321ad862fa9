"""Controls and their states, and several claims about one screen, all of them reported."""

from __future__ import annotations

from pytest_replicant import DeviceSession, by


def test_settings_at_a_glance(signed_in: DeviceSession) -> None:
    outcome = signed_in.tap(description="Settings").expect_screen("Settings")
    outcome.soft.expect_state(by(text="Dark mode"), checked=False)
    outcome.soft.expect_visible(text_contains="Volume")
    outcome.soft.expect_visible(text="Sign out")


def test_dark_mode_is_a_switch(signed_in: DeviceSession) -> None:
    signed_in.tap(description="Settings").expect_screen("Settings")
    signed_in.tap(text="Dark mode").expect_state(checked=True)
    signed_in.tap(text="Dark mode").expect_state(checked=False)


def test_a_slider_is_set_and_read_back(signed_in: DeviceSession) -> None:
    signed_in.tap(description="Settings").expect_screen("Settings")
    signed_in.adjust(role="slider", to=12).expect_state(value=12).expect_visible(text="Volume: 12")


def test_an_empty_cart_cannot_be_checked_out(signed_in: DeviceSession) -> None:
    outcome = signed_in.tap(text="Cart, 0 items").expect_screen("Cart")
    outcome.expect_visible(text="Your cart is empty").expect_state(
        by(text="Check out"), enabled=False
    )
