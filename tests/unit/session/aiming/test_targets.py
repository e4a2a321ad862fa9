from __future__ import annotations

import re
from typing import Any

import pytest

from pytest_replicant import UsageError, by
from pytest_replicant.session.aiming.targets import as_target


@pytest.mark.parametrize(
    ("target", "keywords", "told"),
    [
        (None, {}, "needs a target"),
        ("Sign in", {}, 'Did you mean tap(text="Sign in")?'),
        (7, {}, "no target"),
        ("k427", {"text": "x"}, "takes one target"),
        (None, {"txt": "x"}, "Did you mean text=?"),
        (None, {"text": 7}, "must be a string"),
        (None, {"enabled": "yes"}, "must be True or False"),
        (None, {"has": "k427"}, "must be a selector"),
        (None, {"within": "the list"}, "must be a ref"),
        (None, {"nth": True, "text": "x"}, "whole number"),
        (None, {"nth": 0}, "a position, not a description"),
        (None, {"text_contains": ""}, "describes nothing"),
        (None, {"text": ""}, "describes nothing"),
        (None, {"text_matches": "x*"}, "fits every label"),
        (None, {"text": "Add", "role": "buton"}, "Did you mean 'button'?"),
        (None, {"timout": 3}, "Did you mean timeout=?"),
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
