"""What an ordinary test does, and must go on doing: rules that refuse too much are wrong too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pytest_replicant import DeviceSession, ExpectationFailed, by
from pytest_replicant.testing import virtual_session
from pytest_replicant.virtual import (
    Button,
    Column,
    Dialog,
    DialogButton,
    EditText,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    Spinner,
    Text,
    Widget,
)

from ..findings import vacuous
from ..on_phone import QUICK, trial

Store = RunningApp[dict[str, Any]]
KINDS = ["Mugs", "Trays"]


class Shelf(Screen[dict[str, Any]]):
    """A list that a search and a drop-down fill with other rows, each with a button that renames
    itself."""

    title = "Shelf"

    def build(self, app: Store) -> Widget:
        state = app.state
        sought, kind = state.get("sought", ""), KINDS[state.get("kind", 0)]
        rows = [f"{kind} {sought} {number}" for number in range(30)]

        def ask() -> None:
            app.show(Dialog("Really?", "It is for good", (DialogButton("OK"), DialogButton("No"))))

        def row(name: str) -> Widget:
            liked = name in state.get("liked", ())
            like = Button(
                "Unlike" if liked else "Like",
                id="like",
                on_click=lambda: state.update(liked=() if liked else (name,)),
            )
            return Row([Text(name, weight=1), like], key=name)

        return Column(
            [
                EditText("Search", id="search", on_change=lambda text: state.update(sought=text)),
                Spinner(
                    KINDS,
                    id="kind",
                    chosen=state.get("kind", 0),
                    on_change=lambda at: state.update(kind=at),
                ),
                Button("Ask", on_click=ask),
                Button("Soon", on_click=lambda: app.after(700, ask)),
                Button("OK", on_click=lambda: None),
                RecyclerList([row(name) for name in rows], id="rows", weight=1),
            ]
        )


@pytest.fixture(params=["android", "ios"])
def mobile(request: pytest.FixtureRequest) -> Iterator[DeviceSession]:
    with virtual_session(
        trial(Shelf), platform=request.param, **{**QUICK, "read_on": 0}
    ) as session:
        session.snapshot()
        yield session


def test_a_search_and_a_choice_leave_nothing_of_the_rows_before(mobile: DeviceSession) -> None:
    mobile.expect_visible(text="Mugs 0")
    mobile.fill(resource_id="search", value="blue").expect_visible(text="Mugs blue 0").expect_gone(
        text="Mugs 0"
    )
    mobile.hide_keyboard()
    if (
        mobile.platform == "android"
    ):  # an iPhone's drop-down is a button that is called what was chosen
        mobile.select(resource_id="kind", option="Trays").expect_gone(text="Mugs blue 0")


def test_rows_that_were_scrolled_away_are_none_of_these(mobile: DeviceSession) -> None:
    mobile.expect_visible(text="Mugs 0")
    mobile.scroll("down")
    mobile.scroll("down")
    with pytest.raises(ExpectationFailed, match="scrolled out of view"):
        mobile.expect_gone(text="Mugs 0", timeout=0.2)


def test_a_button_that_renames_itself_in_its_row_is_still_the_one_that_was_tapped(
    mobile: DeviceSession,
) -> None:
    like = mobile.find(text="Like", row_with=by(text="Mugs 1"))
    mobile.tap(like).expect_state(text="Unlike")
    mobile.tap(like).expect_state(text="Like")
    assert mobile.find(text="Like", row_with=by(text="Mugs 2")).ref != like.ref


def test_within_the_title_of_a_dialog_is_nothing_on_android_and_that_is_said(
    mobile: DeviceSession,
) -> None:
    mobile.tap(text="Ask").expect_visible(text="It is for good")
    if mobile.platform == "ios":  # where the title is the name of the alert
        mobile.expect_visible(text="It is for good", within="Really?")
        return
    with pytest.raises(ExpectationFailed, match="Next: leave out within=: a title holds nothing"):
        mobile.expect_visible(text="It is for good", within="Really?", timeout=0.2)
    with pytest.raises(ExpectationFailed, match="Next: tap one of them first"):
        mobile.expect_visible(text="It is for ever", timeout=0.2)


def test_a_handler_is_for_the_dialog_that_it_is_for(mobile: DeviceSession) -> None:
    def answer(session: DeviceSession) -> None:
        session.tap(text="OK")

    mobile.tap(text="Soon")
    mobile._context.clock.sleep(1)
    with mobile.on_interrupt(by(text="It is for good"), answer):
        mobile.tap(text="Ask").expect_visible(text="Really?")


def test_a_change_that_was_waited_for_was_seen(mobile: DeviceSession) -> None:
    mobile.tap(text="Soon")
    mobile.wait_for_change()
    mobile.tap(text="OK").expect_gone(text="It is for good")


def test_what_came_with_an_action_and_went_did_not_hold_before_it(mobile: DeviceSession) -> None:
    shown = mobile.tap(text="Ask").expect_visible(text="It is for good").snapshot
    ok = shown.ref(text="No")
    mobile.tap(ok).expect_gone(ok)
    assert vacuous(mobile) == ()
