"""A keyboard over the target is hidden."""

from __future__ import annotations

from pytest_replicant.model import Remedy
from tests.unit.snapshots.screens import button, hierarchy, node, parse

from .failures import app_window, ask, failed

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
    beside = snapshot.find(text="Check out")
    assert ask("keyboard", failed("ELEMENT_NOT_INTERACTABLE", snapshot, element=beside)) is None


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


def test_no_check_is_made_to_hold_by_it() -> None:
    failure = failed("VERIFICATION_FAILED", parse(UP), element=WAS, action_type="expect_visible")
    assert ask("keyboard", failure) is None
