"""Policies in a session on a phone: obstructions are removed, and a lost connection comes back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.errors import ActionFailed, DeviceOffline, ExpectationFailed
from pytest_replicant.model import Point
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import virtual_device, virtual_session
from pytest_replicant.virtual import App, Button, Column, Screen, Text, Widget

pytestmark = pytest.mark.slow

QUICK: dict[str, Any] = {"window": 0.4, "interval": 0.05, "quiet": 0.1, "screenshots": False}


@contextmanager
def lab(exhibit: str, **settings: Any) -> Iterator[DeviceSession]:
    given = {**QUICK, "action_timeout": 0.5, "expect_timeout": 0.5, **settings}
    with virtual_session("dev.replicant.lab", "dev.replicant.shop", **given) as mobile:
        mobile.launch("dev.replicant.lab")
        mobile.open_url(f"lab://{exhibit}")
        yield mobile


def recovered(mobile: DeviceSession) -> list[tuple[str, str, str]]:
    """Policy and strategy of each recovery that succeeded."""
    records = mobile._context.recorder.recoveries
    return [(each.kind, each.policy, each.strategy) for each in records if each.recovered]


def test_a_permission_prompt_is_denied() -> None:
    with lab("permission-question") as mobile:
        mobile.tap(text="Where am I?")
        mobile.tap(text="Where am I?").expect_visible(text="We may not know")
        assert ("tap", "permission_prompt", "state_refresh") in recovered(mobile)
        assert "location refused" in str(mobile.logs())


def test_a_check_that_fails_by_that_says_how_to_answer_it() -> None:
    with lab("permission-question") as mobile, pytest.raises(ExpectationFailed) as failed:
        mobile.tap(text="Where am I?").expect_visible(text="You are in the lab", timeout=0.5)
    assert 'Next: to answer the prompt in the test: tap, then answer_permission("allow").' in str(
        failed.value
    )


def test_a_notice_of_the_system_is_closed() -> None:
    with lab("system-notice?delay=1") as mobile:
        mobile.wait_for(text="Battery low")
        mobile.tap(text="Tap").expect_visible(text="Tapped 1 times")
        assert recovered(mobile) == [("tap", "system_dialog", "state_refresh")]


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_what_lies_over_the_target_is_closed_at_once_and_is_the_screen_before(
    platform: str,
) -> None:
    with lab(
        "permission-question", platform=platform, action_timeout=5.0, expect_timeout=5.0
    ) as mobile:
        clock, recorder = mobile._context.clock, mobile._context.recorder
        mobile.tap(text="Where am I?")
        prompt, began = mobile.snapshot(), clock.now()
        outcome = mobile.tap(text="Where am I?")
        assert clock.now() - began < 3, "not the time-out of five seconds"
        assert recovered(mobile) == [("tap", "permission_prompt", "state_refresh")]
        event = recorder.event_of(outcome.result.action_id)
        assert event is not None
        assert (event.before, outcome.before == prompt) == (prompt.id, False)
        assert event.met_on != prompt.id


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_check_does_not_wait_either_and_what_no_policy_closes_is_waited_for(
    platform: str,
) -> None:
    with lab("permission-question", platform=platform, expect_timeout=5.0) as mobile:
        outcome, began = mobile.tap(text="Where am I?"), mobile._context.clock.now()
        outcome.expect_visible(text="We may not know")
        assert mobile._context.clock.now() - began < 3
    with lab(
        "permission-question", platform=platform, action_timeout=2.0, permission_prompts="leave"
    ) as mobile:
        mobile.tap(text="Where am I?")
        began = mobile._context.clock.now()
        with pytest.raises(ActionFailed):
            mobile.tap(text="Where am I?")
        assert 1.9 < mobile._context.clock.now() - began < 3, "once, and for all of the time-out"


def test_a_snackbar_is_waited_for() -> None:
    with lab("snackbar?lasts=700", action_timeout=5.0) as mobile:
        mobile.tap(text="Archive").expect_visible(text="Undo")
        mobile.tap(text="Next", timeout=0.1).expect_visible(text="Next", timeout=0.2)
        assert recovered(mobile) == [("tap", "toast", "state_refresh")]


def test_a_field_that_drops_letters_is_filled_key_by_key() -> None:
    with lab("dropping-field") as mobile:
        mobile.fill(class_name="EditText", value="alphabet").expect_state(value="alphabet")
        assert recovered(mobile) == [("type_text", "flaky", "retry_adjustment")]


def test_a_lost_tap_is_repeated_where_that_is_allowed() -> None:
    for allow, held in ((frozenset({"step_back"}), True), (frozenset(), False)):
        with lab("lost-tap", allow=allow) as mobile:
            button = next(e for e in mobile.snapshot().elements if e.class_name == "Button")
            outcome = mobile.tap(button)
            if held:
                outcome.expect_changed()
                assert recovered(mobile) == [("expect_changed", "mismatch", "step_back")]
            else:
                with pytest.raises(ExpectationFailed):
                    outcome.expect_changed()


@pytest.mark.parametrize("allow", [frozenset({"relaunch"}), frozenset()])
def test_an_app_that_died_is_started_again_where_that_is_allowed(allow: frozenset[str]) -> None:
    with lab("crash", allow=allow) as mobile:
        mobile.tap(text="Weigh")
        mobile.wait_for(text="Shop")  # the home screen
        if allow:
            mobile.tap(text_contains="Long list", timeout=0.2)
            assert recovered(mobile) == [("tap", "app_crash", "step_back")]
        else:
            with pytest.raises(ActionFailed, match="died: NullPointerException"):
                mobile.tap(text_contains="Long list", timeout=0.2)


PACKAGE = "dev.replicant.trial"


class Main(Screen[dict[str, Any]]):
    title = "Trial"

    def build(self, app: Any) -> Widget:
        def add() -> None:
            app.state["count"] = app.state.get("count", 0) + 1

        return Column(
            [
                Text(f"{app.state.get('count', 0)} taps", id="count"),
                Button("Add", id="add", on_click=add),
                Button("Hang", id="hang", on_click=lambda: app.hang(2500)),
            ]
        )


class CutOff(AndroidDriver):
    """Loses the connection before a touch, and has it again once it was made again."""

    lost = False

    def tap(self, point: Point) -> None:
        if self.lost:
            offline = DeviceOffline("the phone is gone", device=self.uri)
            offline.never_sent = True
            raise offline
        super().tap(point)

    def reconnect(self, timeout: float) -> None:
        super().reconnect(timeout)
        self.lost = False


@contextmanager
def trial(**settings: Any) -> Iterator[tuple[DeviceSession, CutOff]]:
    app: App[dict[str, Any]] = App(
        package=PACKAGE, label="Trial", state=dict, start=Main, anr_ms=200
    )
    given = {**QUICK, "action_timeout": 3.0, "expect_timeout": 2.0, **settings}
    with virtual_device(app, driver=CutOff) as device, device.session(**given) as session:
        assert isinstance(device.driver, CutOff)
        yield session, device.driver


def test_an_app_that_does_not_respond_is_waited_for() -> None:
    with trial() as (mobile, _):
        mobile.tap(text="Hang", silent=True)
        mobile.tap(text="Add", silent=True)
        mobile.wait_for(text="Trial isn't responding")
        with suppress(ActionFailed):  # the system may ask again before the app is back
            mobile.tap(text="Add", timeout=0.1)
        answered = [each.policy for each in mobile._context.recorder.recoveries if each.done]
        assert "anr_dialog" in answered
        mobile.wait_for(text_contains="taps", timeout=5)  # it was not closed


def test_a_connection_that_was_lost_is_made_anew() -> None:
    with trial() as (mobile, driver):
        driver.lost = True
        mobile.tap(text="Add").expect_visible(text="1 taps")
        assert recovered(mobile) == [("tap", "reconnect", "state_refresh")]
