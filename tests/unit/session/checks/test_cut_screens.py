"""Screens that go deeper than the phone gives: what is shown is there; no check claims that
anything is gone or alone, or how often it is there, and no selector acts on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import ActionFailed, ExpectationFailed, Screen, TargetError, by
from pytest_replicant.model import Element, Recovery
from pytest_replicant.session import DeviceSession
from tests.lab.exhibits_shown import refused

from ..conftest import Play
from ..scripted_phone import button, node, screen

LIMIT = "the phone gives no more than 4 levels of this screen"
UNDECIDED = f"cannot be decided: .*{LIMIT}"


def limited(source: bytes, levels: int) -> bytes:
    """As a driver hands it over that asked the phone for so many levels."""
    return source.replace(b"?>", b'?><?replicant levels="%d"?>' % levels, 1)


def box(*inner: str) -> str:
    return node("FrameLayout", (0, 600, 1000, 900), *inner)


DEEP = screen(button("Pay"), box(box(box(button("Pay", 700), button("Undo", 800)))), title="Cart")
CUT = limited(screen(button("Pay"), box(box(box())), title="Cart"), 4)
PAID = limited(screen(button("Paid", 400), box(box(box())), title="Cart"), 4)

CLAIMS: dict[str, Callable[[DeviceSession], Any]] = {
    "gone": lambda mobile: mobile.expect_gone(text="Undo", timeout=0.5),
    "none": lambda mobile: mobile.expect_count(0, text="Undo", timeout=0.5),
    "one": lambda mobile: mobile.expect_count(1, text="Pay", timeout=0.5),
    "two": lambda mobile: mobile.expect_count(2, text="Pay", timeout=0.5),
    "missing": lambda mobile: mobile.expect_visible(text="Undo", timeout=0.5),
    "state of the only one": lambda mobile: mobile.expect_state(
        by(text="Pay"), enabled=True, timeout=0.5
    ),
    "state of none": lambda mobile: mobile.expect_state(by(text="Undo"), enabled=True, timeout=0.5),
    "screen": lambda mobile: mobile.expect_screen("Cart", timeout=0.5),
    "lacks": lambda mobile: mobile.expect_screen(
        Screen("Cart", has=[by(text="Pay")], lacks=[by(text="Undo")]), timeout=0.5
    ),
    "has not": lambda mobile: mobile.expect_screen(
        Screen("Cart", has=[by(text="Undo")]), timeout=0.5
    ),
    "outline": lambda mobile: mobile.expect_outline(mobile.snapshot().outline(), timeout=0.5),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_what_a_cut_screen_does_not_tell_fails_as_undecided(play: Play, claim: str) -> None:
    session, _ = play([CUT])
    with pytest.raises(ExpectationFailed, match=UNDECIDED) as failed:
        CLAIMS[claim](session)
    facts = failed.value.failure
    assert facts is not None
    assert facts.problem == "undecided"
    assert LIMIT in facts.observed["undecided"]
    assert "… cut here" in str(failed.value), "the screen in the message says where it ends"


def test_a_line_that_should_not_be_there_is_a_difference(play: Play) -> None:
    session, _ = play([CUT])
    with pytest.raises(ExpectationFailed, match='Button "Pay" in place of Button "Undo"') as failed:
        session.expect_outline('Cart\nButton "Undo"', timeout=0.5)
    assert failed.value.failure is not None
    assert failed.value.failure.problem == "outline"
    with pytest.raises(ExpectationFailed, match=f'{UNDECIDED}: Button "Undo" is missing'):
        session.expect_outline('Cart\n...\nButton "Undo"', timeout=0.5)


def test_a_selector_with_one_match_is_not_acted_on(play: Play) -> None:
    session, phone = play([CUT])
    with refused("AMBIGUOUS_TARGET", f"1 match, and perhaps more: {LIMIT}"):
        session.tap(text="Pay")
    assert phone.gestures == []
    with pytest.raises(TargetError, match="1 match, and perhaps more"):
        session.find(text="Pay")
    with pytest.raises(TargetError, match="1 match, and perhaps more"):
        session.wait_for(text="Pay", timeout=0.2)


def test_what_is_not_found_may_lie_deeper(play: Play) -> None:
    session, phone = play([CUT])
    acts: list[Callable[..., Any]] = [session.tap, session.scroll_to]
    for act in acts:
        with pytest.raises(ActionFailed, match=f"{LIMIT}, and it may lie deeper"):
            act(text="Undo", timeout=0.2)
    assert phone.gestures == []


def test_a_ref_and_an_element_are_acted_on(play: Play) -> None:
    session, phone = play([CUT])
    shown = session.find_all(text="Pay")[0]
    session.tap(shown.ref)
    session.tap(shown).expect_visible(shown)
    session.expect_state(shown, enabled=True)
    assert len(phone.gestures) == 2


def test_a_test_may_allow_to_act_on_the_only_match_that_is_shown(play: Play) -> None:
    session, phone = play([CUT], allow=frozenset({"cut"}))
    session.tap(text="Pay")
    assert len(phone.gestures) == 1
    with pytest.raises(ExpectationFailed, match=UNDECIDED):
        session.expect_gone(text="Undo", timeout=0.5)
    with pytest.raises(ExpectationFailed, match=UNDECIDED):
        session.expect_state(by(text="Pay"), enabled=True, timeout=0.5)


def test_a_ref_that_is_not_shown_is_neither_stale_nor_gone(play: Play) -> None:
    session, phone = play([DEEP])
    undo = session.find(text="Undo")
    phone.frames = [CUT]
    session.wait_for_change()
    for expect in (session.expect_gone, session.expect_visible):
        with pytest.raises(ExpectationFailed, match=UNDECIDED):
            expect(undo, timeout=1.5)
    with pytest.raises(ExpectationFailed, match=UNDECIDED):
        session.expect_state(undo, enabled=True, timeout=0.5)
    with pytest.raises(ActionFailed, match=f"Verdict: ambiguous: {LIMIT}, and it may lie deeper"):
        session.tap(undo)
    assert phone.gestures == []


def test_a_change_of_what_is_shown_is_a_change(play: Play) -> None:
    def paid(phone: Any) -> None:
        phone.frames = [PAID]

    session, _ = play([CUT], on_gesture=paid)
    outcome = session.tap(session.find_all(text="Pay")[0])
    outcome.expect_changed()
    assert outcome.diff.removed == ()
    assert [one.label for one in outcome.diff.unread] == ["Pay"]
    with pytest.raises(ExpectationFailed, match="not among the 4 levels read"):
        outcome.expect_unchanged(timeout=0.5)


def test_that_nothing_changed_is_not_known_of_a_cut_screen(play: Play) -> None:
    session, _ = play([CUT])
    outcome = session.tap(session.find_all(text="Pay")[0])
    for expect in (outcome.expect_unchanged, outcome.expect_changed):
        with pytest.raises(
            ExpectationFailed, match=f"{UNDECIDED}: what lies deeper may have changed"
        ):
            expect(timeout=1.5)
    assert outcome.classify().outcome == "unknown"


def test_nothing_is_healed_on_a_cut_screen(play: Play) -> None:
    def recover(session: Any, failure: Any, state: Any) -> Recovery:
        found: Element = failure.snapshot.find_all(text="Pay")[0]
        return Recovery(
            "alternate_candidate", target=found, reason="it is the only one", policy="bold"
        )

    session, phone = play([CUT], recover=recover)
    with pytest.raises(ActionFailed, match=f"alternate_candidate was refused: {LIMIT}"):
        session.tap(text="Pay")
    assert phone.gestures == []


def test_a_list_that_is_cut_is_not_collected(play: Play) -> None:
    rows = node("ScrollView", (0, 300, 1000, 900), box(button("Row", 600)), scrollable=True)
    session, _ = play([limited(screen(rows), 4)])
    with pytest.raises(ActionFailed, match="rows may have been missed"):
        session.collect(by(text="Row"))
