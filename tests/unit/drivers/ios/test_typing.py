"""What can be typed, and where it went."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers.ios.keyboard import IosKeyboard, went_elsewhere
from pytest_replicant.errors import UsageError


def check(text: str) -> None:
    IosKeyboard.check_typeable(IosKeyboard.__new__(IosKeyboard), text)


@pytest.mark.parametrize(
    "text", ["", "plain", "two\nlines\tand a tab", "zażółć", "👩\u200d🚀", "e\u0301", "\ue000"]
)
def test_what_people_write_is_typed(text: str) -> None:
    check(text)


@pytest.mark.parametrize("text", ["nul\0", "\x1b[0m", "half \ud83d", "none\uffff", "\x7f", "\b", "up \uf700"])
def test_what_would_not_arrive_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="Nothing was typed"):
        check(text)


@pytest.mark.parametrize(
    ("before", "text", "after", "elsewhere"),
    [
        ("one", " two", "one two", False),
        ("one", " two", " twoone", True),
        ("one", " two", "on twoe", True),
        ("aa", "a", "aaa", False),
        ("12", "34", "12-34", False),  # an app that formats what is typed
        ("one", " two", "one tw", False),  # or takes no more
        ("one", " two", "ONE TWO", False),
        ("", "two", "two", False),
    ],
)
def test_only_text_put_before_the_end_is_typed_again(before: str, text: str, after: str, elsewhere: bool) -> None:
    assert went_elsewhere(before, text, after) is elsewhere
