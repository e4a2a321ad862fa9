"""Tests whose data differ each time: from a server, by chance, of today; and one whose data no
fixture made."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from pytest_replicant import ActionFailed, Mobile, Secret, by

from .conftest import SHOP, sign_in


def test_an_account_is_welcomed(mobile: Mobile, account: str) -> None:
    sign_in(mobile, account)
    mobile.expect_visible(text=f"Welcome, {account.capitalize()}")


def test_fails_an_account_that_came_back(mobile: Mobile, account: str) -> None:
    sign_in(mobile, account)
    mobile.expect_visible(text=f"Welcome back, {account.capitalize()}")


def test_unrecorded_account(mobile: Mobile, unrecorded_account: str) -> None:
    sign_in(mobile, unrecorded_account)


def test_a_person_without_a_password(mobile: Mobile, person: dict[str, Any]) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value=person["email"]).expect_state(text=person["email"])
    mobile.fill(text="Password", value=person["born"].isoformat())
    mobile.tap(text="Sign in").expect_visible(text="Wrong email or password")


def test_an_order_that_is_not_there(signed_in: Mobile, order_number: uuid.UUID) -> None:
    signed_in.fill(text="Search products", value=str(order_number)).expect_visible(
        text="No products found"
    )


def test_fails_a_number_of_its_own(signed_in: Mobile, order_number: uuid.UUID) -> None:
    signed_in.fill(text="Search products", value=order_number.hex).expect_visible(
        text="No products found"
    )
    assert signed_in.find(text="No products found").text == f"No product {order_number}"


def test_today(mobile: Mobile) -> None:
    sign_in(mobile)
    today = mobile.recorded("today", date.today)
    number = mobile.recorded("number", lambda: uuid.uuid4().int % 10**6)
    sought = f"{today.isoformat()} {number}"
    mobile.fill(text="Search products", value=sought).expect_state(text=sought)


def test_a_secret(mobile: Mobile) -> None:
    sign_in(mobile)
    shown = Secret("mug of Ada")
    mobile.fill(text="Search products", value=shown).expect_state(text=shown)
    mobile.expect_visible(text="No products found")


def test_fails_another_secret(mobile: Mobile) -> None:
    sign_in(mobile)
    mobile.fill(text="Search products", value=Secret("mug of Ada"))
    mobile.expect_state(by(role="text_field"), text=Secret("mug of Grace"))


@pytest.mark.parametrize("product", ["Red mug", "Blue mug", "fails: Gold mug"])
def test_into_the_cart(signed_in: Mobile, product: str) -> None:
    signed_in.tap(text="Add", row_with=by(text=product)).expect_seen(
        text=f"Added {product} to cart"
    )


def test_two_phones(mobile: Mobile, new_mobile: Callable[..., Mobile], account: str) -> None:
    other = new_mobile()
    sign_in(mobile, account)
    other.launch(SHOP).expect_screen("Sign in")
    mobile.tap(text_contains="Cart,").expect_screen("Cart")
    other.expect_screen("Sign in")


def test_fails_on_the_second_phone(mobile: Mobile, new_mobile: Callable[..., Mobile]) -> None:
    other = new_mobile()
    sign_in(mobile)
    other.launch(SHOP).expect_screen("Catalogue")


def test_raises(mobile: Mobile, person: dict[str, Any]) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    with pytest.raises(ActionFailed, match="ELEMENT_NOT_FOUND"):
        mobile.tap(text=person["email"])
    mobile.tap(text="Forgot password?").expect_screen("Reset password")
