"""Nothing that may have an effect is sent twice because an answer was lost; what never left is sent
again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import product
from typing import Any

import pytest

from pytest_replicant import ActionFailed, DeviceError, Recovery, Remedy, by
from pytest_replicant.drivers import Platform
from pytest_replicant.drivers.android import link as android
from pytest_replicant.drivers.ios import link as wda
from pytest_replicant.recovery import builtin
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import (
    Button,
    Column,
    EditText,
    RadioGroup,
    Row,
    Screen,
    Spinner,
    Switch,
    Text,
    Widget,
)

from .on_phone import PACKAGE, QUICK, trial

PLATFORMS = pytest.mark.parametrize("platform", ["android", "ios"])
TOUCHES = ("click", "wda/tap")


class Page(Screen[dict[str, Any]]):
    """``lag`` is how many milliseconds later its controls show what was done to them."""

    title = "Page"

    def build(self, app: Any) -> Widget:
        state = app.state
        state["app"] = app

        def counted(name: str, then: Callable[[], object] = bool) -> None:
            state[name] = state.get(name, 0) + 1
            app.after(state.get("lag", 0), then)

        def more() -> None:
            counted("more", lambda: state.update(n=state.get("n", 0) + 1))

        def swapped() -> list[Widget]:
            keys = ("Keep", "Delete") if not state.get("swapped") else ("Delete", "Keep")
            return [Button(key, width="fill", on_click=partial(counted, key)) for key in keys]

        offer = (
            [Text("Offer"), Button("Buy", on_click=lambda: counted("Buy"))]
            if state.get("offer")
            else []
        )
        return Column(
            [
                *offer,
                Button("Order", on_click=lambda: counted("Order")),
                *swapped(),
                EditText(
                    "Note",
                    id="note",
                    text=state.get("note", ""),
                    on_change=lambda t: state.update(note=t),
                ),
                EditText(
                    "Pin",
                    id="pin",
                    input="password",
                    text=state.get("pin", ""),
                    on_change=lambda t: state.update(pin=t),
                ),
                Spinner(["More", "Send"], id="menu", chosen=0, on_change=lambda i: counted("Send")),
                Switch(
                    "Push",
                    id="push",
                    checked=bool(state.get("on")),
                    on_change=lambda _: counted(
                        "push", lambda: state.update(on=not state.get("on"))
                    ),
                ),
                Row(
                    [
                        Button("-"),
                        Text(str(state.get("n", 0)), id="count"),
                        Button("+", on_click=more),
                    ]
                ),
                RadioGroup(
                    id="radio",
                    options=["A", "B"],
                    chosen=state.get("radio", 0),
                    on_change=lambda i: counted("chosen", lambda: state.update(radio=i)),
                ),
            ],
            height="fill",
        )


@contextmanager
def page(
    platform: Platform, *, settings: Any = None, **state: Any
) -> Iterator[tuple[VirtualDevice, DeviceSession]]:
    given = {**QUICK, "recover": builtin, **(settings or {})}
    with (
        virtual_device(trial(Page, **state), platform=platform) as device,
        device.session(**given) as mobile,
    ):
        yield device, mobile


def state_of(device: VirtualDevice) -> dict[str, Any]:
    state = device.phone.app_state(PACKAGE)
    assert isinstance(state, dict)
    return state


class Wire:
    """The way to the phone. Where it is broken, the answer of a request that matches is lost once
    the phone has done it, or the request never leaves; once, after ``skip`` others that match."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._match: tuple[str, ...] | None = None
        self.left = 0
        self.never = False
        self.hit = ""
        call, run, result = android.call_method, android.Link._run, wda.BoundedRequest.result
        monkeypatch.setattr(
            android, "call_method", lambda *a: self._through(a[1], lambda: call(*a))
        )
        monkeypatch.setattr(android.Link, "_run", lambda *a: self._through(a[1], lambda: run(*a)))
        monkeypatch.setattr(
            wda.BoundedRequest,
            "result",
            lambda *a: self._through(f"{a[0]._method} {a[0]._url}", lambda: result(*a)),
        )

    def breaks(self, *match: str, skip: int = 0, never: bool = False) -> None:
        self._match, self.left, self.never = match or ("",), skip, never

    def mends(self) -> None:
        self._match = None

    def _through(self, request: str, send: Callable[[], Any]) -> Any:
        if self._match is None or not any(each in request for each in self._match):
            return send()
        if self.left:
            self.left -= 1
            return send()
        self._match, self.hit = None, request
        if self.never:
            raise ConnectionRefusedError("refused")
        send()
        raise ConnectionResetError("lost")


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    return Wire(monkeypatch)


def outcome_of(act: Callable[[], object]) -> str:
    try:
        act()
    except DeviceError as error:
        return f"infra: {error}"
    except ActionFailed as error:
        return f"failed: {error}"
    return "ok"


