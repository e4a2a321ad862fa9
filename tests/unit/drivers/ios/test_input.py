"""Text, gestures and names on an iPhone, before a phone is asked."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers import Capability
from pytest_replicant.drivers.ios import apps, driver
from pytest_replicant.drivers.ios.input import IosKeyboard, fingers_doing, stroke, went_elsewhere
from pytest_replicant.errors import UsageError

START, END = {"x": 1.0, "y": 2.0}, {"x": 3.0, "y": 4.0}


def test_a_stroke_goes_down_moves_for_its_length_and_up() -> None:
    assert stroke(START, END, 0.3) == [
        {"type": "pointerMove", "duration": 0, "x": 1.0, "y": 2.0},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerMove", "duration": 300, "x": 3.0, "y": 4.0},
        {"type": "pointerUp", "button": 0},
    ]


def test_a_drag_holds_first_and_rests_before_it_lets_go() -> None:
    steps = stroke(START, END, 0.5, hold=0.6, rest=0.1)
    assert [step["type"] for step in steps] == [
        *("pointerMove", "pointerDown", "pause", "pointerMove", "pause", "pointerUp"),
    ]
    assert [step.get("duration") for step in steps] == [0, None, 600, 500, 100, None]


def test_each_stroke_has_a_finger_of_its_own() -> None:
    sent = fingers_doing(stroke(START, END, 0.1), stroke(END, START, 0.1))["actions"]
    assert [finger["id"] for finger in sent] == ["finger1", "finger2"]
    assert {finger["parameters"]["pointerType"] for finger in sent} == {"touch"}
    assert sent[0]["actions"][0]["x"] == 1.0
    assert sent[1]["actions"][0]["x"] == 3.0


def check(text: str) -> None:
    IosKeyboard.check_typeable(IosKeyboard.__new__(IosKeyboard), text)


@pytest.mark.parametrize(
    "text", ["", "plain", "two\nlines\tand a tab", "zażółć", "👩\u200d🚀", "e\u0301", "\ue000"]
)
def test_what_people_write_is_typed(text: str) -> None:
    check(text)


@pytest.mark.parametrize(
    "text", ["nul\0", "\x1b[0m", "half \ud83d", "none\uffff", "\x7f", "\b", "up \uf700"]
)
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
def test_only_text_put_before_the_end_is_typed_again(
    before: str, text: str, after: str, elsewhere: bool
) -> None:
    assert went_elsewhere(before, text, after) is elsewhere


@pytest.mark.parametrize("name", ["com.example.shop", "dev.replicant-2.Lab_1", "Shop"])
def test_a_bundle_id_passes(name: str) -> None:
    assert apps.checked_name(name) == name


@pytest.mark.parametrize(
    "name", ["", ".com", "com/example", "a b", "../x", "com.example\n", "shöp", None, 3]
)
def test_what_is_none_is_refused(name: object) -> None:
    with pytest.raises(UsageError, match="no bundle id"):
        apps.checked_name(name)  # type: ignore[arg-type]


def test_for_all_that_is_missing_it_says_what_there_is_instead() -> None:
    missing = [
        each
        for each in Capability
        if each not in driver.CAPABILITIES and each is not Capability.CURRENT_ACTIVITY
    ]
    assert set(missing) == set(driver.INSTEAD)
