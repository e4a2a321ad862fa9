"""Nothing is known to be gone from what is still loading, and what only looks like it keeps nothing
from it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from pytest_replicant import DeviceSession, ExpectationFailed, Screen, by
from pytest_replicant.drivers import Platform
from pytest_replicant.testing import virtual_session
from pytest_replicant.testing.virtual import Progress
from pytest_replicant.virtual import Button, Column, RecyclerList, Row, RunningApp, Text, Widget
from pytest_replicant.virtual import Screen as AppScreen

from ..on_phone import QUICK, trial

both = pytest.mark.parametrize("platform", ["android", "ios"])


class Orders(AppScreen[dict[str, Any]]):
    """Orders, which are fetched again, or each removed; and a wheel that turns for ever, where
    there is one."""

    title = "Orders"
    sign: Callable[[], Widget] = Progress
    lasting = False

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        state = app.state

        def fetch() -> None:
            state.update(loading=True)
            app.after(60_000, lambda: state.update(loading=False))

        def order(number: int) -> Widget:
            remove = Button(
                "Remove", on_click=lambda: state.update(gone=number), id=f"remove{number}"
            )
            return Row([Text(f"Order {number}"), remove], id=f"order{number}", key=str(number))

        shown = (
            []
            if state.get("loading")
            else [order(one) for one in range(5) if one != state.get("gone")]
        )
        signs = [type(self).sign()] if state.get("loading") or self.lasting else []
        bar = (
            Row([Button("Fetch", on_click=fetch), *signs], id="bar")
            if self.lasting
            else Button("Fetch", on_click=fetch)
        )
        above = [] if self.lasting else signs
        rows = RecyclerList(shown, id="rows", height="fill", width="fill")
        return Column([bar, *above, rows], height="fill", width="fill")


def on_phone(
    platform: Platform, sign: Callable[[], Widget], **values: Any
) -> AbstractContextManager[DeviceSession]:
    start = type("Start", (Orders,), {"sign": staticmethod(sign), **values})
    return virtual_session(
        trial(start),
        platform=platform,
        **{**QUICK, "expect_timeout": 1.0, "window": 0.3, "read_on": 0},
    )


def _skeleton() -> Widget:
    blank = [
        Column([], height=60, width="fill", background="#dddddd", id="skeleton_row")
        for _ in range(6)
    ]
    return Column(blank, id="shimmer_layout")


SIGNS: dict[str, Callable[[], Widget]] = {
    "spinner": Progress,
    "named": lambda: Progress(description="Busy"),
    "text": lambda: Text("Loading…"),
    "what": lambda: Text("Loading orders…"),
    "fetching": lambda: Text("Fetching your orders..."),
    "German": lambda: Text("Wird geladen…"),
    "skeleton": _skeleton,
}


@both
@pytest.mark.parametrize("sign", SIGNS.values(), ids=SIGNS)
def test_what_was_there_before_it_loads_is_not_gone(
    platform: Platform, sign: Callable[[], Widget]
) -> None:
    with on_phone(platform, sign) as mobile:
        element = mobile.snapshot().match_labels(by(text="Order 3"))[0]
        mobile.tap(text="Fetch", silent=True)
        mobile._context.clock.sleep(0.3)
        outline = mobile._context.observer.read().snapshot.outline()
        assert "(loading)" in outline
        lines = outline.split("\n", 1)[1]
        checks: list[Callable[[], object]] = [
            lambda: mobile.expect_gone(text="Order 3"),
            lambda: mobile.expect_gone(element),
            lambda: mobile.expect_count(0, text="Order 3"),
            lambda: mobile.expect_screen(Screen("Orders", lacks=[by(text="Order 3")])),
            lambda: mobile.expect_outline("...\n" + lines),
            lambda: mobile.expect_outline(outline),
        ]
        for check in checks:
            with pytest.raises(ExpectationFailed, match="the screen is loading"):
                check()


@both
def test_where_a_wheel_turns_for_ever_a_part_without_it_is_asked(platform: Platform) -> None:
    with on_phone(platform, Progress, lasting=True) as mobile:
        element = mobile.snapshot().match_labels(by(text="Order 3"))[0]
        mobile.tap(resource_id="remove3")
        with pytest.raises(ExpectationFailed, match="the screen is loading"):
            mobile.expect_gone(text="Order 3")
        mobile.expect_gone(text="Order 3", within=by(resource_id="rows")).expect_gone(element)


class Second(AppScreen[dict[str, Any]]):
    title = "Second"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        return Column([Text("Nothing here"), Button("Wait")])


class First(AppScreen[dict[str, Any]]):
    title = "First"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        rows = RecyclerList(
            [Row([Text(f"Row {one}")], key=str(one)) for one in range(5)], id="rows", height=400
        )
        return Column([Button("Go", on_click=lambda: app.go(Second())), rows])


@both
def test_a_part_of_a_screen_that_was_left_is_gone_with_all_in_it(platform: Platform) -> None:
    with virtual_session(trial(First), platform=platform, **QUICK) as mobile:
        mobile.expect_visible(text="Row 3")
        mobile.tap(text="Go").expect_gone(text="Row 3", within=by(resource_id="rows"))
        mobile.expect_gone(text="Row 3", within=by(resource_id="rows"))
        mobile.tap(text="Wait")
        mobile.expect_gone(text="Row 3", within=by(resource_id="rows"))
        with pytest.raises(ExpectationFailed, match="and was not before"):
            mobile.expect_gone(text="Row 3", within=by(resource_id="rwos"))
