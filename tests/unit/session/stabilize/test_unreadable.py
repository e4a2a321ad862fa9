"""Slow dumps, and dumps that fail: a failed read is never evidence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_replicant import (
    DeviceError,
    ExpectationFailed,
    Failure,
    ProtocolError,
    SnapshotError,
    by,
)
from pytest_replicant.session import DeviceSession

from ..conftest import Play
from ..scripted_phone import HOME, NEXT, ScriptedPhone, button, node, screen

BROKEN = SnapshotError("null root node")

Negative = Callable[[DeviceSession], object]
NEGATIVE: dict[str, Negative] = {
    "gone": lambda session: session.expect_gone(text="Go", timeout=2),
    "count": lambda session: session.expect_count(0, text="Go", timeout=2),
    "lacks": lambda session: session.expect_visible(text="Stop", timeout=2).expect_gone(
        text="Go", timeout=2
    ),
}


@pytest.fixture(params=list(NEGATIVE))
def negative(request: pytest.FixtureRequest) -> Negative:
    return NEGATIVE[request.param]


@pytest.mark.parametrize("dump_seconds", [0.05, 3.0])
def test_what_is_not_there_holds_however_slow_a_dump_is(
    play: Play, negative: Negative, dump_seconds: float
) -> None:
    session, phone = play([NEXT], dump_seconds=dump_seconds)
    negative(session)
    assert phone.dumps >= 2


@pytest.mark.parametrize("dump_seconds", [0.05, 3.0])
def test_what_is_there_fails(play: Play, dump_seconds: float) -> None:
    session, _ = play([HOME], dump_seconds=dump_seconds)
    with pytest.raises(ExpectationFailed, match=r"\(2 reads"):
        session.expect_gone(text="Go", timeout=0)
    with pytest.raises(ExpectationFailed, match=r"\(2 reads"):
        session.expect_count(0, text="Go", timeout=0)


def test_nothing_is_proved_where_no_read_succeeds(play: Play, negative: Negative) -> None:
    session, _ = play([BROKEN])
    with pytest.raises(DeviceError):
        negative(session)
    assert session._context.recorder.checks[-1].result == "error"


def test_one_read_among_failed_ones_proves_nothing(play: Play, negative: Negative) -> None:
    session, _ = play([NEXT, BROKEN])
    with pytest.raises(DeviceError):
        negative(session)


def test_a_failed_read_starts_the_window_anew(play: Play) -> None:
    session, phone = play([*[NEXT] * 5, BROKEN, *[NEXT] * 20])
    began = phone.clock.now()
    session.expect_gone(text="Go", timeout=0.5)
    assert phone.clock.now() - began >= 5 * 0.15 + 1.0, "one whole window after the failed read"


def test_reads_that_keep_failing_are_tool_trouble_and_no_failure_of_the_app(play: Play) -> None:
    session, phone = play([NEXT, NEXT, NEXT, BROKEN] * 20)
    with pytest.raises(DeviceError, match="null root node"):
        session.expect_gone(text="Go", timeout=1)
    assert phone.dumps < 40


def test_what_goes_at_the_last_moment_is_given_its_window(play: Play) -> None:
    session, phone = play([*[HOME] * 6, NEXT])
    began = phone.clock.now()
    session.expect_gone(text="Go", timeout=1)
    assert phone.clock.now() - began >= 1.7


def test_what_comes_back_in_that_window_was_not_gone(play: Play) -> None:
    session, _ = play([*[HOME] * 6, *[NEXT] * 4, HOME])
    with pytest.raises(ExpectationFailed):
        session.expect_gone(text="Go", timeout=1)


def test_a_check_without_time_has_one_look(play: Play) -> None:
    session, phone = play([HOME])
    session.expect_visible(text="Go", timeout=0)
    assert phone.dumps == 2
    session.expect_gone(text="Stop", timeout=0)
    phone.frames = [HOME, HOME, NEXT]
    session._context.observer.invalidate()
    with pytest.raises(ExpectationFailed):
        session.expect_visible(text="Stop", timeout=0)


def test_two_reads_are_granted_though_the_first_takes_all_the_time(play: Play) -> None:
    session, phone = play([HOME], dump_seconds=3.0)
    session.expect_visible(text="Go", timeout=1)
    assert phone.dumps == 2
    with pytest.raises(ExpectationFailed, match="absent"):
        session.expect_visible(text="Stop", timeout=1)


@pytest.mark.parametrize("dump_seconds", [0.05, 3.0])
def test_unchanged_holds_and_fails_however_slow_a_dump_is(play: Play, dump_seconds: float) -> None:
    session, phone = play([HOME], dump_seconds=dump_seconds)
    session.tap(text="Go").expect_unchanged()
    phone.on_gesture = lambda phone: phone.frames.__setitem__(slice(None), [NEXT])
    with pytest.raises(ExpectationFailed, match="Home → Next"):
        session.tap(text="Go").expect_unchanged(timeout=1)


def test_what_was_there_before_a_silent_key_is_not_known_and_that_is_reported_at_once(
    play: Play,
) -> None:
    session, phone = play([HOME])
    outcome = session.press_key("enter", silent=True)
    began = phone.clock.now()
    for check in (outcome.expect_unchanged, outcome.expect_changed):
        with pytest.raises(ExpectationFailed, match="the screen before the action is not known"):
            check()
    assert phone.clock.now() - began < 1


# --- states ---------------------------------------------------------------------------------------


def slider(value: str) -> bytes:
    return screen(node("SeekBar", (0, 200, 500, 300), text=value, resource_id="a:id/volume"))


def test_a_number_within_its_tolerance(play: Play) -> None:
    session, _ = play([slider("49.0")])
    volume = by(resource_id="volume")
    session.expect_state(volume, value=50, tolerance=1).expect_state(volume, value=49)
    for given in ({"value": 50}, {"value": 48, "tolerance": 0.5}):
        with pytest.raises(ExpectationFailed, match=r"value=49\.0 \("):
            session.expect_state(volume, timeout=0.2, **given)


def test_a_value_that_is_not_reported_is_not_nothing(play: Play) -> None:
    session, _ = play([HOME])
    for wanted in (0, ""):
        with pytest.raises(ExpectationFailed, match="value=not reported by this phone"):
            session.expect_state(by(text="Go"), value=wanted, timeout=0.2)


Act = Callable[[DeviceSession], object]


def page(*names: str) -> bytes:
    rows = [button(name, 200 + 150 * number) for number, name in enumerate(names)]
    return screen(node("ListView", (0, 150, 1000, 1900), *rows, scrollable=True), title="Page")


FIRST, SECOND = page("One", "Two", "Three"), page("Three", "Four", "Five")

ACTIONS: dict[str, Act] = {
    "tap": lambda mobile: mobile.tap(text="One"),
    "tap_at": lambda mobile: mobile.tap_at(10, 300),
    "scroll": lambda mobile: mobile.scroll("down"),
    "scroll_to": lambda mobile: mobile.scroll_to(text="Five"),
    "swipe": lambda mobile: mobile.swipe("up"),
    "back": lambda mobile: mobile.back(),
    "drag": lambda mobile: mobile.drag(mobile.find(text="One"), mobile.find(text="Two")),
}


def _unwanted(session: object, failure: Failure, state: object) -> None:
    raise AssertionError(f"recovery was asked for: {failure.code}")


@pytest.mark.parametrize("dump_seconds", [0.05, 1.5])
@pytest.mark.parametrize("failing", range(6))
@pytest.mark.parametrize("name", ACTIONS)
def test_one_failed_dump_changes_nothing(
    play: Play, name: str, failing: int, dump_seconds: float
) -> None:
    dumps = 0
    moved = False

    def change(phone: ScriptedPhone) -> None:
        nonlocal moved
        moved = True

    session, phone = play([FIRST], dump_seconds=dump_seconds, on_gesture=change, recover=_unwanted)

    def dump() -> bytes:
        nonlocal dumps
        dumps += 1
        phone.clock.advance(dump_seconds)
        if dumps == failing + 1:
            raise ProtocolError("null root node")
        return SECOND if moved else FIRST

    phone.dump_hierarchy = dump  # type: ignore[method-assign]  # one of its dumps fails
    ACTIONS[name](session)
    session.expect_visible(text="Five")
