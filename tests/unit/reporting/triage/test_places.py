"""Whether two screens are the same one. In doubt they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.kept_runs import RecordedScreen
from pytest_replicant.reporting import changed_lines, likeness, reached, same_place

from .recorded_runs import CART, CATALOGUE, RATING, SIGN_IN, act, check

UNTITLED = RecordedScreen(
    "", "key-8", "dev.replicant.shop", tuple(f'[a{at:03}] "Row {chr(97 + at)}"' for at in range(9))
)


@pytest.mark.parametrize(
    ("then", "now", "same"),
    [
        (CART, CART, True),
        (CART, CATALOGUE, False),
        (CART, RecordedScreen(), True),
        (CART, replace(CART, key="after an update"), True),
        (CART, replace(CART, name="Cart 2", key="x"), False),
        (replace(CART, name="Order 17"), replace(CART, name="Order 18", key="x"), True),
        (CART, replace(CART, key="x", app="com.other"), False),
        (CATALOGUE, RATING, False),
        (RATING, replace(RATING, key="x"), True),
        (UNTITLED, replace(UNTITLED, key="x"), True),
        (UNTITLED, replace(UNTITLED, key="x", outline=CART.outline), False),
        (UNTITLED, replace(UNTITLED, key="x", outline=()), False),
    ],
)
def test_the_same_screen(then: RecordedScreen, now: RecordedScreen, same: bool) -> None:
    assert same_place(then, now) is same
    assert same_place(now, then) is same


def test_lines_that_differ_in_what_changes_by_itself_are_the_same() -> None:
    then = (
        "[a100] Clock 19:18",
        '[b200] "Cart, 2 items"',
        '  [c300] "A" [focused]',
        "[d400] ImageView @10,20",
    )
    now = (
        "[z999] ImageView @11,25",
        "[a100] Clock 7:05 pm",
        '[b200] "Cart, 3 items"',
        '[c300] "A"',
    )
    assert changed_lines(then, now) == ([], [])
    assert changed_lines(then, (*now, '- [x111] "B"')) == (['[x111] "B"'], [])
    assert changed_lines((*then, then[2]), now) == ([], [then[2].strip()])
    assert likeness(then, now) == 1.0
    assert likeness(then, ()) == 0.0


def test_where_a_step_led_is_where_its_checks_ended() -> None:
    steps = [
        check("x", SIGN_IN),
        act("tap", SIGN_IN),
        check("y", CART),
        act("back", RecordedScreen()),
        act("tap", CATALOGUE),
    ]
    assert [place.name for place in reached(steps)] == ["Sign in", "Cart", "Cart", "", "Catalogue"]
