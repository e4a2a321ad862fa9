"""Tests whose phones and endings other plugins have a part in: scenarios, subtests, unittest,
strict xfails."""

from __future__ import annotations

import unittest
from typing import Any

import pytest
from pytest_bdd import given, parsers, scenarios, then, when

from pytest_replicant import Mobile, by

from .conftest import SHOP, sign_in

scenarios("shop.feature")


@given("the shop is open")
def _(mobile: Mobile) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")


@when("I ask for a new password")
def _(mobile: Mobile) -> None:
    mobile.tap(text="Forgot password?").expect_screen("Reset password")


@then(parsers.parse('I see "{text}"'))
def _(mobile: Mobile, text: str) -> None:
    mobile.expect_visible(text=text, timeout=0.5)


# --- parts of a test ------------------------------------------------------------------------------


def test_parts(mobile: Mobile, subtests: pytest.Subtests) -> None:
    screen = mobile.launch(SHOP).expect_screen("Sign in")
    for text in ("Email", "Password"):
        with subtests.test(text):
            screen.expect_visible(text=text)


def test_fails_in_two_parts(mobile: Mobile, subtests: pytest.Subtests) -> None:
    screen = mobile.launch(SHOP).expect_screen("Sign in")
    for text in ("Email", "Address", "Password", "Town"):
        with subtests.test(text):
            screen.expect_visible(text=text, timeout=0.5)
    mobile.tap(text="Forgot password?").expect_screen("Reset password")


def test_fails_in_a_part_and_after_it(mobile: Mobile, subtests: pytest.Subtests) -> None:
    screen = mobile.launch(SHOP).expect_screen("Sign in")
    with subtests.test("a town"):
        screen.expect_visible(text="Town", timeout=0.5)
    screen.expect_visible(text="Country", timeout=0.5)


class TestOld(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def _phone(self, mobile: Mobile) -> None:
        self.mobile = mobile

    def test_fails_in_one_of_three(self) -> None:
        self.mobile.launch(SHOP).expect_screen("Sign in")
        for text in ("Email", "Address", "Password"):
            with self.subTest(text):
                self.mobile.expect_visible(text=text, timeout=0.5)

    def test_as_ever(self) -> None:
        self.mobile.launch(SHOP).expect_screen("Sign in")

    @unittest.expectedFailure
    def test_fails_and_should(self) -> None:
        self.mobile.launch(SHOP).expect_screen("Catalogue")

    @unittest.expectedFailure
    def test_fails_as_it_passes(self) -> None:
        self.mobile.launch(SHOP).expect_screen("Sign in")

    @unittest.skip("not today")
    def test_skipped(self) -> None:
        self.mobile.launch(SHOP)


@pytest.mark.xfail(reason="it was broken", strict=True)
def test_fails_since_it_passes(mobile: Mobile) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")


@pytest.mark.xfail(reason="it may be broken")
def test_passes_unexpectedly(mobile: Mobile) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")


@pytest.mark.xfail(reason="it hangs", run=False)
def test_fails_without_being_run(mobile: Mobile) -> None:
    mobile.launch(SHOP)


@pytest.mark.skip(reason="not today")
def test_skipped_by_its_marker(mobile: Mobile) -> None:
    mobile.launch(SHOP)


# --- fixtures that a test asks for while it runs, that fail before there is a phone, that keep data ---


@pytest.fixture(scope="class")
def late_shop(class_mobile: Mobile) -> Mobile:
    sign_in(class_mobile)
    return class_mobile


class TestLate:
    """Each asks for the phone of the class when it has begun."""

    def test_asks(self, request: pytest.FixtureRequest) -> None:
        request.getfixturevalue("late_shop").expect_screen("Catalogue")

    def test_fails_asking(self, request: pytest.FixtureRequest) -> None:
        request.getfixturevalue("late_shop").expect_visible(text="Nothing", timeout=0.5)


@pytest.fixture(scope="class")
def with_a_mug(late_shop: Mobile) -> Mobile:
    late_shop.tap(text="Add", row_with=by(text="Red mug")).expect_visible(text="Cart, 1 item")
    return late_shop


@pytest.fixture(scope="class")
def in_the_cart(with_a_mug: Mobile) -> Mobile:
    with_a_mug.tap(text_contains="Cart,").expect_screen("Cart")
    return with_a_mug


class TestChain:
    """Each fixture goes on where the one before was; a later test sets up one more of them."""

    def test_one(self, with_a_mug: Mobile) -> None:
        with_a_mug.expect_visible(text="Cart, 1 item")

    def test_two(self, in_the_cart: Mobile) -> None:
        in_the_cart.expect_visible(text="Total £8.00")

    def test_three(self, in_the_cart: Mobile, mobile: Mobile) -> None:
        mobile.tap(text="+").expect_visible(text="Total £16.00")

    def test_fails_at_last(self, in_the_cart: Mobile) -> None:
        in_the_cart.expect_visible(text="Total £8.00", timeout=0.5)


@pytest.fixture
def broken_data() -> Any:
    raise LookupError("there is no such account")


def test_fails_before_it_has_a_phone(broken_data: Any, mobile: Mobile) -> None:
    mobile.launch(SHOP)


def test_without_a_phone(subtests: pytest.Subtests) -> None:
    with subtests.test("a sum"):
        assert 1 + 1 == 2
