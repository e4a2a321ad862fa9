"""What the tests share, as page objects do."""

from __future__ import annotations

from pytest_replicant import DeviceSession, by

SHOP = "dev.replicant.shop"


def start(mobile: DeviceSession) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")


def sign_in(mobile: DeviceSession, who: str = "ada@example.com") -> None:
    start(mobile)
    mobile.fill(text="Email", value=who)
    mobile.fill(text="Password", value="correct horse")
    mobile.tap(resource_id="sign_in")


def to_catalogue(mobile: DeviceSession) -> None:
    sign_in(mobile)
    mobile.expect_screen("Catalogue")


def add(mobile: DeviceSession, *names: str) -> None:
    for name in names:
        mobile.tap(text="Add", row_with=by(text=name))


def to_cart(mobile: DeviceSession, *names: str) -> None:
    to_catalogue(mobile)
    add(mobile, *names)
    mobile.tap(text_contains="Cart,").expect_screen("Cart")


def to_checkout(mobile: DeviceSession, *names: str) -> None:
    to_cart(mobile, *names)
    mobile.tap(text="Check out").expect_screen("Checkout")


def to_settings(mobile: DeviceSession) -> None:
    to_catalogue(mobile)
    mobile.tap(text="Settings").expect_screen("Settings")


_PRICES = {"Blue mug": 990, "Red mug": 800, "Oak tray": 1200}
_STOCK = {"Blue mug": 3}


def price_of(name: str) -> int:
    return _PRICES[name]


def stock_of(name: str) -> int:
    return _STOCK[name]
