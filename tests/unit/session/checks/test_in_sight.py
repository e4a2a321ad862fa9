"""Whether the place of a row is in sight, on reads that were written by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from pytest_replicant.model import Point
from pytest_replicant.session.checks.in_sight import shows_place
from pytest_replicant.session.stabilize.history import History
from pytest_replicant.session.stabilize.observer import Observer
from pytest_replicant.snapshots import Snapshot

from ...snapshots.screens import node, parse, screen, text


def read(name: str, *rows: str, heading: str = "", post: bool = False) -> Snapshot:
    """A list from 100 to 2000, which scrolls; each row is 100 high below a heading, a post fills nearly all."""
    high = 1700 if post else 100
    inside = [text(heading, at=(0, 100, 1080, 200))] if heading else []
    for place, row in enumerate(rows):
        top = (200 if heading else 100) + high * place
        words = [
            text(word, at=(300 * nth, top, 300 * nth + 280, top + 90)) for nth, word in enumerate(row.split("|"))
        ]
        inside.append(node("LinearLayout", *words, at=(0, top, 1080, top + high)))
    shown = node("RecyclerView", *inside, at=(0, 100, 1080, 2000), scrollable="true")
    return parse(screen(shown), name)


def shows(then: Snapshot, now: Snapshot, row: str = "Row 3", swipe: tuple[int, int] | None = None) -> bool:
    history = History(8)
    history.note_read(then)
    if swipe is not None:
        history.note_swipe(then, Point(0, 0), Point(*swipe))
    history.note_read(now)
    return shows_place(then.find(text=row), then, now, cast(Observer, SimpleNamespace(history=history)))


def rows(first: int, *without: int, many: int = 18) -> list[str]:
    numbers = [one for one in range(first, first + 40) if one not in without]
    return [f"Row {one}|worth {one}" for one in numbers[:many]]


@pytest.mark.parametrize(
    ("then", "now", "swipe", "shown"),
    [
        (rows(0), rows(0, 3), None, True),
        (rows(0), rows(0, 3, 4, 5), None, True),
        (rows(0), rows(2, 3), None, True),  # scrolled by two rows, and one is missing
        (rows(0), rows(10), None, False),
        (rows(0), rows(30), None, False),
        (rows(0), rows(10), (0, -1000), False),
        (rows(0), [*reversed(rows(4, many=17))], None, False),
        (rows(3), rows(4), None, True),  # one row went, or the app scrolled by just one: not to be told apart
        (rows(3), rows(4), (0, 900), True),  # a pull cannot have moved it up
        (rows(3), rows(4), (0, -900), False),
        (rows(3), rows(4), (900, 0), True),  # sideways in a list that goes down
        (rows(3), rows(5), None, False),
        (rows(3), rows(60), (0, 900), True),  # pulled at its start, and filled again
        (rows(3), rows(60), (0, -900), False),
    ],
)
def test_neighbours_tell_where_a_row_went(
    then: list[str], now: list[str], swipe: tuple[int, int] | None, shown: bool
) -> None:
    assert shows(read("s1", *then), read("s2", *now), swipe=swipe) is shown


@pytest.mark.parametrize(("first", "shown"), [(30, False), (10, False), (5, False), (2, True)])
def test_a_heading_that_sticks_says_nothing_of_where_the_rows_went(first: int, shown: bool) -> None:
    then, now = (read(f"s{one + 1}", *rows(one, 3 if one else 99), heading="Today") for one in (0, first))
    assert shows(then, now) is shown


@pytest.mark.parametrize("swipe", [None, (0, -1200)])
def test_what_every_post_says_tells_nothing_of_one_that_fills_the_list(swipe: tuple[int, int] | None) -> None:
    then, now = (read(f"s{one}", f"Post {one}|by {one}|Like", post=True) for one in (1, 2))
    assert not shows(then, now, row="Post 1", swipe=swipe)
