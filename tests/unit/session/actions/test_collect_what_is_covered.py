"""``collect`` says so where rows lie under something, and where their container is not there."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from pytest_replicant import ActionFailed, by
from pytest_replicant.virtual import (
    Button,
    Column,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    Stack,
    Text,
    Widget,
)

from ..on_phone import session_on

Page = RunningApp[dict[str, Any]]


class Barred(Screen[dict[str, Any]]):
    title = "Barred"

    def build(self, app: Page) -> Widget:
        rows = [Row([Text(f"Row {number}")], min_height=56) for number in range(30)]
        bar = Button("Pay", on_click=lambda: None, min_height=150)
        over = Column([Text("", weight=1), bar], height="fill", width="fill")
        return Stack([RecyclerList(rows, id="rows"), over])


def test_a_row_that_was_covered_each_time_is_not_left_out() -> None:
    with session_on(Barred) as mobile, pytest.raises(ActionFailed, match="may have been missed"):
        mobile.collect(text_matches=r"^Row \d+$")


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_nothing_within_a_misspelt_container_is_no_list(
    platform: Literal["android", "ios"],
) -> None:
    with (
        session_on(Barred, platform=platform) as mobile,
        pytest.raises(ActionFailed, match="was not on any"),
    ):
        mobile.collect(text_contains="Row", within=by(resource_id="rosw"))
