"""A screen is settled once two reads agree, within a window; volatile regions are found and
ignored."""

from __future__ import annotations

import pytest

from pytest_replicant import (
    DeviceError,
    DeviceOffline,
    ExpectationFailed,
    Failure,
    ProtocolError,
    SnapshotError,
)
from pytest_replicant.model import ManualClock
from pytest_replicant.session.stabilize.reads import settle

from ..conftest import Play
from ..scripted_phone import button, node, screen

A, B, C = (screen(button(name)) for name in ("One", "Two", "Three"))


def test_two_agreeing_reads_settle(play: Play) -> None:
    session, phone = play([A, B, B, C])
    settled = settle(session._context, None)
    assert settled.agreed
    assert phone.dumps == 3
    assert settled.snapshot.find(text="Two")


def test_a_screen_that_never_rests_is_not_called_settled(play: Play) -> None:
    session, _ = play([A, B] * 40)
    settled = settle(session._context, None)
    assert not settled.agreed
    assert settled.waited >= 1.0


def test_two_reads_are_granted_however_slow_a_dump_is(play: Play, clock: ManualClock) -> None:
    session, phone = play([A], dump_seconds=3.0)
    settled = settle(session._context, None)
    assert settled.agreed
    assert phone.dumps == 2


@pytest.mark.parametrize(
    ("seconds", "agreed", "dumps"), [(0.05, True, 4), (1.5, True, 4), (20.0, False, 2)]
)
def test_two_reads_are_granted_again_after_one_that_fails_but_not_after_one_that_hangs(
    play: Play, seconds: float, agreed: bool, dumps: int
) -> None:
    session, phone = play([A, SnapshotError("null root node"), A, A], dump_seconds=seconds)
    assert settle(session._context, None).agreed is agreed
    assert phone.dumps == dumps


def test_an_unchanged_screen_is_watched_before_it_is_believed(play: Play) -> None:
    session, _ = play([A, A, A, B, B], quiet=0.3)
    before = session.snapshot()
    assert settle(session._context, before).snapshot.find(text="Two")


def test_where_every_read_fails_that_is_tool_trouble(play: Play) -> None:
    session, phone = play([SnapshotError("could not get idle state")])
    with pytest.raises(DeviceError, match="failed; the last: could not get idle state"):
        settle(session._context, None)
    assert phone.dumps > 1


def test_a_phone_that_is_gone_is_not_asked_again(play: Play) -> None:
    session, phone = play([DeviceOffline("gone", device="x")])
    with pytest.raises(DeviceOffline):
        settle(session._context, None)
    assert phone.dumps == 1


# --- what never rests -----------------------------------------------------------------------------


def busy(number: int, *more: str) -> bytes:
    """Two buttons that rest, and a carousel that shows another picture on every read."""
    page = node("TextView", (0, 1000, 1000, 1300), text=f"Offer {'abcdefghijklmnop'[number % 16]}")
    return screen(button("One"), button("Two", 400), page, *more, title="Shop")


def moving(first: int = 0, count: int = 40) -> list[bytes]:
    return [busy(number) for number in range(first, first + count)]


def test_a_region_that_never_rests_is_found_named_and_left_out(play: Play) -> None:
    session, _ = play(moving())
    settled = settle(session._context, None)
    assert settled.agreed
    assert settled.waited >= 1.0, (
        "it takes the whole window to distinguish a volatile region from a change"
    )
    assert any(name.startswith('TextView "Offer') for name in settled.masked)
    assert "changing" in settled.waited_for
    assert settled.notes()["masked"]


def test_it_is_not_waited_for_again_on_that_screen(play: Play) -> None:
    session, phone = play(moving())
    settle(session._context, None)
    dumps = phone.dumps
    again = settle(session._context, None)
    assert again.agreed
    assert again.masked
    assert phone.dumps == dumps + 2


def test_it_is_left_out_for_settling_only_and_never_for_checks(play: Play) -> None:
    session, phone = play(moving())
    settle(session._context, None)
    with pytest.raises(ExpectationFailed):
        session.expect_visible(text="Offer a", timeout=0.4)
    phone.frames = [busy(3)]
    session.expect_visible(text="Offer d")


def test_another_change_on_such_a_screen_is_still_waited_for(play: Play) -> None:
    session, phone = play(moving())
    settle(session._context, None)
    phone.frames = [
        busy(1),
        busy(2, button("New", 1500)),
        busy(3, button("Newer", 1500)),
        *moving(4),
    ]
    dumps = phone.dumps
    assert settle(session._context, None).agreed
    assert phone.dumps == dumps + 5


def test_what_is_known_of_one_screen_says_nothing_about_another(play: Play) -> None:
    session, phone = play(moving())
    settle(session._context, None)
    phone.frames = [
        screen(button("One"), button(f"T{'x' * i}", 1000), button("Two", 400), title="Cart")
        for i in range(30)
    ]
    assert settle(session._context, None).waited >= 1.0


