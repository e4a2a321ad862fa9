"""One whole purchase with plain facebook-wda, as somebody writes it who has an iPhone on the
desk."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import VirtualPhone

from .stock import SHOP, leaves_sockets_to_the_collector, opened, shop_of, wda

pytestmark = leaves_sockets_to_the_collector


@pytest.fixture
def s(c: wda.Client) -> wda.Client:
    """Signed in, before the catalogue."""
    session = opened(c, SHOP)
    session(name="email").set_text("ada@example.com\n")
    session(name="password").set_text("correct horse\n")
    assert session(name="welcome").get().label == "Welcome, Ada"
    return session


def test_from_the_catalogue_to_the_order(s: wda.Client, phone: VirtualPhone) -> None:
    s(label="Blue mug").click()
    s(name="add_to_cart").click()
    s(name="open_cart").click()
    s(className="Button", label="Increase quantity").click()
    assert s(name="quantity").label == "2"
    s(name="check_out").click()

    s(className="Button", label="Express").click()
    assert s(name="express").value in ("1", 1)
    s(className="Slider", name="tip").set_text("0.5")
    assert s(name="tip_value").label == "Tip: £15"
    s(name="country").click()
    s(className="Button", label="Ireland").click()
    assert s(name="country").value == "Ireland"
    assert (
        s(name="order_total").label == "Total £42.70"
    )  # 2 × 9.90, 7.90 for express, 15 for the team

    s(name="place_order").click()
    assert s.alert.text == "Place order?\nYou pay £42.70. Express shipping to Ireland."
    assert s.alert.buttons() == ["Cancel", "Place order"]
    s.alert.click("Place order")
    assert s(name="order_number").get().label == "Order number 1001"
    assert shop_of(phone).orders == 1
