"""What comes and goes: a dialog that asks, a toast that nobody can tap."""

from __future__ import annotations

import pytest

from pytest_replicant import DeviceSession, by


@pytest.fixture
def at_checkout(signed_in: DeviceSession) -> DeviceSession:
    signed_in.tap(text="Add", row_with=by(text="Blue mug")).expect_visible(text="Cart, 1 item")
    signed_in.tap(text="Cart, 1 item").expect_screen("Cart")
    signed_in.tap(text="Check out").expect_screen("Checkout")
    return signed_in


def test_a_toast_is_seen_though_it_is_in_no_hierarchy(signed_in: DeviceSession) -> None:
    outcome = signed_in.tap(text="Add", row_with=by(text="Oak tray"))
    outcome.expect_seen(text="Added Oak tray to cart")


def test_a_dialog_can_be_cancelled(at_checkout: DeviceSession) -> None:
    at_checkout.tap(text="Place order").expect_visible(text="Place order?")
    at_checkout.tap(text="Cancel").expect_gone(text="Place order?")
    at_checkout.expect_screen("Checkout")


def test_an_order_from_end_to_end(at_checkout: DeviceSession) -> None:
    with at_checkout.step("Choose delivery"):
        at_checkout.tap(text="Express").expect_state(checked=True)
        at_checkout.select(text="Country", option="Norway").expect_visible(text="Norway")
    with at_checkout.step("Pay"):
        at_checkout.tap(text="Place order").expect_visible(text="Place order?")
        placed = at_checkout.tap(text="Place order", role="button")
        placed.expect_screen("Order placed").expect_seen(text="Order placed")
