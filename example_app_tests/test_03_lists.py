"""Rows, repeated controls and scrolling."""

from __future__ import annotations

from pytest_replicant import DeviceSession, by


def test_the_add_of_one_row(signed_in: DeviceSession) -> None:
    outcome = signed_in.tap(text="Add", row_with=by(text="Red mug"))
    outcome.expect_visible(text="Cart, 1 item")


def test_scroll_to_a_product_far_down(signed_in: DeviceSession) -> None:
    signed_in.expect_gone(text="House plant")
    signed_in.scroll_to(text="House plant").expect_visible(text="House plant")
    signed_in.tap(text="House plant").expect_screen("Product")


def test_scrolling_tells_what_came_into_view(signed_in: DeviceSession) -> None:
    outcome = signed_in.scroll("down").expect_changed()
    assert not outcome.reached_end
    assert outcome.new_elements
    signed_in.scroll("up").expect_visible(text="Blue mug")


def test_search_narrows_the_list(signed_in: DeviceSession) -> None:
    outcome = signed_in.fill(text="Search products", value="mug").expect_gone(text="Oak tray")
    outcome.soft.expect_state(text="mug")
    signed_in.expect_visible(text="Red mug")
