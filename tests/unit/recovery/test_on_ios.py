"""The policies on iOS, where one package is the home screen and asks in the system's name, and
without a log."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant.errors import Unsupported
from pytest_replicant.model import FailureCode, Recovery, by
from pytest_replicant.snapshots import Snapshot

from .failures import APP, answered, ask, failed
from .on_ios import OnIos, alert, home, shop

LOCATION = ("Allow Once", "Allow While Using App", "Don’t Allow")
NOT_FOUND: FailureCode = "ELEMENT_NOT_FOUND"


def permission(snapshot: Snapshot, prompts: str = "deny", **facts: Any) -> Recovery | None:
    return ask(
        "permission_prompt",
        failed(NOT_FOUND, snapshot, **facts),
        session=OnIos(permission_prompts=prompts),
    )


@pytest.mark.parametrize(
    ("prompts", "tapped"),
    [("deny", "Don’t Allow"), ("allow", "Allow While Using App"), ("leave", "")],
)
def test_a_question_is_answered_as_the_setting_says(prompts: str, tapped: str) -> None:
    answer = permission(alert("Allow “Shop” to use your location?", *LOCATION), prompts)
    if not tapped:
        assert answer is None
        return
    assert answered(answer) == ("state_refresh", [f'Button "{tapped}"'])
    assert answer is not None
    assert "“Shop”" in answer.reason


@pytest.mark.parametrize("prompts", ["deny", "allow"])
def test_a_message_with_an_ok_asks_no_permission(prompts: str) -> None:
    assert permission(alert("Battery low", "OK"), prompts) is None
    assert permission(home("Allow", "Don’t Allow"), prompts) is None
    assert permission(shop("<XCUIElementTypeButton label='Don’t Allow'/>"), prompts) is None


def test_a_question_that_the_test_is_about_is_left_alone() -> None:
    question = alert("Allow “Shop” to use your location?", *LOCATION)
    assert permission(question, target=by(text="Allow Once")) is None
    assert permission(question, action_type="expect_gone") is None
    assert permission(question, target=by(text="Pay")) is not None


def closed(snapshot: Snapshot, **facts: Any) -> Recovery | None:
    return ask("system_dialog", failed(NOT_FOUND, snapshot, **facts), session=OnIos())


@pytest.mark.parametrize(
    ("labels", "tapped"),
    [
        (("OK",), "OK"),
        (("Cancel",), "Cancel"),
        (("Close", "Low Power Mode"), "Close"),
        (("Later", "Update"), "Later"),
    ],
)
def test_a_message_of_the_system_is_closed(labels: tuple[str, ...], tapped: str) -> None:
    assert answered(closed(alert("20% battery remaining", *labels))) == (
        "state_refresh",
        [f'Button "{tapped}"'],
    )


def test_neither_a_choice_nor_a_question_nor_the_apps_own_alert_is_closed() -> None:
    assert closed(alert("Update?", "Install", "Remind me")) is None
    assert closed(alert("Open in “Shop”?", "Cancel", "Open")) is None
    assert closed(alert("Airplane Mode", "Cancel", "Settings")) is None
    assert closed(alert("Allow “Shop” to use your location?", *LOCATION)) is None
    assert closed(alert("“Shop” Would Like to Access the Camera", "Don’t Allow", "OK")) is None
    assert closed(alert("Delete?", "OK", bundle=APP)) is None
    assert closed(home("OK")) is None


def crashed(snapshot: Snapshot, *, ended: bool, **facts: Any) -> Recovery | None:
    session = OnIos(allow=frozenset({"relaunch"}))
    session.died, session.ended = Unsupported("no crashes", capability="CRASHES"), ended
    return ask(
        "app_crash", failed(NOT_FOUND, snapshot, target=by(text="Pay"), **facts), session=session
    )


def test_an_app_that_ended_by_itself_is_started_again_though_nothing_tells_why() -> None:
    answer = crashed(home("Shop", "Lab"), ended=True)
    assert answered(answer) == ("step_back", [f"relaunch {APP}"])
    assert answer is not None
    assert "this platform does not report why" in answer.reason
    assert crashed(home("Shop", "Lab"), ended=False) is None


def test_an_app_behind_a_question_is_not_gone() -> None:
    asked, at_home = alert("Allow “Shop” to use your location?", *LOCATION), home("Shop")
    assert crashed(asked, ended=True) is None
    facts: dict[str, Any] = {"starts_app": True, "idempotent": True}
    session = OnIos(allow=frozenset({"relaunch"}))
    assert (
        ask("app_crash", failed("NAVIGATION_NO_CHANGE", at_home, **facts), session=session)
        is not None
    )
    assert ask("app_crash", failed("NAVIGATION_NO_CHANGE", asked, **facts), session=session) is None
