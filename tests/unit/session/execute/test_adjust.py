"""Setting a control: which kind it is, options and switches."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import ActionFailed, UsageError
from pytest_replicant.virtual import (
    Button,
    CheckBox,
    EditText,
    RadioGroup,
    RunningApp,
    SeekBar,
    Spinner,
    Switch,
    Text,
    Widget,
)
from tests.lab.exhibits_shown import refused

from ..conftest import Kit
from ..kit_controls import into, segments
from ..kit_phone import Held

WAYS = ["Post", "Van", "Boat"]
LANDS = ["Denmark", "Norway", "Sweden"]
SIZES = ["Small", "Medium", "Large"]


def form(app: RunningApp[Held]) -> list[Widget]:
    held = app.state.values
    return [
        Switch("Loud", id="loud", checked=held["loud"], on_change=into(app, "loud")),
        CheckBox("Agree", id="agree", checked=held["agree"], on_change=into(app, "agree")),
        RadioGroup(
            options=WAYS,
            ids=["post", "van", "boat"],
            chosen=held["way"],
            on_change=into(app, "way"),
        ),
        Spinner(LANDS, id="land", chosen=held["land"], on_change=into(app, "land")),
        segments(SIZES, held["size"], into(app, "size")),
        EditText("Name", id="name"),
        SeekBar(id="tip", value=held["tip"], on_change=into(app, "tip")),
    ]


FORM: dict[str, Any] = {
    "loud": False,
    "agree": True,
    "way": 0,
    "land": 0,
    "size": "Small",
    "tip": 10,
}


@pytest.mark.parametrize(
    ("name", "to"), [("loud", True), ("loud", False), ("agree", True), ("agree", False)]
)
def test_a_switch_is_tapped_only_where_it_differs(kit: Kit, name: str, to: bool) -> None:
    session, phone = kit(form, **FORM)
    session.adjust(resource_id=name, to=to).expect_state(checked=to)
    assert phone.state.values[name] is to
    assert len(phone.touches) == (FORM[name] is not to)


def test_a_switch_that_takes_its_time_is_waited_for(kit: Kit) -> None:
    def build(app: RunningApp[Held]) -> list[Widget]:
        def later(on: bool) -> None:
            app.after(1500, lambda: app.state.values.update(loud=on))

        return [Switch("Loud", id="loud", checked=app.state.values["loud"], on_change=later)]

    session, phone = kit(build, loud=False)
    session.adjust(resource_id="loud", to=True)
    assert phone.state.values["loud"] is True
    assert len(phone.touches) == 1


@pytest.mark.parametrize("target", ["post", "van"])
@pytest.mark.parametrize("way", WAYS)
def test_a_radio_group_is_set_by_label_from_any_of_its_buttons(
    kit: Kit, target: str, way: str
) -> None:
    session, phone = kit(form, **FORM)
    session.adjust(resource_id=target, to=way)
    assert WAYS[phone.state.values["way"]] == way
    assert len(phone.touches) == (way != "Post")


def test_a_radio_button_is_chosen_but_not_unchosen(kit: Kit) -> None:
    session, phone = kit(form, **FORM)
    session.adjust(resource_id="van", to=True)
    assert phone.state.values["way"] == 1
    with pytest.raises(UsageError, match="choose another of its group"):
        session.adjust(resource_id="van", to=False)


def test_a_drop_down_is_set_by_label(kit: Kit) -> None:
    session, phone = kit(form, **FORM)
    session.adjust(resource_id="land", to="Sweden").expect_state(value="Sweden")
    assert phone.state.values["land"] == 2
    touches = len(phone.touches)
    session.adjust(resource_id="land", to="Sweden")
    assert len(phone.touches) == touches


@pytest.mark.parametrize("size", SIZES)
def test_a_segmented_control_is_set_by_label(kit: Kit, size: str) -> None:
    session, phone = kit(form, **FORM)
    bounds = phone.bounds("size")
    outcome = session.adjust(resource_id="size", to=size)
    assert outcome.result.details["read_back"] == "exact"
    assert phone.state.values["size"] == size
    assert all(bounds.contains(point) for point in phone.touches)


def test_a_segment_that_is_not_there_names_those_that_are(kit: Kit) -> None:
    session, phone = kit(form, **FORM)
    with refused("ELEMENT_NOT_FOUND", 'it offers "Small"   "Medium"   "Large"'):
        session.adjust(resource_id="size", to="Huge")
    assert phone.touches == []


def test_links_beside_each_other_are_no_choice(kit: Kit) -> None:
    def build(app: RunningApp[Held]) -> list[Widget]:
        return [
            Text(name, on_click=lambda: app.state.events.append("tapped"))
            for name in ("Terms", "Privacy")
        ]

    session, phone = kit(build)
    with pytest.raises(ActionFailed, match="ELEMENT_NOT_INTERACTABLE"):
        session.adjust(text="Terms", to="Privacy")
    assert phone.touches == []


def test_a_segment_that_does_not_become_the_chosen_one_is_told(kit: Kit) -> None:
    def build(app: RunningApp[Held]) -> list[Widget]:
        return [segments(SIZES, "Small", into(app, "size"), deaf=True)]

    session, _ = kit(build)
    with refused("SEMANTIC_MISMATCH", "is not the chosen one 1 s after a tap"):
        session.adjust(resource_id="size", to="Large", timeout=1)


WRONG_TYPES: list[tuple[str, Any, str]] = [
    ("tip", "half", "is a slider, which takes a number in the unit"),
    ("tip", True, "is a slider, which takes a number in the unit"),
    ("loud", 1, "is a switch, which takes True or False"),
    ("loud", "on", "is a switch, which takes True or False"),
    ("land", 2, "is a dropdown, which takes the label to choose"),
    ("size", 2, "is a segmented_control, which takes the label to choose"),
    ("name", "Ann", "is a text field; fill"),
]


@pytest.mark.parametrize(("name", "to", "why"), WRONG_TYPES)
def test_a_value_of_another_type_is_a_wrong_call(kit: Kit, name: str, to: Any, why: str) -> None:
    session, phone = kit(form, **FORM)
    with pytest.raises(UsageError, match=why):
        session.adjust(resource_id=name, to=to)
    assert phone.touches == []


def test_a_disabled_control_is_not_touched(kit: Kit) -> None:
    def build(app: RunningApp[Held]) -> list[Widget]:
        return [SeekBar(id="tip", value=3, enabled=False), Button("Else")]

    session, phone = kit(build)
    with refused("ELEMENT_NOT_INTERACTABLE", "disabled"):
        session.adjust(resource_id="tip", to=9, timeout=0.5)
    assert phone.touches == []


def test_a_choice_that_the_app_takes_back_is_caught(kit: Kit) -> None:
    """It was the chosen one for a moment; the screen that counts is the one at rest."""

    def build(app: RunningApp[Held]) -> list[Widget]:
        def keep(size: str) -> None:
            app.state.values["size"] = size
            app.after(250, lambda: app.state.values.update(size="Small"))

        return [segments(SIZES, app.state.values["size"], keep)]

    session, _ = kit(build, size="Small")
    with refused("ACTION_REJECTED", "shows 'Small' now: the app changed it back"):
        session.adjust(resource_id="size", to="Large")
