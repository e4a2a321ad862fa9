"""NSPredicate: what it says of an element, and what is none."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import WdaError
from pytest_replicant.virtual.wda_side.attributes import read
from pytest_replicant.virtual.wda_side.predicate import parse_predicate

from .elements import element

BUTTON = element(
    "Button", "Add to cart", value="3", identifier="add", placeholder=None, visible=False
)
QUOTED = element("StaticText", 'it\'s "5\\6"', value=None)
CAFE = element("StaticText", "Café\nNoir")


def holds(text: str, of: object = BUTTON) -> bool:
    return parse_predicate(text)(lambda name: read(of, name))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "label == 'Add to cart'",
        'label = "Add to cart"',
        "wdLabel == 'Add to cart'",
        "label==[c]'ADD TO CART'",
        "name == 'add'",
        "name != 'Add'",
        "name <> 'Add'",
        "type == 'XCUIElementTypeButton'",
        "label CONTAINS 'to'",
        "label contains[c] 'CART'",
        "label BEGINSWITH 'Add' AND label ENDSWITH 'cart'",
        "label BEGINSWITH 'Add' && label ENDSWITH 'cart'",
        "label LIKE 'Add*c?rt'",
        "label LIKE[c] 'add*'",
        "label MATCHES 'Add .*'",
        "label MATCHES[c] '.*CART'",
        "name IN {'remove', 'add'}",
        "'cart' IN label",
        "label == 'x' OR name == 'add'",
        "label == 'x' || name == 'add'",
        "NOT label == 'x'",
        "!(label == 'x')",
        "NOT (label == 'x' OR name == 'remove')",
        "enabled == true AND visible == false",
        "enabled == 1 AND visible == 0",
        "enabled == YES AND isWDVisible == NO",
        "rect.x == 10",
        "rect.x >= 10 AND rect.width < 100.5 AND rect.height > 5 AND rect.y <= 20",
        "rect.width BETWEEN {100, 200}",
        "value == '3'",
        "value == 3",
        "value > 2",
        "placeholderValue == nil",
        "label != nil",
        "true",
        "TRUEPREDICATE",
        "  label == 'Add to cart'  ",
        "index == 0",
    ],
)
def test_what_holds(text: str) -> None:
    assert holds(text)


@pytest.mark.parametrize(
    "text",
    [
        "label == 'add to cart'",
        "label CONTAINS 'CART'",
        "label MATCHES 'Add'",  # the whole text has to match
        "label LIKE 'Add'",
        "label BEGINSWITH 'cart'",
        "label ENDSWITH 'Add'",
        "name IN {'remove'}",
        "label == 'x' OR name == 'y' AND true",
        "enabled == false",
        "NOT enabled == true",
        "rect.x > 10",
        "value < 3",
        "placeholderValue CONTAINS ''",
        "placeholderValue == 'x'",
        "placeholderValue MATCHES '.*'",
        "placeholderValue < 3",
        "label < 3",
        "rect.x BETWEEN {11, 200}",
        "false",
        "FALSEPREDICATE",
        "name == label",
    ],
)
def test_what_does_not_hold(text: str) -> None:
    assert not holds(text)


def test_and_binds_closer_than_or_and_not_closest() -> None:
    assert holds("true OR false AND false")
    assert not holds("(true OR false) AND false")
    assert not holds("NOT true OR false")


def test_quotes_and_escapes() -> None:
    assert holds(r"""label == 'it\'s "5\\6"'""", QUOTED)
    assert holds(r'''label == "it's \"5\\6\""''', QUOTED)
    assert holds(r"label CONTAINS '\nNoir'", CAFE)
    assert not holds(r"label == 'it\'s'", QUOTED)


def test_marks_count_unless_they_are_reported_not_to() -> None:
    assert holds("label CONTAINS[d] 'Cafe'", CAFE)
    assert holds("label CONTAINS[cd] 'cafe'", CAFE)
    assert not holds("label CONTAINS 'Cafe'", CAFE)
    assert not holds("label CONTAINS[c] 'cafe'", CAFE)


def test_a_pattern_goes_across_lines() -> None:
    assert holds("label MATCHES 'Caf.*Noir'", CAFE)
    assert not holds("label MATCHES 'Caf.'", CAFE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "label",
        "label ==",
        "== 'x'",
        "label == 'x",
        "label ==== 'x'",
        "label == 'x' AND",
        "label == 'x' 'y'",
        "(label == 'x'",
        "label == 'x')",
        "label CONTAINS 'x' OR OR true",
        "label MATCHES '('",
        "name IN {'a' 'b'}",
        "label ~ 'x'",
        "$#!",
        "SUBQUERY(x, y)",
        "'text'",
        "(" * 3000 + "true" + ")" * 3000,
    ],
)
def test_what_is_no_predicate(text: str) -> None:
    with pytest.raises(WdaError) as refused:
        parse_predicate(text)
    assert refused.value.error == "invalid selector"


@pytest.mark.parametrize(
    "text", ["colour == 'red'", "rect.depth == 1", "label.x == 1", "wdColour == 'red'"]
)
def test_an_attribute_that_nothing_has(text: str) -> None:
    with pytest.raises(
        WdaError, match="Valid attribute names are: accessibilityContainer"
    ) as refused:
        holds(text)
    assert refused.value.error == "invalid selector"
