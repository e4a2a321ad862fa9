"""The end of a list is seen, never assumed; two lists, or two options, are never a choice."""

from __future__ import annotations

import pytest

from pytest_replicant import ActionFailed, by
from pytest_replicant.virtual import (
    Button,
    Column,
    RecyclerList,
    Row,
    Scroll,
    Spinner,
    Text,
    Widget,
)

from ..on_phone import Page, shown_on

LONG = " ".join(f"{number}. A term and a condition." for number in range(160))
BOTH = pytest.mark.parametrize("platform", ["android", "ios"])


def terms(app: Page) -> Widget:
    agree = Button("Agree", on_click=lambda: app.state.update(agreed=True))
    rows = [Row([Text("Row")], id=f"row{number}", key=str(number)) for number in range(3)]
    return Scroll([Text(LONG), agree, *rows], id="page", width="fill", height="fill")


@BOTH
def test_what_follows_something_taller_than_the_screen_is_reached(platform: str) -> None:
    with shown_on(platform, terms) as mobile:
        if platform == "android":
            assert mobile.scroll("down").reached_end is False
            assert len(mobile.collect(text="Row")) == 3
        mobile.scroll_to(text="Agree", max_swipes=60)
        mobile.tap(text="Agree")
        while not (scrolled := mobile.scroll("down")).reached_end:
            pass
        assert scrolled.reached_end


@BOTH
def test_a_list_that_shows_nothing_but_one_tall_text_ends(platform: str) -> None:
    """At its end as in its middle the text fills the page: pictures say that nothing moves any more."""

    def article(app: Page) -> Widget:
        return Scroll([Text(LONG)], id="page", width="fill", height="fill")

    with shown_on(platform, article) as mobile:
        with pytest.raises(ActionFailed, match="the end of the list"):
            mobile.scroll_to(text="Agree", max_swipes=60)
        assert mobile.scroll("down").reached_end


@BOTH
def test_of_two_lists_of_one_size_none_is_taken(platform: str) -> None:
    def two(app: Page) -> Widget:
        def listed(name: str) -> Widget:
            rows = [Row([Text(f"{name} {number}")], key=str(number), padding=30) for number in range(40)]
            return RecyclerList(rows, id=name, height=280, width="fill")

        return Column([listed("left"), listed("right")], width="fill", height="fill")

    with shown_on(platform, two) as mobile:
        with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
            mobile.scroll("down")
        with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
            mobile.scroll_to(text="right 30")
        with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
            mobile.collect(text_contains="right")
        mobile.scroll_to(text="right 30", container=by(resource_id="right")).expect_visible(text="right 30")
        mobile.expect_visible(text="left 0")


@BOTH
@pytest.mark.parametrize("second", [1, 25, 0])
def test_of_two_equal_options_none_is_chosen(platform: str, second: int) -> None:
    """Wherever the second one is; with 0 there is none, and the option is chosen."""
    towns = [f"Town {number}" for number in range(30)]
    towns[3] = "Springfield"
    if second:
        towns[second] = "Springfield"

    chosen: list[int] = []

    def towns_page(app: Page) -> Widget:
        def choose(at: int) -> None:
            chosen.append(at)
            app.state.update(town=at)

        return Column([Spinner(towns, id="town", chosen=app.state.get("town", 0), on_change=choose)])

    with shown_on(platform, towns_page) as mobile:
        town = by(resource_id="town")
        if second:
            with pytest.raises(ActionFailed, match=r"AMBIGUOUS_TARGET[\s\S]*2 options"):
                mobile.select(town, option="Springfield")
            assert chosen == []
        else:
            mobile.select(town, option="Springfield")
            mobile.select(town, option="Town 28")
            assert chosen == [3, 28]
