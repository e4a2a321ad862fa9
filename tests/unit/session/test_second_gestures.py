"""What follows the first gesture of an action goes by a read of this moment, too, and to what
stands still."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import ActionFailed, DeviceSession, Recovery, Remedy, by
from pytest_replicant.model import Failure, RecoveryState
from pytest_replicant.session import RecoveryContext
from pytest_replicant.virtual import (
    Button,
    Column,
    Dialog,
    DialogButton,
    RadioGroup,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    SeekBar,
    Text,
    Widget,
)

from .on_phone import Page, done, noting, page_on

BOTH = pytest.mark.parametrize("platform", ["android", "ios"])
RFC: dict[str, Any] = {
    "action_timeout": 10.0, "expect_timeout": 5.0, "window": 1.0, "interval": 0.15, "quiet": 0.3
}  # fmt: skip


def two_lists(app: Page) -> Widget:
    lists = [
        RecyclerList(
            [Button(f"{name} {at}", key=f"{name}{at}") for at in range(40)],
            id=f"list_{name}",
            weight=1,
        )
        for name in "ab"
    ]
    return Column(lists[::-1] if app.state.get("swapped") else lists, height="fill")


LIST = by(resource_id="list_a")
SCROLLS: dict[str, Callable[[DeviceSession], object]] = {
    "scroll": lambda on: on.scroll("down", LIST),
    "silent": lambda on: on.scroll("down", LIST, silent=True),
    "swipe": lambda on: on.swipe("up", LIST),
    "scroll_to": lambda on: on.scroll_to(text="a 20", container=LIST),
    "collect": lambda on: on.collect(by(text_contains="a "), LIST),
}


@BOTH
@pytest.mark.parametrize("how", SCROLLS)
def test_a_list_is_swiped_where_it_is_now(platform: Any, how: str) -> None:
    """Two lists exchange their places a moment after the screen was read."""
    with page_on(platform, two_lists) as (mobile, app, _):
        mobile.snapshot()
        app.state.update(swapped=True)
        app.changed()
        mobile._context.clock.sleep(0.4)
        SCROLLS[how](mobile)
        assert mobile.find_all(text="b 0")
        assert not mobile.find_all(text="a 0")


def rows_on_top(app: Page, every: int) -> list[Widget]:
    """What pushes down all that follows, a row at a time, once something has begun it."""

    def more() -> None:
        app.state.update(rows=app.state.get("rows", 0) + 1)

    if app.state.get("moves") and not app.state.get("moving"):
        app.state.update(moving=True)
        for number in range(1, 8):
            app.after(every * number, more)
    return [
        Button(f"Delete {at}", on_click=noting(app, "wrong"), width="fill")
        for at in range(app.state.get("rows", 0))
    ]


def options(app: Page) -> Widget:
    opens = Button(
        "City", id="city", class_name="Spinner", on_click=lambda: app.state.update(moves=True)
    )
    towns = [Button(name, on_click=noting(app, name), width="fill") for name in "ABCDE"]
    return Column(
        [opens, *rows_on_top(app, 300), *(towns if app.state.get("moves") else [])], height="fill"
    )


def stepper(app: Page) -> Widget:
    def step(by: int) -> Callable[[], None]:
        return lambda: app.state.update(moves=True, value=app.state.get("value", 0) + by)

    number = Text(str(app.state.get("value", 0)), id="quantity")
    steps = Row(
        [Button("-", on_click=step(-1)), number, Button("+", on_click=step(1))], align="center"
    )
    return Column(
        [
            *rows_on_top(app, 300),
            steps,
            Button("Delete all", on_click=noting(app, "wrong"), width="fill"),
        ]
    )


def slider(app: Page) -> Widget:
    bar = SeekBar(
        id="quantity",
        description="Quantity",
        value=app.state.get("value", 0),
        on_change=lambda value: app.state.update(moves=True, value=value),
    )
    return Column(
        [
            *rows_on_top(app, 300),
            bar,
            Button("Delete all", on_click=noting(app, "wrong"), width="fill"),
        ]
    )


MOVING: dict[str, tuple[Callable[[Page], Widget], Callable[[DeviceSession], object]]] = {
    "option": (options, lambda on: on.select(resource_id="city", option="C", silent=True)),
    "step": (stepper, lambda on: on.adjust(resource_id="quantity", to=4)),
    "track": (slider, lambda on: on.adjust(resource_id="quantity", to=57, tolerance=1)),
}


@BOTH
@pytest.mark.parametrize("what", MOVING)
@pytest.mark.parametrize("reads_take", [0, 0.4])
def test_what_moves_after_the_first_touch_is_waited_for(
    platform: Any, what: str, reads_take: float
) -> None:
    build, act = MOVING[what]
    with page_on(platform, build, reads_take=reads_take, **RFC) as (mobile, app, _):
        act(mobile)
        assert "wrong" not in done(app)
        assert done(app) == ["C"] if what == "option" else app.state["value"] in range(4, 59)


@BOTH
def test_what_never_stands_still_is_not_touched(platform: Any) -> None:
    build, act = MOVING["option"]
    with page_on(platform, build, reads_take=0.4, **{**RFC, "action_timeout": 0.5}) as (
        mobile,
        app,
        _,
    ):
        with pytest.raises(ActionFailed, match="still moving"):
            act(mobile)
        assert done(app) == []


def exchanging(app: Page, every: int, *names: str) -> list[Widget]:
    """Buttons that change places again and again."""
    if not app.state.get("ticks"):
        app.state.update(ticks=1)
        app.every(every, lambda: app.state.update(ticks=app.state["ticks"] + 1))
    both: list[Widget] = [
        Button(name, on_click=noting(app, name), on_long_click=noting(app, name), width="fill")
        for name in names
    ]
    return both[::-1] if app.state["ticks"] % 2 else both


def closing(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    return Recovery(
        "state_refresh", before=(Remedy.tap(by(text="Close")),), reason="it is in the way"
    )


@BOTH
@pytest.mark.parametrize("every", [250, 550])
def test_a_remedy_goes_to_what_stands_still(platform: Any, every: int) -> None:
    """Between two reads it has always moved."""

    def build(app: Page) -> Widget:
        return Column(exchanging(app, every, "Close", "Delete"), height="fill")

    settings = {**RFC, "action_timeout": 1.0, "recover": closing}
    with page_on(platform, build, reads_take=every / 1000, **settings) as (mobile, app, _):
        with pytest.raises(ActionFailed):
            mobile.tap(text="Go")
        assert done(app) == []


class Form(Screen[dict[str, Any]]):
    title = "Form"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        def ask() -> None:
            app.show(Dialog("Which?", "", (DialogButton("A"), DialogButton("B"))))
            if app.state["closes"]:
                app.after(app.state["closes"], app.dismiss)

        return Column(
            [Text("Fill it in"), Button("City", id="city", class_name="Spinner", on_click=ask)]
        )


@BOTH
@pytest.mark.parametrize(("reads_take", "closes"), [(0.1, 0), (0.4, 1600)])
def test_the_page_of_a_list_without_the_option_is_not_left(
    platform: Any, reads_take: float, closes: int
) -> None:

    def home(app: Page) -> Widget:
        return Column([Button("Go", on_click=lambda: app.go(Form()))])

    with page_on(platform, home, reads_take=reads_take) as (mobile, app, _):
        app.state.update(closes=closes)
        mobile.tap(text="Go").expect_visible(text="Fill it in")
        with pytest.raises(ActionFailed, match=r"no list with one|opened no list"):
            mobile.select(resource_id="city", option="C")
        mobile._context.clock.sleep(6)
        assert type(app.screen).__name__ == "Form"


@BOTH
def test_what_the_system_says_is_no_option(platform: Any) -> None:
    devices: list[Any] = []

    def build(app: Page) -> Widget:
        def says() -> None:
            devices[0].phone.show_system_dialog("Factory reset?", "All goes", ("OK", "Cancel"))

        return Column([Button("City", id="city", class_name="Spinner", on_click=says)])

    with page_on(platform, build) as (mobile, _, device):
        devices.append(device)
        with pytest.raises(ActionFailed):
            mobile.select(resource_id="city", option="OK")
        mobile.expect_visible(text="Factory reset?")


@BOTH
def test_one_of_a_group_opens_no_list(platform: Any) -> None:
    """It is not chosen on the way to another one."""

    def build(app: Page) -> Widget:
        def choose(at: int) -> None:
            app.state.update(chosen=at, done=[*done(app), str(at)])

        chosen = app.state.get("chosen", 0)
        return Column(
            [
                RadioGroup(
                    id="group", options=["Bus", "Car", "Bike"], chosen=chosen, on_change=choose
                )
            ]
        )

    with page_on(platform, build) as (mobile, app, _):
        mobile.select(text="Car", option="Bike")
        assert done(app) == ["2"]
