"""Tests that share phones, act in their teardown, recover, sleep, and end in every way there is."""

from __future__ import annotations

import time
import uuid
from pathlib import Path

import pytest

from pytest_replicant import DeviceError, Mobile, by

from .conftest import SHOP, sign_in


@pytest.fixture(scope="class")
def cart(class_mobile: Mobile) -> Mobile:
    sign_in(class_mobile)
    class_mobile.tap(text="Add", row_with=by(text="Red mug"))
    class_mobile.tap(text_contains="Cart,").expect_screen("Cart")
    return class_mobile


class TestOneClass:
    """Its tests go on where the one before was."""

    def test_one_mug(self, cart: Mobile) -> None:
        cart.expect_visible(text="Total £8.00")

    def test_two_mugs(self, cart: Mobile, mobile: Mobile) -> None:
        mobile.tap(text="+").expect_visible(text="Total £16.00")

    def test_fails_three_mugs(self, cart: Mobile) -> None:
        cart.expect_visible(text="Total £24.00")


@pytest.fixture(scope="class")
def broken_cart(class_mobile: Mobile) -> Mobile:
    class_mobile.launch(SHOP).expect_screen("Cart")
    return class_mobile


class TestBrokenClass:
    """The second one fails by the error of the first one's set-up, which pytest keeps."""

    def test_fails_first(self, broken_cart: Mobile) -> None:
        broken_cart.expect_screen("Cart")

    def test_fails_second(self, broken_cart: Mobile, mobile: Mobile) -> None:
        mobile.expect_screen("Cart")

    def test_fails_alike(self, broken_cart: Mobile) -> None:
        broken_cart.expect_screen("Cart")


# --- a module's, the run's, and states ------------------------------------------------------------


def test_the_shop(shop: Mobile) -> None:
    shop.tap(text="Add", row_with=by(text="Oak tray")).expect_visible(text="Cart, 1 item")


def test_the_shop_goes_on(shop: Mobile, mobile: Mobile) -> None:
    mobile.tap(text_contains="Cart,").expect_screen("Cart")
    shop.back().expect_screen("Catalogue")


def test_fails_in_the_shop(shop: Mobile) -> None:
    shop.tap(text="Check out")


def test_settings(settings: Mobile, tenant: str) -> None:
    settings.expect_visible(text=f"{tenant}@example.com")
    settings.tap(text="Dark mode").expect_state(checked=True)


def test_settings_go_on(settings: Mobile) -> None:
    settings.adjust(role="slider", to=12).expect_state(value=12).expect_visible(text="Volume: 12")


def test_one_mug_state(one_mug: Mobile) -> None:
    one_mug.tap(text="Check out").expect_screen("Checkout")
    one_mug.tap(text="Express").expect_state(checked=True)


def test_a_state_again(signed_in: Mobile) -> None:
    assert signed_in.scroll("down").expect_changed().new_elements
    signed_in.scroll_to(text="House plant").expect_visible(text="House plant")


# --- teardown and set-up --------------------------------------------------------------------------


def test_teardown_acts(tidy: Mobile) -> None:
    tidy.expect_visible(text="Welcome, Ada")


def test_fails_and_teardown_acts(tidy: Mobile) -> None:
    assert tidy.find(text_contains="Cart,").text == "Cart, 1 item"


def test_fails_in_teardown(strict: Mobile) -> None:
    strict.expect_screen("Catalogue")


def test_fails_in_set_up(broken: Mobile) -> None:
    broken.expect_screen("Catalogue")


# --- endings --------------------------------------------------------------------------------------


def test_fails_softly(mobile: Mobile) -> None:
    screen = mobile.launch(SHOP).expect_screen("Sign in")
    screen.soft.expect_visible(text="Create account", timeout=0.5)
    screen.soft.expect_visible(text="Remember me")
    screen.soft.expect_state(by(text="Remember me"), checked=True, timeout=0.5)
    mobile.tap(text="Forgot password?").expect_screen("Reset password")


def test_sleeps(mobile: Mobile) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    time.sleep(0.05)
    mobile.tap(text="Forgot password?").expect_screen("Reset password")


def test_fails_when_the_app_dies(mobile: Mobile) -> None:
    mobile.open_url("lab://crash").expect_visible(text="Weigh")
    mobile.tap(text="Weigh").expect_visible(text="The letter weighs")


def test_recovers(mobile: Mobile) -> None:
    mobile.open_url("lab://permission-question")
    mobile.tap(text="Where am I?").expect_visible(text="We may not know")


@pytest.mark.replicant(allow=["step_back"])
def test_taps_again(mobile: Mobile) -> None:
    mobile.open_url("lab://lost-tap").expect_visible(text="Locked")
    mobile.tap(text="Unlock").expect_visible(text="Unlocked")


@pytest.mark.xfail(reason="the catalogue needs an account", strict=True)
def test_fails_as_expected(mobile: Mobile) -> None:
    mobile.launch(SHOP).expect_screen("Catalogue")


def test_fails_as_the_phone_goes(mobile: Mobile) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    raise DeviceError("the phone went offline between two reads", device="virtual")


def test_skips_itself(mobile: Mobile) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    pytest.skip("not today")


def test_asks_for_its_phone_late(request: pytest.FixtureRequest) -> None:
    mobile: Mobile = request.getfixturevalue("mobile")
    mobile.launch(SHOP).expect_screen("Sign in")


@pytest.mark.replicant(platform="android")
def test_on_android_alone(mobile: Mobile, tmp_path: Path) -> None:
    note = tmp_path / f"{uuid.uuid4()}.txt"
    note.write_text("two mugs")
    mobile.push_file(note, "/sdcard/Download/note.txt")
    assert mobile.pull_file("/sdcard/Download/note.txt", tmp_path / "back.txt")
    mobile.launch(SHOP).expect_screen("Sign in")


def test_turns_and_groups(mobile: Mobile, tmp_path: Path) -> None:
    with mobile.step("Turn it"):
        mobile.launch(SHOP).expect_screen("Sign in")
        mobile.rotate("landscape").expect_screen("Sign in")
    mobile.rotate("portrait")
    mobile.attach("notes", f"nothing was written to {tmp_path.name}")
    assert mobile.app_status() == "foreground"
