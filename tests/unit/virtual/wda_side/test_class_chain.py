"""Class chains: steps, predicates, numbers, and what is none."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import WdaError
from pytest_replicant.virtual.wda_side.class_chain import find_chain

from .elements import names, shop


@pytest.mark.parametrize(
    ("chain", "found"),
    [
        ("XCUIElementTypeWindow", [None]),
        ("XCUIElementTypeButton", []),  # none directly below the application
        ("**/XCUIElementTypeButton", ["Add", "Add", "Buy"]),
        ("XCUIElementTypeWindow/XCUIElementTypeButton", ["Buy"]),
        ("XCUIElementTypeWindow/**/XCUIElementTypeButton", ["Add", "Add", "Buy"]),
        ("**/XCUIElementTypeTable/XCUIElementTypeButton", []),
        ("**/XCUIElementTypeTable/*/XCUIElementTypeButton", ["Add", "Add"]),
        ("**/XCUIElementTypeCell[1]", ["row 1"]),
        ("**/XCUIElementTypeCell[2]", ["row 2"]),
        ("**/XCUIElementTypeCell[-1]", ["row 2"]),
        ("**/XCUIElementTypeCell[-2]", ["row 1"]),
        ("**/XCUIElementTypeCell[3]", []),
        ("**/XCUIElementTypeCell[-3]", []),
        ("**/XCUIElementTypeCell[2]/XCUIElementTypeStaticText", ["Café table"]),
        ("**/XCUIElementTypeCell[-1]/**/XCUIElementTypeAny", ["Café table", "Add"]),
        ("**/XCUIElementTypeButton[`label == 'Buy'`]", ["Buy"]),
        ("**/XCUIElementTypeButton[`label == 'Add'`][-1]", ["Add"]),
        ("**/XCUIElementTypeButton[`enabled == true`][`label BEGINSWITH 'B'`]", []),
        ("**/XCUIElementTypeCell[$label == 'Lamp'$]", ["row 1"]),
        (
            "**/XCUIElementTypeCell[$label == 'Lamp'$]/XCUIElementTypeButton[`value == '1'`]",
            ["Add"],
        ),
        ("**/*[`label == 'a/b[1]'`]", []),  # a slash within a predicate is none of the chain's
        ("*/*", ["rows", "Buy"]),
        ("**/XCUIElementTypeAny[`false`]", []),
    ],
)
def test_what_a_chain_finds(chain: str, found: list[str | None]) -> None:
    assert names(find_chain(chain, shop())) == found


@pytest.mark.parametrize(
    "chain",
    [
        "",
        "/",
        "**/",
        "**",
        "/XCUIElementTypeButton",
        "XCUIElementTypeWindow//XCUIElementTypeButton",
        "Button",
        "**/XCUIElementTypeButton[",
        "**/XCUIElementTypeButton[0]",
        "**/XCUIElementTypeButton[x]",
        "**/XCUIElementTypeButton[1][2]",
        "**/XCUIElementTypeButton[1][`label == 'x'`]",
        "**/XCUIElementTypeButton[`label == 'x'",
        "**/XCUIElementTypeButton[`label ==`]",
        "**/XCUIElementTypeButton extra",
    ],
)
def test_what_is_no_chain(chain: str) -> None:
    with pytest.raises(WdaError) as refused:
        find_chain(chain, shop())
    assert refused.value.error == "invalid selector"
