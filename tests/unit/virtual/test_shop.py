from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_replicant.virtual import Latency, UiNode, VirtualPhone, draw_screen, shop
from pytest_replicant.virtual.demo_apps.shop import PACKAGE
from pytest_replicant.virtual.demo_apps.shop.cart import Cart
from pytest_replicant.virtual.demo_apps.shop.products import PRODUCTS, pounds

NO_LATENCY = Latency(*[0] * 8)


class Hand:
    """Looks at the accessible windows of a phone, and taps in the middle of what it finds there."""

    def __init__(self, phone: VirtualPhone) -> None:
        self.phone = phone

    def nodes(self) -> Iterator[UiNode]:
        for window in reversed(self.phone.windows()):
            if window.accessible and window.package == PACKAGE:
                yield from window.root.walk()

    def find_all(self, text: str = "", id: str = "", description: str = "", class_name: str = "") -> list[UiNode]:
        return [
            node
            for node in self.nodes()
            if text in ("", node.text)
            and (not id or node.resource_id == f"{PACKAGE}:id/{id}")
            and description in ("", node.description)
            and node.class_name.endswith(class_name)
        ]

    def find(self, text: str = "", id: str = "", description: str = "", class_name: str = "") -> UiNode:
        found = self.find_all(text, id, description, class_name)
        assert found, f"no {text or id or description or class_name!r} among {self.texts()}"
        return found[0]

    def texts(self) -> list[str]:
        return [node.text for node in self.nodes() if node.text]

    def tap(self, text: str = "", id: str = "", description: str = "", class_name: str = "") -> None:
        middle = self.find(text, id, description, class_name).bounds.center
        self.phone.tap(middle.x, middle.y)

    def type(self, id: str, text: str) -> None:
        self.tap(id=id)
        assert self.phone.type_text(text)

    def slide(self, id: str, share: float) -> None:
        """Taps on a seek bar's track, ``share`` from 0 to 1 along it."""
        bounds = self.find(id=id).bounds
        self.phone.tap(bounds.left + 1 + round((bounds.width - 2) * share), bounds.center.y)

    def scroll_down(self) -> None:
        self.phone.swipe(540, 1800, 540, 900)

    @property
    def title(self) -> str:
        return next(node.text for node in self.find(id="toolbar").walk() if node.text)

    def sign_in(self, email: str = "ada@example.com", password: str = "correct horse") -> None:
        self.type("email", email)
        self.type("password", password)
        self.phone.press_key("BACK")
        self.tap(id="sign_in")


@pytest.fixture
def hand() -> Hand:
    """On the first screen of a phone of its own."""
    phone = VirtualPhone([shop()], latency=NO_LATENCY)
    phone.start_app(PACKAGE)
    return Hand(phone)


@pytest.fixture
def inside(hand: Hand) -> Hand:
    """Signed in, at the catalogue."""
    hand.sign_in()
    return hand


@pytest.fixture
def at_checkout(inside: Hand) -> Hand:
    """With one blue mug."""
    inside.tap("Add")
    inside.tap(id="cart")
    inside.tap("Check out")
    return inside


# --- signing in ---------------------------------------------------------------------------------------------
def test_the_right_password_opens_the_catalogue(hand: Hand) -> None:
    assert hand.title == "Sign in"
    hand.sign_in()
    assert hand.title == "Catalogue"
    assert "Welcome, Ada" in hand.texts()


@pytest.mark.parametrize(
    ("email", "password"),
    [("ada", "correct horse"), ("ada@example.com", "Correct horse"), ("ada@example.com", "correct")],
)
def test_anything_else_is_refused(hand: Hand, email: str, password: str) -> None:
    hand.sign_in(email, password)
    assert hand.title == "Sign in"
    assert hand.find(id="error").text == "Wrong email or password"


def test_nothing_at_all_is_refused(hand: Hand) -> None:
    assert not hand.find_all(id="error")
    hand.tap(id="sign_in")
    assert hand.find(id="error").text == "Wrong email or password"


def test_fields_say_what_belongs_in_them(hand: Hand) -> None:
    fields = hand.find_all(class_name="EditText")
    assert [field.hint for field in fields] == ["Email", "Password"]
    assert [field.password for field in fields] == [False, True]


def test_the_password_is_in_no_window_and_in_no_log(hand: Hand) -> None:
    hand.sign_in()
    written = "\n".join(entry.message for entry in hand.phone.log.entries())
    assert "signed in" in written
    assert "horse" not in written
    assert not [node for window in hand.phone.windows() for node in window.root.walk() if "horse" in node.text]


def test_a_reset_link_is_sent_to_an_address(hand: Hand) -> None:
    hand.tap("Forgot password?")
    assert hand.title == "Reset password"
    assert not hand.find("Send reset link").enabled
    hand.type("email", "ada@example.com")
    hand.tap("Send reset link")
    assert hand.find(id="status").text == "Check your inbox"
    hand.tap(description="Navigate up")
    assert hand.title == "Sign in"


