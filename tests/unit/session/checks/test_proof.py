"""What a check proves: for how long, of which action, and what came after the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pytest_replicant import DeviceSession, ExpectationFailed, by
from pytest_replicant.testing import virtual_session
from pytest_replicant.virtual import Button, Column, RunningApp, Screen, Switch, Text, Widget

from ..findings import ends, vacuous
from ..on_phone import PACKAGE, QUICK, trial

Hope = RunningApp[dict[str, Any]]


class Hopeful(Screen[dict[str, Any]]):
    """A switch and a button that show their effect at once, and take it back; and what comes
    late."""

    title = "Hope"

    def build(self, app: Hope) -> Widget:
        state = app.state

        def flip(on: bool) -> None:
            state.update(on=on)
            app.after(600, lambda: state.update(on=False))

        def like() -> None:
            state.update(liked=True)
            app.after(600, lambda: state.update(liked=False))

        def later() -> None:
            app.after(1500, lambda: state.update(late=True))

        def note() -> None:
            state.update(note=True)
            app.after(600, lambda: state.update(note=False))

        return Column(
            [
                Switch("Sync", id="sync", checked=state.get("on", False), on_change=flip),
                Button("Liked" if state.get("liked") else "Like", id="like", on_click=like),
                Button("Later", on_click=later),
                Button("Note", on_click=note),
                Button("Dead", on_click=lambda: None),
                *([Text("Late news")] if state.get("late") else ()),
                *([Text("Noted")] if state.get("note") else ()),
            ]
        )


@pytest.fixture(params=["android", "ios"])
def mobile(request: pytest.FixtureRequest) -> Iterator[DeviceSession]:
    with virtual_session(
        trial(Hopeful), platform=request.param, **{**QUICK, "read_on": 3.0}
    ) as session:
        session.snapshot()
        yield session


def test_what_an_app_takes_back_does_not_stay(mobile: DeviceSession) -> None:
    sync = by(resource_id="sync")
    mobile.tap(sync).expect_state(checked=True)  # so much is true, for the moment
    mobile._context.clock.sleep(1)
    with pytest.raises(ExpectationFailed, match="checked=False"):
        mobile.tap(sync).expect_state(checked=True, stays=1)
    mobile._context.clock.sleep(1)
    with pytest.raises(ExpectationFailed):
        mobile.tap(resource_id="like").expect_visible(text="Liked", stays=1)
    with pytest.raises(ExpectationFailed):
        mobile.tap(resource_id="like").expect_count(1, text="Liked", stays=1)
    mobile.tap(text="Dead").expect_visible(text="Like", stays=0.8).expect_screen("Hope", stays=0.8)
    mobile.expect_app("foreground", PACKAGE, stays=0.8)


def test_an_effect_that_reads_made_anyway_saw_undone_is_named(mobile: DeviceSession) -> None:
    mobile.tap(resource_id="like").expect_visible(text="Liked")
    mobile._context.clock.sleep(1)
    mobile.tap(text="Dead")
    (note,) = vacuous(mobile)
    assert note.startswith('expect_visible text="Liked" held, and was undone 1.')


def test_a_control_that_was_set_back_is_named(mobile: DeviceSession) -> None:
    mobile.adjust(by(resource_id="sync"), to=True)
    mobile._context.clock.sleep(1)
    mobile.expect_visible(text="Like")
    assert any(
        line.startswith("adjust resource_id=") and "undone" in line for line in vacuous(mobile)
    ), vacuous(mobile)


def test_a_message_that_came_and_went_is_no_effect_undone(mobile: DeviceSession) -> None:
    mobile.tap(text="Note").expect_visible(text="Noted")
    mobile._context.clock.sleep(1)
    mobile.tap(text="Dead")
    assert vacuous(mobile) == ()


def test_a_failed_check_says_what_came_after_the_verdict(mobile: DeviceSession) -> None:
    outcome = mobile.tap(text="Later")
    with pytest.raises(ExpectationFailed, match=r"absent .*0\.5 s\)") as caught:
        outcome.expect_visible(text="Late news", timeout=0.5)
    assert "After the verdict: appeared 0." in str(caught.value)
    with pytest.raises(ExpectationFailed, match="After the verdict: not in 3 s more"):
        outcome.expect_visible(text="Never", timeout=0.1)


def test_what_proves_itself_is_verified_and_what_is_read_is_listed_apart(
    mobile: DeviceSession,
) -> None:
    mobile.expect_visible(text="Hope")
    mobile.adjust(resource_id="sync", to=True)
    assert ends(mobile) == ("", "", 0), "it has read its own effect"
    mobile.tap(text="Dead")
    assert ends(mobile) == ('ends on an unverified action: tap text="Dead"', "", 1)
    assert mobile.find_all(text="Never") == []
    assert ends(mobile) == ("", 'ends on an unverified action: tap text="Dead"', 0)
    assert "Dead" in mobile.tap(text="Dead").snapshot.outline()
    assert ends(mobile) == ("", 'ends on an unverified action: tap text="Dead"', 0)
    mobile.adjust(resource_id="sync", to=False, silent=True)
    assert ends(mobile) == (
        'ends on an unverified action: adjust resource_id="sync" to False',
        "",
        1,
    )


@pytest.mark.parametrize(
    "check",
    [
        lambda on: on.expect_visible(text="Like"),
        lambda on: on.expect_screen("Hope"),
        lambda on: on.expect_seen(text="Like"),
        lambda on: on.expect_app("foreground", PACKAGE),
        lambda on: on.expect_gone(text="Never"),
        lambda on: on.expect_state(by(resource_id="sync"), checked=False),
    ],
    ids=["visible", "screen", "seen", "app", "gone", "state"],
)
def test_a_check_of_the_screen_that_held_before_verifies_no_action(
    mobile: DeviceSession, check: Any
) -> None:
    outcome = mobile.tap(text="Dead")
    check(mobile)
    assert outcome.result.lifecycle_state == "pending_verification"
    mobile.tap(resource_id="like").expect_visible(text="Liked")
    outcome = mobile.tap(text="Later")
    mobile.expect_visible(text="Late news", timeout=3)
    assert outcome.result.lifecycle_state == "verified"
