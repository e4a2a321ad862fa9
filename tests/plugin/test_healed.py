"""A target that was found by another description is told, with the selector that would hold."""

from __future__ import annotations

import pytest

from tests.conftest import Run, run_record

pytestmark = [pytest.mark.slow, pytest.mark.thorough]


def test_an_element_that_was_renamed_since(run: Run, pytester: pytest.Pytester) -> None:
    run(
        """
        def test_it(mobile):
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
            mobile.tap(mobile.find(text="Remember me"))  # found as it was, which is no news
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
