"""Marks on a picture: each is drawn, and none covers a label, another mark or anything that the
picture shows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw

from pytest_replicant.model import Rect
from pytest_replicant.vision import Mark, marked
from tests.properties.effort import examples

SIZE = (300, 400)
SCREEN = Rect(0, 0, *SIZE)
PAGE = (250, 250, 250)


def covered(picture: Image.Image, marks: Sequence[Mark], labels: Sequence[Rect]) -> list[str]:
    """What the chips cover, by refs: other chips, labels of a plain picture, and what the picture
    shows. Beyond the picture is the margin, where no label is."""
    screen = Rect(0, 0, *picture.size)
    found = [
        f"{one.ref} over {other.ref}"
        for one, other in combinations(marks, 2)
        if not one.chip.intersect(other.chip).is_empty
    ]
    for mark in marks:
        within = mark.chip.intersect(screen)
        found += [
            f"{mark.ref} over {label}" for label in labels if not within.intersect(label).is_empty
        ]
        if not within.is_empty and len(picture.crop(within).getcolors() or [0, 0]) > 1:
            found.append(f"{mark.ref} over the picture")
    return found


def innermost(labels: Sequence[Rect]) -> list[Rect]:
    return [
        one for one in labels if not any(one != other and one.encloses(other) for other in labels)
    ]


def boxes(least: int = -40, most: int = 440) -> st.SearchStrategy[Rect]:
    side = st.integers(least, most)
    return st.builds(lambda left, top, wide, high: Rect(left, top, left + wide, top + high), side,
                     side,
                     st.integers(1, 200), st.integers(1, 120))  # fmt: skip


refs = st.from_regex(r"[a-z][0-9]{3,15}", fullmatch=True)


def numbered(found: Sequence[Rect]) -> list[tuple[str, Rect]]:
    return [(f"{chr(97 + number % 26)}{number:03d}", box) for number, box in enumerate(found)]


@examples(ci=10)
@given(st.lists(boxes(), max_size=40), st.lists(boxes(), max_size=15), st.data())
def test_no_mark_covers_a_label_or_another_mark(
    found: list[Rect], labels: list[Rect], data: st.DataObject
) -> None:
    named = [(data.draw(refs), box) for box in found]
    plain = Image.new(
        "RGB", SIZE, data.draw(st.sampled_from([PAGE, (12, 12, 14), (120, 120, 120)]))
    )
    drawn, marks = marked(plain, named, labels=labels)
    assert covered(plain, marks, innermost(labels)) == []
    assert [mark.ref for mark in marks] == [
        ref for ref, box in named if not box.intersect(SCREEN).is_empty
    ]
    for mark in marks:
        assert Rect(0, 0, *drawn.size).encloses(mark.chip)


@examples(ci=6)
@given(st.lists(boxes(), max_size=25), st.lists(boxes(0, 380), max_size=12))
def test_no_mark_covers_what_the_picture_shows(found: list[Rect], shapes: list[Rect]) -> None:
    picture = Image.new("RGB", SIZE, PAGE)
    for number, box in enumerate(shapes):
        ImageDraw.Draw(picture).rectangle(box, fill=(number * 20, 90, 200 - number * 15))
    _, marks = marked(picture, numbered(found))
    assert covered(picture, marks, []) == []


def test_a_mark_sits_in_its_box_where_that_has_room() -> None:
    row, text = Rect(0, 100, 300, 160), Rect(10, 110, 120, 150)
    drawn, (mark,) = marked(Image.new("RGB", SIZE, PAGE), [("k427", row)], labels=[text])
    assert row.encloses(mark.chip)
    assert mark.box == row
    assert drawn.size == SIZE


def test_a_label_counts_where_its_text_is_drawn() -> None:
    picture = Image.new("RGB", SIZE, PAGE)
    row = Rect(0, 100, 300, 130)
    ImageDraw.Draw(picture).text((10, 108), "Blue mug", fill=(0, 0, 0))
    _, (mark,) = marked(picture, [("k427", row)], labels=[row])
    assert row.encloses(
        mark.chip
    )  # right of the text, although the label's box is as wide as the row


def test_keys_of_a_keyboard_are_marked_in_a_margin_and_the_picture_stays_where_it_is() -> None:
    keys = [
        Rect(left, top, left + 28, top + 18)
        for top in range(300, 400, 20)
        for left in range(0, 300, 30)
    ]
    picture = Image.new("RGB", SIZE, PAGE)
    for key in keys:
        ImageDraw.Draw(picture).rectangle(key, fill=(200, 200, 210))
    drawn, marks = marked(picture, numbered(keys), labels=keys)
    assert covered(picture, marks, keys) == []
    outside = [mark for mark in marks if mark.chip.left >= picture.width]
    assert len(outside) > len(keys) / 2
    assert drawn.width > picture.width
    assert (
        ImageChops.difference(
            drawn.crop((0, 0, 300, 100)), picture.crop((0, 0, 300, 100))
        ).getbbox()
        is None
    )


def test_equal_boxes_have_a_mark_each() -> None:
    box = Rect(100, 100, 200, 200)
    _, marks = marked(Image.new("RGB", SIZE, PAGE), [("a111", box), ("b222", box)])
    assert len({mark.chip for mark in marks}) == 2


@pytest.mark.parametrize("mode", ["RGBA", "L", "P"])
@pytest.mark.parametrize("size", [(1, 1), (3, 500), (400, 8)])
def test_pictures_of_any_mode_and_size(mode: str, size: tuple[int, int]) -> None:
    drawn, marks = marked(Image.new(mode, size), [("a123", Rect(-5, -5, 500, 500))])
    assert drawn.mode == "RGB"
    assert marks[0].box == Rect(0, 0, *size)
    assert Rect(0, 0, *drawn.size).encloses(marks[0].chip)


def test_without_boxes_the_picture_is_as_it_was() -> None:
    picture = Image.new("RGB", SIZE, PAGE)
    drawn, marks = marked(
        picture, [("a123", Rect(300, 0, 320, 20)), ("b123", Rect(9, 9, 9, 9))], labels=[SCREEN]
    )
    assert marks == ()
    assert ImageChops.difference(drawn, picture).getbbox() is None
