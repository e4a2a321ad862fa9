"""Checks that cannot lie: each that passes has a twin that fails."""

from __future__ import annotations

import re

import pytest

from pytest_replicant import (
    DeviceError,
    ExpectationFailed,
    Secret,
    SnapshotError,
    UsageError,
    by,
)

from ..conftest import Play
from ..scripted_phone import HOME, NEXT, ScriptedPhone, button, node, screen, to_next


def test_the_screens_that_an_action_settled_on_prove_without_another_dump(play: Play) -> None:
    session, phone = play([HOME], on_gesture=to_next)
    outcome = session.tap(text="Go")
    dumps = phone.dumps
    outcome.expect_screen("Next").expect_visible(text="Stop")
    assert phone.dumps == dumps
    assert outcome.result.lifecycle_state == "verified"


def test_a_screen_that_is_not_there_fails_with_its_history(play: Play) -> None:
    session, _ = play([HOME], on_gesture=to_next)
    outcome = session.tap(text="Go")
    with pytest.raises(ExpectationFailed) as failed:
        outcome.expect_screen("Third", timeout=1)
    shown = str(failed.value)
    assert "expect_screen Third on scripted: Next (MainActivity)" in shown
    assert "Home → Next" in shown
    assert 'Button "Stop"' in shown
    assert outcome.result.lifecycle_state == "pending_verification"


@pytest.mark.parametrize("name", ["MainActivity", "Main", ".MainActivity", re.compile("^Mai")])
def test_a_screen_without_title_goes_by_its_activity(play: Play, name: str) -> None:
    session, _ = play([screen(button("Go"))])
    session.expect_screen(name)
    with pytest.raises(ExpectationFailed):
        session.expect_screen("Other", timeout=0.2)


def test_one_glimpse_is_not_visible_but_it_was_seen(play: Play) -> None:
    def flash(phone: ScriptedPhone) -> None:
        phone.frames = [NEXT, HOME]

    session, _ = play([HOME], on_gesture=flash)
    outcome = session.tap(text="Go")
    with pytest.raises(ExpectationFailed):
        outcome.expect_visible(text="Stop", timeout=0.5)
    outcome.expect_seen(text="Stop")


def test_failed_reads_are_no_evidence_of_absence(play: Play) -> None:
    session, phone = play([HOME])
    session.expect_visible(text="Go")
    phone.frames = [SnapshotError("null root node")]
    session._context.observer.invalidate()
    with pytest.raises(DeviceError):
        session.expect_gone(text="Go", timeout=1)


def test_gone_holds_through_a_window(play: Play) -> None:
    flicker = [HOME, NEXT, NEXT, HOME, *[NEXT] * 30]
    session, phone = play(flicker)
    session.expect_gone(text="Go")
    assert phone.dumps > 8
    with pytest.raises(ExpectationFailed):
        session.expect_gone(text="Stop", timeout=1.2)


def test_changed_and_unchanged(play: Play) -> None:
    session, phone = play([HOME])
    outcome = session.tap(text="Go")
    outcome.expect_unchanged()
    with pytest.raises(ExpectationFailed):
        outcome.expect_changed(timeout=0.3)
    phone.on_gesture = to_next
    outcome = session.tap(text="Go").expect_changed()
    assert outcome.result.lifecycle_state == "pending_verification", (
        "change is evidence, not verification"
    )
    with pytest.raises(ExpectationFailed, match="Home → Next"):
        outcome.expect_unchanged(timeout=0.3)


def test_states_are_strict(play: Play) -> None:
    box = node(
        "CheckBox", (0, 200, 500, 300), text="News", checkable=True, checked=True, clickable=True
    )
    session, _ = play([screen(box)])
    session.expect_state(by(text="News"), checked=True, enabled=True, selected=False)
    with pytest.raises(ExpectationFailed, match="checked=True") as failed:
        session.expect_state(by(text="News"), checked=False, timeout=0.2)
    assert failed.value.failure_code == "EXPECT_STATE_MISMATCH"
    with pytest.raises(ExpectationFailed, match="not reported by this phone"):
        session.expect_state(by(text="News"), expanded=False, timeout=0.2)


