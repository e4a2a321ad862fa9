"""The pause between two reads is short where a control took its state and nothing else changed;
nowhere else."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from benchmarks import settling
from pytest_replicant.model import ManualClock

from ..conftest import Play
from ..scripted_phone import ScriptedPhone, node, screen

DUMP = 0.01


def box(checked: bool, *more: str, top: int = 200, **flags: bool) -> bytes:
    states: dict[str, Any] = {"clickable": True, "checkable": True, "checked": checked, **flags}
    return screen(
        node("CheckBox", (100, top, 500, top + 100), text="Agree", **states), *more, title="Terms"
    )


def label(text: str, top: int = 600) -> str:
    return node("TextView", (100, top, 500, top + 100), text=text, resource_id="app:id/total")


def spent(
    play: Play, clock: ManualClock, before: bytes, *after: bytes, **settings: Any
) -> tuple[int, list[int]]:
    """Dumps of a tap that leads to these screens, and the milliseconds between their requests."""
    asked: list[float] = []

    def tapped(phone: ScriptedPhone) -> None:
        phone.frames = list(after)
        asked.clear()

    session, phone = play([before], dump_seconds=DUMP, on_gesture=tapped, **settings)
    dump = phone.dump_hierarchy

    def noted() -> bytes:
        asked.append(clock.now())
        return dump()

    phone.dump_hierarchy = noted  # type: ignore[method-assign]
    session.tap(text="Agree")
    return len(asked), [round((later - one) * 1000) for one, later in pairwise(asked)]


def test_a_control_that_took_its_state_is_read_again_after_50_ms(
    play: Play, clock: ManualClock
) -> None:
    assert spent(play, clock, box(False, label("1")), box(True, label("1"))) == (2, [50])


def test_one_that_goes_on_changing_is_waited_for_longer_each_time(
    play: Play, clock: ManualClock
) -> None:
    after = [box(True, selected=odd) for odd in (True, False)] * 2
    assert spent(play, clock, box(False), *after)[1] == [50, 100, 150, 150]


@pytest.mark.parametrize(
    "after",
    [
        box(True, label("2")),
        box(True, label("1", 607)),
        box(True),
        box(True, label("1"), label("new", 900)),
        box(True, label("1"), top=207),
        box(True, label("1"), focused=True),
    ],
    ids=[
        "another changed",
        "another moved",
        "another went",
        "another came",
        "it moved",
        "it took the focus",
    ],
)
def test_what_may_be_in_motion_is_read_again_after_150_ms(
    play: Play, clock: ManualClock, after: bytes
) -> None:
    assert spent(play, clock, box(False, label("1")), after) == (2, [150])


def test_a_screen_without_a_change_is_watched_as_long_as_ever(
    play: Play, clock: ManualClock
) -> None:
    assert spent(play, clock, box(False), box(False)) == (3, [150, 150])


@pytest.mark.parametrize("interval", [0.02, 0.15, 0.4])
def test_a_pause_that_was_set_is_kept(play: Play, clock: ManualClock, interval: float) -> None:
    assert spent(play, clock, box(False), box(True), interval=interval) == (
        2,
        [round(interval * 1000)],
    )


def test_a_volatile_region_is_not_ignored_where_the_pause_was_short(
    play: Play, clock: ManualClock
) -> None:
    ticker = [label("x" * number) for number in range(1, 40)]
    session, phone = play([box(False, each) for each in ticker], dump_seconds=DUMP)
    session.snapshot()  # which learns it
    still, moved = ticker[0], ticker[1]
    phone.frames = [box(False, still)]
    clock.advance(1.0)
    session.snapshot()
    after = [box(True, still), box(True, moved), box(True, ticker[2])]
    phone.on_gesture = lambda phone: setattr(phone, "frames", after)
    dumps = phone.dumps
    session.tap(text="Agree")
    assert phone.dumps - dumps == 3, (
        "the second read shows the ticker moving: another one follows, 150 ms later"
    )


def test_no_screen_is_called_settled_in_mid_motion() -> None:
    assert settling.run({}, 40, seed=7)["false"] == 0


@pytest.mark.parametrize("interval", [0.0, 0.05])
def test_a_short_pause_everywhere_would_be_caught(interval: float) -> None:
    assert settling.run({"interval": interval}, 40, seed=7)["false"] > 0
