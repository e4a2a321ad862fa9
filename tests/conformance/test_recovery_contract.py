"""The whole contract as a table, on the virtual phone through the real clients: every failure code,
its class, the strategies that are tried, and how it ends (RFC 011.1 §3 to §9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, get_args

import pytest

from pytest_replicant import (
    ActionFailed,
    DeviceError,
    ExpectationFailed,
    Failure,
    Recovery,
    RecoveryState,
    TerminalFailure,
    by,
)
from pytest_replicant.model import FAILURE_CLASSES, FailureClass, FailureCode, RecoveryStrategy
from pytest_replicant.recovery import builtin
from pytest_replicant.session import DeviceSession, Recorder
from pytest_replicant.testing import SystemClock, VirtualDevice, virtual_device

pytestmark = pytest.mark.slow

QUICK: dict[str, Any] = {
    "window": 0.3,
    "interval": 0.05,
    "quiet": 0.05,
    "screenshots": False,
    "action_timeout": 0.4,
    "expect_timeout": 0.4,
}
Act = Callable[[DeviceSession], object]
RETRY, LOOK = "retry_adjustment", "state_refresh"


@dataclass(frozen=True)
class Case:
    """``prepare`` leads up to it, ``act`` is what fails. ``tried`` are the strategies, in order;
    ``recovered`` whether it succeeds at last; ``own`` is a policy of the team's own."""

    code: FailureCode
    exhibit: str
    act: Act
    tried: tuple[str, ...] = ()
    recovered: bool = False
    settings: dict[str, Any] = field(default_factory=dict)
    own: Callable[[Failure], Recovery | None] | None = None
    prepare: Act = lambda mobile: None

    def __str__(self) -> str:
        ending = "recovered" if self.recovered else "terminal"
        return f"{self.code} {self.exhibit or 'shop'} {'+'.join(self.tried) or 'nothing'} {ending}"


def _stale(mobile: DeviceSession) -> object:
    ref = mobile.find(text="Tap").ref
    mobile.open_url("lab://long-list")
    return mobile.tap(ref)


def _renamed(failure: Failure) -> Recovery | None:
    stale = failure.code == "STALE_REFERENCE"
    return (
        Recovery("re_resolve", target=by(text="Row 3"), reason="renamed in 2.0") if stale else None
    )


def _tap(failure: Failure) -> Recovery | None:
    missing = failure.code == "ELEMENT_NOT_FOUND"
    return (
        Recovery("re_resolve", target=by(text="Tap"), reason="a slip of the pen")
        if missing
        else None
    )


def _first_in_reading_order(failure: Failure) -> Recovery | None:
    several = failure.code == "AMBIGUOUS_TARGET"
    return (
        Recovery("alternate_candidate", target=failure.candidates[0], reason="the first")
        if several
        else None
    )


CASES = (
    Case("ELEMENT_NOT_FOUND", "counter", lambda mobile: mobile.tap(text="Nowhere")),
    Case("ELEMENT_NOT_FOUND", "counter", lambda mobile: mobile.tap(text="Tip"), ("re_resolve",),
         True, own=_tap),
    Case("STALE_REFERENCE", "counter", _stale),
    Case("STALE_REFERENCE", "counter", _stale, ("re_resolve",), True, own=_renamed),
    Case("AMBIGUOUS_TARGET", "look-alikes", lambda mobile: mobile.tap(class_name="Button")),
    Case("AMBIGUOUS_TARGET", "look-alikes", lambda mobile: mobile.tap(class_name="Button"),
         ("alternate_candidate",), True, own=_first_in_reading_order),
    Case("ACTION_REJECTED", "dropping-field",
         lambda mobile: mobile.fill(class_name="EditText", value="alphabet"), (RETRY,), True),
    Case("ACTION_REJECTED", "limited-field",
         lambda mobile: mobile.fill(class_name="EditText", value="a" * 60), (RETRY,)),
    Case("UNKNOWN", "no-dump", lambda mobile: mobile.tap(text="Tap"), (LOOK,)),
    Case("ELEMENT_NOT_INTERACTABLE", "bottom-bar", lambda mobile: mobile.tap(text="Accept")),
    Case("ELEMENT_NOT_INTERACTABLE", "system-notice?delay=99", lambda on: on.tap(text="Tap"),
         (LOOK,), True,
         prepare=lambda mobile: mobile.wait_for(text="Battery low", timeout=5)),
    Case("ELEMENT_NOT_INTERACTABLE", "snackbar?lasts=700",
         lambda mobile: mobile.tap(text="Next", timeout=0.1), (LOOK,), True,
         prepare=lambda mobile: mobile.tap(text="Archive").expect_visible(text="Undo"),
         settings={"action_timeout": 2.0}),
    Case("NAVIGATION_NO_CHANGE", "counter", lambda mobile: mobile.open_url("lab://counter")),
    Case("VERIFICATION_FAILED", "counter",
         lambda mobile: mobile.tap(text="Tap").expect_visible(text="Nowhere")),
    Case("VERIFICATION_FAILED", "lost-tap",
         lambda mobile: mobile.tap(class_name="Button").expect_changed(),
         ("step_back",), True, settings={"allow": frozenset({"step_back"})}),
    Case("VERIFICATION_FAILED", "lost-tap",
         lambda mobile: mobile.tap(class_name="Button").expect_changed()),
    Case("EXPECT_STATE_MISMATCH", "counter",
         lambda mobile: mobile.expect_state(by(text="Tap"), enabled=False)),
    Case("CONTROL_CONVERGENCE_FAILED", "stepped-slider",
         lambda mobile: mobile.adjust(class_name="SeekBar", to=33.3)),
    Case("SEMANTIC_MISMATCH", "silent-slider",
         lambda mobile: mobile.adjust(class_name="SeekBar", to=5), ("re_resolve",)),
    Case("SEMANTIC_MISMATCH", "segments",
         lambda mobile: mobile.select(resource_id="span", option="Month"), ("re_resolve",), True),
)  # fmt: skip


