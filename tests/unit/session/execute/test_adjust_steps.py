"""What goes step by step: composites of buttons, number pickers, halves, swipes; both ways, and
where it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import ActionFailed
from pytest_replicant.model import Recovery
from pytest_replicant.virtual import Button, Row, RunningApp, Text, Widget, stepper
from tests.lab.exhibits_shown import refused

from ..conftest import Kit
from ..kit_controls import Halves, into, picker
from ..kit_phone import Build, Held
from .test_adjust_tracks import all_inside, next_mode


def count(**options: int) -> Build:
    def build(app: RunningApp[Held]) -> list[Widget]:
        return [
            Text("Guests"),
            stepper(app.state.values["guests"], into(app, "guests"), name="guests", **options),  # type: ignore[arg-type]
            stepper(app.state.values["rooms"], into(app, "rooms"), name="rooms", id="hotel"),
        ]

    return build


@pytest.mark.parametrize(("start", "to"), [(2, 7), (7, 2), (3, 4), (4, 3)])
def test_a_number_between_buttons_is_stepped_both_ways(kit: Kit, start: int, to: int) -> None:
    session, phone = kit(count(), guests=start, rooms=1)
    outcome = session.adjust(resource_id="guests", to=to)
    assert phone.state.values == {"guests": to, "rooms": 1}
    assert outcome.result.details["touches"] == abs(to - start) == len(phone.touches)
    assert outcome.result.details["mode"] == "buttons"


def test_of_two_steppers_the_right_one_is_pressed(kit: Kit) -> None:
    session, phone = kit(count(), guests=2, rooms=1)
    session.adjust(resource_id="hotel_rooms", to=3)
    assert phone.state.values == {"guests": 2, "rooms": 3}


def test_the_last_number_is_told(kit: Kit) -> None:
    session, phone = kit(count(high=5), guests=3, rooms=1)
    with refused("CONTROL_CONVERGENCE_FAILED", "it goes no further than 5") as failed:
        session.adjust(resource_id="guests", to=9)
    assert failed.value.result.retryable is False
    assert len(phone.touches) == 2
    session.adjust(resource_id="guests", to=9, tolerance=4)


def test_a_number_without_buttons_is_not_touched(kit: Kit) -> None:
    def build(app: RunningApp[Held]) -> list[Widget]:
        return [
            Text("3", id="number"),
            Button("Buy 3 tickets", id="buy", on_click=lambda: app.state.events.append("x")),
        ]

    session, phone = kit(build)
    for name, why in (("number", "no buttons for less and more"), ("buy", "it is a button")):
        with refused("ELEMENT_NOT_INTERACTABLE", why):
            session.adjust(resource_id=name, to=4)
    assert phone.touches == []


@pytest.mark.parametrize(
    ("others", "pressed"),
    [
        (["More", "Less"], True),
        (["Increase", "Decrease"], True),
        (["More options"], False),
        (["More"], False),
        (["Up next"], False),
        (["4", "5"], False),
        (["Delete", "Buy"], False),
    ],
)
def test_only_what_says_more_or_less_is_pressed(kit: Kit, others: list[str], pressed: bool) -> None:
    def build(app: RunningApp[Held]) -> list[Widget]:
        number = app.state.values["sum"]

        def press(label: str) -> Callable[[], object]:
            change = {"More": 1, "Increase": 1, "Less": -1, "Decrease": -1}.get(label, 0)
            return lambda: into(app, "sum")(number + change)

        buttons = [Button(label, on_click=press(label), width=120) for label in others]
        return [Row([Text(str(number), id="sum", width=60), *buttons])]

    session, phone = kit(build, sum=3)
    if pressed:
        session.adjust(resource_id="sum", to=5)
        assert phone.state.values["sum"] == 5
    else:
        with pytest.raises(ActionFailed, match="ELEMENT_NOT_INTERACTABLE"):
            session.adjust(resource_id="sum", to=5)
        assert phone.touches == []


def jumps(app: RunningApp[Held]) -> Callable[[int], Callable[[], object]]:
    return lambda step: lambda: into(app, "sum")(app.state.values["sum"] + step)


def leaps(*steps: int) -> Build:
    def build(app: RunningApp[Held]) -> list[Widget]:
        go = jumps(app)
        buttons = [
            Button(f"{step:+d}".replace("-", "−"), on_click=go(step), width=60) for step in steps
        ]
        return [Row([Text(str(app.state.values["sum"]), id="sum", width=80), *buttons])]

    return build


def test_the_larger_jump_goes_first_once_it_is_known(kit: Kit) -> None:
    session, phone = kit(leaps(-1, 1, 10), sum=0)
    session.adjust(resource_id="sum", to=32)
    assert phone.state.values["sum"] == 32
    assert len(phone.touches) <= 8


def test_a_value_between_two_jumps_is_told(kit: Kit) -> None:
    session, phone = kit(leaps(-5, 5), sum=0)
    with pytest.raises(ActionFailed, match="no value between 5 and 10"):
        session.adjust(resource_id="sum", to=7)
    assert len(phone.touches) <= 4


def test_a_button_that_comes_and_goes_is_known_again(kit: Kit) -> None:
    """Where there is none of it, there is no button for less."""

    def build(app: RunningApp[Held]) -> list[Widget]:
        number = app.state.values["sum"]
        go = jumps(app)
        less = [Button("−", on_click=go(-1), width=60)] if number else []
        return [
            Row(
                [
                    *less,
                    Text(str(number), id="sum", width=80),
                    Button("+", on_click=go(1), width=60),
                ]
            )
        ]

    session, phone = kit(build, sum=0)
    session.adjust(resource_id="sum", to=3)
    session.adjust(resource_id="sum", to=0)
    assert phone.state.values["sum"] == 0
    assert len(phone.touches) == 6


@pytest.mark.parametrize(("start", "to", "wraps"), [(9, 14, True), (14, 9, False)])
def test_a_number_picker_is_turned_both_ways(kit: Kit, start: int, to: int, wraps: bool) -> None:
    def build(app: RunningApp[Held]) -> list[Widget]:
        return [picker(app.state.values["hour"], into(app, "hour"), wraps=wraps)]

    session, phone = kit(build, hour=start)
    bounds = phone.bounds("picker")
    session.adjust(resource_id="picker", to=to)
    assert phone.state.values["hour"] == to
    assert all_inside(phone, bounds)


def heating(**options: Any) -> Build:
    def build(app: RunningApp[Held]) -> list[Widget]:
        value = app.state.values["heat"]
        control = Halves(id="heat", value=value, set_to=into(app, "heat"), **options)
        return [Text("Above"), control, Text("Below")]

    return build


@pytest.mark.parametrize("to", [17, 20, 24])
def test_a_control_drawn_by_the_app_is_set_by_what_it_tells(kit: Kit, to: int) -> None:
    session, phone = kit(heating(), heat=20)
    bounds = phone.bounds("heat")
    session.adjust(resource_id="heat", to=to)
    assert phone.state.values["heat"] == to
    assert all_inside(phone, bounds) is (to != 20)


def test_what_takes_swipes_alone_is_swiped_by_a_recovery(kit: Kit) -> None:
    session, phone = kit(heating(swiped=True), recover=next_mode, heat=20)
    bounds = phone.bounds("heat")
    outcome = session.adjust(resource_id="heat", to=23)
    assert (phone.state.values["heat"], outcome.result.details["mode"]) == (23, "swipe")
    assert all_inside(phone, bounds)


def test_a_number_that_nothing_moves_is_a_mismatch(kit: Kit) -> None:
    session, phone = kit(heating(step=0), recover=next_mode, heat=20)
    with refused("SEMANTIC_MISMATCH", "does not react: it shows a number"):
        session.adjust(resource_id="heat", to=23)
    assert all_inside(phone, phone.bounds("heat"))


def test_a_progress_bar_is_no_slider_until_its_role_is_set_aside(kit: Kit) -> None:
    """A custom class may be called after what it is not: raw semantics go by what it reports."""

    def build(app: RunningApp[Held]) -> list[Widget]:
        return [
            Halves(
                id="heat", value=app.state.values["heat"], set_to=into(app, "heat"),
                positional=True, class_name="com.example.VolumeProgressBar",
            )
        ]  # fmt: skip

    session, phone = kit(build, heat=20)
    with refused("ELEMENT_NOT_INTERACTABLE", "a progress bar shows how far something is"):
        session.adjust(resource_id="heat", to=50)
    assert phone.touches == []

    def raw(session: object, failure: object, state: object) -> Recovery:
        return Recovery("re_resolve", params={"semantics": "raw"}, reason="its class says little")

    session, phone = kit(build, recover=raw, heat=20)
    session.adjust(resource_id="heat", to=50)
    assert phone.state.values["heat"] == 50
