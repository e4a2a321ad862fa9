"""The text that names a control from beside it."""

from __future__ import annotations

import pytest

from ..screens import node, parse, screen, text

Place = tuple[int, int, int, int]


@pytest.mark.parametrize(
    ("caption", "name"),
    [
        ((0, 240, 300, 290), "Name"),  # above
        ((0, 320, 300, 380), "Name"),  # to the left
        ((0, 40, 300, 90), ""),  # too far above
        ((950, 320, 1050, 380), ""),  # to the right
        ((0, 410, 300, 460), ""),  # below
    ],
)
def test_a_field_is_named_from_above_or_from_the_left(caption: Place, name: str) -> None:
    field = node("EditText", at=(310 if caption[1] == 320 else 0, 300, 900, 400), hint="", text="Ada")
    snapshot = parse(screen(text("Name", at=caption), field))
    assert snapshot.find(class_name="EditText").label == name


def test_beside_goes_before_above_and_left_before_right() -> None:
    above = text("Section", at=(0, 240, 300, 290))
    left = text("Gift", at=(0, 320, 200, 380))
    box = node("CheckBox", at=(300, 300, 400, 400), text="", checkable="true")
    right = text("£2.00", at=(500, 320, 700, 380))
    assert parse(screen(above, left, box, right)).find(class_name="CheckBox").label == "Gift"


def test_a_paragraph_is_no_caption() -> None:
    field = node("EditText", at=(0, 300, 900, 400), hint="", text="Ada")
    assert parse(screen(text("word " * 20, at=(0, 200, 900, 290)), field)).find(class_name="EditText").label == ""


def test_a_big_part_of_the_screen_is_not_searched() -> None:
    field = node("EditText", at=(0, 300, 900, 400), hint="", text="Ada")
    filler = [node("View", at=(0, 500 + n, 9, 509 + n)) for n in range(60)]
    assert (
        parse(screen(text("Name", at=(0, 240, 300, 290)), field, *filler)).find(class_name="EditText").label == ""
    )
