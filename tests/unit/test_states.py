"""A state is made once, proven by one read, and made again where the proof does not show."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, cast

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
from pytest_replicant.errors import ProtocolError
from pytest_replicant.held_phone import HeldPhone
from pytest_replicant.pool import DevicePool
from pytest_replicant.states import State
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import App, Button, Column, RunningApp, Screen, Text, Widget

APP = "dev.states"
QUICK: dict[str, Any] = {"action_timeout": 0.5, "expect_timeout": 0.5, "window": 0.3, "screenshots": False}
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


def device(*, debuggable: bool = True, code: int = 1) -> Any:
    app: App[dict[str, Any]] = App(
        package=APP, label="States", state=dict, start=Home, debuggable=debuggable, version_code=code
    )
    return virtual_device(app, start=False)


@dataclass
class Held:
    """A phone with a session for each test on it, as ``HeldPhone`` has them; and how often it was read."""

    opened: VirtualDevice
    phones: ClassVar[type[DevicePool]] = DevicePool
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
        with self.opened.session(**QUICK) as self.session:
            before, self.tests = len(self.reads), self.tests + 1
            mobile = {"mobile": self.session}
            state.hold(cast("HeldPhone", self), cast("pytest.Item", SimpleNamespace(stash={})), mobile, None, "")
            took = len(self.reads) - before
            then(self.session)
        return took


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Held]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with device() as one:
        yield Held(one)


def signing_in(made: list[str], proof: Any = WELCOME, **options: Any) -> State:
    def make(mobile: DeviceSession) -> None:
        made.append("made")
        mobile.launch(APP)
        mobile.tap(text="Sign in")

    return State("signed_in", make, proof, **options)


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


def test_of_two_states_in_one_test_the_second_may_not_clear_the_data_of_the_first(held: Held) -> None:
    def afresh(mobile: DeviceSession) -> None:
        mobile.launch(APP, fresh=True)
        mobile.tap(text="Sign in")

    one, other = signing_in([]), State("another", afresh, WELCOME)  # whose proofs look the same

    def asks_for_another(mobile: DeviceSession) -> None:
        other.hold(
            cast("HeldPhone", held), cast("pytest.Item", SimpleNamespace(stash={})), {"mobile": mobile}, None, ""
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
        with pytest.raises(ExpectationFailed, match=r"(?s)state signed_in was made, but its proof.*Welcome, ada"):
            held.test(state)
    with pytest.raises(pytest.fail.Exception, match=r'2 times in a row, and is not tried again.*text="Never"'):
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
    with pytest.raises(UsageError, match="state signed_in: proof='Home': a proof is something on the screen"):
        held.test(signing_in(made, "Home"))


def test_data_is_kept_for_a_later_run_with_the_same_build(held: Held, tmp_path: Path) -> None:
    made: list[str] = []
    held.test(signing_in(made, keep=True))
    (kept,) = tmp_path.glob("pytest-replicant/*.tar")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert made == ["made"]

    def runs_again(**options: Any) -> None:
        with device(**options) as another:
            Held(another).test(signing_in(made, keep=True))

    runs_again()
    assert made == ["made"]
    runs_again(code=2)
    assert made == ["made", "made"]
    kept.chmod(0o644)
    with device(code=2) as another:
        phone = Held(another)
        phone.test(signing_in(made, keep=True))
        assert len(made) == 3, "a file that others may read is not trusted"
        phone.states.clear()
        phone.test(signing_in(made))
    assert os.listdir(kept.parent) == [], "it was not asked for any more"


def _repacked(kept: bytes, content: bytes) -> bytes:
    """The file of other data, as if these had been saved."""
    facts = {**json.loads(kept.partition(b"\n")[0]), "digest": hashlib.sha256(content).hexdigest()}
    return json.dumps(facts).encode() + b"\n" + content


@pytest.mark.parametrize(
    "damage",
    [
        lambda kept: kept[:-700],
        lambda kept: kept.partition(b"\n")[0] + b"\n" + b"x" * 1024,
        lambda kept: kept.replace(b"ada", b"bob"),
        lambda kept: kept.replace(b'"digest"', b'"other"'),
        lambda kept: _repacked(kept, b"x" * 1024),
        lambda kept: b"",
    ],
    ids=["cut", "bad header", "changed", "no digest", "not unpacked by the phone", "empty"],
)
def test_kept_data_that_is_damaged_is_forgotten_and_the_state_made_again(
    held: Held, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    made: list[str] = []
    held.test(signing_in(made, keep=True))
    (kept,) = tmp_path.glob("pytest-replicant/*.tar")
    whole = kept.read_bytes()
    kept.write_bytes(damage(whole))
    for _ in range(2):
        with device() as another:
            Held(another).test(signing_in(made, keep=True))
    assert made == ["made", "made"], "and what was kept then is good"


def test_a_folder_that_cannot_be_used_is_a_usage_error_before_anything_is_made(
    held: Held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    (tmp_path / "file").touch()
    for folder, why in ((str(tmp_path / "file"), "Not a directory"), ("state", "it is no absolute path")):
        monkeypatch.setenv("XDG_STATE_HOME", folder)
        with pytest.raises(
            UsageError, match=rf"keep=True: .*{why}\. Next: set XDG_STATE_HOME to the absolute path"
        ):
            held.test(signing_in(made, keep=True))
    assert made == []


def test_data_is_kept_of_debuggable_builds_alone(held: Held, tmp_path: Path) -> None:
    with (
        device(debuggable=False) as release,
        pytest.raises(
            UsageError, match=f"must be a debuggable Android build; on .*: run-as: package not debuggable: {APP}"
        ),
    ):
        Held(release).test(signing_in([], keep=True))
    assert list(tmp_path.glob("pytest-replicant/*")) == []

    def make(mobile: DeviceSession) -> None:
        mobile.launch(APP)
        mobile.tap(text="More")

    with pytest.raises(
        UsageError, match="keep=True, but the app does not keep it itself: launched again, expect_"
    ):
        held.test(State("at_more", make, by(text="Nothing else"), keep=True))
    assert list(tmp_path.glob("pytest-replicant/*")) == []


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
