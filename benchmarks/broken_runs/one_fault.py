"""Fourteen causes in several guises each, one a test: of the app, of the phone, of the tests' own code."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_replicant import DeviceSession, by

from .pages import SHOP, add, price_of, sign_in, start, stock_of, to_cart, to_catalogue, to_checkout, to_settings

Pull = Callable[[], None]


@pytest.mark.cause("checkbox_renamed")
class TestCheckbox:
    def test_tapped(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.tap(text="Remember me").expect_state(checked=True)

    def test_seen(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.expect_visible(text="Remember me")

    def test_off_at_first(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.fill(text="Email", value="ada@example.com")
        mobile.expect_state(by(text="Remember me"), checked=False)

    def test_waited_for(self, mobile: DeviceSession) -> None:
        mobile.launch(SHOP)
        mobile.wait_for(text="Remember me")

    def test_one_of_it(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.expect_count(1, text="Remember me")


@pytest.mark.cause("forgot_renamed")
class TestForgot:
    def test_tapped(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.tap(text="Forgot password?").expect_screen("Reset password")

    def test_seen(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.expect_visible(text="Forgot password?")

    def test_enabled(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.fill(text="Password", value="no")
        mobile.expect_state(by(text="Forgot password?"), enabled=True)

    def test_found(self, mobile: DeviceSession) -> None:
        start(mobile)
        assert mobile.find(text="Forgot password?")


@pytest.mark.cause("adding_crashes")
class TestAdding:
    def test_toast(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.tap(text="Add", row_with=by(text="Blue mug")).expect_seen(text="Added Blue mug to cart")

    def test_cart_counts(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        add(mobile, "Red mug")
        mobile.expect_visible(text="Cart, 1 item")

    def test_next_tap(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        add(mobile, "Oak tray")
        mobile.tap(text="Settings")

    def test_on_its_page(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.tap(text="Red mug").expect_screen("Product")
        mobile.tap(text="Add to cart").expect_screen("Product")

    def test_unseen(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        add(mobile, "Blue mug")
        start(mobile)

    def test_app_lives(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.tap(text="Add", row_with=by(text="Red mug")).expect_no_crash()


@pytest.mark.cause("checkout_crashes")
class TestCheckoutDies:
    def test_screen(self, mobile: DeviceSession) -> None:
        to_checkout(mobile, "Blue mug")

    def test_next_tap(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Red mug")
        mobile.tap(text="Check out")
        mobile.tap(text="Express")

    def test_own_assert(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Red mug")
        mobile.tap(text="Check out")
        assert mobile.current_app.app == SHOP


@pytest.mark.cause("cable_out", fault="nothing")
class TestCable:
    def test_catalogue(self, mobile: DeviceSession, pull_cable: Pull) -> None:
        sign_in(mobile)
        pull_cable()
        mobile.expect_screen("Catalogue")

    def test_tap(self, mobile: DeviceSession, pull_cable: Pull) -> None:
        to_catalogue(mobile)
        pull_cable()
        mobile.tap(text="Settings")

    def test_look(self, mobile: DeviceSession, pull_cable: Pull) -> None:
        start(mobile)
        pull_cable()
        assert mobile.snapshot().title == "Sign in"

    def test_wait(self, mobile: DeviceSession, pull_cable: Pull) -> None:
        sign_in(mobile, "bob@example.com")
        pull_cable()
        mobile.wait_for(text_contains="Cart,")

    def test_log(self, mobile: DeviceSession, pull_cable: Pull) -> None:
        to_catalogue(mobile)
        pull_cable()
        mobile.expect_log("signed in")

    def test_launch(self, mobile: DeviceSession, pull_cable: Pull) -> None:
        pull_cable()
        start(mobile)

    def test_own_command(self, mobile: DeviceSession, pull_cable: Pull) -> None:
        start(mobile)
        pull_cable()
        mobile.shell("getprop")


@pytest.mark.cause("asks_permission")
class TestPermission:
    def test_title(self, mobile: DeviceSession) -> None:
        sign_in(mobile)
        mobile.expect_visible(text="Welcome, Ada")

    def test_tap(self, mobile: DeviceSession) -> None:
        sign_in(mobile)
        mobile.tap(text="Settings").expect_screen("Settings")

    def test_add(self, mobile: DeviceSession) -> None:
        sign_in(mobile)
        add(mobile, "Blue mug")

    def test_wait(self, mobile: DeviceSession) -> None:
        sign_in(mobile)
        mobile.wait_for(text="Blue mug")

    def test_count(self, mobile: DeviceSession) -> None:
        sign_in(mobile)
        mobile.expect_count(1, text_contains="Cart,")


@pytest.mark.cause("server_down")
class TestServer:
    def test_welcome(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.expect_visible(text="Welcome, Ada")

    def test_add(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        add(mobile, "Oak tray")

    def test_search(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.fill(text="Search products", value="mug")

    def test_cart(self, mobile: DeviceSession) -> None:
        to_cart(mobile)

    def test_empty_cart(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.expect_state(by(text_contains="Cart,"), enabled=True)

    def test_wait(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.wait_for(text="Red mug")


@pytest.mark.cause("cart_total_wrong")
class TestTotal:
    def test_one(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Blue mug")
        mobile.expect_visible(text="Total £9.90")

    def test_by_id(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Red mug")
        mobile.expect_state(by(resource_id="total"), text="Total £8.00")

    def test_two(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Blue mug", "Oak tray")
        mobile.expect_visible(text="Total £21.90")

    def test_waited_for(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Oak tray")
        mobile.wait_for(text="Total £12.00")

    def test_by_label(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Red mug")
        mobile.expect_state(by(text_contains="Total"), text="Total £8.00")


@pytest.mark.cause("prices", fault="nothing")
class TestPageObject:
    @pytest.fixture
    def price(self, mobile: DeviceSession) -> int:
        start(mobile)
        return price_of("Salad bowl")

    def test_fixture(self, mobile: DeviceSession, price: int) -> None:
        to_catalogue(mobile)

    def test_teapot(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.expect_visible(text=f"£{price_of('Iron teapot')}")

    def test_tray(self, mobile: DeviceSession) -> None:
        start(mobile)
        assert price_of("Walnut tray") == 1850

    def test_towel(self, mobile: DeviceSession) -> None:
        assert price_of("Bath towel") == 1999


@pytest.mark.cause("stock", fault="nothing")
class TestAnotherLine:
    def test_tray(self, mobile: DeviceSession) -> None:
        start(mobile)
        assert stock_of("Walnut tray") == 2

    def test_towel(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        assert stock_of("Bath towel") == 1

    def test_bowl(self, mobile: DeviceSession) -> None:
        assert stock_of("Salad bowl") == 1


@pytest.mark.cause("order_disabled")
class TestOrder:
    def test_tapped(self, mobile: DeviceSession) -> None:
        to_checkout(mobile, "Blue mug")
        mobile.tap(text="Place order").expect_visible(text="Place order?")

    def test_enabled(self, mobile: DeviceSession) -> None:
        to_checkout(mobile, "Red mug")
        mobile.expect_state(by(text="Place order"), enabled=True)

    def test_by_id(self, mobile: DeviceSession) -> None:
        to_checkout(mobile, "Blue mug", "Red mug")
        mobile.tap(resource_id="place_order")

    def test_held(self, mobile: DeviceSession) -> None:
        to_checkout(mobile, "Oak tray")
        mobile.tap(text="Express").expect_state(checked=True)
        mobile.long_press(text="Place order")

    def test_by_ref(self, mobile: DeviceSession) -> None:
        to_checkout(mobile, "Oak tray")
        mobile.tap(mobile.find(text="Place order"))


@pytest.mark.cause("two_gears")
class TestGears:
    def test_tapped(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.tap(text="Settings")

    def test_enabled(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.expect_state(by(text="Settings"), enabled=True)

    def test_one(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.expect_count(1, text="Settings")

    def test_waited_for(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.wait_for(text="Settings")

    def test_found(self, mobile: DeviceSession) -> None:
        to_settings(mobile)


@pytest.mark.cause("sign_out_dead")
class TestSignOut:
    def test_screen(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Sign out").expect_screen("Sign in")

    def test_next_tap(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Sign out")
        mobile.tap(text="Forgot password?")

    def test_gone(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Sign out").expect_gone(text="Sign out")

    def test_changed(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Sign out").expect_changed()

    def test_fields(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(resource_id="sign_out").expect_visible(text="Password")

    def test_again(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Sign out")
        mobile.wait_for(text="Remember me")


@pytest.mark.cause("login_refused")
class TestLogin:
    def test_screen(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)

    def test_settings(self, mobile: DeviceSession) -> None:
        sign_in(mobile)
        mobile.tap(text="Settings")

    def test_welcome(self, mobile: DeviceSession) -> None:
        sign_in(mobile, "bob@example.com")
        mobile.expect_visible(text="Welcome, Bob")

    def test_wait(self, mobile: DeviceSession) -> None:
        sign_in(mobile)
        mobile.wait_for(text="Blue mug")

    def test_leaves(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.fill(text="Email", value="eve@example.com")
        mobile.fill(text="Password", value="correct horse")
        mobile.tap(text="Sign in").expect_gone(text="Password")

    def test_cart(self, mobile: DeviceSession) -> None:
        sign_in(mobile)
        mobile.expect_state(by(text_contains="Cart,"), enabled=True)


class TestHealthy:
    def test_orders(self, mobile: DeviceSession) -> None:
        to_checkout(mobile, "Blue mug")
        mobile.tap(text="Place order").expect_visible(text="Place order?")

    def test_signs_out(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Sign out").expect_screen("Sign in")
