"""Every selector keyword, on a catalogue."""

from __future__ import annotations

import re

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.model.selector import Selector, by

from .screens import SHOP, button, node, parse, row, screen, text

FORM = screen(
    text("Welcome, Ada"),
    node(
        "EditText",
        at=(0, 300, 900, 380),
        hint="Email",
        text="ada",
        resource_id="dev.shop:id/email",
        enabled="true",
    ),
    node("CheckBox", at=(0, 400, 900, 480), text="Remember me", checkable="true", checked="true", enabled="false"),
    node(
        "ImageButton",
        at=(0, 500, 90, 590),
        content_desc="Help",
        clickable="true",
        focused="true",
        selected="false",
    ),
)


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (by(text="Email"), ["Email"]),
        (by(text="email"), []),
        (by(text="  Remember \n me "), ["Remember me"]),
        (by(text_contains="Ada"), ["Welcome, Ada"]),
        (by(text_matches=r"^Re.*me$"), ["Remember me"]),
        (by(text_matches=re.compile("welcome", re.IGNORECASE)), ["Welcome, Ada"]),
        (by(resource_id="email"), ["Email"]),
        (by(resource_id="dev.shop:id/email"), ["Email"]),
        (by(description="Help"), ["Help"]),
        (by(class_name="CheckBox"), ["Remember me"]),
        (by(class_name="android.widget.CheckBox"), ["Remember me"]),
        (by(role="text_field"), ["Email"]),
        (by(enabled=False), ["Remember me"]),
        (by(checked=True), ["Remember me"]),
        (by(checked=False), []),  # what cannot be checked is not unchecked
        (by(focused=True), ["Help"]),
        (by(selected=False), ["Help"]),  # unreported is not False
        (by(text="Email", enabled=False), []),
        (by(text_matches="", nth=1), ["Email"]),
        (by(text_matches="", nth=9), []),
        (by(ios=by(text="Email")), []),
        (by(android=by(text="Email"), ios=by(text="E-Mail")), ["Email"]),
        (by(role="text_field", android=by(resource_id="email")), ["Email"]),
        (Selector(), []),
    ],
)
def test_keywords_about_the_element_itself(selector: Selector, expected: list[str]) -> None:
    assert [element.label for element in parse(FORM).match(selector)] == expected


@pytest.mark.parametrize(
    ("selector", "context"),
    [
        (by(text="Add", row_with=by(text="Red mug")), "Red mug £8.00"),
        (by(text="Add", row_with=by(text_contains="12.00")), "Tray £12.00"),
        (by(text="Add", near=by(text="Tray")), "Tray £12.00"),
        (by(text="Add", near=by(text="£9.90")), "Blue mug £9.90"),
        (by(text="Add", nth=2), "Tray £12.00"),
    ],
)
def test_keywords_about_the_surroundings(selector: Selector, context: str) -> None:
    assert [element.context for element in parse(SHOP).match(selector)] == [context]


def test_within_takes_a_ref_an_element_or_a_selector() -> None:
    snapshot = parse(SHOP)
    lists = snapshot.find(role="list")
    for target in (lists.ref, lists, by(role="list")):
        assert len(snapshot.match(by(text="Add", within=target))) == 3
    assert snapshot.match(by(text="Nothing", within=lists)) == []
    assert [e.label for e in snapshot.match_labels(by(text_matches="", within=by(class_name="Toolbar")))] == [
        "Catalogue"
    ]


def test_has_looks_at_what_is_inside_folded_labels_included() -> None:
    snapshot = parse(
        screen(row("Blue mug", "£9.90", 400, clickable="true"), row("Tray", "£1", 500, clickable="true"))
    )
    assert [e.label for e in snapshot.match(by(has=by(text="Tray")))] == ["Tray £1"]
    assert [e.label for e in snapshot.match(by(has=by(text="Add")))] == ["Blue mug £9.90", "Tray £1"]


def test_a_row_is_found_without_a_list_too() -> None:
    bar = node("FrameLayout", text("Milk", at=(0, 300, 90, 390)), button("Delete", at=(500, 300, 600, 390)))
    other = node("LinearLayout", text("Bread", at=(0, 400, 90, 490)), button("Delete", at=(500, 400, 600, 490)))
    snapshot = parse(screen(bar, other))
    (found,) = snapshot.match(by(text="Delete", row_with=by(text="Bread")))
    assert found.bounds.top == 400


def test_equally_near_ones_are_all_returned() -> None:
    snapshot = parse(
        screen(
            button("Pick", at=(0, 300, 100, 400)),
            text("Here", at=(200, 300, 300, 400)),
            button("Pick", at=(400, 300, 500, 400)),
        )
    )
    assert len(snapshot.match(by(text="Pick", near=by(text="Here")))) == 2


def test_a_folded_label_counts_only_where_labels_are_asked_for() -> None:
    snapshot = parse(screen(row("Blue mug", "£9.90", 400, clickable="true")))
    assert snapshot.match(by(text="Blue mug")) == []
    assert [e.label for e in snapshot.match_labels(by(text="Blue mug"))] == ["Blue mug £9.90"]
    assert snapshot.find(text="Blue mug").label == "Blue mug £9.90"
    assert [e.label for e in snapshot.find_all(text="£9.90")] == ["Blue mug £9.90"]


def test_the_title_is_seen_by_checks_and_does_not_compete_with_a_button() -> None:
    snapshot = parse(screen(button("Sign in"), title="Sign in"))
    assert snapshot.find(text="Sign in").class_name == "Button"
    assert len(snapshot.match_labels(by(text="Sign in"))) == 2
    assert parse(SHOP).find(text="Catalogue").class_name == "TextView"


def test_one_row_is_one_match_however_many_of_its_labels_fit() -> None:
    snapshot = parse(screen(row("Mug", "Mug", 400, clickable="true")))
    assert len(snapshot.match_labels(by(text_contains="Mug"))) == 1


def test_reading_order_is_from_the_top_then_from_the_left() -> None:
    snapshot = parse(
        screen(
            button("c", at=(0, 500, 90, 590)),
            button("b", at=(500, 300, 590, 390)),
            button("a", at=(0, 300, 90, 390)),
        )
    )
    assert [element.label for element in snapshot.match(by(class_name="Button"))] == ["a", "b", "c"]


def test_wrong_targets_are_usage_errors() -> None:
    snapshot = parse(SHOP)
    with pytest.raises(UsageError, match="nth counts from 0"):
        snapshot.match(by(text="Add", nth=-1))
    with pytest.raises(UsageError, match="no regular expression"):
        snapshot.match(by(text_matches="(Add"))
    with pytest.raises(UsageError, match=r"by\(text='Red mug'\)"):
        snapshot.match(by(text="Add", within="Red mug"))
