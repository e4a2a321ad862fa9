"""A check that does not hold steps back where the test allows it."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import DeviceOffline
from tests.unit.snapshots.screens import SHOP, parse

from .failures import Session, ask, failed
from .test_drift import LOADING

ALLOWED = Session(allow=frozenset({"step_back"}))


@pytest.mark.parametrize("code", ["VERIFICATION_FAILED", "EXPECT_STATE_MISMATCH"])
def test_its_action_is_entered_again(code: str) -> None:
    failure = failed(code, parse(SHOP), action_type="expect_visible", sent=True)  # type: ignore[arg-type]
    answer = ask("mismatch", failure, session=ALLOWED)
    assert answer is not None
    assert (answer.strategy, answer.before, answer.target) == ("step_back", (), None)
    assert ask("mismatch", failure, "step_back", session=ALLOWED) is None


@pytest.mark.parametrize("idempotent", [True, False])
@pytest.mark.parametrize("allow", [frozenset(), frozenset({"relaunch"})])
def test_it_must_be_allowed(allow: frozenset[str], idempotent: bool) -> None:
    failure = failed("VERIFICATION_FAILED", parse(SHOP), action_type="expect_visible", idempotent=idempotent)
    assert ask("mismatch", failure, session=Session(allow=allow)) is None


@pytest.mark.parametrize(
    ("source", "facts"),
    [
        (SHOP, {"action_type": "expect_unchanged"}),
        (SHOP, {"action_type": "expect_no_crash"}),
        (SHOP, {"steady": False}),
        (LOADING, {}),
        (SHOP, {"error": DeviceOffline("gone")}),
    ],
)
def test_only_on_a_steady_screen_and_for_want_of_an_effect(source: str, facts: dict[str, object]) -> None:
    failure = failed("VERIFICATION_FAILED", parse(source), **{"action_type": "expect_visible", **facts})
    assert ask("mismatch", failure, session=ALLOWED) is None


def test_actions_that_failed_are_not_its_business() -> None:
    assert ask("mismatch", failed("ELEMENT_NOT_FOUND", parse(SHOP)), session=ALLOWED) is None
    assert ask("mismatch", failed("VERIFICATION_FAILED", None), session=ALLOWED) is None
