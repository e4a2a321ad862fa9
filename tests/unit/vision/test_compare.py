"""Two pictures compared: all that a person would call another look is found, and no edge that moved
by less than a pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_replicant.errors import SnapshotError
from pytest_replicant.model import MaskRecord, Rect
from pytest_replicant.vision import area_of, compare_pictures, kept_png, merged, read_kept

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE = (320, 480)


def picture(
    shift: float = 0.0, digit: str = "9", *, colour: str = "#5b3f8c", icon: bool = True
) -> Image:
    """A small screen, drawn at four times its size so that its edges are smooth."""
    from PIL import Image as pillow
    from PIL import ImageDraw, ImageFont

    large = pillow.new("RGB", (SIZE[0] * 4, SIZE[1] * 4), "#f7f5fa")
    draw = ImageDraw.Draw(large)
    draw.rounded_rectangle((80, 1200, 1200, 1400), 96, fill=colour)
    draw.text((100 + shift * 4, 400), f"Total 18.{digit}0", "#221f27", ImageFont.load_default(120))
    if icon:
        draw.ellipse((1000, 400, 1100, 500), fill="#221f27")
    return large.resize(SIZE, pillow.Resampling.BOX)


def test_equal_pictures_are_the_same() -> None:
    found = compare_pictures(picture(), picture())
    assert found.same
    assert (found.differing, found.compared, found.boxes) == (0, SIZE[0] * SIZE[1], ())


@pytest.mark.parametrize("shift", [0.25, 0.5, 0.75, 1.0])
def test_an_edge_between_pixels_is_no_difference(shift: float) -> None:
    assert compare_pictures(picture(), picture(shift)).same


@pytest.mark.parametrize(
    ("other", "where"),
    [
        (picture(2.0), Rect(20, 100, 250, 140)),
        (picture(digit="4"), Rect(100, 100, 220, 140)),
        (picture(colour="#5b3f9c"), Rect(20, 300, 301, 351)),
        (picture(icon=False), Rect(250, 100, 276, 126)),
    ],
    ids=["two pixels", "a digit", "a colour", "an icon"],
)
def test_another_look_is_found_in_its_place(other: Image, where: Rect) -> None:
    found = compare_pictures(picture(), other)
    assert not found.same
    assert found.boxes
    assert all(where.encloses(box) for box in found.boxes)
    assert found.share == found.differing / found.compared


def written(text: str, size: int, shift: float = 0.0, colour: str = "#222222") -> Image:
    """A text on a small picture, smooth."""
    from PIL import Image as pillow
    from PIL import ImageDraw, ImageFont

    large = pillow.new("RGB", (8 * 12 * size, 8 * 2 * size), "white")
    font = ImageFont.load_default(size * 8)
    ImageDraw.Draw(large).text(((4 + shift) * 8, 32), text, colour, font)
    return large.resize((12 * size, 2 * size), pillow.Resampling.BOX)


@pytest.mark.parametrize("colour", ["#222222", "#a0a0a0"])
@pytest.mark.parametrize("size", [12, 14, 16, 18, 24])
def test_a_small_digit_is_found(size: int, colour: str) -> None:
    digits = [written(f"Total 18.{digit}0", size, colour=colour) for digit in range(10)]
    pairs = [(one, other) for one in range(10) for other in range(one)]
    missed = [pair for pair in pairs if compare_pictures(digits[pair[0]], digits[pair[1]]).same]
    assert missed == []


@pytest.mark.parametrize("shift", [0.25, 0.5, 0.75])
def test_a_text_between_pixels_is_no_difference(shift: float) -> None:
    assert compare_pictures(written("Total 18.90", 26), written("Total 18.90", 26, shift)).same


def test_one_pixel_is_a_difference_and_its_place_is_exact() -> None:
    dotted = picture()
    dotted.putpixel((17, 33), (255, 0, 0))
    found = compare_pictures(picture(), dotted)
    assert (found.differing, found.boxes) == (1, (Rect(17, 33, 18, 34),))
    assert compare_pictures(picture(), dotted, tolerance=0.001).same


def test_dithering_is_none() -> None:
    dithered = picture().point([min(level + 3, 255) for level in range(256)] * 3)
    assert compare_pictures(picture(), dithered).same


def test_masks_hide_what_lies_in_them_and_nothing_else() -> None:
    other = picture(digit="4", icon=False)
    icon = Rect(240, 90, 290, 140)
    found = compare_pictures(picture(), other, masks=[icon, Rect(-50, -50, 10, 10)])
    assert not found.same
    assert found.compared == SIZE[0] * SIZE[1] - icon.area - 100
    assert all(box.intersect(icon).is_empty for box in found.boxes)
    assert compare_pictures(picture(), picture(icon=False), masks=[icon]).same


def test_another_size_is_a_difference_of_all_that_one_lacks() -> None:
    cut = picture().crop((0, 0, 320, 400))
    found = compare_pictures(picture(), cut)
    assert not found.same
    assert found.sizes == ((320, 480), (320, 400))
    assert (found.differing, found.boxes) == (320 * 80, (Rect(0, 400, 320, 480),))


def test_far_apart_differences_are_boxes_of_their_own_the_largest_first() -> None:
    found = compare_pictures(picture(), picture(icon=False, colour="#000000"))
    assert [box.top > 200 for box in found.boxes] == [True, False]


def test_pictures_that_differ_all_over_are_judged_at_once() -> None:
    from PIL import Image as pillow

    noise = pillow.effect_noise(SIZE, 200).convert("RGB")
    found = compare_pictures(picture(), noise)
    assert not found.same
    assert found.share > 0.5
    assert 1 <= len(found.boxes) <= 20


def test_the_difference_is_drawn_in_red_over_a_faded_picture() -> None:
    other = picture(icon=False)
    drawn = compare_pictures(picture(), other).drawn(other)
    assert drawn.getpixel((262, 112)) == (214, 0, 60)
    assert drawn.getpixel((100, 320)) != other.getpixel((100, 320))


def test_overlapping_masks_are_counted_once() -> None:
    assert area_of([]) == 0
    assert area_of([Rect(0, 0, 10, 10), Rect(5, 5, 15, 15), Rect(0, 0, 10, 10)]) == 175
    assert merged([Rect(0, 0, 10, 10), Rect(30, 0, 40, 10), Rect(12, 0, 28, 10)]) == [
        Rect(0, 0, 40, 10)
    ]


def test_a_kept_picture_has_its_masks() -> None:
    masks = (MaskRecord(Rect(1, 2, 3, 4), "system bar"), MaskRecord(Rect(5, 6, 7, 8), "secret"))
    kept = read_kept(kept_png(picture(), masks))
    assert kept.masks == masks
    assert compare_pictures(kept.image, picture()).same


@pytest.mark.parametrize("text", [
    "no JSON", "[[1,2]]", '[["a","b","c","d","e"]]', "{}", "7", "[7]",
    '[[Infinity,1,2,3,"x"]]', '[[NaN,1,2,3,"x"]]',
])  # fmt: skip
def test_masks_of_anybody_count_for_nothing(text: str) -> None:
    import io

    from PIL.PngImagePlugin import PngInfo

    facts, out = PngInfo(), io.BytesIO()
    facts.add_text("replicant-looks", text)
    picture().save(out, "PNG", pnginfo=facts)
    assert read_kept(out.getvalue()).masks == ()


def test_bytes_that_are_no_picture_are_a_failed_read() -> None:
    with pytest.raises(SnapshotError, match="no picture"):
        read_kept(b"version https://git-lfs.github.com/spec/v1")
