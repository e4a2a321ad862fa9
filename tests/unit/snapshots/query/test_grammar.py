"""Selectors that say something wrong, and the sentence that says what to write instead."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.model import Selector, by
from pytest_replicant.snapshots import check_selector, checked_ref, selector_of

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
        check_selector(selector)
    with pytest.raises(UsageError, match=re.escape(told)):
        parse(SHOP).match(selector)
    with pytest.raises(UsageError, match=re.escape(told)):
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


@pytest.mark.parametrize("strict", [False, True])
def test_an_unknown_keyword_is_answered_with_the_nearest(strict: bool) -> None:
    with pytest.raises(
        UsageError, match=r"^tap\(\) has no keyword 'name'. Did you mean text=\? Selector keywords: "
    ):
        selector_of("tap", {"name": "Add"}, strict=strict)
    with pytest.raises(UsageError, match=r"Did you mean timeout=" if strict else r"'timout'. Selector keywords"):
        selector_of("tap", {"timout": 3}, strict=strict)
    with pytest.raises(UsageError, match=r"tap\(\) needs at least one selector keyword, such as text="):
        selector_of("tap", {"text": None}, strict=strict)


@pytest.mark.parametrize("vague", [by(nth=0), by(text_matches="x*"), by(text="Add", has=by(nth=1))])
def test_a_selector_of_nothing_in_particular_is_only_refused_where_checked_strictly(vague: Selector) -> None:
    check_selector(vague)
    with pytest.raises(UsageError):
        check_selector(vague, strict=True)


def test_a_string_in_the_place_of_a_ref_is_answered_with_the_call_to_write() -> None:
    assert checked_ref("tap", "k427") == "k427"
    for wrong, told in (("[k427]", 'without its brackets: "k427"'), ("Add", 'Did you mean find(text="Add")?')):
        with pytest.raises(UsageError, match=re.escape(told)):
            parse(SHOP).element(wrong)
