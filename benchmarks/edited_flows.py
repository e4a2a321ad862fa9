"""The tests that are recorded once and edited by program: the shop and the lab, Android and iOS."""

from __future__ import annotations

from typing import Any

from pytest_replicant import Secret, by

from .taped_flows import Flow, Step, step, then

SHOP, LAB = "dev.replicant.shop", "dev.replicant.lab"
PASSWORD = "correct horse"
_LAB: dict[str, Any] = {"apps": (LAB,)}


def signed_in(password: str | Secret = PASSWORD, phone: int = 0) -> tuple[Step, ...]:
    return (
        step("launch", SHOP, phone=phone),
        then("expect_screen", "Sign in", phone=phone),
        step("fill", text="Email", value="ada@example.com", phone=phone),
        step("fill", text="Password", value=password, phone=phone),
        step("tap", text="Sign in", phone=phone),
        then("expect_screen", "Catalogue", phone=phone),
    )


def exhibit(link: str) -> Step:
    return step("open_url", f"lab://{link}")


_CART = (
    *signed_in(),
    step("tap", text="Add", row_with=by(text="Red mug")),
    then("expect_visible", text="Cart, 1 item"),
    step("tap", text="Cart, 1 item"),
    then("expect_screen", "Cart"),
)
_COUNTED = (
    exhibit("counter"),
    then("expect_visible", text="0"),
    step("tap", text="Tap"),
    then("expect_visible", text="1"),
    step("tap", text="Tap"),
    then("expect_visible", text="2"),
    step("tap", text="Tap"),
    then("expect_visible", text="3"),
)

_EMPTIED = (*_CART, step("tap", text="Remove"), then("expect_visible", text="Your cart is empty"))
_GONE_SOON = (
    exhibit("flash?lasts=1000"),
    step("tap", text="Save", silent=True),
    then("expect_visible", text="Saved"),
    then("expect_gone", text="Saved"),
    then("expect_visible", text="Saves: 1"),
    then("expect_seen", text="Saved"),
)

