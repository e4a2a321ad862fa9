"""What a gesture waits for, and what it says when it waited in vain. RFC 010: count first, clock
second."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import ActionFailed, DeviceError, SnapshotError
from pytest_replicant.model import Point
from pytest_replicant.session import DeviceSession
from tests.lab.exhibits_shown import refused

from ..conftest import Play
from ..scripted_phone import APP, ScriptedPhone, button, node, screen

GO, OFF = screen(button("Go")), screen(button("Go", enabled=False))
LOST = SnapshotError("null root node")
OVER = node(
    "FrameLayout",
    (0, 0, 1000, 2000),
    node("Button", (0, 0, 900, 1500), text="Wait", clickable=True),
)


def notes(session: DeviceSession) -> dict[str, Any]:
    """What the trace of the last action's resolving says."""
    action = session._context.recorder.results[-1]
    return dict(next(step for step in action.trace.steps if step.stage == "resolve").metadata)


def test_a_target_that_is_disabled_for_a_while_is_awaited(play: Play) -> None:
    session, phone = play([OFF] * 6 + [GO])
    session.tap(text="Go")
    assert phone.gestures == [("tap", Point(300, 250))]
    assert notes(session)["waited_for"].startswith("disabled 0.")
    assert notes(session)["waited_ms"] > 500


def test_a_target_that_is_covered_for_a_while_is_awaited(play: Play) -> None:
    session, phone = play([screen(button("Go"), OVER)] * 4 + [GO])
    session.tap(text="Go")
    assert len(phone.gestures) == 1
    assert 'covered by Button "Wait" 0.' in notes(session)["waited_for"]


def test_each_thing_that_was_waited_for_is_told_in_turn(play: Play) -> None:
    moving = [screen(button("Go", top)) for top in (300, 400, 500, 500)]
    session, _ = play([screen(), screen(), OFF, OFF, *moving])
    session.tap(text="Go")
    kinds = [
        part.strip().rsplit(" ", 2)[0] for part in notes(session)["waited_for"].split(", then")
    ]
    assert kinds == ["not there", "disabled", "moving"]


def test_where_nothing_was_waited_for_the_trace_does_not_say_so(play: Play) -> None:
    session, _ = play([GO])
    session.tap(text="Go")
    assert "waited_for" not in notes(session)


def test_one_that_never_stands_still_is_not_touched(play: Play) -> None:
    session, phone = play([screen(button("Go", 200 + 12 * step)) for step in range(60)])
    with refused("ELEMENT_NOT_INTERACTABLE", "it is still moving"):
        session.tap(text="Go", timeout=1)
    assert phone.gestures == []


def test_it_is_the_target_that_has_to_stand_still_not_the_screen(play: Play) -> None:
    ticking = [
        screen(button("Go"), node("TextView", (0, 900, 500, 950), text=f"Frame {'x' * i}"))
        for i in range(90)
    ]
    session, phone = play(ticking)
    session.tap(text="Go", silent=True)
    assert phone.dumps == 2
    assert len(phone.gestures) == 1


def test_a_failure_tells_what_was_waited_for_where_that_was_several_things(play: Play) -> None:
    session, _ = play([screen(), screen(), screen(), OFF])
    with pytest.raises(
        ActionFailed, match=r"Waited for it: not there 0\.\d s, then disabled"
    ) as failed:
        session.tap(text="Go", timeout=1)
    assert "it is disabled" in str(failed.value)


# --- slow, failing and last reads -----------------------------------------------------------------


@pytest.mark.parametrize("dump_seconds", [0.9, 3.0])
@pytest.mark.parametrize("timeout", [0.0, 1.0])
def test_two_reads_are_enough_however_slow_and_late_they_are(
    play: Play, dump_seconds: float, timeout: float
) -> None:
    session, phone = play([GO], dump_seconds=dump_seconds)
    session.tap(text="Go", timeout=timeout, silent=True)
    assert phone.dumps == 2
    assert len(phone.gestures) == 1


def test_a_target_that_comes_on_the_last_read_earns_one_more(play: Play) -> None:
    session, phone = play([screen(), screen(), GO], dump_seconds=0.5)
    session.tap(text="Go", timeout=1.4, silent=True)
    assert phone.dumps == 4


