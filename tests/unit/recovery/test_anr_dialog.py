"""An app that does not respond gets more time, and is never closed."""

from __future__ import annotations

from pytest_replicant.model import Selector
from tests.unit.snapshots.screens import button, parse, screen

from .failures import alert, ask, failed, told

HANGS = alert("Shop isn't responding", "Close app", "Wait", ids=("android:id/aerr_close", "android:id/aerr_wait"))
STOPPED = alert(
    "Shop keeps stopping", "App info", "Close app", ids=("android:id/aerr_app_info", "android:id/aerr_close")
)


def test_it_waits() -> None:
    answer = ask("anr_dialog", failed("ELEMENT_NOT_FOUND", parse(HANGS), target=Selector(text="Add")))
    assert told(answer) == ("state_refresh", ['Button "Wait"'])
    assert answer is not None
    assert "Shop isn't responding" in answer.reason


def test_a_crash_is_no_hang() -> None:
    assert ask("anr_dialog", failed("ELEMENT_NOT_FOUND", parse(STOPPED))) is None


def test_a_test_about_hangs_is_left_alone() -> None:
    assert (
        ask("anr_dialog", failed("ELEMENT_NOT_INTERACTABLE", parse(HANGS), target=Selector(text="Wait"))) is None
    )
    assert ask("anr_dialog", failed("VERIFICATION_FAILED", parse(HANGS), action_type="expect_gone")) is None


def test_an_app_that_has_such_a_button_is_the_product() -> None:
    own = screen(button("Wait", resource_id="android:id/aerr_wait"))
    assert ask("anr_dialog", failed("ELEMENT_NOT_FOUND", parse(own))) is None
    assert ask("anr_dialog", failed("UNKNOWN", None)) is None
