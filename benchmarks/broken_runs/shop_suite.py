"""The tests of the shop."""

from __future__ import annotations

import pytest

from pytest_replicant import DeviceSession, by

SHOP = "dev.replicant.shop"


class SignInPage:
    def __init__(self, mobile: DeviceSession) -> None:
        self.mobile = mobile
        mobile.launch(SHOP).expect_screen("Sign in")

    def fill(self, email: str, password: str) -> None:
        self.mobile.fill(text="Email", value=email)
        self.mobile.fill(text="Password", value=password)

    def sign_in(self, email: str = "ada@example.com") -> Catalogue:
        self.fill(email, "correct horse")
        self.mobile.tap(resource_id="sign_in").expect_screen("Catalogue")
        return Catalogue(self.mobile)

    def forgot(self) -> DeviceSession:
        self.mobile.tap(text="Forgot password?").expect_screen("Reset password")
        return self.mobile


class Catalogue:
    def __init__(self, mobile: DeviceSession) -> None:
        self.mobile = mobile

    def add(self, *names: str) -> Catalogue:
        for name in names:
            self.mobile.tap(text="Add", row_with=by(text=name))
        return self

    def open(self, name: str) -> DeviceSession:
        self.mobile.tap(text=name).expect_screen("Product")
        return self.mobile

    def cart(self) -> DeviceSession:
        self.mobile.tap(text_contains="Cart,").expect_screen("Cart")
        return self.mobile

    def checkout(self) -> DeviceSession:
        self.cart().tap(text="Check out").expect_screen("Checkout")
        return self.mobile

    def settings(self) -> DeviceSession:
        self.mobile.tap(text="Settings").expect_screen("Settings")
        return self.mobile


@pytest.fixture
def start(mobile: DeviceSession) -> SignInPage:
    return SignInPage(mobile)


@pytest.fixture
def reset(start: SignInPage) -> DeviceSession:
    return start.forgot()


@pytest.fixture
def catalogue(start: SignInPage) -> Catalogue:
    return start.sign_in()


@pytest.fixture
def mug_in_checkout(catalogue: Catalogue) -> DeviceSession:
    return catalogue.add("Blue mug").checkout()


# --- before signing in ----------------------------------------------------------------------------------


def test_wrong_password(start: SignInPage, mobile: DeviceSession) -> None:
    start.fill("ada@example.com", "battery staple")
    mobile.tap(resource_id="sign_in").expect_visible(text="Wrong email or password")


def test_reset_link(reset: DeviceSession) -> None:
    reset.fill(text="Email", value="ada@example.com")
    reset.tap(text="Send reset link").expect_visible(text="Check your inbox")


def test_reset_needs_an_address(reset: DeviceSession) -> None:
    reset.expect_state(by(text="Send reset link"), enabled=False)
    reset.fill(text="Email", value="bob@example.com")
    reset.expect_state(by(text="Send reset link"), enabled=True)


def test_reset_and_back(start: SignInPage, mobile: DeviceSession) -> None:
    mobile.tap(text="Forgot password?")
    mobile.fill(resource_id="email", value="eve@example.com")
    mobile.tap(text="Send reset link")
    mobile.wait_for(text="Check your inbox")
    mobile.back().expect_screen("Sign in")


# --- looking around -------------------------------------------------------------------------------------


def test_products_are_listed(catalogue: Catalogue, mobile: DeviceSession) -> None:
    for name in ("Blue mug", "Red mug", "Oak tray"):
        mobile.expect_visible(text=name)


def test_search(catalogue: Catalogue, mobile: DeviceSession) -> None:
    mobile.fill(text="Search products", value="mug")
    mobile.expect_count(3, text="Add")


def test_product_page(catalogue: Catalogue) -> None:
    catalogue.open("Oak tray").expect_visible(text="£12.00")


def test_product_far_down(catalogue: Catalogue, mobile: DeviceSession) -> None:
    mobile.scroll_to(text="Wall clock")
    catalogue.open("Wall clock").expect_visible(text="£36.00")


def test_added_from_its_page(catalogue: Catalogue) -> None:
    page = catalogue.open("Oak tray")
    page.tap(text="Add to cart").expect_seen(text="Added Oak tray to cart")
    page.tap(text="Cart").expect_screen("Cart").expect_visible(text="Oak tray")