def test_a_row_that_is_not_checked_names_the_switch_in_it_that_is(play: Play) -> None:
    switch = node("Switch", (900, 200, 1080, 300), checkable=True, checked=True)
    label = node("TextView", (0, 200, 500, 300), text="Wi-Fi")
    row = node("LinearLayout", (0, 200, 1080, 300), label, switch, clickable=True)
    session, _ = play([screen(row)])
    with pytest.raises(
        ExpectationFailed, match=r"phone; but \[\w+\] Switch in row \"Wi-Fi\" in it is checked=True"
    ):
        session.expect_state(by(text="Wi-Fi"), checked=True, timeout=0.2)


def test_wanted_and_found_text_are_quoted_alike(play: Play) -> None:
    name = node("TextView", (0, 200, 500, 300), resource_id="a:id/name", text="Bob")
    session, _ = play([screen(name)])
    with pytest.raises(ExpectationFailed, match='text="Ada" on scripted: text="Bob"'):
        session.expect_state(by(resource_id="name"), text="Ada", timeout=0.2)


def test_counts(play: Play) -> None:
    session, _ = play([screen(button("Add"), button("Add", 400))])
    session.expect_count(2, text="Add").expect_count(0, text="Gone").expect_count(2, by(text="Add"))
    with pytest.raises(ExpectationFailed, match="expect_count 3 of"):
        session.expect_count(3, text="Add", timeout=0.2)


def test_a_check_that_already_held_is_vacuous(play: Play) -> None:
    session, _ = play([HOME])
    session.tap(text="Go").expect_visible(text="Go")
    session.tap(text="Go").expect_gone(text="Nothing")
    assert [check.vacuous for check in session._context.recorder.checks] == [True, True]


def test_a_check_on_an_outdated_outcome_is_refused(play: Play) -> None:
    session, _ = play([HOME])
    first = session.tap(text="Go")
    session.tap(text="Go")
    with pytest.raises(UsageError, match="came after it"):
        first.expect_visible(text="Go")


def test_soft_checks_collect(play: Play) -> None:
    session, _ = play([HOME])
    outcome = session.tap(text="Go")
    outcome.soft.expect_visible(text="Nope", timeout=0.2).expect_visible(text="Go")
    outcome.soft.expect_visible(text="Neither", timeout=0.2)
    assert len(session._context.recorder.soft_failures) == 2


def test_a_check_that_comes_true_on_the_last_read_earns_one_more(play: Play) -> None:
    session, _ = play([HOME, NEXT, NEXT], dump_seconds=0.3)
    session.expect_visible(text="Stop", timeout=0.4)


def test_checks_hold_on_a_phone_whose_dump_takes_three_seconds(play: Play) -> None:
    session, _ = play([HOME], dump_seconds=3.0, on_gesture=to_next)
    session.tap(text="Go").expect_screen("Next").expect_visible(text="Stop")


def test_a_check_ends_though_every_read_but_one_fails(play: Play) -> None:
    session, phone = play([HOME, SnapshotError("null root node")])
    with pytest.raises(DeviceError, match="failed; the last: null root node"):
        session.expect_gone(text="Nothing", timeout=1)
    assert phone.dumps < 20


def test_a_count_sees_what_is_folded_into_a_row(play: Play) -> None:
    label = node("TextView", (0, 200, 300, 300), text="Mug")
    row = node("LinearLayout", (0, 200, 1000, 300), label, clickable=True)
    session, _ = play([screen(row)])
    session.expect_count(1, text="Mug")
    with pytest.raises(ExpectationFailed):
        session.expect_count(0, text="Mug", timeout=1.2)


