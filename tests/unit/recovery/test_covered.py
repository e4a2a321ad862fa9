"""A target under a passing message or the on-screen keyboard."""

from __future__ import annotations

import pytest

from pytest_replicant.model import Element, Failure, Remedy
from pytest_replicant.snapshots import Snapshot
from tests.unit.snapshots.screens import button, hierarchy, node, parse, screen, text

from .failures import answered, app_window, ask, failed

PLACE = (40, 2100, 1040, 2250)


def bar(*inside: str, at: tuple[int, int, int, int] = PLACE, **attributes: str) -> Snapshot:
    return parse(
        screen(
            button("Next", at=(0, 2150, 1080, 2250)),
            node("FrameLayout", *inside, at=at, **attributes),
        )
    )


def message(label: str = "Archived", **attributes: str) -> str:
    return text(label, at=(60, 2120, 700, 2230), **attributes)


UNDO = button("Undo", at=(800, 2120, 1020, 2230))


def blocked(snapshot: Snapshot, blocker: Element, **facts: object) -> Failure:
    return failed("ELEMENT_NOT_INTERACTABLE", snapshot, blocker=blocker, **facts)


@pytest.mark.parametrize("blocker", ["Archived", "Undo"])
def test_a_message_that_hovers_is_waited_for(blocker: str) -> None:
    snapshot = bar(message(), UNDO)
    answer = ask("toast", blocked(snapshot, snapshot.find(text=blocker)))
    strategy, (remedy,) = answered(answer)
    assert (strategy, blocker in remedy) == ("state_refresh", True)
    assert answer is not None
    assert answer.reason.startswith("a passing message lay over the target: ")


@pytest.mark.parametrize(
    "attributes",
    [
        {"resource_id": "dev.shop:id/snackbar"},
        {"resource_id": "x:id/Snack_Bar", "clickable": "true"},
    ],
)
def test_what_is_called_a_snackbar_may_reach_the_edge(attributes: dict[str, str]) -> None:
    snapshot = bar(message(), UNDO, at=(0, 2100, 1080, 2400), **attributes)
    assert ask("toast", blocked(snapshot, snapshot.find(text="Undo"))) is not None


def test_a_class_may_say_so_too() -> None:
    inside = node(
        "com.google.android.material.snackbar.Snackbar$SnackbarLayout", message(), at=PLACE
    )
    snapshot = parse(screen(inside))
    assert ask("toast", blocked(snapshot, snapshot.find(text="Archived"))) is not None


@pytest.mark.parametrize(
    ("inside", "at", "why"),
    [
        ((message("Total £12.00"), UNDO), (0, 2100, 1080, 2400), "a bar that stays"),
        ((UNDO,), PLACE, "says nothing"),
        ((message(), UNDO, button("More", at=(700, 2120, 790, 2230))), PLACE, "offers two things"),
        (
            (
                message(),
                node("EditText", at=(60, 2120, 700, 2230), editable="true", clickable="true"),
            ),
            PLACE,
            "asks",
        ),
        ((message(), UNDO), (40, 600, 1040, 750), "not near the bottom"),
        ((message(), UNDO), (40, 1500, 1040, 2250), "too high"),
        ((message(), UNDO), (700, 2100, 1040, 2250), "no bar"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_stays_is_not_waited_for(
    inside: tuple[str, ...], at: tuple[int, int, int, int], why: str
) -> None:
    snapshot = bar(*inside, at=at)
    blocker = next(element for element in snapshot.elements if element.label != "Next")
    assert ask("toast", blocked(snapshot, blocker)) is None, why


def test_nothing_is_in_the_way() -> None:
    snapshot = bar(message(), UNDO)
    assert ask("toast", failed("ELEMENT_NOT_INTERACTABLE", snapshot)) is None
    assert (
        ask("toast", failed("ELEMENT_NOT_INTERACTABLE", None, blocker=snapshot.find(text="Undo")))
        is None
    )


def test_a_blocker_of_another_screen_says_nothing_of_this_one() -> None:
    other = bar(message("Deleted"), UNDO)
    snapshot = bar(message(), UNDO, at=(30, 2100, 1040, 2250))
    assert ask("toast", blocked(snapshot, other.find(text="Deleted"))) is None


def test_no_check_is_made_to_hold_by_a_message_that_goes() -> None:
    snapshot = bar(message(), UNDO)
    failure = blocked(snapshot, snapshot.find(text="Undo"), action_type="expect_gone")
    assert ask("toast", failure) is None


BOARD = "com.google.android.inputmethod.latin"
KEYS = node(
    "FrameLayout",
    node("Button", at=(0, 1500, 100, 1600), package=BOARD, text="q", clickable="true"),
    at=(0, 1500, 1080, 2400),
    package=BOARD,
)
PAY = button("Pay", at=(0, 2000, 1080, 2100))
UP = hierarchy(KEYS, app_window(PAY))
DOWN = hierarchy(app_window(PAY))
WAS = parse(DOWN, "s0").find(text="Pay")


def test_it_lies_over_the_target() -> None:
    answer = ask("keyboard", failed("ELEMENT_NOT_INTERACTABLE", parse(UP), element=WAS))
    assert answer is not None
    assert (answer.strategy, answer.before) == ("state_refresh", (Remedy.hide_keyboard(),))
    assert answer.reason == f"the on-screen keyboard lay over {WAS.describe()}"
    assert ask("keyboard", failed("STALE_REFERENCE", parse(UP), target=WAS)) is not None


def test_it_lies_elsewhere() -> None:
    snapshot = parse(UP)
    next_to_it = snapshot.find(text="Check out")
    assert ask("keyboard", failed("ELEMENT_NOT_INTERACTABLE", snapshot, element=next_to_it)) is None


def test_there_is_none() -> None:
    assert ask("keyboard", failed("ELEMENT_NOT_INTERACTABLE", parse(DOWN), element=WAS)) is None
    assert ask("keyboard", failed("UNKNOWN", None, element=WAS)) is None


def test_where_the_target_is_must_be_known() -> None:
    assert ask("keyboard", failed("ELEMENT_NOT_FOUND", parse(UP))) is None
    near = failed("ELEMENT_NOT_FOUND", parse(UP), element=WAS, candidates=(WAS,))
    assert ask("keyboard", near) is None  # it only came near


def test_something_else_lies_over_it() -> None:
    snapshot = parse(UP)
    blocker = snapshot.find(text="Check out")
    failure = failed("ELEMENT_NOT_INTERACTABLE", snapshot, element=WAS, blocker=blocker)
    assert ask("keyboard", failure) is None


def test_the_keyboard_is_not_hidden_for_a_check() -> None:
    failure = failed("VERIFICATION_FAILED", parse(UP), element=WAS, action_type="expect_visible")
    assert ask("keyboard", failure) is None
