from __future__ import annotations

import re
from typing import Any

import pytest

from pytest_replicant import UsageError, by
from pytest_replicant.session import as_selector, as_target
from pytest_replicant.session.arguments import checked_target


@pytest.mark.parametrize(
    ("target", "keywords", "told"),
    [
        (None, {}, "needs a target"),
        ("Sign in", {}, 'Did you mean tap(text="Sign in")?'),
        ("[k427]", {}, 'without its brackets: "k427"'),
        ("[Beta]", {}, 'Did you mean tap(text="[Beta]")?'),
        (7, {}, "no target"),
        ("k427", {"text": "x"}, "takes one target"),
        (None, {"text": 7}, "must be a string"),
        (None, {"enabled": "yes"}, "must be True or False"),
        (None, {"has": 427}, "must be a selector"),
        (None, {"within": ""}, "describes nothing"),
        (None, {"nth": True, "text": "x"}, "whole number"),
        (None, {"nth": 0}, "a position, not a description"),
        (None, {"text_contains": ""}, "describes nothing"),
        (None, {"text": ""}, "describes nothing"),
        (None, {"text_matches": "x*"}, "fits every label"),
        (None, {"text": "Add", "role": "buton"}, "Did you mean 'button'?"),
        (None, {"text_matches": "("}, "no regular expression"),
        (None, {"row_with": by()}, "matches nothing in particular"),
        (by(), {}, "matches nothing in particular"),
    ],
)
def test_a_wrong_call_is_refused_and_says_what_to_write(target: Any, keywords: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=re.escape(told)):
        as_target("tap", target, keywords)


def test_what_is_right_comes_back_as_one_value() -> None:
    assert as_target("tap", "k427", {}) == "k427"
    assert as_target("tap", None, {"text": "Add", "nth": 1}) == by(text="Add", nth=1)
    assert as_target("tap", by(text="Add"), {}) == by(text="Add")


def test_where_no_keywords_are_taken_none_are_advised() -> None:
    """``drag(text="Milk")`` and ``expect_state(text="Milk")`` would be refused, or mean something else."""
    with pytest.raises(UsageError, match=re.escape('Did you mean by(text="Milk")?')):
        checked_target("drag", "Milk")


def test_what_may_be_there_several_times_is_described() -> None:
    assert as_selector("find_all", by(text="Add"), {}) == as_selector("find_all", None, {"text": "Add"})
    with pytest.raises(UsageError, match="a ref is one element"):
        as_selector("find_all", "k427", {})
