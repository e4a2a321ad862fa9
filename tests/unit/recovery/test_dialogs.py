"""The system's dialogs: closed, waited out or answered, and never where the test is about them."""

from __future__ import annotations

import pytest

from pytest_replicant.model import Selector
from tests.unit.snapshots.screens import button, hierarchy, node, parse, screen, text

from .failures import (
    APP,
    CONTROLLER,
    CONTROLLER_IDS,
    SYSTEM,
    Session,
    alert,
    answered,
    app_window,
    ask,
    failed,
    over_the_app,
    prompt,
    window,
)

ADD = Selector(text="Add")
HANGS = alert(
    "Shop isn't responding",
    "Close app",
    "Wait",
    ids=("android:id/aerr_close", "android:id/aerr_wait"),
)
STOPPED = alert(
    "Shop keeps stopping",
    "App info",
    "Close app",
    ids=("android:id/aerr_app_info", "android:id/aerr_close"),
)


@pytest.mark.parametrize(
    "label", ["Cancel", "CLOSE", "Dismiss", "Got it", "Not now", "OK", "Later"]
)
@pytest.mark.parametrize("package", ["android", "com.android.systemui"])
def test_the_only_button_that_closes_it_is_pressed(label: str, package: str) -> None:
    battery = alert("Battery low", label, package=package)
    answer = ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(battery), target=ADD))
    assert answered(answer) == ("state_refresh", [f'Button "{label}"'])
    assert answer is not None
    assert (
        answer.reason
        == f'a message of the system was in the way: "Battery low", closed by "{label}"'
    )


def test_beside_something_that_does_more() -> None:
    answer = ask(
        "system_dialog", failed("ELEMENT_NOT_FOUND", parse(alert("Update", "Restart", "Not now")))
    )
    assert answered(answer) == ("state_refresh", ['Button "Not now"'])


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
    assert (
        ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(alert("A question", *labels))))
        is None
    )


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
    [
        {"target": Selector(text="OK")},
        {"target": Selector(text="Battery low")},
        {"action_type": "expect_gone"},
    ],
)
def test_a_test_about_it_is_left_alone(facts: dict[str, object]) -> None:
    assert (
        ask(
            "system_dialog",
            failed("ELEMENT_NOT_INTERACTABLE", parse(alert("Battery low", "OK")), **facts),
        )
        is None
    )


def test_ids_that_every_dialog_has_do_not_say_which_one_is_meant() -> None:
    low = alert("Battery low", "OK", ids=("android:id/button3",))
    failure = failed(
        "ELEMENT_NOT_FOUND", parse(low), target=Selector(resource_id="android:id/button1")
    )
    assert ask("system_dialog", failure) is not None


def test_a_question_of_the_permission_controllers_is_not_its_business() -> None:
    asks = alert("Allow Shop?", "Not now", package=CONTROLLER)
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(asks), target=ADD)) is None


def test_a_page_is_no_message() -> None:
    shade = node(
        "ScrollView",
        at=(100, 900, 980, 1500),
        scrollable="true",
        package=SYSTEM,
        resource_id="x:id/list",
    )
    listed = over_the_app(shade, button("Close", at=(100, 1500, 300, 1600), package=SYSTEM))
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(listed))) is None


def test_what_is_under_way_is_not_cancelled() -> None:
    turning = node("ProgressBar", at=(100, 1000, 200, 1100), package=SYSTEM)
    installing = over_the_app(turning, button("Cancel", at=(100, 1500, 300, 1600), package=SYSTEM))
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(installing))) is None


def test_what_lies_below_the_app_is_in_no_ones_way() -> None:
    dialog = window(text("Update", package=SYSTEM), package="com.other")
    assert (
        ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(hierarchy(dialog, app_window()))))
        is None
    )
    assert ask("system_dialog", failed("ELEMENT_NOT_FOUND", parse(hierarchy(app_window())))) is None
    assert ask("system_dialog", failed("UNKNOWN", None)) is None


def test_it_waits() -> None:
    answer = ask(
        "anr_dialog", failed("ELEMENT_NOT_FOUND", parse(HANGS), target=Selector(text="Add"))
    )
    assert answered(answer) == ("state_refresh", ['Button "Wait"'])
    assert answer is not None
    assert "Shop isn't responding" in answer.reason


def test_a_crash_is_no_hang() -> None:
    assert ask("anr_dialog", failed("ELEMENT_NOT_FOUND", parse(STOPPED))) is None


def test_a_test_about_hangs_is_left_alone() -> None:
    assert (
        ask(
            "anr_dialog",
            failed("ELEMENT_NOT_INTERACTABLE", parse(HANGS), target=Selector(text="Wait")),
        )
        is None
    )
    assert (
        ask("anr_dialog", failed("VERIFICATION_FAILED", parse(HANGS), action_type="expect_gone"))
        is None
    )


def test_an_app_that_has_such_a_button_is_the_product() -> None:
    own = screen(button("Wait", resource_id="android:id/aerr_wait"))
    assert ask("anr_dialog", failed("ELEMENT_NOT_FOUND", parse(own))) is None
    assert ask("anr_dialog", failed("UNKNOWN", None)) is None


