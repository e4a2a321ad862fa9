"""A state is made once, proven by one read, and made again where the proof does not show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_replicant import (
    DeviceSession,
    ExpectationFailed,
    Snapshot,
    UsageError,
    by,
    check,
    mobile_state,
)
from pytest_replicant.drivers import Platform
from pytest_replicant.errors import ProtocolError
from pytest_replicant.plugin.states import State
from pytest_replicant.running import HeldPhone
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import App, Button, Column, RunningApp, Screen, Text, Widget

APP = "dev.states"
QUICK: dict[str, Any] = {
    "action_timeout": 0.5,
    "expect_timeout": 0.5,
    "window": 0.3,
    "screenshots": False,
}
WELCOME = by(text="Welcome, ada")


class Home(Screen[dict[str, Any]]):
    title, activity = "Home", ".Home"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        def sign(name: str) -> None:
            app.stored["user"] = name

        user = app.stored.get("user", "")
        return Column(
            [
                Text(f"Welcome, {user}" if user else "Please sign in"),
                Button("Sign in", id="in", on_click=lambda: sign("ada")),
                Button("Sign out", id="out", on_click=lambda: sign("")),
                Button("More", id="more", on_click=lambda: app.open(More())),
            ]
        )


class More(Screen[dict[str, Any]]):
    title, activity = "More", ".More"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        return Column([Text("Nothing else")])


@dataclass
class Held:
    """A phone with a session for each test on it, as ``HeldPhone`` has them; and how often it was
    read."""

    opened: VirtualDevice
    settings: dict[str, Any] = field(default_factory=dict)
    states: dict[Any, Any] = field(default_factory=dict)
    recorded_states: list[Any] = field(default_factory=list)
    session: DeviceSession | None = None
    tests: int = 0
    reads: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        driver = self.opened.driver
        dump = driver.dump_hierarchy

        def counted() -> bytes:
            self.reads.append(dump())
            return self.reads[-1]

        driver.dump_hierarchy = counted  # type: ignore[method-assign]

    def session_of(self, _: object) -> DeviceSession:
        assert self.session is not None
        return self.session

    def test(self, state: State, then: Callable[[DeviceSession], object] = lambda _: None) -> int:
        """One test that asks for the state, and does that; the number of reads until it began."""
        with self.opened.session(**{**QUICK, **self.settings}) as self.session:
            before, self.tests = len(self.reads), self.tests + 1
            mobile = {"mobile": self.session}
            state.hold(
                cast("HeldPhone", self),
                cast("pytest.Item", SimpleNamespace(stash={})),
                mobile,
                None,
                "",
            )
            took = len(self.reads) - before
            then(self.session)
        return took


@pytest.fixture
def held() -> Iterator[Held]:
    app: App[dict[str, Any]] = App(package=APP, label="States", state=dict, start=Home)
    with virtual_device(app, start=False) as one:
        yield Held(one)


def signing_in(made: list[str], proof: Any = WELCOME) -> State:
    def make(mobile: DeviceSession) -> None:
        made.append("made")
        mobile.launch(APP)
        mobile.tap(text="Sign in")

    return State("signed_in", make, proof)


def test_one_read_proves_it_and_a_launch_brings_it_back(held: Held) -> None:
    made: list[str] = []
    state = signing_in(made)
    assert held.test(state) > 2
    assert held.test(state, lambda mobile: mobile.tap(text="More")) == 1
    held.test(state)
    assert made == ["made"], "the first screen of the app shows that it still holds"
    held.test(state, lambda mobile: mobile.tap(text="Sign out"))
    held.test(state)
    assert made == ["made", "made"]


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_an_app_that_forgets_who_is_signed_in_costs_two_seconds(platform: Platform) -> None:
    app: App[dict[str, Any]] = App(package=APP, label="States", state=dict, start=Home)
    with virtual_device(app, start=False, platform=platform) as one:
        held, made = Held(one, {"action_timeout": 20.0}), list[str]()
        state = signing_in(made)
        held.test(state, lambda mobile: mobile.tap(text="Sign out"))
        began = one.clock.now()
        held.test(state)
        assert made == ["made", "made"]
        assert one.clock.now() - began < 10, "not the time-out of twenty"


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_an_app_that_starts_slowly_is_waited_for(platform: Platform) -> None:
    class Start(Screen[dict[str, Any]]):
        """Asks a backend who is signed in, which shows nowhere and takes three seconds."""

        title, activity = "Start", ".Start"

        def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
            if not app.state.get("asked"):
                app.state["asked"] = True
                app.after(3000, lambda: app.open(Home()))
            return Column([Text("States")])

    app: App[dict[str, Any]] = App(package=APP, label="States", state=dict, start=Start)
    with virtual_device(app, start=False, platform=platform) as one:
        held, made = Held(one, {"action_timeout": 5.0}), list[str]()
        state = signing_in(made)
        held.test(state, lambda mobile: mobile.tap(text="More"))
        held.test(state)
        assert made == ["made"], "its start is known from the making"


def test_of_two_states_in_one_test_the_second_may_not_clear_the_data_of_the_first(
    held: Held,
) -> None:
    def afresh(mobile: DeviceSession) -> None:
        mobile.launch(APP, fresh=True)
        mobile.tap(text="Sign in")

    one, other = signing_in([]), State("another", afresh, WELCOME)  # whose proofs look the same

    def asks_for_another(mobile: DeviceSession) -> None:
        other.hold(
            cast("HeldPhone", held),
            cast("pytest.Item", SimpleNamespace(stash={})),
            {"mobile": mobile},
            None,
            "",
        )

    with pytest.raises(
        UsageError, match="the state signed_in of the same test held no more: its data was cleared"
    ):
        held.test(one, asks_for_another)


def test_a_failed_read_proves_nothing(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    state = signing_in(made)
    held.test(state)
    read, failures = held.opened.driver.dump_hierarchy, iter(range(1))

    def fails_once() -> bytes:
        if next(failures, None) is not None:
            raise ProtocolError("could not get idle state")
        return read()

    monkeypatch.setattr(held.opened.driver, "dump_hierarchy", fails_once)
    assert held.test(state) > 1, "it was launched again, and read again"
    assert made == ["made"]


def test_a_proof_that_never_shows_says_what_does(held: Held) -> None:
    made: list[str] = []
    state = signing_in(made, by(text="Never"))
    for _ in range(2):
        with pytest.raises(
            ExpectationFailed, match=r"(?s)state signed_in was made, but its proof.*Welcome, ada"
        ):
            held.test(state)
    with pytest.raises(
        pytest.fail.Exception, match=r'2 times in a row, and is not tried again.*text="Never"'
    ):
        held.test(state)
    assert made == ["made", "made"]
    assert held.states == {}


def test_an_interrupt_while_it_is_made_leaves_no_state(held: Held) -> None:
    def make(mobile: DeviceSession) -> None:
        mobile.launch(APP)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        held.test(State("signed_in", make, WELCOME))
    assert held.states == {}


def test_proofs_of_other_kinds(held: Held) -> None:
    @check
    def welcomes(screen: Snapshot, name: str) -> bool:
        return bool(screen.find_all(text=f"Welcome, {name}"))

    made: list[str] = []
    state = signing_in(made, welcomes("ada"))
    held.test(state)
    held.test(state)
    held.test(signing_in(made, lambda _: WELCOME))
    assert made == ["made", "made"]
    with pytest.raises(
        UsageError, match="state signed_in: proof='Home': a proof is something on the screen"
    ):
        held.test(signing_in(made, "Home"))


def test_what_is_no_function_that_makes_a_state_is_refused() -> None:
    def generator(mobile: DeviceSession) -> Iterator[None]:
        yield

    def method(self: object, mobile: DeviceSession) -> None: ...

    declare = mobile_state(proof=WELCOME)
    for wrong, why in (
        (generator, "nothing is undone"),
        (method, "is a method"),
        (SimpleNamespace(), "no function"),
    ):
        with pytest.raises(UsageError, match=why):
            declare(cast("Callable[..., object]", wrong))
