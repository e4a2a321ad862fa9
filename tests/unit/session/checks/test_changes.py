"""``mobile.changes(since=...)``: what differs from an earlier snapshot of the session."""

from __future__ import annotations

from ..conftest import Play
from ..scripted_phone import button, node, screen


def home(clock: str, action: str = "Go") -> bytes:
    return screen(node("TextView", (0, 120, 500, 180), text=clock), button(action), title="Home")


def test_what_ticks_can_be_left_out(play: Play) -> None:
    session, phone = play([home("10:45")])
    before = session.snapshot().id
    session.tap(text="Go")
    phone.frames = [home("10:46")]
    session.tap(text="Go")
    assert session.changes(since=before).summary == "Home: 1 changed"
    assert session.changes(since=before, mask_volatile=True).empty
    phone.frames = [home("10:47", "Stop")]
    session.tap(text="Go")
    assert not session.changes(since=before, mask_volatile=True).empty


def test_a_snapshot_that_is_no_longer_kept_leaves_everything_new(play: Play) -> None:
    session, phone = play([home("10:45")], kept_snapshots=1)
    before = session.snapshot().id
    phone.frames = [home("10:46")]
    session.tap(text="Go")
    changes = session.changes(since=before)
    assert changes.complete
    assert len(changes.added) == 2
    assert session.changes(since="s99").complete
