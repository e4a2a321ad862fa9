"""A message of the system's own is closed by the one button that only closes it."""

from __future__ import annotations

import pytest

from pytest_replicant.model import Selector
from tests.unit.snapshots.screens import button, hierarchy, node, parse, text

from .failures import APP, CONTROLLER, SYSTEM, alert, app_window, ask, failed, over_the_app, told, window
from .test_anr_dialog import HANGS, STOPPED

ADD = Selector(text="Add")


@pytest.mark.parametrize("label", ["Cancel", "CLOSE", "Dismiss", "Got it", "Not now", "OK", "Later"])
@pytest.mark.parametrize("package", ["android", "com.android.systemui"])
def test_the_only_button_that_closes_it_is_pressed(label: str, package: str) -> None:
    battery = alert("Battery low", label, package=package)
    answer = ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(battery), target=ADD))
    assert told(answer) == ("state_refresh", [f'Button "{label}"'])
    assert answer is not None
    assert answer.reason == f'a message of the system was in the way: "Battery low", closed by "{label}"'


def test_beside_something_that_does_more() -> None:
    answer = ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(alert("Update", "Restart", "Not now"))))
    assert told(answer) == ("state_refresh", ['Button "Not now"'])


@pytest.mark.parametrize(
    "labels",
    [
        ("Cancel", "Close"),  # two that close are a choice
        ("OK", "Restart"),
        ("Restart",),
        ("Just once", "Always"),
        (),
        ("Cancel", "One", "Two", "Three"),
    ],
    ids=str,
)
def test_a_choice_is_not_made(labels: tuple[str, ...]) -> None:
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(alert("A question", *labels)))) is None


def test_a_dialog_of_the_app_is_the_product() -> None:
    own = alert("Battery low", "OK", package=APP)
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(own), target=ADD)) is None
    settings = alert("Battery low", "OK", package="com.android.settings")
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(settings), target=ADD)) is None


@pytest.mark.parametrize(
    "source", [HANGS, STOPPED, alert("Shop has stopped", "Close", ids=("android:id/aerr_close",))]
)
def test_what_the_system_says_of_an_app_that_died_is_not_closed(source: str) -> None:
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(source))) is None


@pytest.mark.parametrize(
    "facts",
    [{"target": Selector(text="OK")}, {"target": Selector(text="Battery low")}, {"action_type": "expect_gone"}],
)
def test_a_test_about_it_is_left_alone(facts: dict[str, object]) -> None:
    assert (
        ask("system_dialog", failed("ELEMENT_NOT_INTERACTABLE", parse(alert("Battery low", "OK")), **facts))
        is None
    )


def test_ids_that_every_dialog_has_do_not_say_which_one_is_meant() -> None:
    low = alert("Battery low", "OK", ids=("android:id/button3",))
    failure = failed("ELEMENT_NOT_FOUND", parse(low), target=Selector(resource_id="android:id/button1"))
    assert ask("system_dialog", failure) is not None


def test_a_question_of_the_permission_controllers_is_not_its_business() -> None:
    asks = alert("Allow Shop?", "Not now", package=CONTROLLER)
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(asks), target=ADD)) is None


def test_a_page_is_no_message() -> None:
    shade = node(
        "ScrollView", at=(100, 900, 980, 1500), scrollable="true", package=SYSTEM, resource_id="x:id/list"
    )
    listed = over_the_app(shade, button("Close", at=(100, 1500, 300, 1600), package=SYSTEM))
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(listed))) is None


def test_what_is_under_way_is_not_cancelled() -> None:
    turning = node("ProgressBar", at=(100, 1000, 200, 1100), package=SYSTEM)
    installing = over_the_app(turning, button("Cancel", at=(100, 1500, 300, 1600), package=SYSTEM))
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(installing))) is None


def test_what_lies_below_the_app_is_in_nobodys_way() -> None:
    dialog = window(text("Update", package=SYSTEM), package="com.other")
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(hierarchy(dialog, app_window())))) is None
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(hierarchy(app_window())))) is None
    assert ask("system_dialog", failed("UNKNOWN", None)) is None
