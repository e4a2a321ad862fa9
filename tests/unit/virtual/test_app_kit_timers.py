"""The phone's clock and what hangs on it."""

from __future__ import annotations

from pytest_replicant.virtual.app_kit.timers import MOST_AT_ONCE, Timers

from .toy_app import ManualClock


def run(timers: Timers) -> None:
    timers.run_due(lambda timer: timer.callback())


def test_a_timer_set_by_a_timer_counts_from_that_ones_time() -> None:
    clock, ticks = ManualClock(), list[float]()
    timers = Timers(clock)

    def tick() -> None:
        ticks.append(timers.now)
        timers.after(100, tick)

    timers.after(100, tick)
    clock.now += 0.35
    run(timers)
    assert [round(tick - 100, 3) for tick in ticks] == [0.1, 0.2, 0.3]


def test_a_timer_for_at_once_never_holds_the_phone() -> None:
    clock, count = ManualClock(), list[int]()
    timers = Timers(clock)

    def again() -> None:
        count.append(1)
        timers.after(0, again)

    timers.after(0, again)
    clock.now += 3600
    run(timers)
    assert len(count) == MOST_AT_ONCE
