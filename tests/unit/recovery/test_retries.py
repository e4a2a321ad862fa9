"""Another look, another way, another try, and a new connection."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import (
    DeviceBusy,
    DeviceNotFound,
    DeviceOffline,
    DeviceTimeout,
    ProtocolError,
    SnapshotError,
    Unsupported,
)
from pytest_replicant.model import Remedy
from tests.unit.snapshots.screens import SHOP, node, parse, screen

from .failures import Session, ask, failed

LOADING = screen(node("ProgressBar", at=(400, 1000, 600, 1200)), title="Catalogue")


@pytest.mark.parametrize(
    ("source", "facts", "reason"),
    [
        (
            SHOP,
            {"steady": False},
            "the screen was still changing: no two reads in a row agreed on it",
        ),
        (LOADING, {}, "the screen was still loading"),
        (SHOP, {"failed_reads": 1}, "the screen could not be read all of the time (1 read failed)"),
        (
            SHOP,
            {"failed_reads": 3},
            "the screen could not be read all of the time (3 reads failed)",
        ),
    ],
)
@pytest.mark.parametrize(
    "code", ["ELEMENT_NOT_FOUND", "ELEMENT_NOT_INTERACTABLE", "VERIFICATION_FAILED"]
)
def test_the_screen_was_on_its_way(
    code: str, source: str, facts: dict[str, object], reason: str
) -> None:
    failure = failed(code, parse(source), **facts)  # type: ignore[arg-type]  # parametrised
    answer = ask("drift", failure)
    assert answer is not None
    assert (answer.strategy, answer.before, answer.reason) == ("state_refresh", (), reason)


def test_a_phone_in_trouble_needs_more_than_a_look() -> None:
    assert ask("drift", failed("UNKNOWN", None, steady=False, error=DeviceOffline("gone"))) is None


def test_a_text_that_lost_characters_is_typed_key_by_key() -> None:
    failure = failed(
        "ACTION_REJECTED", parse(SHOP), action_type="type_text", other_way={"mode": "keys"}
    )
    answer = ask("flaky", failure)
    assert answer is not None
    assert (answer.strategy, dict(answer.params)) == ("retry_adjustment", {"mode": "keys"})


def test_a_control_is_set_in_its_next_mode_as_long_as_one_is_left() -> None:
    failure = failed(
        "CONTROL_CONVERGENCE_FAILED", parse(SHOP), action_type="adjust", other_way={"mode": "next"}
    )
    first, second = ask("flaky", failure), ask("flaky", failure, "retry_adjustment")
    assert first is not None
    assert second is not None
    assert (dict(first.params), dict(second.params)) == (
        {"mode": "next", "turn": 1},
        {"mode": "next", "turn": 2},
    )
    assert ask("flaky", failed("CONTROL_CONVERGENCE_FAILED", parse(SHOP), may_retry=False)) is None
    assert ask("flaky", failed("CONTROL_CONVERGENCE_FAILED", parse(SHOP))) is None


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("ACTION_REJECTED", {"action_type": "type_text"}),
        (
            "ACTION_REJECTED",
            {"action_type": "type_text", "other_way": {"mode": "keys"}, "may_retry": False},
        ),
        ("ACTION_REJECTED", {"action_type": "tap", "may_retry": True}),
        ("ELEMENT_NOT_INTERACTABLE", {"steady": False, "may_retry": False}),
        ("TIMEOUT", {}),
        ("NAVIGATION_NO_CHANGE", {}),
        ("ELEMENT_NOT_FOUND", {"steady": False}),
        ("VERIFICATION_FAILED", {"may_retry": True}),
    ],
)
def test_nothing_is_repeated_without_another_way(code: str, facts: dict[str, object]) -> None:
    assert ask("flaky", failed(code, parse(SHOP), **facts)) is None  # type: ignore[arg-type]  # parametrised


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
    failure = failed(
        "VERIFICATION_FAILED", parse(SHOP), action_type="expect_visible", idempotent=idempotent
    )
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
def test_only_on_a_steady_screen_and_for_want_of_an_effect(
    source: str, facts: dict[str, object]
) -> None:
    failure = failed(
        "VERIFICATION_FAILED", parse(source), **{"action_type": "expect_visible", **facts}
    )
    assert ask("mismatch", failure, session=ALLOWED) is None


def test_it_is_resolved_without_derived_semantics_once() -> None:
    failure = failed("SEMANTIC_MISMATCH", parse(SHOP), action_type="select")
    answer = ask("semantics", failure)
    assert answer is not None
    assert (answer.strategy, answer.target, dict(answer.params)) == (
        "re_resolve",
        None,
        {"semantics": "raw"},
    )
    assert ask("semantics", failure, "re_resolve") is None


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (
            DeviceOffline("it is gone"),
            "the connection to the phone was lost (DeviceOffline: it is gone)",
        ),
        (DeviceTimeout("after 5 s"), "the phone did not answer in time (DeviceTimeout: after 5 s)"),
        (
            ProtocolError("no XML\nbut this"),
            "the phone's answer could not be used (ProtocolError: no XML but this)",
        ),
    ],
)
@pytest.mark.parametrize("code", ["UNKNOWN", "TIMEOUT", "VERIFICATION_FAILED"])
def test_a_lost_connection_is_made_anew(error: Exception, reason: str, code: str) -> None:
    answer = ask("reconnect", failed(code, error=error))  # type: ignore[arg-type]  # parametrised
    assert answer is not None
    assert (answer.strategy, answer.before) == ("state_refresh", (Remedy.reconnect(),))
    assert answer.reason == reason


def test_a_refusal_is_not_asked_for_again() -> None:
    full = ProtocolError("No space left on device")
    full.recoverable = False
    assert ask("reconnect", failed("UNKNOWN", error=full)) is None


@pytest.mark.parametrize(
    "error",
    [
        DeviceNotFound("no such phone"),
        DeviceBusy("another run has it"),
        Unsupported("no toasts", capability="TOASTS"),
        SnapshotError("no screen"),
        ValueError("a policy's own"),
        None,
    ],
)
def test_what_a_connection_cannot_fix_is_left(error: Exception | None) -> None:
    assert ask("reconnect", failed("UNKNOWN", parse(SHOP), error=error)) is None
