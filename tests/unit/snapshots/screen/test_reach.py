"""What would take a touch that is meant for something else."""

from __future__ import annotations

from pytest_replicant.model import Rect
from pytest_replicant.snapshots import Snapshot

from .. import ios_screens as ios
from ..screens import button, hierarchy, node, parse, screen


def covers(snapshot: Snapshot, label: str) -> list[tuple[str, Rect]]:
    _, found = snapshot.reach(snapshot.find(text=label))
    return [(cover.kind, cover.bounds) for cover in found]


def test_an_alert_of_ios_covers_the_app_and_hides_none_of_its_own_buttons() -> None:
    words = ios.static("Delete?", at=(60, 250, 250, 20))
    alert = ios.el(
        "Alert",
        words,
        ios.button("Yes", at=(60, 330, 125, 44)),
        at=(50, 240, 275, 140),
        label="Delete?",
    )
    window = ios.el("Window", ios.el("Other", ios.button("Buy")))
    snapshot = ios.parse(ios.app(window, ios.el("Window", ios.el("Other", alert))))
    assert covers(snapshot, "Yes") == []
    assert snapshot.beneath is not None
    below = snapshot.beneath.find(text="Buy")
    _, found = snapshot.reach(below)
    assert [cover.kind for cover in found] == ["window"]


def test_nothing_is_beneath_a_screen_that_shows_all_it_has() -> None:
    assert parse(screen(button("Buy"))).beneath is None


def test_the_keys_of_a_keyboard_are_not_looked_for_beneath() -> None:
    keys = node("FrameLayout", button("q", at=(0, 1600, 100, 1700)), at=(0, 1600, 1080, 2400),
                package="com.google.android.inputmethod.latin")  # fmt: skip
    app = node("FrameLayout", button("Buy"), button("Far", at=(0, 2500, 500, 2600)))
    beneath = parse(hierarchy(app, keys)).beneath
    assert beneath is not None
    assert beneath.find_all(text="Far")
    assert not beneath.find_all(text="q")
