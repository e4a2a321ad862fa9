"""Selectors that say something wrong, and the sentence that says what to write instead."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.model import Selector, by
from pytest_replicant.snapshots import check, parts

from ..screens import SHOP, parse


@pytest.mark.parametrize(
    ("keywords", "told"),
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
        ({"within": "Red mug"}, "Did you mean by(text='Red mug')?"),
        ({"near": ""}, "is no ref"),
        ({"row_with": "Tray"}, "row_with='Tray' must be a selector: row_with=by(text='Tray')"),
        ({"has": 7}, "has=7 must be a selector: has=by(text=...)"),
        ({"android": "x"}, "android='x' must be a selector"),
        ({"nth": -1}, "nth=-1: nth counts from 0"),
        ({"nth": True}, "nth=True must be a whole number: nth counts from 0"),
        ({"nth": "1"}, "nth='1' must be a whole number"),
        ({"nth": 1.0}, "nth=1.0 must be a whole number"),
        ({"row_with": by()}, "by() without keywords matches nothing in particular"),
        ({"has": by(text_matches="[")}, "is no regular expression"),
        ({"ios": by(within=by(nth=-2))}, "nth=-2"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_write(keywords: dict[str, Any], told: str) -> None:
    selector = Selector(**keywords)
    with pytest.raises(UsageError, match=re.escape(told)):
        check(selector)
    with pytest.raises(UsageError, match=re.escape(told)):
        parse(SHOP).match(selector)
    with pytest.raises(UsageError, match=re.escape(told)):
        parse(SHOP).find(**keywords)


def test_the_caller_is_named() -> None:
    with pytest.raises(UsageError, match=r"^tap\(\): text=5"):
        check(Selector(text=5), "tap")  # type: ignore[arg-type]  # what is tested


def test_what_is_no_selector_is_refused() -> None:
    with pytest.raises(UsageError, match="'Add' is no selector"):
        parse(SHOP).match("Add")  # type: ignore[arg-type]  # what is tested


def test_selectors_are_not_nested_without_end() -> None:
    selector = by(text="Add")
    for _ in range(10):
        selector = by(within=selector)
    check(selector)
    with pytest.raises(UsageError, match="nested more than 10 deep"):
        check(by(within=selector))


def test_a_selector_inside_itself_is_refused() -> None:
    selector = by(text="Add", has=by(text="x"))
    object.__setattr__(selector, "has", selector)
    with pytest.raises(UsageError, match="nested"):
        check(selector)


def test_parts_are_the_selector_and_those_inside() -> None:
    inner = by(text="Tray")
    outer = by(text="Add", row_with=inner, within="k427")
    assert list(parts(outer)) == [outer, inner]
