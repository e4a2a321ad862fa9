"""Selectors: every keyword on a catalogue, and wrong ones with the sentence that corrects them."""

from __future__ import annotations

import re

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.model import Selector, by
from pytest_replicant.snapshots import check_selector, checked_ref, selector_of

from ..screens import SHOP, button, labels_of, parse, row, screen


def test_within_takes_a_ref_an_element_or_a_selector() -> None:
    snapshot = parse(SHOP)
    lists = snapshot.find(role="list")
    for target in (lists.ref, lists, by(role="list")):
        assert len(snapshot.match(by(text="Add", within=target))) == 3
    assert snapshot.match(by(text="Nothing", within=lists)) == []
    assert labels_of(
        snapshot.match_labels(by(text_matches="", within=by(class_name="Toolbar")))
    ) == ["Catalogue"]


def test_the_title_is_seen_by_checks_and_does_not_compete_with_a_button() -> None:
    snapshot = parse(screen(button("Sign in"), title="Sign in"))
    assert snapshot.find(text="Sign in").class_name == "Button"
    assert len(snapshot.match_labels(by(text="Sign in"))) == 2
    assert parse(SHOP).find(text="Catalogue").class_name == "TextView"


def test_a_string_in_the_place_of_a_relation_is_a_text() -> None:
    assert by(text="Add", row_with="Red mug") == by(text="Add", row_with=by(text="Red mug"))
    assert by(has="a", has_not="b") == by(has=by(text="a"), has_not=by(text="b"))
    assert by(text="Add", within="k427", near="k12") == by(
        text="Add", within="k427", near=by(text="k12")
    )
    assert by(text=re.compile("^Add$")) == by(text_matches=re.compile("^Add$"))
    assert parse(SHOP).find_all(text="Add", row_with="Red mug") == parse(SHOP).match(
        by(text="Add", row_with=by(text="Red mug"))
    )


def test_a_place_beyond_the_elements_is_not_counted_among_folded_labels() -> None:
    milk = row("Milk", "£1", 500, clickable="true")
    snapshot = parse(
        screen(button("Milk", at=(0, 300, 90, 390)), milk, button("Milk", at=(0, 900, 90, 990)))
    )
    assert [element.bounds.top for element in snapshot.find_all(text="Milk")] == [300, 900]
    assert snapshot.find_all(text="Milk", nth=1)[0].bounds.top == 900
    assert snapshot.find_all(text="Milk", nth=2) == []
    assert snapshot.find_all(text="Add", row_with=by(text="Milk", nth=2)) == []


def test_an_element_of_another_read_is_an_anchor_by_who_it_is() -> None:
    before = parse(SHOP, "s1").find(role="list")
    assert len(parse(SHOP, "s2").match(by(text="Add", within=before))) == 3
    assert parse(screen(button("Add")), "s3").match(by(text="Add", within=before)) == []


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
    with pytest.raises(
        UsageError, match=r"tap\(\) needs at least one selector keyword, such as text="
    ):
        selector_of("tap", {"text": None})


@pytest.mark.parametrize("vague", [by(nth=0), by(text_matches="x*"), by(text="Add", has=by(nth=1))])
def test_a_selector_of_nothing_in_particular_is_only_refused_where_checked_strictly(
    vague: Selector,
) -> None:
    check_selector(vague)
    with pytest.raises(UsageError):
        check_selector(vague, strict=True)


def test_a_string_in_the_place_of_a_ref_is_answered_with_the_call_to_write() -> None:
    assert checked_ref("tap", "k427") == "k427"
    for wrong, message in (
        ("[k427]", 'without its brackets: "k427"'),
        ("Add", 'Did you mean find(text="Add")?'),
    ):
        with pytest.raises(UsageError, match=re.escape(message)):
            parse(SHOP).element(wrong)
