"""Other causes, on other screens. No rule of the grouping was made for these."""

from __future__ import annotations

import pytest

from pytest_replicant import DeviceSession, by

from .pages import start, to_cart, to_catalogue, to_checkout, to_settings


def to_reset(mobile: DeviceSession) -> None:
    start(mobile)
    mobile.tap(text="Forgot password?").expect_screen("Reset password")


def to_product(mobile: DeviceSession, name: str = "Blue mug") -> None:
    to_catalogue(mobile)
    mobile.tap(text=name)


def to_order(mobile: DeviceSession) -> None:
    to_checkout(mobile, "Oak tray")
    mobile.tap(text="Place order").expect_visible(text="Place order?")
    mobile.tap(resource_id="android:id/button1")


@pytest.mark.cause("reset_renamed")
class TestReset:
    def test_tapped(self, mobile: DeviceSession) -> None:
        to_reset(mobile)
        mobile.fill(text="Email", value="ada@example.com")
        mobile.tap(text="Send reset link").expect_visible(text="Check your inbox")

    def test_disabled_at_first(self, mobile: DeviceSession) -> None:
        to_reset(mobile)
        mobile.expect_state(by(text="Send reset link"), enabled=False)

    def test_seen(self, mobile: DeviceSession) -> None:
        to_reset(mobile)
        mobile.expect_visible(text="Send reset link")

    def test_waited_for(self, mobile: DeviceSession) -> None:
        to_reset(mobile)
        mobile.wait_for(text="Send reset link")


