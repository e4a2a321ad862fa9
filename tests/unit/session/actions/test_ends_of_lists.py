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


def test_what_follows_something_taller_than_the_screen_is_reached() -> None:
    with shown_on("android", terms) as mobile:
        assert mobile.scroll("down").reached_end is False
        assert len(mobile.collect(text="Row")) == 3
        mobile.scroll_to(text="Agree", max_swipes=60)
        mobile.tap(text="Agree")
        while not (scrolled := mobile.scroll("down")).reached_end:
            pass
        assert scrolled.reached_end


@BOTH
def test_of_two_lists_of_one_size_none_is_taken(platform: str) -> None:
    def two(app: Page) -> Widget:
        def listed(name: str) -> Widget:
            rows = [
                Row([Text(f"{name} {number}")], key=str(number), padding=30) for number in range(40)
            ]
            return RecyclerList(rows, id=name, height=280, width="fill")

        return Column([listed("left"), listed("right")], width="fill", height="fill")

    with shown_on(platform, two) as mobile:
        with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
            mobile.scroll("down")
        with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
            mobile.scroll_to(text="right 30")
        with pytest.raises(ActionFailed, match="AMBIGUOUS_TARGET"):
            mobile.collect(text_contains="right")
        mobile.scroll_to(text="right 30", container=by(resource_id="right")).expect_visible(
            text="right 30"
        )
        mobile.expect_visible(text="left 0")
