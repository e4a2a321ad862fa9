"""What a marker says of a test, and what it cannot say."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.options import Marks, case_id, read_marks


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
        UsageError,
        match=r"marker replicant: reset=.* is not known\..* It takes reset=, one of: none",
    ):
        marks(pytester, {"reset": given})


def test_the_nearest_marker_says_which_cases_a_test_covers(pytester: pytest.Pytester) -> None:
    assert marks(pytester, {"id": "C123"}, {"id": ["C1", "C2"], "allow": "crash"}).case_ids == (
        "C123",
    )
    item = pytester.getitem("def test_func(): pass")
    item.add_marker(pytest.mark.replicant(id=["CALC-100", "C2", "C2"]))
    assert case_id(item) == "CALC-100, C2"


@pytest.mark.parametrize(
    "given", ["", " C1", "C1, C2", "C1\n", [], ["C1", ""], 123, [123], {"C1": 1}], ids=repr
)
def test_an_id_is_a_string_or_a_list_of_them(pytester: pytest.Pytester, given: object) -> None:
    with pytest.raises(
        UsageError,
        match=r'marker replicant: id=.* is not known\. It takes id=, a string such as "C1',
    ):
        marks(pytester, {"id": given})
    item = pytester.getitem("def test_func(): pass")
    item.add_marker(pytest.mark.replicant(id=given))
    assert case_id(item) == ""


def test_a_marker_with_nearly_the_name_is_refused_unless_it_is_registered(
    pytester: pytest.Pytester,
) -> None:
    """Without arguments it says nothing, and pytest warns of it."""
    item = pytester.getitem("def test_func(): pass")
    item.config.addinivalue_line("markers", "replicate(times): a marker of the project's own")
    item.add_marker(pytest.mark.replicate(times=3))
    with pytest.warns(pytest.PytestUnknownMarkWarning):
        item.add_marker(pytest.mark.replicants)
    assert read_marks(item) == Marks()
    with pytest.warns(pytest.PytestUnknownMarkWarning):
        item.add_marker(pytest.mark.replicnt(platform="ios"))
    with pytest.raises(UsageError, match=r"marker replicnt: no marker .* Did you mean replicant\?"):
        read_marks(item)