def test_what_is_not_stored_is_gone_with_the_process(inside: Hand) -> None:
    inside.tap("Add")
    inside.phone.stop_app(PACKAGE)
    inside.phone.start_app(PACKAGE)
    assert inside.title == "Sign in"
    assert inside.find(id="email").text == ""
    inside.sign_in()
    assert inside.find(id="cart").text == "Cart, 0 items"


def test_remember_me_keeps_the_address_until_the_data_is_cleared(hand: Hand) -> None:
    hand.tap("Remember me")
    hand.sign_in()
    hand.phone.stop_app(PACKAGE)
    hand.phone.start_app(PACKAGE)
    assert hand.find(id="email").text == "ada@example.com"
    assert hand.find("Remember me").checked
    assert hand.phone.clear_app(PACKAGE)
    hand.phone.start_app(PACKAGE)
    assert hand.find(id="email").text == ""


# --- the catalogue ------------------------------------------------------------------------------------------
def test_there_are_forty_products_to_scroll_through(inside: Hand) -> None:
    seen: dict[str, None] = {}
    for _ in range(20):
        seen |= dict.fromkeys(node.text for node in inside.find_all(id="product_name"))
        inside.scroll_down()
    assert list(seen) == [product.name for product in PRODUCTS]
    assert len(seen) == 40


def test_the_first_rows_are_what_the_tour_says(inside: Hand) -> None:
    names = [node.text for node in inside.find_all(id="product_name")]
    prices = [node.text for node in inside.find_all(id="product_price")]
    first = list(zip(names, prices, strict=False))[:3]
    assert first == [("Blue mug", "£9.90"), ("Red mug", "£8.00"), ("Oak tray", "£12.00")]


def test_rows_share_their_ids_and_have_none_themselves(inside: Hand) -> None:
    rows = inside.find(id="products").children
    assert len(rows) > 5
    assert {row.resource_id for row in rows} == {""}
    assert all(row.clickable for row in rows)
    assert len(inside.find_all(id="add")) >= len(rows) - 1


def test_one_button_has_nothing_but_a_description(inside: Hand) -> None:
    button = inside.find(description="Settings")
    assert (button.text, button.resource_id, button.class_name) == ("", "", "android.widget.ImageButton")


def test_adding_counts_and_says_so(inside: Hand) -> None:
    cart = inside.find(id="cart")
    assert (cart.text, cart.class_name) == ("Cart, 0 items", "android.widget.Button")
    inside.tap("Add")
    assert inside.phone.last_toast == "Added Blue mug to cart"
    assert inside.find(id="cart").text == "Cart, 1 item"
    inside.tap("Add")
    assert inside.find(id="cart").text == "Cart, 2 items"


def test_a_search_leaves_what_matches(inside: Hand) -> None:
    inside.type("search", "MUG")
    assert [node.text for node in inside.find_all(id="product_name")] == ["Blue mug", "Red mug", "Yellow mug"]
    inside.type("search", "qq")
    assert inside.find(id="empty").text == "No products found"
    assert not inside.find_all(id="product_name")


def test_a_row_opens_its_product(inside: Hand) -> None:
    inside.tap("Oak tray")
    assert inside.title == "Product"
    assert (inside.find(id="product_name").text, inside.find(id="product_price").text) == ("Oak tray", "£12.00")
    inside.tap("Add to cart")
    assert inside.phone.last_toast == "Added Oak tray to cart"
    inside.phone.press_key("BACK")
    assert inside.title == "Catalogue"
    assert inside.find(id="cart").text == "Cart, 1 item"


# --- the cart -----------------------------------------------------------------------------------------------
def test_an_empty_cart_cannot_be_checked_out(inside: Hand) -> None:
    inside.tap(id="cart")
    assert inside.title == "Cart"
    assert "Your cart is empty" in inside.texts()
    assert not inside.find("Check out").enabled
    inside.tap("Check out")
    assert inside.title == "Cart"


def test_steppers_and_remove_change_the_total(inside: Hand) -> None:
    for button in inside.find_all("Add")[:2]:
        inside.phone.tap(button.bounds.center.x, button.bounds.center.y)
    inside.tap(id="cart")
    assert inside.find(id="total").text == "Total £17.90"
    inside.tap(description="Increase quantity")
    assert inside.find(id="quantity").text == "2"
    assert inside.find(id="total").text == "Total £27.80"
    inside.tap(description="Decrease quantity")
    assert inside.find(id="total").text == "Total £17.90"
    assert not inside.find(description="Decrease quantity").enabled
    inside.tap("Remove")
    assert [node.text for node in inside.find_all(id="product_name")] == ["Red mug"]
    inside.tap("Remove")
    assert "Your cart is empty" in inside.texts()
    assert inside.find(id="total").text == "Total £0.00"


