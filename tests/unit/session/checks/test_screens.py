"""Checks of the whole screen: its name, its outline, whether it changed."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import DeviceError, ExpectationFailed, ProtocolError, Screen, by

from ..conftest import Play
from ..scripted_phone import HOME, button, node, screen, to_next


def test_one_that_says_nothing_goes_by_its_name(play: Play) -> None:
    session, _ = play([HOME])
    session.expect_screen(Screen("Home")).expect_screen(Screen("Home", lacks=[by(text="Stop")]))
    with pytest.raises(ExpectationFailed, match="expect_screen Next on scripted: Home"):
        session.expect_screen(Screen("Next"), timeout=0.2)
    with pytest.raises(ExpectationFailed, match='Home: should not show text="Go"'):
        session.expect_screen(Screen("Home", lacks=[by(text="Go")]), timeout=0.2)


def test_the_failure_names_what_is_near_to_each_that_is_missing(play: Play) -> None:
    session, _ = play([screen(button("Go on"), button("Skip", 400), title="Home")])
    with pytest.raises(ExpectationFailed) as failed:
        session.expect_screen(
            Screen("next", has=[by(text="go on"), by(text="Go on")], lacks=[by(text="Skip")]),
            timeout=0.2,
        )
    shown = str(failed.value)
    assert shown.splitlines()[0].startswith(
        'expect_screen next on scripted: Home: missing text="go on"; should not'
    )
    assert 'missing text="go on": "Go on" is there, in other letters: case counts.' in shown
    assert 'should not show text="Skip":\n  [' in shown
    assert 'missing text="Go on"' not in shown


def test_a_failed_check_after_navigation_says_which_screen_this_is_now(play: Play) -> None:
    session, _ = play([HOME], on_gesture=to_next)
    outcome = session.tap(text="Go")
    with pytest.raises(ExpectationFailed) as failed:
        outcome.expect_state(by(text="Go"), enabled=True, timeout=0.2)
    assert "The action changed: Home → Next: 1 added, 1 removed" in str(failed.value)


def test_an_activity_that_cannot_be_asked_for_is_a_failed_read(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, phone = play([screen(button("Go"))])
    original = phone.app_in_front

    def once() -> Any:
        monkeypatch.setattr(phone, "app_in_front", original)
        raise ProtocolError("dumpsys was cut off")

    monkeypatch.setattr(phone, "app_in_front", once)
    session.expect_screen("Main")
    reads = session._context.recorder.checks[-1].reads
    assert "dumpsys was cut off" in reads[0].observed
    monkeypatch.setattr(
        phone, "app_in_front", lambda: (_ for _ in ()).throw(ProtocolError("cut off"))
    )
    with pytest.raises(DeviceError, match="cut off"):
        session.expect_screen("Other", timeout=0.4)


# --- outlines -------------------------------------------------------------------------------------


def test_an_outline_as_it_was_printed_holds_and_verifies(play: Play) -> None:
    session, _ = play([HOME], on_gesture=to_next)
    outcome = session.tap(text="Go")
    outcome.expect_outline(str(outcome.snapshot))
    assert outcome.result.lifecycle_state == "verified"


def test_lines_that_nobody_wrote_may_be_stood_for(play: Play) -> None:
    session, _ = play([screen(button("Go"), button("Stop", 400), title="Home")])
    with pytest.raises(ExpectationFailed, match=r'or a line of "\.\.\." in its place'):
        session.expect_outline('Button "Go"', timeout=0.2)
    session.expect_outline('Button "Go"\n...')


def test_an_outline_that_a_test_wrote(play: Play) -> None:
    box = node(
        "CheckBox", (0, 400, 500, 500), text="News", checkable=True, checked=True, clickable=True
    )
    session, _ = play([screen(button("Go"), box, title="Home")])
    session.expect_outline("""
        Home
        Button "Go"
        CheckBox "News" [checked]
    """)
    session.expect_outline('...\nCheckBox "News"')
    with pytest.raises(ExpectationFailed) as failed:
        session.expect_outline('Button "Go"\nCheckBox "News" [unchecked]', timeout=0.2)
    shown = str(failed.value)
    assert "expect_outline of 2 lines on scripted:" in shown
    assert '\n  - CheckBox "News" [unchecked]\n  + CheckBox "News" [checked]\n' in shown
    assert "Next:" not in shown, "which is for lines that no one wrote"
    assert shown.count('Button "Go"') == 2, (
        "once next to the difference, once in the outline of the screen"
    )


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
