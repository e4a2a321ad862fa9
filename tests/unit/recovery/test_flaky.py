"""What was done is done otherwise, where there is another way and the failure may be retried."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.model import Rect
from tests.unit.snapshots.screens import SHOP, button, parse, screen

from .failures import ask, failed


@pytest.mark.parametrize("kind", ["type_text", "fill"])
def test_a_text_that_lost_characters_is_typed_key_by_key(kind: str) -> None:
    answer = ask("flaky", failed("ACTION_REJECTED", parse(SHOP), action_type=kind, may_retry=True))
    assert answer is not None
    assert (answer.strategy, dict(answer.params)) == ("retry_adjustment", {"mode": "keys"})


def test_a_control_is_set_in_its_next_mode_as_long_as_one_is_left() -> None:
    failure = failed("CONTROL_CONVERGENCE_FAILED", parse(SHOP), action_type="adjust", may_retry=True)
    first, second = ask("flaky", failure), ask("flaky", failure, "retry_adjustment")
    assert first is not None
    assert second is not None
    assert (dict(first.params), dict(second.params)) == ({"mode": "next", "turn": 1}, {"mode": "next", "turn": 2})
    assert ask("flaky", failed("CONTROL_CONVERGENCE_FAILED", parse(SHOP), may_retry=False)) is None
    assert ask("flaky", failed("CONTROL_CONVERGENCE_FAILED", parse(SHOP))) is None


def test_a_target_that_never_stood_still_is_given_another_chance() -> None:
    snapshot = parse(SHOP)
    moving = failed("ELEMENT_NOT_INTERACTABLE", snapshot, steady=False, element=snapshot.elements[1])
    answer = ask("flaky", moving)
    assert answer is not None
    assert dict(answer.params) == {"settle": "longer"}
    assert ask("drift", moving) is None  # one further wait for it is enough


@pytest.mark.parametrize("why", ["steady", "covered", "disabled", "off screen", "not known"])
def test_what_moves_is_neither(why: str) -> None:
    snapshot = parse(screen(button("Add", at=(0, 300, 200, 400), enabled=str(why != "disabled").lower())))
    add = below = snapshot.find(text="Add")
    if why == "off screen":
        below = replace(add, node=add.node._replace(bounds=Rect(0, 2500, 200, 2600)))
    failure = failed(
        "ELEMENT_NOT_INTERACTABLE",
        snapshot,
        steady=why == "steady",
        element=None if why == "not known" else below,
        blocker=add if why == "covered" else None,
    )
    assert ask("flaky", failure) is None
    assert (ask("drift", failure) is not None) == (why != "steady")


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("ACTION_REJECTED", {"action_type": "type_text"}),
        ("ACTION_REJECTED", {"action_type": "type_text", "may_retry": False}),
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


def test_no_way_is_taken_twice() -> None:
    failure = failed("ACTION_REJECTED", parse(SHOP), action_type="fill", may_retry=True)
    assert ask("flaky", failure, "retry_adjustment") is None
