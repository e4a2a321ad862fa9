"""The facts of a failure, from sessions on a virtual phone and from traces made by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

import pytest

from pytest_replicant import DeviceSession, by
from pytest_replicant.kept_runs import (
    AnyCause,
    DeathCause,
    PhoneCause,
    RecordedAttempt,
    TestCause,
    recorded,
)
from pytest_replicant.model import DeathRecord, FailureRecord, RaisedError, Redactor, TestTrace
from pytest_replicant.reporting import cause_of, cause_of_trace, group
from pytest_replicant.reporting import raised as raised_error
from pytest_replicant.testing import VirtualDevice, virtual_device

from ..factory import facts, hostile_trace, tiny_trace
from ..made_rows import plain_row
from .recorded_runs import check

SHOP = "dev.replicant.shop"
QUICK: dict[str, Any] = {
    "action_timeout": 0.2,
    "expect_timeout": 0.2,
    "window": 0.2,
    "interval": 0.05,
    "quiet": 0,
}


@pytest.fixture(scope="module")
def phone() -> Iterator[VirtualDevice]:
    with virtual_device(SHOP) as device:
        yield device


def trace_of(phone: VirtualDevice, act: Callable[[DeviceSession], object]) -> TestTrace:
    """Of a test that did this and failed."""
    with phone.recorded(app=None, recover=None, screenshots=False, **QUICK) as (session, recorder):
        session.launch(SHOP)
        with pytest.raises(Exception) as raised:  # noqa: PT011  # whatever fails a test
            act(session)
        error = replace(raised_error(raised.value, "call"), source="t.py:9")
        trace = recorder.finish(facts("failed"), (error,))
        return replace(trace, snapshots=dict(trace.snapshots), screenshots={})


def failed(phone: VirtualDevice, act: Callable[[DeviceSession], object]) -> Any:
    """The cause of it."""
    found = cause_of_trace(trace_of(phone, act))
    assert found is not None
    return found


def titled(*causes: AnyCause) -> list[str]:
    rows = [plain_row(f"t{at}", cause) for at, cause in enumerate(causes)]
    return [one.title for one in group(rows)]


@pytest.mark.slow
def test_a_missing_element_is_one_trouble_in_every_guise(phone: VirtualDevice) -> None:
    guises = [
        failed(phone, lambda mobile: mobile.tap(text="Log in")),
        failed(phone, lambda mobile: mobile.expect_visible(text="Log in")),
        failed(phone, lambda mobile: mobile.wait_for(text="Log in", timeout=0.2)),
        failed(phone, lambda mobile: mobile.find(text="Log in")),
        failed(phone, lambda mobile: mobile.expect_state(by(text="Log in"), enabled=True)),
        failed(phone, lambda mobile: mobile.expect_count(1, text="Log in")),
    ]
    assert {(one.trouble, one.subject, one.screen) for one in guises} == {
        ("missing", '"Log in"', "Sign in")
    }
    assert len({one.screen_key for one in guises}) == 1
    causes = [(one.failure_class, one.failure_code, one.target, one.step) for one in guises]
    assert causes[0] == ("TargetResolutionFailure", "ELEMENT_NOT_FOUND", 'text="Log in"', "a2")
    assert causes[1] == ("VerificationFailure", "VERIFICATION_FAILED", 'text="Log in"', "check-0")
    assert causes[4][:2] == ("VerificationFailure", "EXPECT_STATE_MISMATCH")
    assert titled(*guises) == ['"Log in" not found on "Sign in" (ELEMENT_NOT_FOUND)']


@pytest.mark.slow
def test_what_was_looked_for_is_the_subject_whatever_looked_for_it(phone: VirtualDevice) -> None:
    causes = [
        failed(phone, lambda mobile: mobile.scroll_to(text="Go")),
        failed(phone, lambda mobile: mobile.collect(text="Go", container=by(text="List"))),
        failed(phone, lambda mobile: mobile.drag(by(text="Email"), by(text="Bin"))),
        failed(
            phone,
            lambda mobile: mobile.wait_for_any(a=by(text="Cart"), b=by(text="Oops"), timeout=0.2),
        ),
    ]
    expected = ['text="Go"', 'text="List"', 'text="Bin"', 'text="Cart" or text="Oops"']
    assert [one.target for one in causes] == expected
    assert len({titled(one)[0] for one in causes}) == 4


@pytest.mark.slow
def test_what_was_there_in_its_place(phone: VirtualDevice) -> None:
    checked = failed(
        phone, lambda mobile: mobile.expect_state(by(text="Remember me"), checked=True)
    )
    assert (checked.trouble, checked.subject) == ("state", 'CheckBox "Remember me"')
    assert checked.observed == "checked=False instead of checked=True"
    screen = failed(phone, lambda mobile: mobile.expect_screen("Catalogue"))
    assert (screen.trouble, screen.subject, screen.screen) == (
        "screen",
        'screen "Catalogue"',
        "Sign in",
    )
    gone = failed(phone, lambda mobile: mobile.expect_gone(text="Email"))
    assert (gone.trouble, gone.subject) == ("unexpected", 'EditText "Email"')
    several = failed(phone, lambda mobile: mobile.tap(class_name="EditText"))
    assert (several.trouble, several.failure_code) == ("ambiguous", "AMBIGUOUS_TARGET")
    assert len(titled(checked, screen, gone, several)) == 4


@pytest.mark.slow
def test_what_lies_over_the_app_is_reported(phone: VirtualDevice) -> None:
    phone.phone.show_system_dialog("Battery low", "10% left", ("OK",))
    try:
        tapped = failed(phone, lambda mobile: mobile.tap(text="Sign in"))
        seen = failed(phone, lambda mobile: mobile.expect_visible(text="Forgot password?"))
    finally:
        phone.phone.press_key("back")
    assert {tapped.blocker, seen.blocker} == {'system dialog "Battery low"'}
    # The dialog is all that is in the dump of a phone that was not looked at before.
    assert titled(tapped, seen) == ['System dialog "Battery low" was in the way']


@pytest.mark.slow
def test_an_action_that_changed_nothing_is_known(phone: VirtualDevice) -> None:
    def ineffective(mobile: DeviceSession) -> None:
        mobile.tap(text="Good things for the house").expect_screen("Catalogue")

    cause = failed(phone, ineffective)
    assert (cause.effect, cause.after) == ("none", 'tap TextView "Good things for the house"')
    effective = failed(
        phone, lambda mobile: mobile.tap(text="Remember me").expect_screen("Catalogue")
    )
    assert effective.effect == "stayed"
    elsewhere = failed(
        phone, lambda mobile: mobile.tap(text="Forgot password?").expect_screen("Catalogue")
    )
    assert elsewhere.effect == ""


@pytest.mark.slow
def test_an_error_of_the_tests_own_has_its_line(phone: VirtualDevice) -> None:
    def divide(mobile: DeviceSession) -> float:
        return 1 / len(mobile.find_all(text="Nothing of that name"))

    cause = failed(phone, divide)
    assert (cause.failure_class, cause.exception, cause.source) == (
        "TestError",
        "ZeroDivisionError",
        "t.py:9",
    )


def broken(outcome: str = "failed", *errors: RaisedError) -> TestTrace:
    test = replace(facts("failed"), outcome=outcome)  # type: ignore[arg-type]
    return replace(tiny_trace("failed"), test=test, failures=errors)


def test_a_death_outranks_what_failed_by_it() -> None:
    trace = broken("failed", RaisedError("no", "ActionFailed", "t.py:1"))
    death = DeathRecord(
        "shop died: NPE (Cart.kt:4)",
        "shop",
        "java.lang.NPE at shop.Cart.add",
        "a1",
        "java.lang.NPE",
        "Cart.add",
    )
    cause = cause_of_trace(replace(trace, deaths=(death,)))
    assert isinstance(cause, DeathCause)
    assert (cause.failure_class, cause.crash, cause.app) == ("AppCrash", death.signature, "shop")


def test_trouble_with_a_phone_names_no_phone_but_in_its_subject() -> None:
    trace = broken(
        "infra", RaisedError("dumping on virtual-1: no route\nmore", "DeviceOffline", "t.py:1")
    )
    cause = cause_of_trace(trace)
    assert isinstance(cause, PhoneCause)
    assert (cause.failure_class, cause.message) == ("DeviceError", "dumping on the phone: no route")
    assert cause.phone == "virtual-1"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("device 'one' not found. Is it plugged in?", "the phone not found. Is it plugged in?"),
        ("tap on one: adb lists the phones", "tap on the phone: adb lists the phones"),
        ("one-2 and anyone are others", "one-2 and anyone are others"),
    ],
)
def test_a_phone_is_left_out_by_its_whole_name(said: str, expected: str) -> None:
    trace = broken("infra", RaisedError(said, "DeviceNotFound", "t.py:1"))
    cause = cause_of_trace(replace(trace, device={"uri": "rack:one", "serial": "one"}))
    assert cause is not None
    assert cause.message == expected


def test_secrets_are_taken_out_of_every_free_text() -> None:
    secret = "correct horse"
    redactor = Redactor()
    redactor.add(secret)
    cause = cause_of(recorded(hostile_trace(f"x {secret} y"), redactor))
    assert cause is not None
    kept = {one.name for one in fields(cause) if secret in getattr(cause, one.name)}
    assert kept == set()


def test_a_check_that_something_else_ended_says_nothing_of_the_app() -> None:
    """A time-out of the test's own, a watchdog: the check was not decided."""
    cut = FailureRecord(
        "expect_visible", "VERIFICATION_FAILED", selector=by(text="Never"), problem="missing"
    )
    step = check('expect_visible text="Never"', error="SIGALRM came", id="check-0", failure=cut)
    causes = []
    for exception in ("RuntimeError", "Failed"):
        ended = replace(step, failure=replace(cut, exception=exception))
        error = RaisedError("SIGALRM came", exception, "t.py:9", step="check-0")
        found = cause_of(RecordedAttempt("t", "failed", failures=(error,), steps=(ended,)))
        assert isinstance(found, TestCause)
        assert (found.failure_class, found.failure_code) == ("TestError", "")
        assert (found.exception, found.source, found.step) == (exception, "t.py:9", "check-0")
        assert (found.target, found.screen) == ('text="Never"', "Catalogue")
        causes.append(found)
    assert titled(*causes) == [
        "RuntimeError at t.py:9: SIGALRM came",
        "Failed at t.py:9: SIGALRM came",
    ]