def test_there_and_back_again_is_a_change(play: Play) -> None:
    def flash(phone: ScriptedPhone) -> None:
        phone.frames = [NEXT, HOME]

    session, _ = play([HOME], on_gesture=flash)
    with pytest.raises(ExpectationFailed, match="Home → Next"):
        session.tap(text="Go").expect_unchanged(timeout=1.5)


def test_a_clock_is_masked_for_settling_and_never_for_checks(play: Play) -> None:
    def tick(phone: ScriptedPhone) -> None:
        phone.frames = [screen(button("Go"), button("12:31", 400))]

    session, _ = play([screen(button("Go"), button("12:30", 400))], on_gesture=tick)
    outcome = session.tap(text="Go").expect_changed()
    with pytest.raises(ExpectationFailed):
        outcome.expect_unchanged(timeout=1.5)


def test_an_element_of_another_phone_is_no_target_here(play: Play) -> None:
    other, _ = play([NEXT])
    stranger = other.snapshot().find(text="Stop")
    session, phone = play([HOME])
    for use in (session.expect_gone, session.tap):
        with pytest.raises(
            UsageError, match="never printed in this session: it was read before that began"
        ):
            use(stranger)
    assert phone.gestures == []


def test_failed_reads_are_in_the_history(play: Play) -> None:
    session, _ = play([HOME, SnapshotError("null root node")] * 10)
    with pytest.raises(ExpectationFailed, match="read failed: null root node"):
        session.expect_visible(text="Nope", timeout=0.6)
    with pytest.raises(DeviceError, match="null root node"):
        session.expect_visible(text="Go", timeout=0.6)  # on every screen that could be read


@pytest.mark.ci
def test_what_is_seen_after_very_many_screens_is_seen(play: Play) -> None:
    many = [screen(button(f"{number}"), title="Home") for number in range(258)]
    session, _ = play([*many, screen(button("Late"), title="Home")])
    session.expect_seen(text="Late", timeout=60)


def test_two_reads_do_not_agree_over_a_time_in_which_nobody_looked(play: Play) -> None:
    session, phone = play([HOME])
    session.expect_visible(text="Go")
    session._context.clock.sleep(0.45)
    session._context.observer.read()
    session._context.clock.sleep(0.45)
    dumps = phone.dumps
    session.expect_visible(text="Go")
    assert phone.dumps == dumps  # none lay further back than a read may
    session._context.clock.sleep(0.8)
    session._context.observer.read()  # as the message of a check does that is about the log
    phone.frames = [NEXT]
    with pytest.raises(ExpectationFailed):
        session.expect_visible(text="Go", timeout=0.2)


def test_a_number_in_a_label_is_no_value_and_is_reported(play: Play) -> None:
    """As of a stepper, which is set to a number and shows it as its text."""
    session, _ = play([screen(node("TextView", (0, 200, 500, 300), text="Heating, 23 degrees"))])
    shown = 'value=not reported by this phone; it shows "Heating, 23 degrees", which text= compares'
    with pytest.raises(ExpectationFailed, match=re.escape(shown)):
        session.expect_state(by(text_contains="Heating"), value=23, timeout=0.2)
    session.expect_state(by(text_contains="Heating"), text="Heating, 23 degrees")


def test_of_a_masked_field_only_the_length_is_compared_and_that_is_said(play: Play) -> None:
    field = node(
        "EditText",
        (0, 200, 500, 300),
        text="•••",
        resource_id="a:id/pin",
        password=True,
        focusable=True,
    )
    session, _ = play([screen(field)])
    session.expect_state(by(resource_id="pin"), text=Secret("abc"))
    with pytest.raises(ExpectationFailed, match="text=masked, another number of letters"):
        session.expect_state(by(resource_id="pin"), text=Secret("abcd"), timeout=0.2)
    with pytest.raises(
        ExpectationFailed, match=re.escape("it is masked: text=Secret(...) compares the length")
    ):
        session.expect_state(by(resource_id="pin"), text="abc", timeout=0.2)
