"""Two phones in one test: each has its own session and its own trace."""

from __future__ import annotations

from collections.abc import Callable

from pytest_replicant import DeviceSession


def test_two_carts_are_two_carts(
    signed_in: DeviceSession, new_mobile: Callable[..., DeviceSession]
) -> None:
    other = new_mobile()
    other.launch("dev.replicant.shop").expect_screen("Sign in")
    signed_in.tap(text="Cart, 0 items").expect_screen("Cart")
    other.expect_screen("Sign in")
