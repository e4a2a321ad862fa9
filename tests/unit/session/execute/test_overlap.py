"""How far a list went is told by what both screens show."""

from __future__ import annotations

import pytest

from pytest_replicant.session.execute.collecting import Piece, View, period, shift

LENGTH, PITCH = 1000, 160


def view(names: str, offset: int) -> View:
    """One letter a row, cut at the edges."""
    rows = [(name, index * PITCH - offset) for index, name in enumerate(names)]
    pieces = [Piece(name, max(low, 0), min(low + PITCH, LENGTH)) for name, low in rows if -PITCH < low < LENGTH]
    return View(tuple(pieces), LENGTH)


DIFFERENT = "abcdefghijklmnopqrstuvwxyz"


def test_rows_that_differ_tell_whatever_was_expected() -> None:
    for gone in (1, 159, 160, 500, 700, -300):
        assert shift(view(DIFFERENT, 800), view(DIFFERENT, 800 + gone), 450) == gone


def test_rows_that_look_alike_leave_it_to_what_was_expected() -> None:
    assert shift(view("x" * 26, 0), view("x" * 26, 500), 480) == 500
    assert shift(view("x" * 26, 0), view("x" * 26, 100), PITCH // 2) == 100


def test_nothing_in_common_is_no_answer() -> None:
    assert shift(view(DIFFERENT, 0), view(DIFFERENT, 2000), 2000) is None
    assert shift(View((), LENGTH), View((), LENGTH), 100) is None


def test_a_row_that_changed_meanwhile_does_not_confuse() -> None:
    before, after = view(DIFFERENT, 0), view(DIFFERENT, 300)
    crowded = [Piece((p.sign, n), p.low, p.high) for p in before.pieces for n in range(5)]
    later = [Piece((p.sign, n), p.low, p.high) for p in after.pieces for n in range(5)]
    later[12] = Piece("changed", later[12].low, later[12].high)
    assert shift(View(tuple(crowded), LENGTH), View(tuple(later), LENGTH), 0) == 300


def test_one_text_that_differs_outweighs_many_that_do_not() -> None:
    """Cards with twelve labels that are the same on each, and one that is not."""

    def cards(offset: int) -> View:
        names = view(DIFFERENT, offset).pieces
        same = [Piece(("same", n), p.low, p.high) for p in names for n in range(12)]
        return View((*names, *same), LENGTH)

    assert shift(cards(0), cards(2 * PITCH + 10), PITCH + 10) == 2 * PITCH + 10


def test_what_repeats_has_a_period() -> None:
    assert period(view("x" * 26, 40), 500, LENGTH) == PITCH
    assert period(view("xy" * 13, 40), 500, LENGTH) == 2 * PITCH
    assert period(view(DIFFERENT, 40), 500, LENGTH) is None


def test_only_what_stays_in_view_pins_it_down() -> None:
    below, above = view("abxxxxxx", 0), view("xxxxxab", 0)
    assert period(below, 500, LENGTH) == PITCH
    assert period(above, 0, 500) == PITCH
    assert period(view("xxxxab", 0), 500, LENGTH) is None


def test_a_button_on_every_row_is_no_period_where_the_rows_differ() -> None:
    names = view(DIFFERENT, 30).pieces
    buttons = tuple(Piece("buy", piece.low, piece.high) for piece in names)
    assert period(View((*names, *buttons), LENGTH), 500, LENGTH) is None


def tall(*ends: tuple[int, int]) -> View:
    """Things about as long as the screen: "a", then "b", and so on."""
    return View(tuple(Piece("abc"[index], low, high) for index, (low, high) in enumerate(ends)), LENGTH)


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        (tall((0, 900), (900, 1000)), tall((0, 400), (400, 1000)), 500),  # two in a row, each cut at an edge
        (tall((0, 900), (900, 1000)), tall((0, 930), (930, 1000)), None),  # the other way
        (tall((0, 900), (900, 1000)), tall((0, 400), (500, 1000)), None),  # they do not agree
        (tall((0, 1000)), tall((0, 1000)), None),  # cut at both
        (tall((0, 1000)), tall((0, 400)), None),
        (tall((-300, 2500)), tall((-800, 2000)), 500),  # an iPhone cuts nothing
    ],
)
def test_what_is_about_as_long_as_the_screen_is_told_by_its_ends(
    before: View, after: View, gone: int | None
) -> None:
    assert shift(before, after, 480) == gone


@pytest.mark.parametrize(("slack", "known"), [(2, False), (6, True)])
def test_bounds_of_whole_points_lie_within_their_rounding(slack: int, known: bool) -> None:
    def points(gone: int) -> View:
        lows = [142 * index - gone + 3 * (index % 2) * (gone > 0) for index in range(20)]
        return View(tuple(Piece(n, low, low + 141) for n, low in enumerate(lows) if 0 < low < 850), LENGTH, slack)

    found = shift(points(0), points(501), 480)
    assert (found is not None and abs(found - 501) <= 6) is known