FLOWS = (
    Flow("sign in", "android", (*signed_in(), then("expect_visible", text="Welcome, Ada"))),
    Flow("sign in", "ios", (*signed_in(), then("expect_visible", text="Welcome, Ada"))),
    Flow(
        "a secret",
        "android",
        (
            step("launch", SHOP),
            step("fill", text="Email", value=Secret("ada@example.com")),
            then("expect_state", text=Secret("ada@example.com")),
            step("fill", text="Password", value=Secret(PASSWORD)),
            step("tap", text="Sign in"),
            then("expect_screen", "Catalogue"),
        ),
    ),
    Flow("a secret", "ios", signed_in(Secret(PASSWORD))),
    Flow(
        "two secrets",
        "android",
        (
            step("launch", SHOP),
            step("fill", text="Email", value=Secret("ada@example.com")),
            step("fill", text="Password", value=Secret("battery staple!")),
            step("tap", text="Sign in"),
            then("expect_visible", text="Wrong email or password"),
        ),
    ),
    Flow(
        "hidden by a pattern",
        "android",
        (
            step("launch", SHOP),
            step("tap", text="Forgot password?"),
            then("expect_screen", "Reset password"),
            step("fill", text="Email", value="ada-4711-0815@example.com"),
            step("tap", text="Send reset link"),
            then("expect_visible", text="Check your inbox"),
        ),
        patterns=(r"\d{4}-\d{4}",),
    ),
    Flow("cart", "android", _EMPTIED),
    Flow("cart", "ios", _EMPTIED),
    Flow(
        "order",
        "android",
        (
            *_CART,
            step("tap", text="Check out"),
            then("expect_screen", "Checkout"),
            step("tap", text="Express"),
            then("expect_checked"),
            step("tap", text="Place order"),
            then("expect_visible", text="Place order?"),
            step("tap", text="Place order", role="button"),
            then("expect_screen", "Order placed"),
            then("expect_seen", text="Order placed"),
        ),
    ),
    Flow(
        "search",
        "android",
        (
            *signed_in(),
            step("fill", text="Search products", value="mug"),
            then("expect_gone", text="Oak tray"),
            then("expect_visible", text="Red mug"),
        ),
    ),
    Flow(
        "settings",
        "ios",
        (
            *signed_in(),
            step("tap", description="Settings"),
            then("expect_screen", "Settings"),
            step("tap", text="Dark mode"),
            then("expect_checked"),
            step("adjust", role="slider", to=12),
            then("expect_visible", text="Volume: 12"),
        ),
    ),
    Flow(
        "scrolled to",
        "android",
        (
            *signed_in(),
            step("scroll_to", text="House plant"),
            then("expect_visible", text="House plant"),
            step("tap", text="House plant"),
            then("expect_screen", "Product"),
            step("back"),
            then("expect_screen", "Catalogue"),
        ),
    ),
    Flow("counter", "android", _COUNTED, **_LAB),
    Flow("counter", "ios", _COUNTED, **_LAB),
    Flow(
        "late",
        "android",
        (
            exhibit("late-content?delay=1500"),
            then("expect_visible", text="Parcel 4711"),
            then("expect_visible", text="Arrives on Friday", stays=0.5),
            exhibit("late-button?delay=1200"),
            step("tap", text="Agree"),
            then("expect_visible", text="Agreed 1 times"),
        ),
        **_LAB,
        moves=True,
    ),
    Flow("gone soon", "ios", _GONE_SOON, **_LAB, moves=True),
    Flow("gone soon", "android", _GONE_SOON, **_LAB, moves=True),
    Flow(
        "turning pages",
        "android",
        (
            exhibit("carousel?every=1500"),
            then("expect_visible", text="1 of 5"),
            then("expect_visible", text="3 of 5"),
            step("tap", text="Clock", timeout=8),
            then("expect_visible", text="Took the clock"),
        ),
        **_LAB,
        moves=True,
    ),
    Flow(
        "a notice",
        "android",
        (
            exhibit("system-notice?delay=1"),
            step("wait_for", text="Battery low"),
            step("tap", text="Tap", timeout=1),
            then("expect_visible", text="Tapped 1 times"),
            step("tap", text="Tap"),
            then("expect_visible", text="Tapped 2 times"),
        ),
        **_LAB,
    ),
    Flow(
        "dragged",
        "android",
        (
            exhibit("reorder"),
            step("drag", by(description="Move Buy milk"), by(description="Move Feed the cat")),
            then("expect_changed"),
            step("drag", by(description="Move Call Ada"), by(description="Move Water the plants")),
            then("expect_changed"),
        ),
        **_LAB,
    ),
    Flow(
        "logged",
        "android",
        (
            *signed_in(),
            step("tap", text="Add", row_with=by(text="Blue mug")),
            then("expect_log", "to cart"),
            then("expect_no_crash"),
        ),
    ),
    Flow(
        "two phones",
        "android",
        (
            *signed_in(),
            step("launch", SHOP, phone=1),
            then("expect_screen", "Sign in", phone=1),
            step("tap", text="Cart, 0 items"),
            then("expect_screen", "Cart"),
            step("expect_screen", "Sign in", phone=1),
            step("tap", text="Forgot password?", phone=1),
            then("expect_screen", "Reset password", phone=1),
            step("expect_screen", "Cart"),
        ),
        phones=2,
    ),
    # --- that failed ---
    Flow("a text that is not there", "android", (*signed_in(), then("expect_visible", text="Out of stock"))),
    Flow(
        "a text that is not there", "ios", (*signed_in(), then("expect_visible", text="Out of stock", timeout=1))
    ),
    Flow(
        "a text that stays",
        "android",
        (
            step("launch", SHOP),
            step("tap", text="Remember me"),
            then("expect_gone", text="Remember me", timeout=2),
        ),
    ),
    Flow(
        "a button that is not there",
        "android",
        (*_COUNTED[:4], step("tap", text="Order now", timeout=1)),
        **_LAB,
    ),
    Flow(
        "a wrong password",
        "android",
        (
            *signed_in("battery staple")[:-1],
            then("expect_visible", text="Wrong email or password"),
            step("expect_count", 2, text="Email", timeout=1.5),
        ),
    ),
)
