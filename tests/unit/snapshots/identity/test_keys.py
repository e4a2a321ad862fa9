"""Which screen, and what is on it."""

from __future__ import annotations

import pytest

from ..screens import SHOP, button, catalogue, hierarchy, node, parse, row, screen, text


def page(checked: str = "false", clock: str = "10:45", focused: str = "false", price: str = "£9.90") -> str:
    return screen(
        text(clock),
        node("CheckBox", at=(0, 300, 900, 380), text="Gift", checkable="true", checked=checked, focused=focused),
        catalogue(row("Blue mug", price, 400)),
        title="Catalogue",
    )


@pytest.mark.parametrize("same", [page(), page(clock="10:46"), page(focused="true")])
def test_the_fingerprint_does_not_see_clocks_and_focus(same: str) -> None:
    assert parse(same).fingerprint == parse(page()).fingerprint


@pytest.mark.parametrize("other", [page(checked="true"), page(price="£9.95"), screen(title="Catalogue")])
def test_the_fingerprint_sees_states_and_content(other: str) -> None:
    assert parse(other).fingerprint != parse(page()).fingerprint


def test_the_screen_key_is_the_same_under_scrolling_and_content() -> None:
    scrolled = screen(catalogue(row("Tray", "£1", 400), row("Cup", "£2", 500)), title="Catalogue")
    assert parse(scrolled).screen_key == parse(SHOP).screen_key
    assert parse(screen(title="Cart")).screen_key != parse(SHOP).screen_key


def test_a_screen_without_a_title_is_known_by_its_fixed_parts() -> None:
    def untitled(name: str, label: str) -> str:
        return screen(button(label, resource_id=f"dev.shop:id/{name}"))

    assert parse(untitled("pay", "Pay")).screen_key == parse(untitled("pay", "Pay now")).screen_key
    assert parse(untitled("pay", "Pay")).screen_key != parse(untitled("cart", "Pay")).screen_key


def test_a_dialog_makes_another_screen_of_it() -> None:
    app = node("FrameLayout", button("Buy", resource_id="dev.shop:id/buy"))
    dialog = node("FrameLayout", button("OK", at=(300, 950, 400, 990)), at=(200, 900, 800, 1000))
    assert parse(hierarchy(app, dialog)).screen_key != parse(hierarchy(app)).screen_key


def test_a_count_in_the_title_is_content() -> None:
    one, more = parse(screen(button("OK"), title="Inbox (3)")), parse(screen(button("OK"), title="Inbox (12)"))
    assert one.screen_key == more.screen_key
    assert one.fingerprint != more.fingerprint


def test_the_fingerprint_sees_a_dialog_and_loading() -> None:
    app = node("FrameLayout", button("Buy"))
    over = node("FrameLayout", button("Buy", at=(300, 950, 400, 990)), at=(200, 900, 800, 1000))
    assert parse(hierarchy(app, over)).fingerprint != parse(hierarchy(app)).fingerprint
    busy = screen(button("OK"), node("ProgressBar", at=(500, 500, 600, 600)))
    assert parse(busy).fingerprint != parse(screen(button("OK"))).fingerprint


def test_what_is_typed_is_on_the_screen_but_does_not_make_another_one() -> None:
    def form(typed: str) -> str:
        return screen(node("EditText", at=(0, 300, 900, 390), hint="Email", text=typed))

    assert parse(form("ada")).screen_key == parse(form("")).screen_key
    assert parse(form("ada")).fingerprint != parse(form("")).fingerprint


KEYBOARD = node(
    "FrameLayout", button("q", at=(0, 1700, 90, 1790)), at=(0, 1600, 1080, 2400), package="com.x.inputmethod.latin"
)


def test_an_open_keyboard_keeps_the_screen_key() -> None:
    field = node(
        "EditText", at=(0, 300, 900, 390), hint="Email", clickable="true", resource_id="dev.shop:id/email"
    )
    window = node("FrameLayout", field)
    assert parse(hierarchy(window, KEYBOARD)).keyboard_visible
    assert parse(hierarchy(window, KEYBOARD)).screen_key == parse(hierarchy(window)).screen_key


def test_another_app_is_another_screen() -> None:
    own = hierarchy(node("FrameLayout", button("OK")))
    other = hierarchy(node("FrameLayout", button("OK"), package="dev.bank"))
    assert parse(own).screen_key != parse(other).screen_key
