"""Contrast of a part of a picture: known colours, smoothed edges, gradients; and where none is
reported."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from pytest_replicant.model import Rect
from pytest_replicant.vision import contrast_in, ratio_of

BOX = Rect(0, 0, 400, 80)


def words(ink: str, ground: str, size: int = 40) -> Image.Image:
    image = Image.new("RGB", (400, 80), ground)
    ImageDraw.Draw(image).text((10, 15), "Delivered", fill=ink, font_size=size)
    return image


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ((0, 0, 0), (255, 255, 255), 21.0),
        ((118, 118, 118), (255, 255, 255), 4.54),
        ((9, 9, 9), (9, 9, 9), 1.0),
    ],
)
def test_the_ratio_is_that_of_wcag(
    one: tuple[int, int, int], other: tuple[int, int, int], ratio: float
) -> None:
    assert ratio_of(one, other) == pytest.approx(ratio, abs=0.005)
    assert ratio_of(other, one) == ratio_of(one, other)


@pytest.mark.parametrize(
    ("ink", "ground"), [("#777777", "#ffffff"), ("#ffffff", "#1565c0"), ("#b5b5b5", "#f7f5fa")]
)
def test_both_colours_of_smoothed_words_are_found(ink: str, ground: str) -> None:
    found = contrast_in(words(ink, ground), BOX)
    assert found is not None
    assert str(found).endswith(f"{ink} on {ground}")
    assert 25 <= found.height <= 40  # of the letters, in pixels


def test_a_slight_gradient_is_one_ground() -> None:
    image = words("#000000", "#ffffff")
    for x in range(400):
        level = 255 - x // 40
        for y in range(80):
            if image.getpixel((x, y)) == (255, 255, 255):
                image.putpixel((x, y), (level, level, level))
    found = contrast_in(image, BOX)
    assert found is not None
    assert found.foreground == (0, 0, 0)
    assert found.ratio == pytest.approx(20, abs=1.1)


def test_there_is_none_in_a_plain_area_a_photo_and_several_colours() -> None:
    assert contrast_in(Image.new("RGB", (400, 80), "#ffffff"), BOX) is None
    assert contrast_in(Image.effect_noise((400, 80), 90).convert("RGB"), BOX) is None
    several = words("#000000", "#ffffff")
    ImageDraw.Draw(several).rectangle((250, 10, 330, 70), fill="#ff0000")
    ImageDraw.Draw(several).rectangle((335, 10, 390, 70), fill="#00c853")
    assert contrast_in(several, BOX) is None


@pytest.mark.parametrize("box", [Rect(500, 0, 600, 80), Rect(10, 10, 10, 40), Rect(10, 10, 11, 11)])
def test_there_is_none_outside_of_the_picture_and_in_a_point(box: Rect) -> None:
    assert contrast_in(words("#000000", "#ffffff"), box) is None


def test_of_a_large_box_not_every_pixel_is_looked_at() -> None:
    large = words("#777777", "#ffffff", 60).resize((1600, 320), Image.Resampling.BICUBIC)
    found = contrast_in(large, Rect(0, 0, 1600, 320))
    assert found is not None
    assert found.ratio == pytest.approx(4.48, abs=0.1)
