"""Waits synchronise and verify nothing; each stands in the trace, however it ends."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import DeviceError, SnapshotError, TargetError, by
from pytest_replicant.session import DeviceSession

from ..conftest import Play
from ..scripted_phone import ScriptedPhone, button, node, screen

HOME, NEXT = screen(button("Go"), title="Home"), screen(button("Stop"), title="Next")
LOST = SnapshotError("null root node")


def last_event(session: DeviceSession) -> Any:
    return list(session._context.recorder._events.values())[-1]


def to_next(phone: ScriptedPhone) -> None:
    phone.frames = [NEXT]


def test_a_wait_is_an_event_of_the_trace(play: Play) -> None:
    session, _ = play([HOME, LOST, HOME, NEXT])
    session.wait_for(text="Stop")
    event = last_event(session)
    assert event.kind == "wait"
    assert event.title == 'wait_for text="Stop"'
    assert event.error == ""
    assert event.details["result"] == "met"
    assert event.details["awaited"] == 'text="Stop"'
    assert 'Button "Stop"' in event.details["observed"]
    assert (event.details["reads"], event.details["failed_reads"]) == (4, 1)
    assert event.duration_ms == event.details["waited_ms"] > 0


def test_a_wait_in_vain_is_one_too(play: Play) -> None:
    session, _ = play([HOME])
    with pytest.raises(TargetError) as failed:
        session.wait_for(text="Stop", timeout=0.5)
    assert failed.value.code == "ELEMENT_NOT_FOUND"
    event = last_event(session)
    assert event.details["result"] == "timed out"
    assert event.error == str(failed.value)


def test_a_wait_on_a_phone_that_cannot_be_read_is_neither_met_nor_in_vain(play: Play) -> None:
    session, _ = play([LOST])
    with pytest.raises(DeviceError):
        session.wait_for(text="Stop", timeout=0.5)
    assert last_event(session).details["result"] == "unreadable"
    assert last_event(session).details["reads"] == 0


def test_the_branch_that_came_first_is_named(play: Play) -> None:
    session, _ = play([screen(), NEXT])
    assert session.wait_for_any(home=by(text="Go"), next=by(text="Stop")) == "next"
    event = last_event(session)
    assert event.title == 'wait_for_any text="Go" or text="Stop"'
    assert event.details["observed"].startswith("next: ")


def test_of_branches_that_come_at_once_the_first_one_named_is_meant(play: Play) -> None:
    session, _ = play([screen(), screen(), screen(button("Go"), button("Stop", 500))])
    assert session.wait_for_any(stop=by(text="Stop"), go=by(text="Go")) == "stop"


def test_a_branch_of_several_elements_is_there(play: Play) -> None:
    session, _ = play([screen(button("Add"), button("Add", 500))])
    assert session.wait_for_any(none=by(text="Nothing here"), some=by(text="Add")) == "some"
    with pytest.raises(TargetError) as failed:
        session.wait_for(text="Add", timeout=0.3)
    assert failed.value.code == "AMBIGUOUS_TARGET"


def test_a_branch_may_be_a_ref_or_an_element(play: Play) -> None:
    session, phone = play([screen(button("Go"), button("Stay", 500))])
    going, staying = session.find(text="Go"), session.find(text="Stay")
    phone.frames = [screen(button("Stay", 500))]
    session._context.observer.invalidate()
    assert session.wait_for_any(gone=going, ref=staying.ref) == "ref"
    assert session.wait_for_any(gone=going.ref, element=staying) == "element"


def test_waiting_verifies_nothing(play: Play) -> None:
    session, _ = play([HOME], on_gesture=to_next)
    outcome = session.tap(text="Go")
    session.wait_for(text="Stop")
    assert outcome.result.lifecycle_state == "pending_verification"
    assert session._context.recorder.checks == []


@pytest.mark.parametrize("dump_seconds", [0.05, 0.9, 3.0])
def test_what_comes_on_the_last_read_earns_one_more(play: Play, dump_seconds: float) -> None:
    session, phone = play([HOME, HOME, NEXT], dump_seconds=dump_seconds)
    session.wait_for(text="Stop", timeout=2 * dump_seconds + 0.25)
    assert phone.dumps == 4


# --- a change -------------------------------------------------------------------------------------


def test_a_change_that_was_over_before_the_call_counts(play: Play) -> None:
    """The baseline is the screen as it was read before: after it, nothing was to be seen of the
    change."""
    session, phone = play([HOME], on_gesture=to_next)
    session.tap(text="Go", silent=True)
    dumps = phone.dumps
    diff = session.wait_for_change()
    assert "Home → Next" in diff.summary
    assert phone.dumps == dumps + 2
    event = last_event(session)
    assert event.kind == "wait"
    assert event.details["observed"] == diff.summary


def test_a_change_that_an_action_has_shown_already_does_not_count_again(play: Play) -> None:
    session, _ = play([HOME], on_gesture=to_next)
    session.tap(text="Go")
    with pytest.raises(TargetError, match="wait_for_change on scripted") as failed:
        session.wait_for_change(timeout=0.5)
    assert failed.value.code == "TIMEOUT"
    assert "nothing differs from s2, the screen as it was last read before" in str(failed.value)
    assert last_event(session).details["result"] == "timed out"


def test_a_change_is_reported_once_it_has_come_to_rest(play: Play) -> None:
    session, phone = play([HOME])
    session.snapshot()
    phone.frames = [HOME, screen(title="Half"), NEXT]
    assert "Home → Next" in session.wait_for_change().summary


def test_a_change_that_never_rests_is_reported_after_a_window(play: Play) -> None:
    session, phone = play([HOME])
    session.snapshot()
    phone.frames = [screen(button("x" * n), title="Next") for n in range(1, 60)]
    assert "Home → Next" in session.wait_for_change(timeout=0.2).summary


def test_a_glimpse_that_is_gone_again_is_no_change(play: Play) -> None:
    session, phone = play([HOME])
    session.snapshot()
    phone.frames = [NEXT, HOME]
    with pytest.raises(TargetError):
        session.wait_for_change(timeout=0.5)


def test_what_never_rests_is_no_change_and_is_named(play: Play) -> None:
    def busy(number: int) -> bytes:
        offer = node("TextView", (0, 1000, 1000, 1300), text=f"Offer {'abcdefghij'[number % 10]}")
        return screen(button("One"), button("Two", 400), offer, title="Shop")

    session, phone = play([busy(number) for number in range(200)])
    session.snapshot()
    with pytest.raises(TargetError, match='but its volatile regions: TextView "Offer') as failed:
        session.wait_for_change(timeout=1)
    assert failed.value.code == "TIMEOUT"
    phone.frames = [NEXT]
    assert "Next" in session.wait_for_change().summary


def test_branches_that_take_turns_are_not_waited_for_for_ever(play: Play) -> None:
    session, phone = play([HOME, NEXT] * 100)
    with pytest.raises(TargetError):
        session.wait_for_any(go=by(text="Go"), stop=by(text="Stop"), timeout=2)
    assert phone.dumps < 20
