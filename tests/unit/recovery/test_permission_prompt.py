"""A permission prompt in the way is answered as the test wants it, unless the test is about it."""

from __future__ import annotations

import pytest

from pytest_replicant.model import Selector
from tests.unit.snapshots.screens import button, hierarchy, parse, screen, text

from .failures import CONTROLLER, CONTROLLER_IDS, Session, app_window, ask, failed, prompt, told, window

CAMERA = prompt(
    "permission_allow_foreground_only_button", "permission_allow_one_time_button", "permission_deny_button"
)
ADD = Selector(text="Add")


def test_it_is_denied_unless_set_otherwise() -> None:
    answer = ask("permission_prompt", failed("ELEMENT_NOT_FOUND", parse(CAMERA), target=ADD))
    assert told(answer) == ("state_refresh", ['Button "deny"'])
    assert answer is not None
    assert answer.reason == ('a permission prompt was in the way: "Allow Shop to take pictures?", answered "deny"')


def test_who_refused_before_is_asked_with_another_button() -> None:
    again = prompt("permission_allow_button", "permission_deny_and_dont_ask_again_button")
    answer = ask("permission_prompt", failed("ELEMENT_NOT_FOUND", parse(again), target=ADD))
    assert told(answer) == ("state_refresh", ['Button "deny_and_dont_ask_again"'])


@pytest.mark.parametrize(
    ("names", "button"),
    [
        (("permission_allow_button", "permission_deny_button"), "allow"),
        (("permission_allow_foreground_only_button", "permission_deny_button"), "allow_foreground_only"),
        (("permission_allow_one_time_button", "permission_allow_foreground_only_button"), "allow_foreground_only"),
        (("permission_allow_one_time_button", "permission_deny_button"), "allow_one_time"),
    ],
)
def test_it_is_allowed_for_as_long_as_it_offers(names: tuple[str, ...], button: str) -> None:
    failure = failed("ELEMENT_NOT_FOUND", parse(prompt(*names)), target=ADD)
    answer = ask("permission_prompt", failure, session=Session(permission_prompts="allow"))
    assert told(answer) == ("state_refresh", [f'Button "{button}"'])


def test_a_second_prompt_is_answered_too() -> None:
    failure = failed("ELEMENT_NOT_FOUND", parse(CAMERA, "s2"), target=ADD)
    assert ask("permission_prompt", failure, "state_refresh") is not None


@pytest.mark.parametrize(
    "code", ["VERIFICATION_FAILED", "ELEMENT_NOT_INTERACTABLE", "NAVIGATION_NO_CHANGE", "UNKNOWN"]
)
def test_it_is_in_the_way_of_anything(code: str) -> None:
    assert ask("permission_prompt", failed(code, parse(CAMERA))) is not None  # type: ignore[arg-type]


def test_a_prompt_of_what_is_covered_says_so_by_its_blocker() -> None:
    snapshot = parse(CAMERA)
    below = parse(hierarchy(app_window())).find(text="Check out")
    blocker = snapshot.elements[0]
    failure = failed(
        "ELEMENT_NOT_INTERACTABLE", snapshot, candidates=(below,), element=below, blocker=blocker, target=below.ref
    )
    assert ask("permission_prompt", failure) is not None


def test_it_is_left_where_the_test_wants_that() -> None:
    failure = failed("ELEMENT_NOT_FOUND", parse(CAMERA), target=ADD)
    assert ask("permission_prompt", failure, session=Session(permission_prompts="leave")) is None


@pytest.mark.parametrize(
    "facts",
    [
        {"target": Selector(resource_id=f"{CONTROLLER_IDS}permission_allow_button")},
        {"target": Selector(android=Selector(resource_id=f"{CONTROLLER_IDS}permission_allow_button"))},
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
    """What was answered is what the action was done to, and not what the check is about."""
    snapshot = parse(CAMERA)
    answered = snapshot.find(text="allow_one_time")
    for target in (None, ADD):
        failure = failed(
            "VERIFICATION_FAILED", snapshot, action_type="expect_visible", element=answered, target=target
        )
        assert ask("permission_prompt", failure) is not None
    state = failed("EXPECT_STATE_MISMATCH", snapshot, action_type="expect_state", element=answered)
    assert ask("permission_prompt", state) is None


def test_a_ref_to_the_prompt_is_about_it() -> None:
    snapshot = parse(CAMERA)
    allow = snapshot.find(text="allow_one_time")
    assert ask("permission_prompt", failed("ELEMENT_NOT_INTERACTABLE", snapshot, element=allow)) is None


def test_what_only_came_near_in_the_search_is_not_meant() -> None:
    snapshot = parse(CAMERA)
    near = snapshot.find(text="deny")
    failure = failed("ELEMENT_NOT_FOUND", snapshot, candidates=(near,), element=near, target=Selector(text="Deny"))
    assert ask("permission_prompt", failure) is not None


def test_an_app_that_looks_like_it_is_the_product() -> None:
    deny = button("deny", resource_id=f"{CONTROLLER_IDS}permission_deny_button")
    assert ask("permission_prompt", failed("ELEMENT_NOT_FOUND", parse(screen(deny)), target=ADD)) is None
    under_test = failed("ELEMENT_NOT_FOUND", parse(CAMERA), target=ADD, app=CONTROLLER)
    assert ask("permission_prompt", under_test) is None


def test_two_such_buttons_are_no_choice() -> None:
    twice = [
        button(
            "deny",
            at=(100, top, 980, top + 90),
            package=CONTROLLER,
            resource_id=f"{CONTROLLER_IDS}permission_deny_button",
        )
        for top in (1000, 1200)
    ]
    two = hierarchy(window(*twice, package=CONTROLLER), app_window())
    assert ask("permission_prompt", failed("ELEMENT_NOT_FOUND", parse(two), target=ADD)) is None


def test_a_button_that_is_disabled_is_none() -> None:
    dead = CAMERA.replace('text="deny" clickable="true"', 'text="deny" clickable="true" enabled="false"')
    assert dead != CAMERA
    assert ask("permission_prompt", failed("ELEMENT_NOT_FOUND", parse(dead), target=ADD)) is None


def test_nothing_is_done_where_nothing_asks() -> None:
    other = hierarchy(window(text("About", package=CONTROLLER), package=CONTROLLER), app_window())
    assert ask("permission_prompt", failed("ELEMENT_NOT_FOUND", parse(other), target=ADD)) is None
    assert (
        ask("permission_prompt", failed("ELEMENT_NOT_FOUND", parse(hierarchy(app_window())), target=ADD)) is None
    )
    assert ask("permission_prompt", failed("UNKNOWN", None)) is None