ACTS: dict[str, tuple[Callable[[DeviceSession], object], tuple[str, ...], str, int]] = {
    "tap": (lambda mobile: mobile.tap(text="Order"), TOUCHES, "Order", 1),
    "double_tap": (
        lambda mobile: mobile.double_tap(text="Order"),
        ("input tap", "doubleTap"),
        "Order",
        2,
    ),
    "append": (
        lambda mobile: mobile.fill(resource_id="note", value="ab", append=True),
        ("setText", "wda/keys"),
        "note",
        2,
    ),
}


@PLATFORMS
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("mode", ["allow", "none"])
def test_a_lost_answer_ends_the_test_and_says_what_is_not_known(
    wire: Wire, mode: str, act: str, platform: Platform
) -> None:
    do, match, name, most = ACTS[act]
    settings = {"recover": None} if mode == "none" else {"recovery": mode}
    with page(platform, settings=settings) as (device, mobile):
        wire.breaks(*match)
        said = outcome_of(lambda: do(mobile))
        assert said.startswith("infra"), said
        assert said.count("may have taken effect") == 1, said
        done = state_of(device).get(name)
        assert done == most if isinstance(done, int) else len(done or "") == most


@PLATFORMS
@pytest.mark.parametrize("act", ACTS)
def test_what_never_left_is_sent_again(wire: Wire, act: str, platform: Platform) -> None:
    """Focusing a field comes before typing, and does no more when it is done again."""
    do, match, name, most = ACTS[act]
    with page(platform) as (device, mobile):
        wire.breaks(*match, never=True)
        do(mobile)
        assert wire.hit
        done = state_of(device).get(name)
        assert done == most if isinstance(done, int) else len(done or "") == most


@PLATFORMS
@pytest.mark.parametrize("field", ["note", "pin"])
def test_no_letter_is_typed_twice(wire: Wire, field: str, platform: Platform) -> None:
    """Whichever of the requests breaks by which a text is put behind another."""
    with page(platform) as (device, mobile):
        for never, skip in product((True, False), range(9)):
            mobile.fill(resource_id=field, value="ab")
            wire.breaks(skip=skip, never=never)
            outcome_of(lambda: mobile.fill(resource_id=field, value="cd", append=True))
            wire.mends()
            assert state_of(device)[field] in ("ab", "abc", "abcd"), (never, skip)


@PLATFORMS
@pytest.mark.parametrize(("silent", "skip"), [(True, 0), (False, 1)])
def test_an_option_that_acts_is_not_chosen_twice(
    wire: Wire, skip: int, silent: bool, platform: Platform
) -> None:
    with page(platform) as (device, mobile):
        wire.breaks(*TOUCHES, skip=skip)
        said = outcome_of(lambda: mobile.select(resource_id="menu", option="Send", silent=silent))
        assert said.startswith("infra"), said
        assert "select may have taken effect" in said
        assert state_of(device).get("Send", 0) == skip


SETS: dict[str, tuple[Callable[[DeviceSession], object], str]] = {
    "switch": (lambda mobile: mobile.adjust(resource_id="push", to=True), "push"),
    "stepper": (lambda mobile: mobile.adjust(resource_id="count", to=1), "more"),
    "radio": (lambda mobile: mobile.adjust(text="A", to="B"), "chosen"),
    "silent": (lambda mobile: mobile.adjust(resource_id="push", to=True, silent=True), "push"),
}


@PLATFORMS
@pytest.mark.parametrize("what", SETS)
@pytest.mark.parametrize(("lag", "ends"), [(700, "ok"), (3000, "infra")])
def test_a_control_that_may_have_been_set_is_only_looked_at(
    wire: Wire, lag: int, ends: str, what: str, platform: Platform
) -> None:
    do, name = SETS[what]
    with page(platform, settings={"action_timeout": 2.0}, lag=lag) as (device, mobile):
        wire.breaks(*TOUCHES)
        assert outcome_of(lambda: do(mobile)).startswith(ends)
        mobile._context.clock.sleep(5)
        assert state_of(device)[name] == 1


@PLATFORMS
def test_a_switch_is_set_again_where_its_touch_never_left(wire: Wire, platform: Platform) -> None:
    with page(platform) as (device, mobile):
        wire.breaks(*TOUCHES, never=True)
        mobile.adjust(resource_id="push", to=True)
        assert state_of(device)["push"] == 1


@PLATFORMS
def test_what_is_late_is_not_chosen_in_another_way(platform: Platform) -> None:
    with page(platform, lag=3000) as (device, mobile):
        assert outcome_of(lambda: mobile.adjust(text="A", to="B")).startswith("failed")
        assert state_of(device)["chosen"] == 1


