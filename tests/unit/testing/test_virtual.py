"""Tests of the virtual phone and its sessions on one clock."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from pytest_replicant.drivers import Platform
from pytest_replicant.errors import UsageError
from pytest_replicant.testing import SharedClock, virtual_device, virtual_session
from pytest_replicant.virtual import (
    App,
    Button,
    Column,
    Faults,
    Latency,
    RunningApp,
    Screen,
    Text,
    Widget,
)

QUIET: dict[str, Any] = {"interval": 0.5, "screenshots": False, "trace": False}


class Later(Screen[dict[str, bool]]):
    """Shows a greeting 30 seconds after the button was tapped."""

    activity = ".Later"
    title = "Later"

    def build(self, app: RunningApp[dict[str, bool]]) -> Widget:
        def greet() -> None:
            app.state["greeted"] = True

        return Column(
            [Button("Greet", on_click=lambda: app.after(30_000, greet)), *self._greeting(app)]
        )

    @staticmethod
    def _greeting(app: RunningApp[dict[str, bool]]) -> list[Widget]:
        return [Text("Hello")] if app.state.get("greeted") else []


def later() -> App[dict[str, bool]]:
    return App(package="dev.example.later", label="Later", state=dict, start=Later)


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_half_a_minute_passes_in_a_moment(platform: Platform) -> None:
    with virtual_session(later(), platform=platform, expect_timeout=60, **QUIET) as mobile:
        mobile.tap(text="Greet").expect_visible(text="Hello")


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_slow_phone_takes_its_time_on_the_same_clock(platform: Platform) -> None:
    clock = SharedClock()
    began = time.monotonic()
    latency = Latency(dump_ms=90_000)
    with virtual_device(later(), platform=platform, clock=clock, latency=latency) as device:
        device.driver.dump_hierarchy()  # of an app that is new in front, an iPhone is asked twice
        before = clock.read()
        device.driver.dump_hierarchy()
        assert clock.read() - before == pytest.approx(90, abs=0.5)
        assert device.phone.pace.waited_ms >= 90_000
    assert time.monotonic() - began < 60


def test_two_phones_on_one_clock_both_go_on_and_let_go_of_it() -> None:
    clock = SharedClock()
    with virtual_device(later(), clock=clock) as one, virtual_device(later(), clock=clock) as other:
        for device in (one, other):
            with device.session(**QUIET) as mobile:
                mobile.tap(text="Greet")
        assert len(clock.on_step) == 2
        clock.sleep(31)
        assert one.phone.app_state(one.app) == other.phone.app_state(other.app) == {"greeted": True}
    assert clock.on_step == []


def test_the_demo_apps_go_by_their_ids_and_faults_are_handed_on() -> None:
    with virtual_device("dev.replicant.lab", faults=Faults(fail_dump=1.0, seed=1)) as device:
        assert device.phone.foreground()[0] == device.app == "dev.replicant.lab"
        with pytest.raises(Exception, match="dump"):
            device.driver.dump_hierarchy()
    with (
        pytest.raises(UsageError, match=r"dev\.replicant\.shop"),
        virtual_device("dev.example.none"),
    ):
        pass


def test_sleepers_on_two_threads_wait_for_the_same_time_and_not_for_the_sum() -> None:
    clock = SharedClock()
    seen: list[float] = []
    clock.on_step.append(lambda: seen.append(clock.read()))
    began = clock.read()
    threads = [threading.Thread(target=clock.sleep, args=(10,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 10 <= clock.read() - began < 20.1
    assert max(seen) == clock.read()


def test_each_look_at_the_clock_takes_a_moment_and_the_phone_takes_none() -> None:
    clock = SharedClock()
    assert clock.read() == clock.read()
    assert clock.now() < clock.now()
    assert clock.epoch_ms() == round(clock.read() * 1000)
