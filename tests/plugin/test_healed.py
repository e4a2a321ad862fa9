"""A target that was found by another description is told, with the selector that would hold."""

from __future__ import annotations

import pytest

from tests.conftest import Run, run_record

from .test_recovery import POLICY, RENAMED

pytestmark = [pytest.mark.slow, pytest.mark.thorough]


def test_what_recovery_found_anew(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(POLICY)
    run(RENAMED, "--replicant-output=out")
    (row,) = run_record(pytester.path)["tests"]
    (healed,) = row["healed"]
    assert healed["target"] == 'text="Password forgotten?"'
    assert healed["found"] == 'Button "Forgot password?"'
    assert healed["selector"] == 'by(resource_id="forgot_password")'
    assert healed["source"].endswith(".py:3")
    assert healed["step"] == "a2"


def test_an_element_that_was_renamed_since(run: Run, pytester: pytest.Pytester) -> None:
    run(
        """
        def test_it(mobile):
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
            mobile.fill(text="Email", value="ada@example.com")
            mobile.fill(text="Password", value="correct horse")
            mobile.tap(text="Sign in").expect_screen("Catalogue")
            cart = mobile.find(resource_id="cart")
            mobile.tap(mobile.find_all(text="Add")[0]).expect_visible(text="Cart, 1 item")
            mobile.tap(cart).expect_screen("Cart")
        """,
        "--replicant-output=out",
    )
    (row,) = run_record(pytester.path)["tests"]
    told = [(one["target"].partition(" ")[2], one["found"]) for one in row["healed"]]
    assert told == [('Button "Cart, 0 items"', 'Button "Cart, 1 item"')]


def test_what_was_found_as_it_was_is_no_news(run: Run, pytester: pytest.Pytester) -> None:
    run(
        """
        def test_it(mobile):
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
            mobile.tap(mobile.find(text="Forgot password?")).expect_screen("Reset password")
        """,
        "--replicant-output=out",
    )
    assert run_record(pytester.path)["tests"][0]["healed"] == []
