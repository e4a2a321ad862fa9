"""A failure says what it is about, so that two failures of different things never look alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import ActionFailed, ExpectationFailed, ReplicantError, by
from pytest_replicant.model import FailureRecord
from pytest_replicant.session import DeviceSession

from ..conftest import Play
from ..scripted_phone import button, node, screen

LIST = node(
    "RecyclerView",
    (0, 100, 1000, 1500),
    button("Add", 200),
    resource_id="dev.example.app:id/list",
    scrollable=True,
)
HOME = screen(
    LIST, node("Spinner", (0, 1600, 500, 1700), text="Country", clickable=True), title="Home"
)

ABOUT: dict[str, tuple[Callable[[DeviceSession], object], str, str]] = {
    "scroll_to": (lambda m: m.scroll_to(text="Mug"), 'text="Mug"', 'text="Mug"'),
    "scroll_to in": (
        lambda m: m.scroll_to(text="Mug", container=by(text="No list")),
        'text="Mug"',
        'text="No list"',
    ),
    "collect": (
        lambda m: m.collect(text="Mug", container=by(text="No list")),
        'text="Mug"',
        'text="No list"',
    ),
    "drag from": (
        lambda m: m.drag(by(text="Mug"), by(text="Add")),
        'text="Mug", text="Add"',
        'text="Mug"',
    ),
    "drag to": (
        lambda m: m.drag(by(text="Add"), by(text="Mug")),
        'text="Add", text="Mug"',
        'text="Mug"',
    ),
    "scroll": (lambda m: m.scroll("down", by(text="No list")), 'text="No list"', 'text="No list"'),
    "within": (lambda m: m.within(text="Pane").tap(text="Add"), "", 'text="Add", within="Pane"'),
}


def record_of(session: DeviceSession) -> tuple[Any, FailureRecord]:
    *_, event = session._context.recorder._events.values()
    assert event.failure is not None
    return event, event.failure


@pytest.mark.parametrize("name", ABOUT)
def test_the_target_is_recorded(play: Play, name: str) -> None:
    act, selector, about = ABOUT[name]
    session, _ = play([HOME], action_timeout=0.2)
    with pytest.raises(ReplicantError):
        act(session)
    event, failure = record_of(session)
    assert event.result.target.selector == (selector or about)
    assert failure.selector is not None
    assert failure.selector.describe() == about


def test_a_wait_for_one_of_several_records_them_all(play: Play) -> None:
    session, _ = play([HOME])
    with pytest.raises(ReplicantError):
        session.wait_for_any(home=by(text="Mug"), error=by(text="Try again"), timeout=0.2)
    _, failure = record_of(session)
    assert failure.wanted == {"home": 'text="Mug"', "error": 'text="Try again"'}
    assert failure.selector is None


def test_an_option_that_is_not_there_is_what_failed_and_not_its_control(play: Play) -> None:
    opened = screen(
        node("ListView", (0, 100, 1000, 900), button("Chad"), button("Peru", 300)), title="Home"
    )
    session, _ = play([HOME], on_gesture=lambda phone: setattr(phone, "frames", [opened]))
    with pytest.raises(ActionFailed):
        session.select(by(text="Country"), "Mali", timeout=0.2)
    event, failure = record_of(session)
    assert event.result.target.selector == 'text="Country"'
    assert failure.selector == by(text="Mali")
    assert failure.element is None


def test_a_stale_ref_is_recorded_with_what_it_was(play: Play) -> None:
    row = node("LinearLayout", (0, 200, 1000, 400),
               node("TextView", (0, 200, 300, 300), text="Red mug"),
               button("Add"), clickable=True)  # fmt: skip
    session, phone = play([screen(row, title="Home")])
    ref = session.snapshot().ref(text="Add")
    phone.frames = [screen(button("Stop"), title="Next")]
    session._context.observer.invalidate()
    with pytest.raises(ActionFailed):
        session.tap(ref, timeout=0.2)
    _, failure = record_of(session)
    assert failure.code == "STALE_REFERENCE"
    assert failure.ref == ref
    assert failure.element is not None
    assert (failure.element.class_name, failure.element.label, failure.element.context) == (
        "Button",
        "Add",
        "Red mug",
    )


def test_a_check_records_what_comes_near_and_nothing_where_its_target_is_there(play: Play) -> None:
    session, _ = play([HOME])
    with pytest.raises(ExpectationFailed):
        session.expect_visible(text="add", timeout=0.1)
    assert [one.label for one in record_of(session)[1].candidates] == ["Add"]
    with pytest.raises(ExpectationFailed):
        session.expect_gone(text="Add", timeout=0.1)
    assert record_of(session)[1].candidates == ()
