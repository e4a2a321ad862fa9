"""Nothing is touched on a guess, and nothing is touched before it is fit to be."""

from __future__ import annotations

import pytest

from pytest_replicant import ActionFailed, by
from pytest_replicant.model import ManualClock, Point, Rect
from tests.lab.exhibits_shown import refused

from ..conftest import Play
from ..scripted_phone import button, node, screen


def test_a_missing_target_is_awaited_then_named_with_the_nearest(play: Play) -> None:
    session, phone = play([screen(button("Check out"))])
    with refused("ELEMENT_NOT_FOUND") as failed:
        session.tap(text="Checkout", timeout=1.0)
    assert 'tap text="Checkout" on scripted' in str(failed.value)
    assert "Check out" in str(failed.value)
    assert phone.gestures == []
    assert phone.dumps > 2


def test_two_candidates_are_never_a_choice(play: Play) -> None:
    session, phone = play([screen(button("Add"), button("Add", 400))])
    with refused("AMBIGUOUS_TARGET"):
        session.tap(text="Add")
    assert phone.gestures == []
    assert phone.dumps == 2, "ambiguity that two reads agree on does not get better by waiting"


def test_the_gesture_goes_to_a_point_of_the_target_itself(play: Play) -> None:
    """The centre of the row belongs to the button inside it."""
    inner = node("Button", (400, 200, 600, 300), text="Add", clickable=True)
    row = node(
        "LinearLayout",
        (0, 200, 1000, 300),
        node("TextView", (0, 200, 300, 300), text="Mug"),
        inner,
        clickable=True,
    )
    session, phone = play([screen(row)])
    session.tap(text="Mug")
    ((_, point),) = phone.gestures
    assert Rect(0, 200, 1000, 300).contains(point)
    assert not Rect(400, 200, 600, 300).contains(point)


def test_a_ref_follows_its_element(play: Play, clock: ManualClock) -> None:
    session, phone = play([screen(button("Go", 200))])
    ref = session.snapshot().ref(text="Go")
    phone.frames = [screen(button("New", 200), button("Go", 700))]
    clock.advance(1)
    session.tap(ref)
    assert phone.gestures == [("tap", Point(300, 750))]


def test_a_ref_that_was_never_printed_is_stale(play: Play) -> None:
    session, phone = play([screen(button("Go"))])
    with pytest.raises(ActionFailed, match="never printed"):
        session.tap("z99999")
    assert phone.gestures == []


def test_a_settled_screen_is_not_dumped_again_for_the_next_target(play: Play) -> None:
    session, phone = play([screen(button("Go"))], quiet=0.0)
    session.tap(text="Go")
    dumps = phone.dumps
    session.tap(text="Go").expect_visible(by(text="Go"))
    assert phone.dumps == dumps + 2


def test_what_another_phone_printed_is_looked_for_though_their_snapshots_share_an_id(
    play: Play,
) -> None:
    here, phone = play([screen(button("Go")), screen(button("Stay"))])
    there, _ = play([screen(button("Stay")), screen(button("Go"))])
    for session in (here, there):
        session.snapshot()
    theirs = there.snapshot().find(text="Go")
    assert here.snapshot().id == theirs.snapshot_id
    with refused("STALE_REFERENCE"):
        here.tap(theirs, timeout=0.5)
    assert phone.gestures == []
