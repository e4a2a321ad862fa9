"""What a session records of apps that misbehave: valid against the schema, true to the contract,
and light."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import jsonschema
import pytest

from pytest_replicant import ActionFailed, ExpectationFailed, Recovery, Remedy, Secret
from pytest_replicant.errors import DeviceError, SoftFailures, TargetError
from pytest_replicant.model import Failure, RecoveryState
from pytest_replicant.recovery import builtin
from pytest_replicant.reporting import StoredParts, trace_document, trace_schema
from pytest_replicant.session import DeviceSession, RecoveryContext
from pytest_replicant.testing import virtual_session

from .factory import facts

pytestmark = pytest.mark.slow

QUICK: dict[str, Any] = {
    "window": 0.3,
    "interval": 0.05,
    "quiet": 0.05,
    "action_timeout": 0.4,
    "expect_timeout": 0.4,
}
LAB = "dev.replicant.lab"
LIGHT = 1200  # characters of JSON in the metadata of one step
VALIDATOR = jsonschema.Draft202012Validator(trace_schema())
ENDS = (ActionFailed, ExpectationFailed, TargetError, DeviceError)


def stubborn(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """Answers again and again, once with what cannot be done, at last with what is forbidden."""
    if "Never there" not in str(failure.target):
        return builtin(session, failure, state)
    remedy = Remedy.tap("z999") if state.recovery_attempts == 1 else Remedy.press_key("volume_up")
    return Recovery(
        "state_refresh",
        (remedy,),
        reason="once more",
        policy="stubborn",
        params={"n": len(state.attempted)},
    )


@contextmanager
def lab(exhibit: str, **settings: Any) -> Iterator[DeviceSession]:
    settings = {**QUICK, "recover": stubborn, "screenshots": False, **settings}
    with virtual_session(LAB, **settings) as mobile:
        mobile.launch(LAB)
        with suppress(*ENDS):
            mobile.open_url(f"lab://{exhibit}")
        yield mobile


def documented(mobile: DeviceSession) -> dict[str, Any]:
    recorder = mobile._context.recorder
    document = trace_document(recorder.finish(facts("passed")), StoredParts(), recorder.redactor)
    found: dict[str, Any] = json.loads(json.dumps(document))
    return found


def _spent(mobile: DeviceSession) -> None:
    mobile.tap(text="Never there", timeout=0.05)


def _noticed(mobile: DeviceSession) -> None:
    mobile.wait_for(text="Battery low", timeout=2)
    mobile.tap(text="Tap").expect_visible(text="Tapped 1 times")


def _soft(mobile: DeviceSession) -> None:
    outcome = mobile.tap(text="Tap")
    outcome.soft.expect_visible(text="9", timeout=0.05)
    outcome.soft.expect_gone(text="Tap", timeout=0.05)
    outcome.expect_visible(text="Tap")


SESSIONS: dict[str, tuple[str, dict[str, Any], Callable[[DeviceSession], object]]] = {
    "spent": ("counter", {}, _spent),
    "recovered": ("system-notice?delay=1", {}, _noticed),
    "stepped back": (
        "lost-tap",
        {"allow": frozenset({"step_back"})},
        lambda mobile: mobile.tap(text="Unlock").expect_changed(),
    ),
    "adjusted": (
        "dropping-field",
        {},
        lambda mobile: mobile.fill(class_name="EditText", value="alphabet"),
    ),
    "soft": ("counter", {}, _soft),
    "died": ("crash", {}, lambda mobile: mobile.tap(text="Weigh").expect_visible(text="Weighed")),
    "restless": (
        "endless-spinner",
        {},
        lambda mobile: mobile.tap(text="Go on").expect_visible(text="Went on 1 times"),
    ),
    "unreadable": ("no-dump?lasts=0", {}, lambda mobile: mobile.expect_visible(text="Tap")),
}


@pytest.mark.parametrize("name", SESSIONS)
def test_every_stage_is_valid_light_and_true_to_the_contract(name: str) -> None:
    exhibit, settings, play = SESSIONS[name]
    with suppress(SoftFailures), lab(exhibit, **settings) as mobile:
        with suppress(*ENDS):
            play(mobile)
        document = documented(mobile)
    VALIDATOR.validate(document)
    for action in parts(document, "result"):
        assert_contract(action["trace"], succeeded=action["success"])
        assert ("recovery" in action) >= (not action["success"])
    for check in parts(document, "check"):
        assert_contract(check["trace"], succeeded=check["result"] == "passed")
        assert ("recovery" in check) >= (check["result"] != "passed")


def parts(document: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [event[name] for event in document["events"] if event[name] is not None]


def assert_contract(trace: dict[str, Any], *, succeeded: bool) -> None:
    steps = trace["steps"]
    assert trace["final_outcome"] == ("success" if succeeded else "failure")
    assert steps
    assert [step["attempt_index"] for step in steps] == sorted(
        step["attempt_index"] for step in steps
    )
    assert steps[-1]["attempt_index"] == trace["attempts"] - 1
    assert [step["timestamp"] for step in steps] == sorted(step["timestamp"] for step in steps)
    assert (steps[-1]["result"] != "failure") == succeeded
    for attempt in range(trace["attempts"]):
        own = [step for step in steps if step["attempt_index"] == attempt]
        assert sum(step["stage"] == "execute" for step in own) <= 1
        assert {step.get("cycle_id") for step in own if step["stage"] != "recover"} <= {
            own[0].get("cycle_id")
        }
        assert attempt == 0 or own[0]["stage"] == "recover"
        assert attempt == 0 or own[0]["metadata"]["strategy"]
    for step in steps:
        assert len(json.dumps(step.get("metadata", {}))) < LIGHT
        assert (
            step["result"] != "failure" or step["stage"] == "verify" or step["metadata"]["reason"]
        )


def test_what_is_spent_shows_each_attempt_and_what_was_done_first() -> None:
    with lab("counter") as mobile:
        with suppress(ActionFailed):
            _spent(mobile)
        tap = parts(documented(mobile), "result")[-1]
    recorded = [
        (step["stage"], step["result"], step.get("cycle_id", "")[-3:])
        for step in tap["trace"]["steps"]
    ]
    assert recorded == [
        ("resolve", "failure", ""),
        ("recover", "success", ".r1"),
        ("resolve", "failure", ".r1"),
        ("recover", "failure", ".r2"),
        ("recover", "success", ".r3"),
        ("resolve", "failure", ".r3"),
    ]
    assert tap["trace"]["steps"][1]["metadata"]["before"] == ["press_key volume_up"]
    assert (tap["recovery"]["recovery_attempts"], tap["recovery"]["is_terminal"]) == (3, True)


def test_a_secret_that_did_not_arrive_whole_is_nowhere() -> None:
    with lab("dropping-field") as mobile:
        mobile.fill(class_name="EditText", value=Secret("hunter2secret"))
        field = mobile.snapshot().find(class_name="EditText")
        document = documented(mobile)
    assert field.value == "hunter2secret", "it was typed again, key by key"
    assert [one["strategy"] for one in document["recoveries"]] == ["retry_adjustment"]
    recorded = json.dumps(document)
    assert "secret" not in recorded.replace("a secret", "")
    assert "unter" not in recorded
