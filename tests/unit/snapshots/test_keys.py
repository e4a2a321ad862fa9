"""Which screen, and what is on it."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots.keys import mask_volatile

from .screens import SHOP, button, catalogue, hierarchy, node, parse, row, screen, text


@pytest.mark.parametrize(
    ("raw", "masked"),
    [
        ("10:45", "~"),
        ("Updated 10:45:01 PM, 3 items", "Updated ~, 3 items"),
        ("3 min ago", "~"),
        ("Seen just now", "Seen ~"),
        ("£9.90", "£9.90"),
        ("50 %", "50 %"),
        ("Ratio 16:90", "Ratio 16:90"),
        ("Cart, 2 items", "Cart, 2 items"),
    ],
)
def test_only_what_ticks_by_itself_is_masked(raw: str, masked: str) -> None:
    assert mask_volatile(raw) == masked


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
