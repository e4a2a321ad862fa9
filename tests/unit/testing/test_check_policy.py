"""The check of the policies' contract: the built-in ones pass, and each broken promise is found and
named."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any

import pytest

from pytest_replicant.errors import DeviceOffline, ReplicantError
from pytest_replicant.model import Failure, FailureCode, Recovery, Remedy, Selector, by
from pytest_replicant.recovery import POLICIES, Policy
from pytest_replicant.session import SessionSettings
from pytest_replicant.testing import check_policy
from tests.unit.recovery.failures import alert, failed, prompt
from tests.unit.recovery.test_app_crash import ADD as ADD_TRAY
from tests.unit.recovery.test_app_crash import HOME
from tests.unit.recovery.test_covered import UNDO, UP, WAS, bar, message
from tests.unit.recovery.test_dialogs import HANGS
from tests.unit.recovery.test_targets import ADD, BEFORE, SAVE, TWO
from tests.unit.snapshots.screens import SHOP, button, parse, screen

CHECKS: tuple[FailureCode, ...] = ("VERIFICATION_FAILED", "EXPECT_STATE_MISMATCH")


@lru_cache(maxsize=1)
def occasions() -> dict[str, Failure]:
    """For each built-in policy a failure that it is for."""
    snackbar, two = bar(message(), UNDO, resource_id="x:id/snackbar"), parse(TWO, "s2")
    adds = tuple(element for element in two.elements if element.label == "Add")
    rebuilt = parse(screen(button("Save", resource_id="x:id/keep"), title="Profile"), "s2")
    return {
        "reconnect": failed("UNKNOWN", None, error=DeviceOffline("gone")),
        "app_crash": failed("STALE_REFERENCE", parse(HOME), element=ADD_TRAY),
        "anr_dialog": failed("ELEMENT_NOT_FOUND", parse(HANGS)),
        "permission_prompt": failed(
            "ELEMENT_NOT_FOUND", parse(prompt("permission_deny_button")), target=ADD
        ),
        "system_dialog": failed("ELEMENT_NOT_FOUND", parse(alert("Battery low", "OK")), target=ADD),
        "keyboard": failed("ELEMENT_NOT_INTERACTABLE", parse(UP), element=WAS, target=WAS.ref),
        "toast": failed("ELEMENT_NOT_INTERACTABLE", snackbar, blocker=snackbar.find(text="Undo")),
        "drift": failed("ELEMENT_NOT_FOUND", parse(SHOP), steady=False),
        "flaky": failed(
            "ACTION_REJECTED", parse(SHOP), action_type="type_text", other_way={"mode": "keys"}
        ),
        "stale": failed("STALE_REFERENCE", rebuilt, element=parse(SAVE).find(text="Save")),
        "semantics": failed("SEMANTIC_MISMATCH", parse(SHOP)),
        "ambiguous": failed("AMBIGUOUS_TARGET", two, candidates=adds, target=ADD),
        "mismatch": failed("VERIFICATION_FAILED", parse(SHOP), action_type="expect_visible"),
    }


def codes_of(name: str) -> tuple[FailureCode, ...]:
    """What is evidence by itself, for the two that need no more."""
    return {"semantics": ("SEMANTIC_MISMATCH",), "mismatch": CHECKS}.get(name, ())


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_the_built_in_policies_keep_the_contract(policy: Policy) -> None:
    check_policy(
        policy,
        occasions=[occasions()[policy.name]],
        codes=codes_of(policy.name),
        settings=SessionSettings(allow=frozenset({"relaunch", "step_back"})),
        resolved={ADD: BEFORE},
    )


# --- policies that break it -----------------------------------------------------------------------

SURVEY = parse(screen(button("Not now"), title="Survey"))
OCCASION = failed("ELEMENT_NOT_FOUND", SURVEY, target=Selector(text="Add"))
CLOSE = (Remedy.tap(Selector(text="Not now")),)


def shows_survey(failure: Failure) -> bool:
    return failure.snapshot is not None and failure.snapshot.title == "Survey"


def answering(**answer: Any) -> Callable[..., Recovery | None]:
    """A policy that answers with this where the survey is in the way."""
    given = Recovery(
        **{"strategy": "state_refresh", "before": CLOSE, "reason": "a survey", **answer}
    )

    def policy(session: Any, failure: Failure, state: Any) -> Recovery | None:
        return given if shows_survey(failure) else None

    return policy


def wants_more(session: Any, failure: Failure, config: Any) -> None:
    return None


def always(failure: Failure) -> Recovery:
    return Recovery("state_refresh", CLOSE, reason="it may help")


def never(failure: Failure) -> None:
    return None


def careless(failure: Failure) -> Recovery | None:
    found = failure.snapshot.find_all(text="Not now")
    return Recovery("state_refresh", CLOSE, reason="a survey") if found else None


def checking(session: Any, failure: Failure) -> Recovery | None:
    if shows_survey(failure):
        session.expect_visible(text="Not now")
    return None


def agrees(failure: Failure) -> Any:
    return True if shows_survey(failure) else None


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (wants_more, "KeyError at .*: 'config'"),
        (always, "on no evidence"),
        (never, "answers None, though it is for that"),
        (careless, "AttributeError at "),
        (checking, "UsageError at .*expect_visible: a policy answers with a Recovery"),
        (agrees, "it answers True: give a Recovery, or None"),
        (answering(strategy="press_back"), "there is no strategy 'press_back'"),
        (answering(strategy="alternate_candidate", target=BEFORE), "none of the candidates"),
        (answering(strategy="retry_adjustment"), "ELEMENT_NOT_FOUND is not retryable"),
        (answering(before=["tap"]), "before= is a tuple of remedies"),
        (answering(before=(Remedy("swipe"),)), "there is no remedy 'swipe'"),  # type: ignore[arg-type]
        (answering(reason=" "), "the reader of a red build"),
    ],
)
def test_a_broken_promise_is_named(policy: Any, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        check_policy(policy, occasions=[OCCASION])


def test_a_good_one_of_ones_own_keeps_all_of_it() -> None:
    check_policy(answering(), occasions=[OCCASION])


def test_what_is_its_business_by_its_code_is_no_complaint() -> None:
    def navigates(failure: Failure, state: Any) -> Recovery | None:
        if failure.code != "NAVIGATION_NO_CHANGE" or state.attempted:
            return None
        return Recovery("step_back", reason="the first launch shows a splash screen only")

    check_policy(navigates, codes=["NAVIGATION_NO_CHANGE"])
    with pytest.raises(AssertionError, match="on no evidence"):
        check_policy(navigates)


@pytest.mark.slow
def test_a_session_may_be_asked_what_changes_nothing() -> None:
    def asks(session: Any, failure: Failure) -> Recovery | None:
        known = (
            session.settings,
            session.launched,
            session.info,
            session.platform,
            session.system_dialogs,
        )
        assert all(each is not None for each in known)
        if failure.snapshot is None or session.last_resolved(ADD) is None:
            return None
        if (
            session.current_app.app != failure.snapshot.app
            or session.snapshot() is not failure.snapshot
        ):
            return None
        found = session.find_all(text="Not now")
        return (
            Recovery("state_refresh", CLOSE, reason="a survey")
            if found and session.find(text="Not now")
            else None
        )

    check_policy(asks, occasions=[OCCASION], resolved={ADD: BEFORE})


def test_a_session_has_no_more_than_a_session_has() -> None:
    def asks(session: Any) -> None:
        session.screen()

    with pytest.raises(AssertionError, match=r"AttributeError at .*a session has no 'screen'"):
        check_policy(asks)


def test_a_policy_may_look_for_elements_as_a_test_does() -> None:
    found: list[Any] = []

    def looks(session: Any, failure: Failure) -> None:
        with suppress(ReplicantError):
            ref = session.find(by(text="Add", nth=0)).ref
            found.append((session.find(ref).ref, session.find_all(by(text="Add"))[0].ref, ref))

    with suppress(AssertionError):  # that it has no answer
        check_policy(looks, occasions=[Failure("ELEMENT_NOT_FOUND", "", snapshot=parse(TWO, "s2"))])
    assert found
    assert all(len({*refs}) == 1 for refs in found)
