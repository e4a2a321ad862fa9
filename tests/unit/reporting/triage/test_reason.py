"""Which difference from the last pass is the reason of a failure: one for the tests that fail by
it, no others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_replicant.kept_runs import RecordedScreen, RecordedStep
from pytest_replicant.model import FailureRecord, by
from pytest_replicant.reporting import compared

from .recorded_runs import CART, CATALOGUE, SIGN_IN, act, check, failed, numbered, passed

OPEN = act('tap text="Cart"', CART, before=CATALOGUE)


def on(place: RecordedScreen, *lines: str) -> RecordedScreen:
    return replace(
        place, outline=(place.name, *(f"[a{at}00] {line}" for at, line in enumerate(lines)))
    )


def misses(text: str, place: RecordedScreen, **selector: Any) -> RecordedStep:
    failure = FailureRecord(
        "expect_visible", "VERIFICATION_FAILED", selector=by(text=text, **selector)
    )
    return check(f'expect_visible text="{text}"', place, error="absent", failure=failure)


def reason(then: tuple[RecordedStep, ...], now: tuple[RecordedStep, ...]) -> str:
    steps = numbered(*now)
    return compared(passed(*then), failed(*steps, failure="absent", step=steps[-1].id)).reason


def of_screen(then: RecordedScreen, now: RecordedScreen, text: str, **selector: Any) -> str:
    """Of a test that opens a screen and misses a text on it."""
    shows = check(f'expect_visible text="{text}"', then)
    return reason(
        (replace(OPEN, after=then), shows),
        (replace(OPEN, after=now), misses(text, now, **selector)),
    )


ROWS = (
    'TextView "Blue mug"',
    'Button "Add"',
    'TextView "Red mug"',
    'Button "Add"',
    'TextView "Total"',
)


def test_what_vanished_together_is_one_reason_whatever_of_it_a_test_missed() -> None:
    then, now = on(CART, *ROWS), on(CART, *ROWS[:2], ROWS[4])
    missed = of_screen(then, now, "Red mug")
    assert missed.startswith("changed ")
    assert of_screen(then, now, "Add", row_with=by(text="Red mug")) == missed
    assert of_screen(then, now, "Total") == "-", "it is there as it was"
    assert of_screen(then, on(CART, *ROWS[2:]), "Blue mug") != missed
    other = replace(CART, key="key-9")
    assert of_screen(replace(then, key="key-9"), on(other, *ROWS[:2], ROWS[4]), "Red mug") != missed


def test_another_fault_on_the_same_screen_is_not_taken_for_the_reason() -> None:
    then = on(CART, 'TextView "Total £9.90"', 'Button "Check out"')
    total, closed = 'TextView "Total £9.91"', 'Button "Check out" [disabled]'
    now = on(CART, total, closed)
    assert of_screen(then, now, "Total £9.90") == of_screen(
        then, on(CART, total, 'Button "Check out"'), "Total £9.90"
    )
    assert of_screen(then, now, "Check out") == of_screen(
        then, on(CART, 'TextView "Total £9.90"', closed), "Check out"
    )
    assert of_screen(then, now, "Check out") != of_screen(then, now, "Total £9.90")


def test_the_screen_where_it_changed_first_counts() -> None:
    """The price is wrong in the list, and the test fails on the page of the product."""
    listed, wrong = (
        on(CATALOGUE, 'Button "Blue mug £9.90"'),
        on(CATALOGUE, 'Button "Blue mug £9.91"'),
    )
    then = (act("launch shop", listed), replace(OPEN, after=on(CART, 'TextView "£9.90"')))
    now = (act("launch shop", wrong), replace(OPEN, after=on(CART, 'TextView "£9.91"')))
    late = reason(
        (*then, check('expect_visible text="£9.90"', then[1].after)),
        (*now, misses("£9.90", now[1].after)),
    )
    early = reason(
        (then[0], check('expect_visible text="£9.90"', listed)), (now[0], misses("£9.90", wrong))
    )
    assert late == early != "-"


def test_the_same_words_with_other_numbers_may_have_changed_before() -> None:
    """The sum of the cart is wrong, and so is that of the order, which has the delivery in it."""
    cart, wrong = on(CART, 'TextView "Total £9.90"'), on(CART, 'TextView "Total £9.91"')
    order = replace(CART, key="key-7")
    then = (
        replace(OPEN, after=cart),
        act('tap text="Next"', on(order, 'TextView "Total £12.90"'), before=cart),
    )
    now = (
        replace(OPEN, after=wrong),
        replace(then[1], after=on(order, 'TextView "Total £12.91"'), before=wrong),
    )
    late = reason(
        (*then, check('expect_visible text="Total £12.90"', then[1].after)),
        (*now, misses("Total £12.90", now[1].after)),
    )
    assert late == of_screen(cart, wrong, "Total £9.90") != "-"


EXCHANGES = {
    "rows in each other's place": (
        ('Button "Ada £10"', 'Button "Bob £20"', 'Button "Cleo £5"'),
        ('Button "Bob £20"', 'Button "Ada £10"', 'Button "Cleo £5"'),
    ),
    "values in each other's row": (
        ('TextView "Ada"', 'TextView "£10"', 'TextView "Bob"', 'TextView "£20"'),
        ('TextView "Ada"', 'TextView "£20"', 'TextView "Bob"', 'TextView "£10"'),
    ),
    "values in each other's line": (
        ('Button "Ada £10"', 'Button "Bob £20"'),
        ('Button "Ada £20"', 'Button "Bob £10"'),
    ),
}


@pytest.mark.parametrize("name", EXCHANGES)
def test_what_was_exchanged_is_one_reason(name: str) -> None:
    then, now = (on(CART, *lines) for lines in EXCHANGES[name])
    found = {of_screen(then, now, text) for text in ("£10", "£20")}
    assert len(found) == 1
    assert found != {"-"}


def test_a_screen_of_which_most_is_another_is_one_reason() -> None:
    then = on(
        CART,
        'Button "Pay"',
        'Button "Send"',
        'TextView "Name"',
        'TextView "Bank"',
        'TextView "Due"',
    )
    now = on(
        CART,
        'Button "Zahlen"',
        'Button "Los"',
        'TextView "Name"',
        'TextView "Institut"',
        'TextView "An"',
    )
    assert of_screen(then, now, "Pay") == of_screen(then, now, "Bank")


def test_controls_in_one_other_state_are_one_reason() -> None:
    then = on(CART, 'Button "Borrow"', 'Button "Reserve"', 'Button "Return"', 'TextView "Dune"')
    closed = on(
        CART,
        'Button "Borrow" [disabled]',
        'Button "Reserve" [disabled]',
        'Button "Return" [disabled]',
    )
    closed = replace(closed, outline=(*closed.outline, then.outline[-1]))
    assert of_screen(then, closed, "Borrow") == of_screen(then, closed, "Reserve") != "-"
    two = replace(closed, outline=(*closed.outline[:3], *then.outline[3:]))
    assert of_screen(then, two, "Borrow") != of_screen(then, two, "Reserve"), "these may be two"


def test_what_the_tests_own_assert_quotes_is_looked_for() -> None:
    then, now = on(CART, *ROWS), on(CART, *ROWS[:2], ROWS[4])
    steps = (replace(OPEN, after=then),)
    for message in ("assert 'Red mug' in []", "assert ['Blue m...Red mug'] == []"):
        run = failed(replace(OPEN, after=now), failure=message)
        assert compared(passed(*steps), run).reason == of_screen(then, now, "Red mug"), message


def test_a_screen_that_still_loads_is_one_reason() -> None:
    then = on(CART, 'Button "Renew"', 'TextView "Dune"')
    waits = replace(CART, outline=(CART.name, '[f260] TextView "Loading"', "(loading)"))
    assert of_screen(then, waits, "Renew") == of_screen(then, waits, "Dune")
    assert of_screen(then, waits, "Renew").startswith("loading ")


def test_an_action_that_led_elsewhere_is_the_reason_of_all_that_fails_after_it() -> None:
    there = on(CART, 'Button "Check out"', 'TextView "Total"')
    then = (act("launch shop", CATALOGUE), replace(OPEN, after=there))
    now = (act("launch shop", CATALOGUE), replace(OPEN, after=SIGN_IN))
    found = {
        reason(
            (*then, check(f'expect_visible text="{text}"', there)), (*now, misses(text, SIGN_IN))
        )
        for text in ("Check out", "Total")
    }
    assert len(found) == 1
    assert found.pop().startswith("led ")


def test_a_dialog_that_the_pass_never_had_is_the_reason() -> None:
    then = on(CART, 'Button "Check out"')
    rating = replace(on(CART, 'Button "Later"'), dialog="Rate us")
    assert of_screen(then, rating, "Check out").startswith("over ")
    assert not of_screen(replace(then, dialog="Rate us"), rating, "Check out").startswith("over ")


def test_an_action_after_which_the_screen_is_as_before_is_the_reason() -> None:
    """One test looks for the new name, the other for the number of names."""
    before = on(CART, 'TextView "Ada"', 'TextView "1 name"')
    answered = on(CART, 'TextView "Ada"', 'TextView "Grace"', 'TextView "2 names"')
    save = act('tap text="Save"', answered, before=before)

    def saved(text: str, now: RecordedScreen) -> str:
        then = (act("launch shop", before), save, check(f'expect_visible text="{text}"', answered))
        return reason(
            then, (act("launch shop", before), replace(save, after=now), misses(text, now))
        )

    assert saved("Grace", before) == saved("2 names", before)
    assert saved("Grace", before).startswith("unanswered ")
    assert saved(
        "Grace", on(CART, 'TextView "Ada"', 'TextView "Gracy"', 'TextView "2 names"')
    ).startswith("changed ")


def test_nothing_is_known_of_screens_without_content() -> None:
    then, now = on(CART, *ROWS), on(CART, *ROWS[:2])
    assert of_screen(replace(then, outline=()), now, "Red mug") == "-"
    assert compared(None, failed(OPEN)).reason == ""