@PLATFORMS
@pytest.mark.parametrize("times", [1, 3])
def test_a_handler_of_an_interruption_is_not_called_again(
    wire: Wire, times: int, platform: Platform
) -> None:
    with page(platform, offer=True) as (device, mobile):
        wire.breaks(*TOUCHES)
        with mobile.on_interrupt(
            by(text="Offer"), lambda it: it.tap(text="Buy"), times=times
        ) as offer:
            said = outcome_of(lambda: mobile.tap(text="Order"))
        assert said.startswith("infra"), said
        assert "may have taken effect" in said
        assert (offer.count, state_of(device)["Buy"]) == (1, 1)
        assert "Order" not in state_of(device)


@PLATFORMS
def test_a_lost_remedy_ends_the_test(wire: Wire, platform: Platform) -> None:
    def remedy(session: object, failure: object, state: Any) -> Recovery:
        reason = f"{state.recovery_attempts}"
        return Recovery(
            "state_refresh", before=(Remedy.tap(by(text="Order")),), params={"n": reason}
        )

    with page(platform, settings={"recover": remedy}) as (device, mobile):
        wire.breaks(*TOUCHES)
        said = outcome_of(lambda: mobile.tap(text="Nowhere", timeout=0.1))
        assert said.startswith("infra"), said
        assert 'Remedy tap text="Order" may have taken effect' in said
        assert state_of(device)["Order"] == 1


def _swap(device: VirtualDevice) -> None:
    state_of(device).update(swapped=True)
    state_of(device)["app"].changed()


def test_a_touch_goes_to_where_its_target_is_once_the_server_runs_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with page("android", settings={"recover": None}) as (device, mobile):
        mobile.snapshot()
        restart, tap, killed = android.Link._restart, device.driver.tap, [0]

        def restarted(link: android.Link) -> None:
            restart(link)
            _swap(device)
            mobile._context.clock.sleep(3)

        def killing(point: Any) -> None:
            if not killed[0]:
                killed[0] = 1
                device.phone.kill_program("com.wetest.uia2.Main")
            tap(point)

        monkeypatch.setattr(android.Link, "_restart", restarted)
        monkeypatch.setattr(device.driver, "tap", killing)
        mobile.tap(text="Keep")
        assert (state_of(device).get("Keep"), state_of(device).get("Delete")) == (1, None)


def test_a_touch_goes_to_where_its_target_is_in_a_new_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with page("ios", settings={"recover": None}) as (device, mobile):
        mobile.snapshot()
        tap, lost = device.driver.tap, [0]

        def losing(point: Any) -> None:
            if not lost[0]:
                lost[0] = 1
                device.driver._link._session = "no-such-session"  # type: ignore[attr-defined]
                _swap(device)
            tap(point)

        monkeypatch.setattr(device.driver, "tap", losing)
        mobile.tap(text="Keep")
        assert (state_of(device).get("Keep"), state_of(device).get("Delete")) == (1, None)


def test_a_look_that_never_left_is_no_proof_that_the_action_did_not(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link was opened; then the app in front could not be asked for."""
    with page("android") as (device, mobile):
        opened: list[str] = []
        mobile.snapshot()

        def open_url(url: str, app: str | None) -> None:
            opened.append(url)
            wire.breaks("dumpsys", never=True)

        monkeypatch.setattr(device.driver, "open_url", open_url)
        said = outcome_of(lambda: mobile.open_url("trial://order"))
        assert wire.hit
        assert opened == ["trial://order"]
        assert "open_url may have taken effect" in said


@pytest.mark.parametrize("verb", ["hide_keyboard", "tap"])
def test_a_back_key_that_hides_a_keyboard_is_not_pressed_twice(
    wire: Wire, monkeypatch: Any, verb: str
) -> None:
    """The keyboard is slow to go: a second back key would leave the screen."""
    with page("android") as (device, mobile):
        mobile.fill(resource_id="note", value="x")
        clock, pressed = mobile._context.clock, []
        press = device.driver.press_key

        def slow(key: Any) -> None:
            pressed.append(clock.now())
            press(key)

        def shown() -> bool:
            return not pressed or clock.now() < pressed[0] + 0.7

        monkeypatch.setattr(device.driver, "press_key", slow)
        monkeypatch.setattr(device.driver, "keyboard_shown", shown)
        wire.breaks("pressKeyCode")
        if verb == "hide_keyboard":
            mobile.hide_keyboard()
        else:
            monkeypatch.setattr("pytest_replicant.session.attempt._covers", lambda *_: shown())
            mobile.tap(text="Order")
        assert len(pressed) == 1


@PLATFORMS
@pytest.mark.parametrize("seconds", [None, 1])
def test_an_app_that_has_left_is_not_said_to_have_stayed(
    wire: Wire, seconds: float | None, platform: Platform
) -> None:
    """The answer to the home key was lost: the second time the home screen is in front already."""
    with page(platform) as (_, mobile):
        wire.breaks("pressKeyCode", "pressButton")
        mobile.background(seconds)
        assert wire.hit
