"""Selectors: every keyword on a catalogue, and wrong ones with the sentence that corrects them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.model import Node, Rect, Selector, States, by
from pytest_replicant.snapshots import Snapshot, check_selector, checked_ref, selector_of
from pytest_replicant.snapshots.parsers.dump import Dump

from ..screens import SHOP, button, labels_of, node, parse, row, screen, text

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
    assert labels_of(parse(FORM).match(selector)) == expected


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
    assert labels_of(snapshot.match_labels(by(text_matches="", within=by(class_name="Toolbar")))) == ["Catalogue"]


def test_has_looks_at_what_is_inside_folded_labels_included() -> None:
    snapshot = parse(
        screen(row("Blue mug", "£9.90", 400, clickable="true"), row("Tray", "£1", 500, clickable="true"))
    )
    assert labels_of(snapshot.match(by(has=by(text="Tray")))) == ["Tray £1"]
    assert labels_of(snapshot.match(by(has=by(text="Add")))) == ["Blue mug £9.90", "Tray £1"]


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
    assert labels_of(snapshot.match_labels(by(text="Blue mug"))) == ["Blue mug £9.90"]
    assert snapshot.find(text="Blue mug").label == "Blue mug £9.90"
    assert labels_of(snapshot.find_all(text="£9.90")) == ["Blue mug £9.90"]


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
    assert labels_of(snapshot.match(by(class_name="Button"))) == ["a", "b", "c"]


def test_wrong_targets_are_usage_errors() -> None:
    snapshot = parse(SHOP)
    with pytest.raises(UsageError, match="no regular expression"):
        snapshot.match(by(text_matches="(Add"))


def test_a_string_in_the_place_of_a_relation_is_a_text() -> None:
    assert by(text="Add", row_with="Red mug") == by(text="Add", row_with=by(text="Red mug"))
    assert by(has="a", has_not="b") == by(has=by(text="a"), has_not=by(text="b"))
    assert by(text="Add", within="k427", near="k12") == by(text="Add", within="k427", near=by(text="k12"))
    assert by(text=re.compile("^Add$")) == by(text_matches=re.compile("^Add$"))
    assert parse(SHOP).find_all(text="Add", row_with="Red mug") == parse(SHOP).match(
        by(text="Add", row_with=by(text="Red mug"))
    )


def test_labels_are_compared_composed_and_with_single_spaces() -> None:
    snapshot = parse(screen(button("Cafe\u0301  noir\u200b")))
    for text_ in ("Caf\u00e9 noir", "Cafe\u0301 noir", " Caf\u00e9\n\tnoir ", "Caf\u00e9\u200e noir"):
        assert len(snapshot.match(by(text=text_))) == 1
        assert len(snapshot.match(by(text_contains=text_))) == 1
    assert snapshot.match(by(text="caf\u00e9 noir")) == []
    assert snapshot.match(by(text_contains="NOIR")) == []
    assert snapshot.match(by(text="Caf\u00e9")) == []


@pytest.mark.parametrize("state", ["enabled", "checked", "selected", "focused"])
def test_what_is_not_reported_is_neither_true_nor_false(state: str) -> None:
    one: dict[str, Any] = {state: True}
    other: dict[str, Any] = {state: False}
    yes, no = by(**one), by(**other)
    silent = parse(screen(button("Silent")))
    assert silent.match(yes) == silent.match(no) == []
    off: dict[str, Any] = {"enabled": "false", "checked": "false", "selected": "false", "focused": "false"}
    message = parse(screen(node("Button", text="Told", checkable="true", **off)))
    assert len(message.match(no)) == 1
    assert message.match(yes) == []


@pytest.mark.parametrize(
    ("selector", "count"),
    [
        (by(text="Add", class_name="Button", row_with=by(text="Tray", class_name="TextView")), 1),
        (by(text="Add", row_with=by(text="Tray"), nth=0), 1),
        (by(text="Add", row_with=by(text="Tray"), nth=1), 0),
        (by(text="Add", row_with=by(text="Tray"), near=by(text="Red mug")), 1),
        (by(text="Add", row_with=by(text="Coffee")), 0),
        (by(text="Add", row_with=by(text_matches="mug")), 2),
        (by(text="Add", near=by(text="Coffee")), 0),
        (by(text="Add", within=by(role="list", has=by(text="Tray"))), 3),
        (by(text="Add", within=by(role="list", has=by(text="Coffee"))), 0),
        (by(text="Add", within=by(class_name="LinearLayout", has=by(text="Tray"))), 1),
        (by(text="Add", within=by(class_name="LinearLayout")), 3),
        (by(text="Add", row_with=by(text_contains="mug", nth=1)), 1),
        (by(text="Add", within="k427"), 0),
        (by(text="Add", within=by(class_name="RecyclerView", within=by(class_name="FrameLayout"))), 3),
        (by(role="list", has=by(text="Add", row_with=by(text="Red mug"))), 1),
    ],
)
def test_keywords_together_and_inside_each_other(selector: Selector, count: int) -> None:
    assert len(parse(SHOP).match(selector)) == count


def test_a_container_of_no_size_still_contains() -> None:
    pane = node("ViewGroup", button("OK"), at=(0, 0, 0, 0), resource_id="dev.shop:id/pane")
    snapshot = parse(screen(pane, button("OK", at=(0, 900, 200, 990))))
    (found,) = snapshot.match(by(text="OK", within=by(resource_id="pane")))
    assert found.bounds.top == 300


def test_a_button_with_its_label_inside_belongs_to_the_row_around_it() -> None:
    def entry(name: str, top: int) -> str:
        inner = node(
            "ViewGroup", text("Add", at=(900, top, 990, top + 50)), at=(900, top, 990, top + 90), clickable="true"
        )
        return node("LinearLayout", text(name, at=(0, top, 300, top + 90)), inner, at=(0, top, 1080, top + 90))

    snapshot = parse(screen(node("RecyclerView", entry("Milk", 300), entry("Bread", 400), scrollable="true")))
    (found,) = snapshot.match(by(text="Add", row_with=by(text="Bread")))
    assert found.bounds.top == 400


SWITCHES = screen(
    node(
        "LinearLayout",
        text("Wi-Fi", at=(0, 300, 300, 350), enabled="true"),
        text("Connected", at=(0, 350, 300, 400), enabled="true"),
        at=(0, 300, 1080, 400),
        clickable="true",
        selected="true",
        resource_id="dev.shop:id/wifi",
    )
)


@pytest.mark.parametrize(
    "selector",
    [
        by(text="Wi-Fi"),
        by(text_contains="Connect"),
        by(text_matches="^Wi.Fi$"),
        by(text="Wi-Fi", class_name="TextView"),
        by(text="Wi-Fi", class_name="LinearLayout"),
        by(text="Wi-Fi", resource_id="wifi"),
        by(text="Wi-Fi", selected=True),
    ],
)
def test_a_folded_label_stands_for_its_row_with_what_is_true_of_either(selector: Selector) -> None:
    found = parse(SWITCHES).match_labels(selector)
    assert [element.resource_id for element in found] == ["dev.shop:id/wifi"]


def test_a_place_beyond_the_elements_is_not_counted_among_folded_labels() -> None:
    milk = row("Milk", "£1", 500, clickable="true")
    snapshot = parse(screen(button("Milk", at=(0, 300, 90, 390)), milk, button("Milk", at=(0, 900, 90, 990))))
    assert [element.bounds.top for element in snapshot.find_all(text="Milk")] == [300, 900]
    assert snapshot.find_all(text="Milk", nth=1)[0].bounds.top == 900
    assert snapshot.find_all(text="Milk", nth=2) == []
    assert snapshot.find_all(text="Add", row_with=by(text="Milk", nth=2)) == []


def test_what_is_true_of_neither_does_not_stand_for_the_row() -> None:
    snapshot = parse(SWITCHES)
    assert snapshot.match_labels(by(text="Wi-Fi", class_name="Switch")) == []
    assert snapshot.match_labels(by(text="Wi-Fi", selected=False)) == []


@pytest.mark.parametrize(
    ("selector", "labels"),
    [
        (by(android=by(ios=by(text="Email"))), []),
        (by(android=by(android=by(text="Email"))), ["Email"]),
        (by(text="E-Mail", android=by(text="Email")), ["Email"]),
        (by(text="Email", ios=by(text="E-Mail")), ["Email"]),
        (by(android=by(text="Email"), nth=0), ["Email"]),
        (by(text="Remember me", android=by(enabled=True)), []),
        (by(class_name="EditText", android=by(within=by(ios=by(text="x")))), []),
    ],
)
def test_the_branch_of_the_platform_is_laid_over_the_rest(selector: Selector, labels: list[str]) -> None:
    assert labels_of(parse(FORM).match(selector)) == labels


def phone(*nodes: Node) -> Snapshot:
    return Snapshot(Dump(platform="ios", nodes=nodes, size=(390, 844), reports_hints=True))


def ios_node(index: int, class_name: str, **values: Any) -> Node:
    bounds = Rect(0, index * 50, 390, index * 50 + 40 if index else 844)
    defaults = {
        "parent": 0 if index else -1, "children": (1, 2) if not index else (), "package": "", "resource_id": "",
        "text": "", "description": "", "hint": "", "bounds": bounds,
        "states": States(), "clickable": class_name == "Button", "long_clickable": False, "checkable": False,
        "visible": True, "window": 0,
    }  # fmt: skip
    return Node(index=index, class_name=class_name, **{**defaults, **values})


@pytest.mark.parametrize(
    ("selector", "labels"),
    [
        (by(class_name="XCUIElementTypeButton"), ["Sign in"]),
        (by(class_name="Button"), ["Sign in"]),
        (by(class_name="android.widget.Button"), []),
        (by(resource_id="sign_in_button"), ["Sign in"]),
        (by(text="Sign in", ios=by(class_name="XCUIElementTypeButton")), ["Sign in"]),
        (by(android=by(text="Sign in")), []),
    ],
)
def test_ios_has_its_own_class_names_and_identifiers(selector: Selector, labels: list[str]) -> None:
    snapshot = phone(
        ios_node(0, "Application"),
        ios_node(1, "Button", text="Sign in", resource_id="sign_in_button"),
        ios_node(2, "StaticText", text="Welcome"),
    )
    assert labels_of(snapshot.match(selector)) == labels


def test_a_class_of_ios_says_nothing_on_android() -> None:
    assert parse(FORM).match(by(class_name="XCUIElementTypeCheckBox")) == []


def test_an_element_of_another_read_is_an_anchor_by_who_it_is() -> None:
    before = parse(SHOP, "s1").find(role="list")
    assert len(parse(SHOP, "s2").match(by(text="Add", within=before))) == 3
    assert parse(screen(button("Add")), "s3").match(by(text="Add", within=before)) == []


def test_on_ios_a_description_is_the_one_label_there_is() -> None:
    gear = ios_node(1, "Button", text="Settings")
    field = ios_node(2, "TextField", text="typed", description="Email", states=States(editable=True))
    snapshot = phone(ios_node(0, "Application"), gear, field)
    assert labels_of(snapshot.match(by(description="Settings"))) == ["Settings"]
    assert [e.class_name for e in snapshot.match(by(description="Email"))] == ["TextField"]
    assert snapshot.match(by(description="typed")) == []
    assert parse(FORM).match(by(description="Remember me")) == []


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"text": 5}, 'text=5 must be a string, such as text="5"'),
        ({"text": b"Add"}, "text=b'Add' must be a string"),
        ({"resource_id": ["a"]}, "resource_id=['a'] must be a string"),
        ({"text": ""}, "text='' describes nothing"),
        ({"text": " \n\u200b"}, "describes nothing"),
        ({"text_contains": ""}, "text_contains='' describes nothing"),
        ({"resource_id": ""}, "resource_id='' describes nothing"),
        ({"description": ""}, "description='' describes nothing"),
        ({"class_name": ""}, "class_name='' describes nothing"),
        ({"text_matches": "(Add"}, "text_matches='(Add' is no regular expression: missing )"),
        ({"text_matches": 5}, "text_matches=5 must be a regular expression"),
        ({"text_matches": re.compile(b"x")}, "of text, not of bytes"),
        ({"role": "buton"}, "no element has role='buton'. Did you mean 'button'? Roles: "),
        ({"role": 3}, "role=3 must be a string"),
        ({"enabled": "yes"}, "enabled='yes' must be True or False"),
        ({"checked": 1}, "checked=1 must be True or False"),
        ({"within": 3}, "within=3 must be a ref, an element or by(...)"),
        ({"near": by(text="")}, "text='' describes nothing"),
        ({"has_not": 7}, "has_not=7 must be a selector: has_not=by(text=...)"),
        ({"any_of": ()}, "any_of=(): it takes several by(...)"),
        ({"any_of": (by(text="A"),), "text": "B"}, "any_of= goes with nth= alone"),
        ({"text_contains": re.compile("a")}, "is a pattern, which text= and description= take"),
        (
            {"text": re.compile("a"), "text_matches": "b"},
            "is a pattern, which text= and description= take, each once",
        ),
        ({"has": 7}, "has=7 must be a selector: has=by(text=...)"),
        ({"android": "x"}, "android='x' must be a selector"),
        ({"nth": True}, "nth=True must be a whole number: nth counts from 0"),
        ({"nth": "1"}, "nth='1' must be a whole number"),
        ({"nth": 1.0}, "nth=1.0 must be a whole number"),
        ({"row_with": by()}, "by() without keywords matches nothing in particular"),
        ({"has": by(text_matches="[")}, "is no regular expression"),
        ({"ios": by(within=Selector(nth="2"))}, "nth='2'"),  # type: ignore[arg-type]
    ],
)
def test_what_is_wrong_is_said_with_what_to_write(keywords: dict[str, Any], message: str) -> None:
    selector = Selector(**keywords)
    with pytest.raises(UsageError, match=re.escape(message)):
        check_selector(selector)
    with pytest.raises(UsageError, match=re.escape(message)):
        parse(SHOP).match(selector)
    with pytest.raises(UsageError, match=re.escape(message)):
        parse(SHOP).find(**keywords)


def test_the_caller_is_named() -> None:
    with pytest.raises(UsageError, match=r"^tap\(\): text=5"):
        check_selector(Selector(text=5), "tap")  # type: ignore[arg-type]  # what is tested


def test_what_is_no_selector_is_refused() -> None:
    with pytest.raises(UsageError, match="'Add' is no selector"):
        parse(SHOP).match("Add")  # type: ignore[arg-type]  # what is tested


def test_selectors_are_not_nested_without_end() -> None:
    selector = by(text="Add")
    for _ in range(10):
        selector = by(within=selector)
    check_selector(selector)
    with pytest.raises(UsageError, match="nested more than 10 deep"):
        check_selector(by(within=selector))


def test_a_selector_inside_itself_is_refused() -> None:
    selector = by(text="Add", has=by(text="x"))
    object.__setattr__(selector, "has", selector)
    with pytest.raises(UsageError, match="nested"):
        check_selector(selector)


def test_a_selector_needs_a_keyword_with_a_value() -> None:
    with pytest.raises(UsageError, match=r"tap\(\) needs at least one selector keyword, such as text="):
        selector_of("tap", {"text": None})


@pytest.mark.parametrize("vague", [by(nth=0), by(text_matches="x*"), by(text="Add", has=by(nth=1))])
def test_a_selector_of_nothing_in_particular_is_only_refused_where_checked_strictly(vague: Selector) -> None:
    check_selector(vague)
    with pytest.raises(UsageError):
        check_selector(vague, strict=True)


def test_a_string_in_the_place_of_a_ref_is_answered_with_the_call_to_write() -> None:
    assert checked_ref("tap", "k427") == "k427"
    for wrong, message in (("[k427]", 'without its brackets: "k427"'), ("Add", 'Did you mean find(text="Add")?')):
        with pytest.raises(UsageError, match=re.escape(message)):
            parse(SHOP).element(wrong)
