"""One whole purchase with plain facebook-wda, as somebody writes it who has an iPhone on the desk."""

from __future__ import annotations

import base64
import threading

import pytest

from pytest_replicant.virtual import VirtualPhone
from pytest_replicant.virtual.demo_apps.shop.state import ShopState

from .stock import LAB, SHOP, leaves_sockets_to_the_collector, opened, wda

pytestmark = leaves_sockets_to_the_collector


@pytest.fixture
def s(c: wda.Client) -> wda.Client:
    """Signed in, before the catalogue."""
    session = opened(c, SHOP)
    session(name="email").set_text("ada@example.com\n")
    session(name="password").set_text("correct horse\n")
    assert session(name="welcome").get().label == "Welcome, Ada"
    return session


def shop_of(phone: VirtualPhone) -> ShopState:
    state = phone.app_state(SHOP)
    assert isinstance(state, ShopState)
    return state


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
    assert s(name="order_total").label == "Total £42.70"  # 2 × 9.90, 7.90 for express, 15 for the team

    s(name="place_order").click()
    assert s.alert.text == "Place order?\nYou pay £42.70. Express shipping to Ireland."
    assert s.alert.buttons() == ["Cancel", "Place order"]
    s.alert.click("Place order")
    assert s(name="order_number").get().label == "Order number 1001"
    assert shop_of(phone).orders == 1


def test_searching_and_going_back(s: wda.Client, phone: VirtualPhone) -> None:
    s(className="SearchField").set_text("lamp")
    assert shop_of(phone).search == "lamp"
    s(name="product_name").click()
    assert s(className="NavigationBar").name == "XCUIElementTypeNavigationBar"
    s(className="NavigationBar").child(className="Button")[1].click()
    assert s(name="welcome").wait(timeout=2) is not None
    assert s(className="SearchField").value == "lamp"


def test_a_cancelled_order_is_none(s: wda.Client, phone: VirtualPhone) -> None:
    s(className="Button", label="Add").click()
    s(name="cart").click()
    s(name="check_out").click()
    s(name="place_order").click()
    assert s.alert.click(["Not now", "Cancel"]) == "Cancel"
    assert shop_of(phone).orders == 0
    assert s(name="place_order").exists


def test_a_watcher_of_alerts_clicks_what_it_knows(c: wda.Client, phone: VirtualPhone) -> None:
    s = opened(c, LAB, "lab://survey?tap=1&delay=1")
    s(name="continue").click()
    assert s.alert.wait(2)
    with s.alert.watch_and_click(["No, thanks"], interval=0.05):
        assert s(label="How are we doing?").wait_gone(timeout=2)
    for thread in threading.enumerate():
        if thread.name == "alert":  # the client's own, which it leaves to itself
            thread.join(2)


def test_what_was_put_on_the_clipboard_is_read_back(s: wda.Client) -> None:
    """The way of the client's own that goes through Siri takes three seconds."""
    s.set_clipboard("Blue mug")
    read = s.http.post(f"/session/{s.session_id}/wda/getPasteboard", {"contentType": "plaintext"}).value
    assert base64.b64decode(read) == b"Blue mug"


def test_callbacks_hear_of_every_request(c: wda.Client) -> None:
    heard: list[tuple[str, str]] = []

    def before(method: str, urlpath: str) -> None:
        heard.append((method.upper(), urlpath))

    c.register_callback(wda.Callback.HTTP_REQUEST_BEFORE, before)
    c.app_current()
    c(name="email").exists  # noqa: B018 - it is a request
    assert heard[0] == ("GET", "/wda/activeAppInfo")
    assert heard[-1] == ("POST", "/elements")
