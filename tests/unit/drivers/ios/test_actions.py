"""A gesture in W3C's words."""

from __future__ import annotations

from pytest_replicant.drivers.ios.pointer import fingers_doing, stroke

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


def test_no_move_is_without_a_length() -> None:
    assert stroke(START, END, 0.0)[2]["duration"] == 1


def test_each_stroke_has_a_finger_of_its_own() -> None:
    sent = fingers_doing(stroke(START, END, 0.1), stroke(END, START, 0.1))["actions"]
    assert [finger["id"] for finger in sent] == ["finger1", "finger2"]
    assert {finger["parameters"]["pointerType"] for finger in sent} == {"touch"}
    assert sent[0]["actions"][0]["x"] == 1.0
    assert sent[1]["actions"][0]["x"] == 3.0
