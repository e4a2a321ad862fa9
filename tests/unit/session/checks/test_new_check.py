"""A new check costs its factory and its call: policies, scopes, messages and reports read its fields."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_replicant import ExpectationFailed, Snapshot, UsageError, by
from pytest_replicant.model import CheckFacts, Redactor
from pytest_replicant.reporting.attempts.attempt import raised
from pytest_replicant.reporting.triage import cause_of_trace
from pytest_replicant.session import Expectation, Target
from pytest_replicant.session.arguments import as_target, describe
from pytest_replicant.session.checks.check import Check, CheckInput, Verdict, verdict

from ...recovery.failures import alert, ask, failed
from ...reporting.factory import facts
from ..conftest import Play
from ..scripted_phone import ScriptedPhone, button, node, screen


def disabled_everywhere(target: Any) -> Check:
    """No element that matches is enabled, through one whole window."""

    def test(look: CheckInput) -> Verdict:
        enabled = [one for one in look.snapshot.match_labels(target) if one.states.enabled]
        return verdict(not enabled, f"{len(enabled)} enabled", facts={"enabled": len(enabled)})

    return Check(
        "expect_disabled",
        describe(target),
        wanted={"enabled": 0},
        problem="enabled",
        proves_absence=True,
        test=test,
        holds="window",
        target=target,
    )


class Checking:
    """The calls of the new check, as ``Checks`` would have them."""

    @staticmethod
    def on(session: Any, target: Target | None = None, /, *, timeout: float = 0.3, **keywords: Any) -> Any:
        wanted = as_target("expect_disabled", target, keywords, scope=session._scope)
        return session._expect(disabled_everywhere(wanted), timeout)


ON = screen(button("Pay"), button("Later", 400, enabled=False), title="Basket")
OFF = screen(button("Pay", enabled=False), button("Later", 400, enabled=False), title="Basket")


def to_off(phone: ScriptedPhone) -> None:
    phone.frames = [OFF]


def test_it_holds_through_one_whole_window_and_verifies_its_action(play: Play) -> None:
    session, phone = play([ON], on_gesture=to_off)
    outcome = session.tap(text="Pay")
    began = phone.clock.now()
    assert Checking.on(outcome, text="Pay", timeout=3) is outcome
    assert phone.clock.now() - began >= 0.5
    assert outcome.result.lifecycle_state == "verified"


def test_it_is_vacuous_where_it_held_before(play: Play) -> None:
    session, _ = play([OFF, OFF, ON, OFF])
    Checking.on(session.tap_at(5, 5), text="Later", timeout=3)
    assert [check.vacuous for check in session._context.recorder.checks] == [True]


def test_its_message_has_its_reads_whether_it_held_before_and_the_screen(play: Play) -> None:
    session, _ = play([ON])
    with pytest.raises(ExpectationFailed) as failed:
        Checking.on(session.tap(text="Pay"), text="Pay")
    first, *rest = str(failed.value).splitlines()
    assert first.startswith('expect_disabled text="Pay" on scripted: 1 enabled (')
    assert "It did not hold before the action either." in rest
    assert any('Button "Pay"' in line for line in rest)


def test_it_looks_inside_the_part_of_a_view(play: Play) -> None:
    part = node("FrameLayout", (0, 300, 1000, 600), button("Later", 400, enabled=False), resource_id="a:id/part")
    session, _ = play([screen(button("Later"), part)])
    Checking.on(session.within(resource_id="part"), text="Later", timeout=3)
    Checking.on(session.within(resource_id="part").soft, text="Later", timeout=3)
    with pytest.raises(ExpectationFailed):
        Checking.on(session, text="Later")


def test_its_facts_are_in_the_record_for_reports(play: Play) -> None:
    session, _ = play([ON])
    Checking.on(session.soft, text="Pay")
    (record,) = session._context.recorder.checks
    assert record.facts == CheckFacts(
        "expect_disabled", 'text="Pay"', wanted={"enabled": 0}, problem="enabled", proves_absence=True
    )


def test_triage_knows_its_problem_and_its_target(play: Play) -> None:
    session, _ = play([ON])
    with pytest.raises(ExpectationFailed) as failed:
        Checking.on(session, text="Pay")
    trace = session._context.recorder.finish(facts("failed"), (raised(failed.value, "call"),))
    cause = cause_of_trace(trace, Redactor())
    assert cause is not None
    assert (cause.trouble, cause.target, cause.screen) == ("enabled", 'text="Pay"', "Basket")
    assert (cause.failure_class, cause.failure_code) == ("VerificationFailure", "VERIFICATION_FAILED")


def test_a_policy_removes_nothing_that_would_make_it_hold() -> None:
    """The system's dialog has an enabled button: to close it would make the check hold, and prove nothing."""
    dialog = Snapshot.parse(alert("Battery low", "OK"), "android")
    check = disabled_everywhere(by(class_name="Button")).facts
    failure = failed("VERIFICATION_FAILED", dialog, action_type="expect_disabled", check=check)
    assert ask("system_dialog", failure) is None
    assert ask("system_dialog", replace(failure, check=replace(check, proves_absence=False))) is not None


def test_it_is_refused_on_an_outcome_that_a_newer_action_followed(play: Play) -> None:
    session, _ = play([ON])
    first: Expectation = session.tap(text="Pay")
    session.tap(text="Pay")
    with pytest.raises(UsageError, match="expect_disabled on the outcome of tap"):
        Checking.on(first, by(text="Pay"))