@pytest.mark.cause("email_renamed")
class TestEmail:
    def test_filled(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.fill(text="Email", value="ada@example.com")

    def test_seen(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.expect_visible(text="Email")

    def test_tapped(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.tap(text="Remember me").expect_state(checked=True)
        mobile.tap(text="Email")

    def test_signs_in(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)


@pytest.mark.cause("reset_email_renamed")
class TestResetEmail:
    def test_filled(self, mobile: DeviceSession) -> None:
        to_reset(mobile)
        mobile.fill(text="Email", value="ada@example.com")

    def test_empty(self, mobile: DeviceSession) -> None:
        to_reset(mobile)
        mobile.expect_state(by(text="Email"), text="")

    def test_seen(self, mobile: DeviceSession) -> None:
        to_reset(mobile)
        mobile.expect_visible(text="Email")


@pytest.mark.cause("dark_mode_crashes")
class TestDarkMode:
    def test_checked(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Dark mode").expect_state(checked=True)

    def test_screen(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Dark mode").expect_screen("Settings")

    def test_then_volume(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Dark mode")
        mobile.tap(text="Sign out")

    def test_back(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Dark mode")
        mobile.wait_for(text="Volume")

    def test_count(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(resource_id="dark_mode").expect_count(1, text="Sound")


@pytest.mark.cause("battery_low")
class TestBattery:
    def test_screen(self, mobile: DeviceSession) -> None:
        to_product(mobile)
        mobile.expect_visible(text="Add to cart")

    def test_added(self, mobile: DeviceSession) -> None:
        to_product(mobile, "Red mug")
        mobile.tap(text="Add to cart").expect_seen(text="Added Red mug to cart")

    def test_cart(self, mobile: DeviceSession) -> None:
        to_product(mobile)
        mobile.tap(text="Cart").expect_screen("Cart")

    def test_price(self, mobile: DeviceSession) -> None:
        to_product(mobile, "Oak tray")
        mobile.expect_state(by(resource_id="product_price"), text="£12.00")

    def test_wait(self, mobile: DeviceSession) -> None:
        to_product(mobile, "Oak tray")
        mobile.wait_for(text="Oak tray")


@pytest.mark.cause("rating_asked")
class TestRating:
    def test_number(self, mobile: DeviceSession) -> None:
        to_order(mobile)
        mobile.expect_visible(text_contains="Order number")

    def test_goes_on(self, mobile: DeviceSession) -> None:
        to_order(mobile)
        mobile.tap(text="Continue shopping").expect_screen("Catalogue")

    def test_wait(self, mobile: DeviceSession) -> None:
        to_order(mobile)
        mobile.wait_for(text="Continue shopping")

    def test_enabled(self, mobile: DeviceSession) -> None:
        to_order(mobile)
        mobile.expect_state(by(resource_id="continue_shopping"), enabled=True)


@pytest.mark.cause("veil", fault="nothing")
class TestVeil:
    def test_tapped(self, mobile: DeviceSession) -> None:
        mobile.open_url("lab://overlay?lasts=0")
        mobile.tap(resource_id="pay")

    def test_held(self, mobile: DeviceSession) -> None:
        mobile.open_url("lab://overlay?lasts=0")
        mobile.long_press(text="Pay")

    def test_twice(self, mobile: DeviceSession) -> None:
        mobile.open_url("lab://overlay?lasts=0").expect_screen("Button under an overlay")
        mobile.double_tap(text="Pay")


@pytest.mark.cause("late", fault="nothing")
class TestLate:
    def test_tapped(self, mobile: DeviceSession) -> None:
        mobile.open_url("lab://late-button?delay=0")
        mobile.tap(class_name="Button", text_matches="[A-Z].*")

    def test_enabled(self, mobile: DeviceSession) -> None:
        mobile.open_url("lab://late-button?delay=0")
        mobile.expect_state(by(class_name="Button", text_matches="[A-Z].*"), enabled=True)

    def test_held(self, mobile: DeviceSession) -> None:
        mobile.open_url("lab://late-button?delay=0").expect_screen("Button enabled late")
        mobile.long_press(class_name="Button", text_matches="[A-Z].*")


@pytest.mark.cause("volume_stuck")
class TestVolume:
    def test_adjusted(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.adjust(text="Volume", to=12)

    def test_told(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.adjust(resource_id="volume", to=3)

    def test_loudest(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.adjust(text="Volume", to=15).expect_visible(text="Volume: 15")


@pytest.mark.cause("search_broken")
class TestSearch:
    def test_found(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.fill(text="Search products", value="mug")
        mobile.expect_visible(text="Blue mug")

    def test_tapped(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.fill(text="Search products", value="mug")
        mobile.tap(text="Red mug").expect_screen("Product")

    def test_added(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.fill(text="Search products", value="tray")
        mobile.tap(text="Add", row_with=by(text="Oak tray"))

    def test_counted(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.fill(text="Search products", value="mug").expect_count(3, text_contains="mug")

    def test_wait(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.fill(text="Search products", value="knife")
        mobile.wait_for(text="Paring knife")


@pytest.mark.cause("remove_gone")
class TestRemove:
    def test_tapped(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Blue mug")
        mobile.tap(text="Remove").expect_visible(text="Your cart is empty")

    def test_seen(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Red mug")
        mobile.expect_visible(text="Remove")

    def test_each(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Blue mug", "Red mug")
        mobile.expect_count(2, text="Remove")

    def test_of_a_row(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Blue mug", "Red mug")
        mobile.tap(text="Remove", row_with=by(text="Red mug"))


@pytest.mark.cause("phone_mute")
class TestMute:
    def test_screen(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)

    def test_tap(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.fill(text="Email", value="ada@example.com")
        mobile.fill(text="Password", value="correct horse")
        mobile.tap(text="Sign in", silent=True)
        mobile.tap(text="Settings")

    def test_look(self, mobile: DeviceSession) -> None:
        start(mobile)
        mobile.fill(text="Email", value="ada@example.com")
        mobile.fill(text="Password", value="correct horse")
        mobile.tap(text="Sign in", silent=True)
        mobile.snapshot()


@pytest.mark.cause("translated")
class TestTranslated:
    def test_dark(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Dark mode").expect_state(checked=True)

    def test_out(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Sign out").expect_screen("Sign in")

    def test_sections(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.expect_visible(text="Display")

    def test_light_at_first(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.expect_state(by(text="Dark mode"), checked=False)

    def test_louder(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.adjust(text="Volume", to=9).expect_visible(text="Volume: 9")
        mobile.wait_for(text="Sound")


@pytest.mark.cause("cart_dead")
class TestCart:
    def test_screen(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Blue mug")

    def test_total(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.tap(resource_id="cart").expect_visible(text="Total £0.00")

    def test_empty(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.tap(text="Cart, 0 items")
        mobile.expect_visible(text="Your cart is empty")

    def test_checks_out(self, mobile: DeviceSession) -> None:
        to_catalogue(mobile)
        mobile.tap(text="Add", row_with=by(text="Red mug")).expect_visible(text="Cart, 1 item")
        mobile.tap(text="Cart, 1 item")
        mobile.tap(text="Check out")


def parsed(text: str) -> int:
    return int(text.partition("£")[2])


@pytest.mark.cause("parsing", fault="nothing")
class TestParsing:
    @pytest.fixture
    def price(self, mobile: DeviceSession) -> int:
        start(mobile)
        return parsed("Total: free")

    def test_fixture(self, mobile: DeviceSession, price: int) -> None:
        to_catalogue(mobile)

    def test_total(self, mobile: DeviceSession) -> None:
        to_cart(mobile, "Blue mug")
        assert parsed(mobile.find(resource_id="total").label) == 9

    def test_product(self, mobile: DeviceSession) -> None:
        assert parsed("£9.90") == 9


class TestHealthy:
    def test_orders(self, mobile: DeviceSession) -> None:
        to_order(mobile)
        mobile.tap(text="Continue shopping").expect_screen("Catalogue")

    def test_settings(self, mobile: DeviceSession) -> None:
        to_settings(mobile)
        mobile.tap(text="Dark mode").expect_state(checked=True)