# --- the checkout -------------------------------------------------------------------------------------------
def test_one_way_of_shipping_is_chosen(at_checkout: Hand) -> None:
    assert at_checkout.title == "Checkout"
    radios = at_checkout.find_all(class_name="RadioButton")
    assert [(radio.text, radio.checked) for radio in radios] == [
        ("Standard", True),
        ("Express", False),
        ("Pick up", False),
    ]
    at_checkout.tap("Express")
    assert [radio.checked for radio in at_checkout.find_all(class_name="RadioButton")] == [False, True, False]
    assert at_checkout.find(id="order_total").text == "Total £17.80"


@pytest.mark.parametrize(("share", "tip"), [(0.0, 0), (0.5, 15), (1.0, 30)])
def test_the_tip_slides_from_nothing_to_thirty(at_checkout: Hand, share: float, tip: int) -> None:
    at_checkout.slide("tip", share)
    assert at_checkout.find(id="tip_value").text == f"Tip: £{tip}"
    assert at_checkout.find(id="order_total").text == f"Total {pounds(990 + 350 + tip * 100)}"


def test_a_country_is_chosen_from_a_list(at_checkout: Hand) -> None:
    assert "United Kingdom" in at_checkout.texts()
    at_checkout.tap(id="country")
    at_checkout.tap("Norway")
    assert [node.text for node in at_checkout.find(id="country").walk() if node.text] == ["Norway"]


def test_an_order_is_placed_once_confirmed(at_checkout: Hand) -> None:
    at_checkout.tap("Place order")
    assert "Place order?" in at_checkout.texts()
    at_checkout.tap("Cancel")
    assert at_checkout.title == "Checkout"
    assert "Place order?" not in at_checkout.texts()
    at_checkout.tap("Place order")
    at_checkout.tap("Place order", class_name="Button")
    assert at_checkout.title == "Order placed"
    assert at_checkout.phone.last_toast == "Order placed"
    assert at_checkout.find(id="order_number").text == "Order number 1001"
    at_checkout.tap("Continue shopping")
    assert at_checkout.title == "Catalogue"
    assert at_checkout.find(id="cart").text == "Cart, 0 items"


# --- settings -----------------------------------------------------------------------------------------------
def test_dark_mode_darkens_every_screen(inside: Hand) -> None:
    def brightness() -> float:
        image = draw_screen(inside.phone.windows(), inside.phone.size).convert("L").reduce(40)
        levels = image.tobytes()
        return sum(levels) / len(levels)

    light = brightness()
    inside.tap(description="Settings")
    assert inside.title == "Settings"
    inside.tap("Dark mode")
    assert inside.find("Dark mode").checked
    inside.phone.press_key("BACK")
    assert brightness() < light / 2


@pytest.mark.parametrize(("share", "volume"), [(0.0, 0), (1.0, 15)])
def test_the_volume_slides_from_0_to_15(inside: Hand, share: float, volume: int) -> None:
    inside.tap(description="Settings")
    assert inside.find(id="volume_value").text == "Volume: 7"
    inside.slide("volume", share)
    assert inside.find(id="volume_value").text == f"Volume: {volume}"


def test_signing_out_forgets_the_cart_and_leaves_no_way_back(inside: Hand) -> None:
    inside.tap("Add")
    inside.tap(description="Settings")
    inside.tap("Sign out")
    assert inside.title == "Sign in"
    inside.phone.press_key("BACK")
    assert inside.phone.foreground()[0] != PACKAGE
    inside.phone.start_app(PACKAGE)
    inside.sign_in("grace@example.com")
    assert "Welcome, Grace" in inside.texts()
    assert inside.find(id="cart").text == "Cart, 0 items"


# --- the app as a whole -------------------------------------------------------------------------------------
def test_two_phones_know_nothing_of_each_other(hand: Hand) -> None:
    other = Hand(VirtualPhone([shop()], latency=NO_LATENCY))
    other.phone.start_app(PACKAGE)
    hand.sign_in()
    hand.tap("Add")
    other.sign_in("grace@example.com")
    assert other.find(id="cart").text == "Cart, 0 items"


@pytest.mark.parametrize(
    ("url", "title"),
    [
        ("replicant-shop://cart", "Cart"),
        ("replicant-shop://product/oak_tray", "Product"),
        ("replicant-shop://product/no_such_thing", "Catalogue"),
        ("replicant-shop://", "Catalogue"),
    ],
)
def test_addresses_open_the_shop_at_a_place(hand: Hand, url: str, title: str) -> None:
    hand.phone.start_app(PACKAGE, url=url)
    assert hand.title == title


def test_each_screen_is_an_activity_of_its_own() -> None:
    app = shop()
    screens = [make() for make in app.screens.values()]
    assert [screen.activity for screen in screens] == list(app.screens)
    assert len({screen.title for screen in screens}) == len(screens) == 8
    assert app.main_activity == f"{PACKAGE}.SignInActivity"


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