def test_an_animation_that_ends_is_no_restless_region(play: Play) -> None:
    session, phone = play([*moving(count=4), busy(0)])
    settled = settle(session._context, None)
    assert settled.agreed
    assert settled.masked == ()
    phone.frames = [busy(1), busy(2), busy(2)]
    dumps = phone.dumps
    settle(session._context, None)
    assert phone.dumps == dumps + 3, "it was not learnt"


def test_a_screen_most_of_which_changes_is_not_settled_but_for_a_part(play: Play) -> None:
    wide = [
        screen(button("One"), node("TextView", (0, 400, 1000, 2000), text="x" * n))
        for n in range(1, 60)
    ]
    session, _ = play(wide)
    settled = settle(session._context, None)
    assert not settled.agreed
    assert settled.masked == ()


def test_a_slow_phone_is_not_asked_more_often_than_needed(play: Play) -> None:
    session, phone = play(moving(), dump_seconds=3.0)
    assert not settle(session._context, None).agreed, "two reads that differ prove nothing"
    assert phone.dumps == 2


# --- loading --------------------------------------------------------------------------------------

SPINNER = node("ProgressBar", (450, 900, 550, 1000))
LOADING = screen(button("Go"), SPINNER)
LOADED = screen(button("Go"), button("Ready", 900))


def test_a_loading_screen_is_not_settled_and_is_waited_for_beyond_the_window(play: Play) -> None:
    session, _ = play([LOADING] * 15 + [LOADED])
    settled = settle(session._context, None)
    assert settled.agreed
    assert settled.snapshot.find(text="Ready")
    assert settled.waited > 2.0
    assert settled.waited_for.startswith("loading 2.")


def test_one_that_loads_for_ever_is_given_up_on_once_and_never_called_settled_for_it(
    play: Play,
) -> None:
    session, phone = play([LOADING], action_timeout=2.0)
    settled = settle(session._context, None)
    assert not settled.agreed
    assert 2.0 <= settled.waited < 3.5
    dumps = phone.dumps
    again = settle(session._context, None)
    assert again.agreed
    assert again.masked == ("ProgressBar",) or again.masked[0].startswith("ProgressBar [")
    assert phone.dumps == dumps + 2


def test_one_that_was_loading_before_the_gesture_is_not_waited_for_longer(play: Play) -> None:
    session, _ = play([LOADING])
    before = session._context.observer.read().snapshot
    assert settle(session._context, before).waited < 1.5


def test_a_failed_read_while_it_loads_does_not_end_the_wait(play: Play) -> None:
    session, _ = play([*[LOADING] * 10, SnapshotError("null root node"), *[LOADING] * 3, LOADED])
    settled = settle(session._context, None)
    assert settled.agreed
    assert settled.snapshot.find(text="Ready")


def test_a_loading_screen_on_a_slow_phone(play: Play) -> None:
    session, phone = play([LOADING, LOADED, LOADED, LOADED], dump_seconds=0.9)
    settled = settle(session._context, None)
    assert settled.agreed
    assert settled.snapshot.find(text="Ready")
    assert phone.dumps == 3


# --- what is shown --------------------------------------------------------------------------------


def test_failed_reads_are_counted_and_reported(play: Play) -> None:
    session, _ = play([A, SnapshotError("null root node"), A, A])
    notes = settle(session._context, None).notes()
    assert notes["failed_reads"] == 1
    assert notes["reads"] == 3
    assert "unreadable" in notes["waited_for"]


def test_reads_that_fail_to_the_end_are_no_agreement(play: Play) -> None:
    session, _ = play([A, A, SnapshotError("null root node")], quiet=0.3)
    before = session._context.observer.read().snapshot
    assert not settle(session._context, before).agreed


@pytest.mark.parametrize("failing", [1, 2])
def test_reads_that_fail_are_not_held_against_a_slow_phone(play: Play, failing: int) -> None:
    trouble: list[bytes | Exception] = [ProtocolError("null root")] * failing
    session, phone = play([*trouble, A], dump_seconds=1.5, recover=_unwanted)
    session.tap(text="One", timeout=1).expect_visible(text="One", timeout=1)
    phone.frames = [*trouble, A]
    session.expect_visible(text="One", timeout=1)


def test_a_screen_that_is_never_read_is_given_up_on(play: Play) -> None:
    session, phone = play([ProtocolError("null root")], dump_seconds=1.5)
    with pytest.raises(ProtocolError, match="the screen could not be read: 4 of 4 reads"):
        session.tap(text="One", timeout=1)
    assert phone.gestures == []


def _unwanted(session: object, failure: Failure, state: object) -> None:
    raise AssertionError(f"recovery was asked for: {failure.code}")
