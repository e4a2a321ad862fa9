"""What a marker says of a test, and what it cannot say."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.marks import Marks, read_marks


def marks(pytester: pytest.Pytester, *given: dict[str, Any]) -> Marks:
    """Of a test with these markers, the nearest first."""
    item = pytester.getitem("def test_func(): pass")
    for each in given:
        item.add_marker(pytest.mark.replicant(**each))
    return read_marks(item)


def test_what_is_none_is_not_said(pytester: pytest.Pytester) -> None:
    assert marks(pytester, {"platform": None, "api": None, "reset": None}) == Marks()
    assert marks(pytester, {"platform": None}, {"platform": "ios"}).platform == ""


@pytest.mark.parametrize("given", [["stop", "clear"], ["stop"], "", "wipe", 5])
def test_reset_is_one_word(pytester: pytest.Pytester, given: object) -> None:
    with pytest.raises(
        UsageError, match=r"marker replicant: reset=.* is not known; it takes reset=, one of: none"
    ):
        marks(pytester, {"reset": given})
