"""The number that a text tells, and none where two could be meant."""

from __future__ import annotations

import pytest

from pytest_replicant.session.execute.control import is_near, parse_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("40", 40),
        ("-3.5", -3.5),
        ("0,5", 0.5),
        ("40%", 40),
        ("Brightness, 40 percent", 40),
        ("Heating, 21.5 degrees", 21.5),
        ("Volume: -6 dB", -6),
        ("3 of 5", 3),
        ("3/5 stars", 3),
        ("4 out of 10", 4),
        ("Lamp 2, 40%", 40),
        ("Lamp2: 40", 40),
    ],
)
def test_a_number_is_found(text: str, number: float) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Brightness",
        "Lamp 2, level 40",
        "10:45",
        "10%, then 20%",
        "1,234 km",
        "v1.2.3",
        "x" * 300 + " 4",
    ],
)
def test_no_number_is_taken_where_none_or_several_could_be_meant(text: str) -> None:
    assert parse_number(text) is None


def test_the_end_of_a_tolerance_counts() -> None:
    assert is_near(0.1 + 0.2, 0.3, 0)
    assert is_near(31, 30, 1)
    assert not is_near(31.01, 30, 1)
    assert not is_near(30.001, 30, 0)
