"""iOS lists what is out of sight as well: scrolling goes on until it is in sight."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import ActionFailed, by
from pytest_replicant.virtual import Button, Column, RunningApp, Screen, Scroll, Text, Widget
from pytest_replicant.virtual.app_kit.sideways import HorizontalScroll

from ..on_phone import session_on

NAMES = ["Brass", "Canvas", "Copper", "Cotton", "Denim", "Linen", "Silk", "Wool"]


class Wide(Screen[dict[str, Any]]):
    """A row that goes on to the side, over a page that goes on below."""

    title = "Wide"
    pressed = ""

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        row = HorizontalScroll([self.choice(name) for name in NAMES], id="filters")
        page = Scroll([Text("space", height=1500), self.choice("Bottom")], id="page", weight=1)
        return Column([row, Text(f"Pressed {self.pressed}"), page], height="fill")

    def choice(self, name: str) -> Widget:
        return Button(name, width=120, on_click=lambda: setattr(self, "pressed", name))


@pytest.mark.parametrize(("name", "list_id", "way"), [("Wool", "filters", "right"), ("Bottom", "page", "down")])
def test_what_is_listed_out_of_sight_is_scrolled_to(name: str, list_id: str, way: Any) -> None:
    with session_on(Wide, platform="ios") as mobile:
        mobile.scroll_to(text=name, container=by(resource_id=list_id), direction=way)
        mobile.tap(text=name).expect_visible(text=f"Pressed {name}")


def test_what_is_listed_out_of_sight_is_not_found_by_scrolling_another_way() -> None:
    with session_on(Wide, platform="ios") as mobile, pytest.raises(ActionFailed) as caught:
        mobile.scroll_to(text="Wool", direction="down")
    assert caught.value.failure_code == "ELEMENT_NOT_FOUND"
