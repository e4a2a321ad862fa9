"""The shop, as far as the example tests do not show it."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import VirtualPhone, shop
from pytest_replicant.virtual.demo_apps.shop.cart import Cart
from pytest_replicant.virtual.demo_apps.shop.products import PRODUCTS

from .toy_app import STILL, Hand

PACKAGE = shop().package


class Customer(Hand):
    """On the first screen of a phone of its own."""

    def __init__(self) -> None:
        super().__init__(VirtualPhone([shop()], latency=STILL), PACKAGE)
        self.phone.start_app(PACKAGE)

    def sign_in(self, email: str = "ada@example.com") -> None:
        for id, text in (("email", email), ("password", "correct horse")):
            self.tap(id=id)
            assert self.phone.type_text(text)
        self.phone.press_key("BACK")
        self.tap(id="sign_in")


@pytest.fixture
def hand() -> Customer:
    return Customer()


def test_the_password_is_in_no_window_and_in_no_log(hand: Customer) -> None:
    hand.sign_in()
    written = "\n".join(entry.message for entry in hand.phone.log.entries())
    assert "signed in" in written
    assert "horse" not in written
    assert not [text for text in hand.texts() if "horse" in text]


def test_remember_me_keeps_the_address_until_the_data_is_cleared(hand: Customer) -> None:
    hand.tap(text="Remember me")
    hand.sign_in()
    hand.phone.stop_app(PACKAGE)
    hand.phone.start_app(PACKAGE)
    assert hand.find(id="email").text == "ada@example.com"
    assert hand.find(text="Remember me").checked
    assert hand.phone.clear_app(PACKAGE)
    hand.phone.start_app(PACKAGE)
    assert hand.find(id="email").text == ""


def test_signing_out_forgets_the_cart_and_leaves_no_way_back(hand: Customer) -> None:
    hand.sign_in()
    hand.tap(text="Add")
    hand.tap(description="Settings")
    hand.tap(text="Sign out")
    hand.phone.press_key("BACK")
    assert hand.phone.foreground()[0] != PACKAGE
    hand.phone.start_app(PACKAGE)
    hand.sign_in("grace@example.com")
    assert "Welcome, Grace" in hand.texts()
    assert hand.find(id="cart").text == "Cart, 0 items"


@pytest.mark.parametrize(
    ("place", "title"),
    [
        ("cart", "Cart"),
        ("product/oak_tray", "Product"),
        ("product/no_such_thing", "Catalogue"),
        ("", "Catalogue"),
    ],
)
def test_addresses_open_the_shop_at_a_place(hand: Customer, place: str, title: str) -> None:
    hand.phone.start_app(PACKAGE, url=f"replicant-shop://{place}")
    assert hand.title == title


def test_a_cart_holds_1_to_99_of_a_product() -> None:
    cart, mug = Cart(), PRODUCTS[0]
    cart.change(mug, 0)
    assert (cart.count, cart.pence, bool(cart)) == (0, 0, False)
    cart.change(mug, 500)
    assert (cart.count, cart.pence, cart.label) == (99, 99 * 990, "Cart, 99 items")
    cart.add(mug)
    assert cart.quantity(mug) == 99
    cart.remove(mug)
    cart.remove(mug)
    assert not cart