CAMERA = prompt(
    "permission_allow_foreground_only_button",
    "permission_allow_one_time_button",
    "permission_deny_button",
)


def test_it_is_denied_unless_set_otherwise() -> None:
    answer = ask("permission_prompt", failed("ELEMENT_NOT_FOUND", parse(CAMERA), target=ADD))
    assert answered(answer) == ("state_refresh", ['Button "deny"'])
    assert answer is not None
    assert answer.reason == (
        'a permission prompt was in the way: "Allow Shop to take pictures?", answered "deny"'
    )


@pytest.mark.parametrize(
    ("names", "button"),
    [
        (("permission_allow_button", "permission_deny_button"), "allow"),
        (
            ("permission_allow_foreground_only_button", "permission_deny_button"),
            "allow_foreground_only",
        ),
        (
            ("permission_allow_one_time_button", "permission_allow_foreground_only_button"),
            "allow_foreground_only",
        ),
        (("permission_allow_one_time_button", "permission_deny_button"), "allow_one_time"),
    ],
)
def test_it_is_allowed_for_as_long_as_it_offers(names: tuple[str, ...], button: str) -> None:
    failure = failed("ELEMENT_NOT_FOUND", parse(prompt(*names)), target=ADD)
    answer = ask("permission_prompt", failure, session=Session(permission_prompts="allow"))
    assert answered(answer) == ("state_refresh", [f'Button "{button}"'])


def test_a_prompt_of_what_is_covered_says_so_by_its_blocker() -> None:
    snapshot = parse(CAMERA)
    below = parse(hierarchy(app_window())).find(text="Check out")
    blocker = snapshot.elements[0]
    failure = failed(
        "ELEMENT_NOT_INTERACTABLE",
        snapshot,
        candidates=(below,),
        element=below,
        blocker=blocker,
        target=below.ref,
    )
    assert ask("permission_prompt", failure) is not None


def test_it_is_left_where_the_test_wants_that() -> None:
    failure = failed("ELEMENT_NOT_FOUND", parse(CAMERA), target=ADD)
    assert ask("permission_prompt", failure, session=Session(permission_prompts="leave")) is None


@pytest.mark.parametrize(
    "facts",
    [
        {"target": Selector(resource_id=f"{CONTROLLER_IDS}permission_allow_button")},
        {
            "target": Selector(
                android=Selector(resource_id=f"{CONTROLLER_IDS}permission_allow_button")
            )
        },
        {"target": Selector(text="allow_one_time")},
        {"action_type": "answer_permission"},
        {"action_type": "expect_gone"},
        {"action_type": "expect_unchanged"},
        {"action_type": "expect_no_crash"},
        {"action_type": "expect_log"},
        {"action_type": "expect_count", "target": Selector(text="deny")},
    ],
    ids=str,
)
def test_a_test_about_the_prompt_is_left_alone(facts: dict[str, object]) -> None:
    assert ask("permission_prompt", failed("ELEMENT_NOT_FOUND", parse(CAMERA), **facts)) is None


def test_a_second_prompt_after_the_answer_to_a_first() -> None:
    """The action answered the prompt; the check is about another element."""
    snapshot = parse(CAMERA)
    answered = snapshot.find(text="allow_one_time")
    for target in (None, ADD):
        failure = failed(
            "VERIFICATION_FAILED",
            snapshot,
            action_type="expect_visible",
            element=answered,
            target=target,
        )
        assert ask("permission_prompt", failure) is not None
    state = failed("EXPECT_STATE_MISMATCH", snapshot, action_type="expect_state", element=answered)
    assert ask("permission_prompt", state) is None


def test_a_ref_to_the_prompt_is_about_it() -> None:
    snapshot = parse(CAMERA)
    allow = snapshot.find(text="allow_one_time")
    assert (
        ask("permission_prompt", failed("ELEMENT_NOT_INTERACTABLE", snapshot, element=allow))
        is None
    )


def test_an_app_that_looks_like_it_is_the_product() -> None:
    deny = button("deny", resource_id=f"{CONTROLLER_IDS}permission_deny_button")
    assert (
        ask("permission_prompt", failed("ELEMENT_NOT_FOUND", parse(screen(deny)), target=ADD))
        is None
    )
    under_test = failed("ELEMENT_NOT_FOUND", parse(CAMERA), target=ADD, app=CONTROLLER)
    assert ask("permission_prompt", under_test) is None


def test_nothing_is_done_where_nothing_asks() -> None:
    other = hierarchy(window(text("About", package=CONTROLLER), package=CONTROLLER), app_window())
    assert ask("permission_prompt", failed("ELEMENT_NOT_FOUND", parse(other), target=ADD)) is None
    assert (
        ask(
            "permission_prompt",
            failed("ELEMENT_NOT_FOUND", parse(hierarchy(app_window())), target=ADD),
        )
        is None
    )
    assert ask("permission_prompt", failed("UNKNOWN", None)) is None