def test_one_more_is_not_two_more(play: Play) -> None:
    session, phone = play([screen(), screen(), GO, screen(button("Go", 500)), GO], dump_seconds=0.5)
    with pytest.raises(ActionFailed, match="still moving"):
        session.tap(text="Go", timeout=1.4)
    assert phone.dumps == 4


def test_a_failed_read_in_between_is_counted_and_proves_nothing(play: Play) -> None:
    session, phone = play([GO, LOST, GO, LOST, GO, GO])
    session.tap(text="Go", silent=True)
    assert phone.dumps == 6
    assert "unreadable" in notes(session)["waited_for"]
    session, _ = play([OFF, LOST, OFF, LOST, OFF])
    with pytest.raises(ActionFailed, match=r"reads, 2 failed, 0\.\d s"):
        session.tap(text="Go", timeout=0.6)


def test_reads_that_all_fail_say_nothing_about_the_target(play: Play) -> None:
    session, phone = play([LOST])
    with pytest.raises(DeviceError):
        session.tap(text="Go", timeout=0.5)
    assert phone.gestures == []


# --- the keyboard ---------------------------------------------------------------------------------


def typing(phone_keyboard: bool, top: int = 1850) -> bytes:
    keys = (
        '<node index="0" text="" resource-id="" class="android.widget.FrameLayout" '
        'package="com.google.android.inputmethod.latin" content-desc="" checkable="false" '
        'checked="false" clickable="false" enabled="true" focusable="false" focused="false" '
        'scrollable="false" long-clickable="false" password="false" selected="false" '
        'bounds="[0,1400][1000,2000]"></node>'
    )
    field = node(
        "EditText", (0, 200, 900, 300), text="a", resource_id=f"{APP}:id/name", focused=True
    )
    go = node("Button", (100, top, 500, top + 100), text="Go", clickable=True)
    body = screen(field, go)
    return body.replace(b"</hierarchy>", f"{keys}</hierarchy>".encode()) if phone_keyboard else body


def test_a_keyboard_over_the_target_is_hidden_first(play: Play) -> None:
    def hide(phone: ScriptedPhone) -> None:
        phone.frames = [typing(False)]

    session, phone = play([typing(True)], on_gesture=hide)
    session.tap(text="Go")
    assert [kind for kind, _ in phone.gestures] == ["key back", "tap"]


def test_no_back_key_is_pressed_for_a_keyboard_that_is_gone(play: Play) -> None:
    """A dump is older than the phone: without a keyboard the back key leaves the screen."""
    session, phone = play([typing(True), typing(True), typing(False)])
    session.snapshot()
    phone.keyboard_up = False
    session.tap(text="Go")
    assert [kind for kind, _ in phone.gestures] == ["tap"]


def test_a_part_above_the_keyboard_is_touched_without_hiding_it(play: Play) -> None:
    session, phone = play([typing(True, top=1330)])
    session.tap(text="Go")
    ((kind, where),) = phone.gestures
    assert kind == "tap"
    assert where.y < 1400


def test_a_keyboard_that_stays_up_is_not_typed_on(play: Play) -> None:
    session, phone = play([typing(True)])
    with refused("ELEMENT_NOT_INTERACTABLE", "the keyboard lies over it"):
        session.tap(text="Go", timeout=0.5)
    assert [kind for kind, _ in phone.gestures] == ["key back"]


# --- the pace -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pace", [{"interval": 1.0}, {"interval": 5.0}, {"fresh_for": 0.0, "interval": 0.0}]
)
def test_a_pause_between_reads_that_was_asked_for_is_none_too_many(
    play: Play, pace: dict[str, float]
) -> None:
    session, phone = play([screen(button("Go"), title="Home")], **pace)
    session.tap(text="Go")
    assert len(phone.gestures) == 1


def test_what_is_fit_on_one_read_only_is_not_waited_for_for_ever(play: Play) -> None:
    """Where no two reads count as one after the other, there is nothing to compare it with."""
    session, phone = play([screen(button("Go"), title="Home")], dump_seconds=3.0)
    observer = session._context.observer
    read = observer.read

    def alone() -> Any:
        reading = read()
        observer.row = []
        return reading

    observer.read = alone  # type: ignore[method-assign]
    with pytest.raises(ActionFailed, match="seen on one read only"):
        session.tap(text="Go", timeout=5)
    assert phone.dumps == 3