# --- the cart -------------------------------------------------------------------------------------------


def test_adding_says_so(catalogue: Catalogue, mobile: DeviceSession) -> None:
    mobile.tap(text="Add", row_with=by(text="Red mug")).expect_seen(text="Added Red mug to cart")


def test_cart_counts(catalogue: Catalogue, mobile: DeviceSession) -> None:
    catalogue.add("Blue mug", "Red mug")
    mobile.expect_visible(text="Cart, 2 items")


def test_cart_total(catalogue: Catalogue) -> None:
    catalogue.add("Blue mug", "Red mug").cart().expect_visible(text="Total £17.90")


def test_more_of_one(catalogue: Catalogue) -> None:
    cart = catalogue.add("Blue mug").cart()
    cart.tap(text="+").expect_visible(text="Total £19.80")


def test_removed(catalogue: Catalogue) -> None:
    cart = catalogue.add("Blue mug", "Oak tray").cart()
    cart.tap(text="Remove", row_with=by(text="Blue mug"))
    cart.expect_gone(text="Blue mug")


def test_last_removed(catalogue: Catalogue) -> None:
    cart = catalogue.add("Blue mug").cart()
    cart.tap(text="Remove").expect_visible(text="Your cart is empty")


def test_total_of_the_rest(catalogue: Catalogue, mobile: DeviceSession) -> None:
    catalogue.add("Red mug", "Glass bowl").cart()
    mobile.tap(text="Remove", row_with=by(text="Glass bowl"))
    mobile.wait_for(text="Total £8.00")


# --- the order ------------------------------------------------------------------------------------------


def test_bill(mug_in_checkout: DeviceSession) -> None:
    mug_in_checkout.expect_visible(text="Total £13.40")


def test_express(mug_in_checkout: DeviceSession) -> None:
    mug_in_checkout.tap(text="Express").expect_state(checked=True)
    mug_in_checkout.expect_visible(text="Total £17.80")


def test_order(mug_in_checkout: DeviceSession) -> None:
    mug_in_checkout.tap(text="Place order").expect_visible(text="Place order?")
    mug_in_checkout.tap(resource_id="android:id/button1").expect_screen("Order placed")


def test_order_number(catalogue: Catalogue, mobile: DeviceSession) -> None:
    page = catalogue.add("Oak tray").checkout()
    page.tap(resource_id="place_order")
    page.tap(resource_id="android:id/button1")
    mobile.expect_visible(text_contains="Order number")
    mobile.tap(text="Continue shopping").expect_screen("Catalogue")


def test_ordered_cart_is_empty(catalogue: Catalogue, mobile: DeviceSession) -> None:
    catalogue.add("Glass bowl").checkout()
    mobile.tap(resource_id="place_order")
    mobile.tap(resource_id="android:id/button1").expect_seen(text="Order placed")
    mobile.tap(text="Continue shopping").expect_visible(text="Cart, 0 items")


def test_order_cancelled(mug_in_checkout: DeviceSession) -> None:
    mug_in_checkout.tap(text="Place order")
    mug_in_checkout.tap(text="Cancel").expect_screen("Checkout")


# --- settings -------------------------------------------------------------------------------------------


def test_dark_mode(catalogue: Catalogue) -> None:
    catalogue.settings().tap(text="Dark mode").expect_state(checked=True)


def test_volume(catalogue: Catalogue) -> None:
    settings = catalogue.settings()
    settings.adjust(text="Volume", to=12)
    settings.expect_visible(text="Volume: 12")


def test_account(catalogue: Catalogue) -> None:
    catalogue.settings().expect_visible(text="ada@example.com")


def test_signs_out(catalogue: Catalogue) -> None:
    catalogue.settings().tap(text="Sign out").expect_screen("Sign in")


def test_signed_out_cart_is_empty(catalogue: Catalogue, mobile: DeviceSession) -> None:
    catalogue.add("Blue mug")
    mobile.tap(text="Settings")
    mobile.tap(text="Sign out")
    mobile.wait_for(text="Forgot password?")
    mobile.fill(text="Email", value="bob@example.com")
    mobile.fill(text="Password", value="correct horse")
    mobile.tap(resource_id="sign_in").expect_visible(text="Cart, 0 items")