@contextmanager
def _lab(device: VirtualDevice, case: Case) -> Iterator[tuple[DeviceSession, Recorder]]:
    def ask(session: Any, failure: Failure, state: RecoveryState) -> Recovery | None:
        own = case.own(failure) if case.own is not None else None
        return own or builtin(session, failure, state)

    with device.recorded(app=None, recover=ask, **{**QUICK, **case.settings}) as (
        session,
        recorder,
    ):
        session.launch("dev.replicant.lab")
        session.open_url(f"lab://{case.exhibit}", silent=True)
        yield session, recorder


@pytest.fixture(scope="module")
def phone() -> Iterator[VirtualDevice]:
    with virtual_device() as device:
        yield device


def _end_of(
    act: Act, mobile: DeviceSession, recorder: Recorder
) -> tuple[RecoveryState, TerminalFailure | None]:
    """How it ended: the state that the last action or check carries, and the terminal failure, if
    it was one."""
    terminal = None
    try:
        act(mobile)
    except (ActionFailed, ExpectationFailed, DeviceError) as failed:
        terminal = failed.terminal
        assert terminal is not None
    states = [one.recovery for one in recorder.results] + [one.recovery for one in recorder.checks]
    return [state for state in states if state is not None][-1], terminal


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_contract(phone: VirtualDevice, case: Case) -> None:
    with _lab(phone, case) as (mobile, recorder):
        case.prepare(mobile)
        state, terminal = _end_of(case.act, mobile, recorder)
        assert (state.runtime_code, state.failure_class) == (case.code, FAILURE_CLASSES[case.code])
        assert state.attempted == case.tried
        assert state.is_terminal is not case.recovered
        assert (terminal is None) is case.recovered
        assert terminal is None or terminal.attempted_recovery_strategies == case.tried
        assert state.recovery_attempts == len(case.tried) <= state.max_recovery_attempts == 3
        assert state.retry_depth <= state.max_retry_depth == 3
        recovered = [one.strategy for one in recorder.recoveries if one.recovered]
        assert tuple(recovered) == (case.tried if case.recovered else ())


def test_a_phone_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """TIMEOUT: a new connection is tried, and in the end the phone's own trouble rises. A socket
    waits in real time, and so does this phone."""
    case = Case("TIMEOUT", "slow-dump?delay=1000", lambda mobile: mobile.tap(text="Tap"), (LOOK,))
    with virtual_device(clock=SystemClock()) as device, _lab(device, case) as (mobile, recorder):
        monkeypatch.setattr("pytest_replicant.drivers.android.screen.DUMP_SECONDS", 0.2)
        state, terminal = _end_of(case.act, mobile, recorder)
        assert (state.runtime_code, state.failure_class) == ("TIMEOUT", "ExecutionFailure")
        assert (state.attempted, state.is_terminal) == (case.tried, True)
        assert terminal is not None
        assert terminal.attempted_recovery_strategies == case.tried


def test_every_code_class_and_strategy_is_in_the_table() -> None:
    timed_out: set[FailureCode] = {"TIMEOUT"}  # takes a phone that does not answer: above
    assert (
        {case.code for case in CASES} | timed_out
        == set(get_args(FailureCode))
        == set(FAILURE_CLASSES)
    )
    assert {FAILURE_CLASSES[case.code] for case in CASES} == set(get_args(FailureClass))
    assert {strategy for case in CASES for strategy in case.tried} == set(
        get_args(RecoveryStrategy)
    )
