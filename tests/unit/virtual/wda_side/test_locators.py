"""Finding elements by each strategy, and by what is none."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import WdaError
from pytest_replicant.virtual.wda_side.commands_find import find

from .elements import element, names, shop


@pytest.mark.parametrize(
    ("using", "value", "found"),
    [
        ("id", "Buy", ["Buy"]),
        ("name", "Lamp", ["Lamp"]),
        ("accessibility id", "Add", ["Add", "Add"]),
        ("id", "Nothing", []),
        ("class name", "XCUIElementTypeCell", ["row 1", "row 2"]),
        ("class name", "Cell", []),
        ("predicate string", "label BEGINSWITH 'Caf'", ["Café table"]),
        ("class chain", "**/XCUIElementTypeButton[`label == 'Buy'`]", ["Buy"]),
        ("xpath", "//XCUIElementTypeCell[2]/XCUIElementTypeStaticText", ["Café table"]),
        ("xpath", "//*[@label='Buy' and @enabled='false']", ["Buy"]),
        ("xpath", "//XCUIElementTypeButton[starts-with(@value, '2')]", ["Add"]),
        ("xpath", "/XCUIElementTypeApplication", ["Shop"]),
        ("xpath", "//XCUIElementTypeSlider", []),
        ("link text", "label=Buy", ["Buy"]),
        ("link text", "Buy", ["Buy"]),
        ("link text", "label=Bu", []),
        ("partial link text", "label=table", ["Café table"]),
        ("partial link text", "row", ["rows", "row 1", "row 2"]),
    ],
)
def test_what_is_found(using: str, value: str, found: list[str]) -> None:
    assert names(find(using, value, shop())) == found


@pytest.mark.parametrize(
    ("using", "value"),
    [
        ("css selector", "button"),
        ("", ""),
        ("xpath", "//*["),
        ("xpath", "count(//*)"),
        ("xpath", "//*/@label"),
        ("xpath", "//*[@label='\x00']"),
        ("xpath", "//*[@label='\ud800']"),
        ("xpath", "//no:prefix"),
        ("predicate string", "label ="),
        ("class chain", "//"),
        ("link text", "colour=red"),
    ],
)
def test_what_is_no_locator(using: str, value: str) -> None:
    with pytest.raises(WdaError) as refused:
        find(using, value, shop())
    assert refused.value.error == "invalid selector"


def test_hostile_labels_are_text_and_nothing_else() -> None:
    hostile = '<x a="1">]]>&amp;\x00\x1b\ud800`"'
    tree = element("Application", "A", element("Button", hostile), element("Button", "Buy"))
    assert names(find("xpath", "//*[@label='Buy']", tree)) == ["Buy"]
    assert find("id", hostile, tree) == [tree.children[0]]


def test_a_tree_may_be_deep() -> None:
    tree = element("Button", "at the bottom")
    for _ in range(600):
        tree = element("Other", "", tree)
    tree = element("Application", "A", tree)
    for using, value in (
        ("xpath", "//XCUIElementTypeButton"),
        ("class chain", "**/XCUIElementTypeButton"),
        ("id", "at the bottom"),
        ("predicate string", "type ENDSWITH 'Button'"),
    ):
        assert names(find(using, value, tree)) == ["at the bottom"]
