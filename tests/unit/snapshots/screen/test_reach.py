"""What would take a touch that is meant for something else."""

from __future__ import annotations

from pytest_replicant.model import Rect
from pytest_replicant.snapshots import Snapshot

from .. import ios_screens as ios
from ..screens import button, hierarchy, node, parse, screen, text


def covers(snapshot: Snapshot, label: str) -> list[tuple[str, Rect]]:
    _, found = snapshot.reach(snapshot.find(text=label))
    return [(cover.kind, cover.bounds) for cover in found]


def test_a_button_by_itself_is_covered_by_nothing() -> None:
    assert (
        covers(parse(screen(text("Title", at=(0, 0, 500, 80)), button("Buy", at=(0, 100, 500, 200)))), "Buy") == []
    )


def test_what_comes_later_and_can_be_touched_lies_over_it() -> None:
    over = button("Over", at=(400, 100, 600, 200))
    snapshot = parse(screen(button("Buy", at=(0, 100, 500, 200)), over))
    assert covers(snapshot, "Buy") == [("over", Rect(400, 100, 600, 200))]
    assert covers(snapshot, "Over") == []


def test_a_button_in_a_card_takes_its_own_touches() -> None:
    inner = button("Add", at=(300, 100, 500, 200))
    card = node("LinearLayout", text("Mug", at=(0, 100, 300, 200)), inner, at=(0, 100, 500, 200), clickable="true")
    assert covers(parse(screen(card)), "Mug") == [("inside", Rect(300, 100, 500, 200))]


def test_what_fills_a_card_without_a_name_of_its_own_is_one_thing_with_it() -> None:
    named = {"clickable": "true", "content_desc": "Expand"}
    wide = node("ViewGroup", at=(0, 110, 500, 190), clickable="true")
    assert covers(parse(screen(node("ViewGroup", wide, at=(0, 100, 500, 200), **named))), "Expand") == []
    narrow = node("ViewGroup", at=(0, 100, 250, 200), clickable="true")
    snapshot = parse(screen(node("ViewGroup", narrow, at=(0, 100, 500, 200), **named)))
    assert covers(snapshot, "Expand") == [("inside", Rect(0, 100, 250, 200))]


def test_a_notice_covers_with_all_of_itself_and_a_pane_does_not() -> None:
    notice = node("FrameLayout", text("Saved", at=(50, 120, 400, 180)), at=(0, 100, 1080, 200))
    snapshot = parse(screen(button("Buy", at=(0, 100, 500, 200)), node("FrameLayout", notice)))
    assert covers(snapshot, "Buy") == [("over", Rect(0, 100, 1080, 200))]
    named = node("View", at=(0, 0, 1080, 2400), content_desc="Home")
    assert covers(parse(screen(button("Buy", at=(0, 100, 500, 200)), named)), "Buy") == []


def test_a_notice_with_a_button_covers_with_all_of_itself_though_its_text_lies_within_what_it_covers() -> None:
    below = ios.button("Next", at=(16, 570, 340, 48))
    reported, undo = ios.static("Archived", at=(24, 584, 250, 20)), ios.button("Undo", at=(280, 572, 60, 48))
    bar = ios.el("Other", reported, undo, at=(8, 568, 359, 56))
    snapshot = ios.parse(ios.screen(below, bar))
    kinds = [kind for kind, bounds in covers(snapshot, "Next") if bounds == Rect(8, 568, 367, 624)]
    assert kinds == ["over"]
    caption = ios.static("Next to come", at=(24, 584, 250, 20))
    assert covers(ios.parse(ios.screen(below, ios.el("Other", caption, at=(8, 568, 359, 56)))), "Next") == []


def test_a_row_that_is_half_scrolled_away_covers_only_what_it_is_seen_over() -> None:
    above = ios.button("Filter", at=(0, 70, 375, 30))
    row = ios.el("Cell", ios.static("Row 8", at=(16, 80, 100, 20), visible="false"), at=(0, 60, 375, 60))
    rows = ios.el("Table", row, at=(0, 104, 375, 563))
    snapshot = ios.parse(ios.screen(above, rows))
    assert covers(snapshot, "Filter") == []
    lower = ios.el("Table", row, at=(0, 80, 375, 587))
    assert covers(ios.parse(ios.screen(above, lower)), "Filter") == [("over", Rect(0, 80, 375, 120))]


def test_only_what_is_in_view_of_a_list_can_be_touched() -> None:
    row = button("Row", at=(0, 950, 1080, 1100))
    listed = node(
        "RecyclerView", button("First", at=(0, 200, 1080, 350)), row, at=(0, 200, 1080, 1000), scrollable="true"
    )
    snapshot = parse(screen(listed))
    assert snapshot.reach(snapshot.find(text="Row"))[0] == Rect(0, 950, 1080, 1000)


def test_a_keyboard_is_distinguished() -> None:
    keys = node("FrameLayout", at=(0, 1600, 1080, 2400), package="com.google.android.inputmethod.latin")
    app = node("FrameLayout", button("Buy", at=(0, 1550, 500, 1700)))
    assert covers(parse(hierarchy(app, keys)), "Buy") == [("keyboard", Rect(0, 1600, 1080, 2400))]


def test_the_bars_of_ios_lie_above_what_scrolls_under_them() -> None:
    bar = ios.el("NavigationBar", ios.button("Back", at=(0, 20, 60, 44)), at=(0, 20, 375, 44), name="Shop")
    for inside in ((bar, ios.button("Buy", at=(16, 50, 100, 44))), (ios.button("Buy", at=(16, 50, 100, 44)), bar)):
        snapshot = ios.parse(ios.app(ios.el("Window", ios.el("Other", *inside))))
        assert ("over", Rect(0, 20, 375, 64)) in covers(snapshot, "Buy")
        assert covers(snapshot, "Back") == []


def test_a_banner_of_ios_covers_with_all_of_itself_where_it_has_a_button() -> None:
    words = ios.static("Archived one message", at=(24, 618, 250, 20))
    undo = ios.button("Undo", at=(300, 604, 66, 48))
    place = (8, 600, 359, 56)
    page = ios.button("Next", at=(16, 600, 343, 48))
    snapshot = ios.parse(ios.app(ios.el("Window", ios.el("Other", page), ios.el("Other", words, undo, at=place))))
    assert ("over", Rect(8, 600, 367, 656)) in covers(snapshot, "Next")
    bare = ios.parse(ios.app(ios.el("Window", ios.el("Other", page), ios.el("Other", words, at=place))))
    assert covers(bare, "Next") == []


def test_an_alert_of_ios_covers_the_app_and_hides_none_of_its_own_buttons() -> None:
    words = ios.static("Delete?", at=(60, 250, 250, 20))
    alert = ios.el(
        "Alert", words, ios.button("Yes", at=(60, 330, 125, 44)), at=(50, 240, 275, 140), label="Delete?"
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
