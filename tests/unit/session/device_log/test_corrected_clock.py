"""A phone that corrects its clock, by little or much and at any moment of a test: each line and
each death belongs to the action after which it was logged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from pytest_replicant import ExpectationFailed
from pytest_replicant.session import DeviceSession, unexplained_crash
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import App, Button, Column, RunningApp, Screen, Text, Widget

from ..logging_phone import death_in

APP = "dev.replicant.ledger"


def seconds(*by: float) -> pytest.MarkDecorator:
    """By how much the clock is set."""
    return pytest.mark.parametrize("by", by)


@dataclass
class Ledger:
    """What a press of a button does, by the button, apart from counting."""

    count: int = 0
    does: dict[str, Callable[[RunningApp[Ledger]], None]] = field(default_factory=dict)


class Main(Screen[Ledger]):
    title = "Ledger"

    def build(self, app: RunningApp[Ledger]) -> Widget:
        def press(name: str) -> Callable[[], None]:
            def pressed() -> None:
                app.state.count += 1
                if does := app.state.does.get(name):
                    does(app)

            return pressed

        return Column([
            *(Button(name, on_click=press(name)) for name in ("First", "Second")),
            Text(f"{app.state.count} times"),
        ])  # fmt: skip


LEDGER = Ledger()


@pytest.fixture(scope="module")
def shared() -> Iterator[VirtualDevice]:
    app = App(package=APP, label="Ledger", state=lambda stored: LEDGER, start=Main)
    with virtual_device(app) as device:
        yield device


@pytest.fixture
def device(shared: VirtualDevice) -> VirtualDevice:
    """The phone with its app in front, and a while after the test before."""
    LEDGER.does.clear()
    shared.driver.stop(APP)  # with the dialog that it died
    shared.driver.launch(APP, None, ())
    shared.clock.sleep(20)
    return shared


@pytest.fixture
def mobile(device: VirtualDevice) -> Iterator[DeviceSession]:
    with device.session(screenshots=False, allow=frozenset({"step_back"})) as session:
        yield session


def says(text: str) -> Callable[[Any], None]:
    return lambda app: app.log(text)


def die(app: object) -> None:
    raise RuntimeError("no ledger")


def hold(checks: Any, *texts: str) -> list[bool]:
    """Whether a check of each line holds."""
    return [_holds(lambda text=text: checks.expect_log(text, timeout=0.2)) for text in texts]  # type: ignore[misc]


def _holds(check: Callable[[], object]) -> bool:
    try:
        check()
    except ExpectationFailed:
        return False
    return True


def no_crash(checks: Any) -> bool:
    return _holds(lambda: checks.expect_no_crash(timeout=0.2))


def of_each() -> None:
    LEDGER.does.update(First=says("of the first"), Second=says("of the second"))


# --- lines ----------------------------------------------------------------------------------------


def set_before_the_first_action(device: VirtualDevice, mobile: DeviceSession, by: float) -> Any:
    device.phone.log.append("I", "Ledger", "of the first", 1)
    device.clock.sleep(0.05)
    device.phone.set_clock(by)
    return mobile.tap(text="Second", silent=True)


def set_between_two(device: VirtualDevice, mobile: DeviceSession, by: float) -> Any:
    mobile.tap(text="First")
    device.phone.set_clock(by)
    return mobile.tap(text="Second", silent=True)


def second_tapped(
    device: VirtualDevice, mobile: DeviceSession, effect: Callable[[Any], None]
) -> Any:
    LEDGER.does["Second"] = effect
    mobile.tap(text="First")
    device.clock.sleep(0.5)
    return mobile.tap(text="Second", silent=True)


def set_before_the_effect(device: VirtualDevice, mobile: DeviceSession, by: float) -> Any:
    def effect(app: Any) -> None:
        device.phone.set_clock(by)
        app.log("of the second")

    return second_tapped(device, mobile, effect)


def set_after_the_effect(device: VirtualDevice, mobile: DeviceSession, by: float) -> Any:
    def effect(app: Any) -> None:
        app.log("of the second")
        device.phone.set_clock(by)

    return second_tapped(device, mobile, effect)


def set_after_settling_and_a_late_effect(
    device: VirtualDevice, mobile: DeviceSession, by: float
) -> Any:
    def effect(app: Any) -> None:
        app.after(1200, lambda: device.phone.set_clock(by))
        app.after(1300, lambda: app.log("of the second"))

    outcome = second_tapped(device, mobile, effect)
    device.clock.sleep(2)
    return outcome


def set_there_and_back(device: VirtualDevice, mobile: DeviceSession, by: float) -> Any:
    mobile.launch(APP)
    device.phone.set_clock(by)
    mobile.tap(text="First")
    device.clock.sleep(0.05)
    device.phone.set_clock(-by)
    return mobile.tap(text="Second", silent=True)


def set_there_and_back_unseen(device: VirtualDevice, mobile: DeviceSession, by: float) -> Any:
    def effect(app: Any) -> None:
        device.phone.set_clock(by)
        app.log("of the second")
        app.after(40, lambda: device.phone.set_clock(-by))

    outcome = second_tapped(device, mobile, effect)
    device.clock.sleep(0.5)
    return outcome


PLACES = [
    set_before_the_first_action,
    set_between_two,
    set_before_the_effect,
    set_after_the_effect,
    set_after_settling_and_a_late_effect,
    set_there_and_back,
    set_there_and_back_unseen,
]


@seconds(-2.1, 1.5)
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_a_line_belongs_to_the_action_after_which_it_was_logged(
    device: VirtualDevice, mobile: DeviceSession, place: Callable[..., Any], by: float
) -> None:
    of_each()
    outcome = place(device, mobile, by)
    assert hold(outcome, "of the first", "of the second") == [False, True]


@seconds(-2.1)
def test_the_same_words_before_and_after(
    device: VirtualDevice, mobile: DeviceSession, by: float
) -> None:
    LEDGER.does["First"] = says("the same")
    mobile.tap(text="First")
    device.phone.set_clock(by)
    assert hold(mobile.tap(text="Second"), "the same") == [False]
    assert hold(mobile.tap(text="First"), "the same") == [True]


@seconds(-1.5)
def test_an_app_that_was_started_after_it_is_known_by_its_processes(
    device: VirtualDevice, mobile: DeviceSession, by: float
) -> None:
    of_each()
    mobile.stop(APP)
    device.phone.set_clock(by)
    mobile.launch(APP)
    outcome = mobile.tap(text="First")
    mobile.shell(f"am force-stop {APP}")
    outcome.expect_log("of the first", app=APP, timeout=0.2)


URL = "https://api.ledger.dev/entry"


@seconds(-2.1)
@pytest.mark.parametrize(("name", "outcome"), [("First", "success"), ("Second", "unknown")])
def test_a_request_is_evidence_of_its_own_action(
    device: VirtualDevice, mobile: DeviceSession, by: float, name: str, outcome: str
) -> None:
    def fail(app: Any) -> None:
        app.log(f"--> GET {URL}", tag="OkHttp")
        app.log(f"<-- 500 Server Error {URL} (12ms)", tag="OkHttp")
        device.phone.set_clock(by)

    LEDGER.does[name] = fail
    mobile.tap(text="First")
    device.clock.sleep(0.1)
    assert mobile.tap(text="Second").classify().outcome == outcome


# --- deaths ---------------------------------------------------------------------------------------


@seconds(-1.5)
def test_a_death_after_it_is_seen_and_blamed(
    device: VirtualDevice, mobile: DeviceSession, by: float
) -> None:
    LEDGER.does["Second"] = die
    mobile.launch(APP)
    device.phone.set_clock(by)
    outcome = mobile.tap(text="Second")
    assert not no_crash(outcome)
    death = death_in(mobile)
    assert death.record.after == "a2"
    assert "may have" not in death.message


@seconds(1.5)
def test_so_is_one_before_it(device: VirtualDevice, mobile: DeviceSession, by: float) -> None:
    def die_and_set(app: Any) -> None:
        app.host.later(1, lambda: device.phone.set_clock(by), None)
        die(app)

    LEDGER.does["Second"] = die_and_set
    mobile.launch(APP)
    assert not no_crash(mobile.tap(text="Second"))
    death = death_in(mobile)
    assert death.record.after == "a2"


@seconds(-2.1)
def test_one_that_was_got_over_is_no_later_ones(
    device: VirtualDevice, mobile: DeviceSession, by: float
) -> None:
    LEDGER.does["Second"] = die
    mobile.launch(APP)
    mobile.tap(text="Second")
    device.clock.sleep(0.1)
    device.phone.set_clock(by)
    assert no_crash(mobile.launch(APP))
    death = death_in(mobile)
    assert death.record.after == "a2"


@seconds(-3)
def test_one_of_an_earlier_test_fails_no_later_one(device: VirtualDevice, by: float) -> None:
    LEDGER.does["Second"] = die
    with device.session(screenshots=False) as earlier:
        earlier.launch(APP)
        earlier.tap(text="Second")
        earlier.launch(APP)
    device.clock.sleep(0.2)
    device.phone.set_clock(by)
    with device.session(screenshots=False) as later:
        assert no_crash(later.launch(APP).expect_visible(text="First"))
        device.clock.sleep(6)
        assert unexplained_crash(later) is None
