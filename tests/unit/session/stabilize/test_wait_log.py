"""What was waited for is reported in turn, and only what took time."""

from __future__ import annotations

from pytest_replicant.clock import ManualClock
from pytest_replicant.session.stabilize.reads import WaitLog


def test_each_thing_in_turn_with_its_time(clock: ManualClock) -> None:
    waited = WaitLog(clock)
    for what, seconds in (("disabled", 1.2), (None, 0.5), ("moving", 0.3), ("moving", 0.1)):
        waited.on(what)
        clock.advance(seconds)
    assert waited.describe() == "disabled 1.2 s, then moving 0.4 s"
    assert waited.several


def test_what_took_no_time_was_not_waited_for(clock: ManualClock) -> None:
    waited = WaitLog(clock)
    waited.on("disabled")
    clock.advance(0.01)
    assert waited.describe() == ""
    assert not waited.several


def test_the_same_thing_with_a_pause_is_reported_once(clock: ManualClock) -> None:
    waited = WaitLog(clock)
    for what in ("disabled", None, "disabled"):
        waited.on(what)
        clock.advance(1)
    assert waited.describe() == "disabled 2.0 s"


def test_what_comes_and_goes_for_ever_is_counted(clock: ManualClock) -> None:
    waited = WaitLog(clock)
    for number in range(20):
        waited.on(f"thing {number}")
        clock.advance(1)
    assert waited.describe().endswith("14 more")
