"""Icons found by a picture of them: at another size, twice, in another shade, and not where they
are not."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from pytest_replicant import vision
from pytest_replicant.errors import SnapshotError, UsageError
from pytest_replicant.model import Rect
from pytest_replicant.virtual import icon_mask
from pytest_replicant.vision import find_icon

needs_ocr = pytest.mark.skipif(not vision.has_ocr(), reason="needs the extra ocr")

Placed = tuple[str, int, int, int, str]
"""Name, left, top, size and colour."""


def png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def drawn(*icons: Placed, size: tuple[int, int] = (400, 300), ground: str = "white") -> bytes:
    image = Image.new("RGB", size, ground)
    for name, left, top, side, colour in icons:
        image.paste(Image.new("RGB", (side, side), colour), (left, top), icon_mask(name, side))
    return png(image)


def one(name: str, side: int = 48, colour: str = "black", ground: str = "white") -> bytes:
    return drawn((name, 4, 4, side, colour), size=(side + 8, side + 8), ground=ground)


def silhouette(name: str, side: int = 48) -> bytes:
    image = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    image.putalpha(icon_mask(name, side))
    return png(image)


ROW = drawn(
    ("heart", 30, 40, 48, "black"),
    ("star", 130, 40, 48, "black"),
    ("heart", 230, 40, 48, "#b3261e"),
    ("bell", 30, 160, 72, "black"),
    ("heart", 150, 180, 60, "black"),
)


@needs_ocr
def test_an_icon_is_found_where_it_is_and_another_one_nowhere() -> None:
    row = drawn(("heart", 20, 20, 40, "black"), ("star", 90, 20, 40, "black"), size=(150, 80))
    (star,) = find_icon(row, one("star", 40))
    assert abs(star.box.center.x - 110) < 4
    assert abs(star.box.center.y - 40) < 4
    assert find_icon(row, one("lock", 40)) == []


@needs_ocr
@pytest.mark.ci
@pytest.mark.parametrize(
    ("icon", "centers"),
    [
        (one("star"), [(154, 64)]),
        (one("heart"), [(54, 64), (180, 210)]),
        (one("heart", colour="#b3261e"), [(254, 64)]),
        (one("bell"), [(66, 196)]),
        (one("lock"), []),
        (one("star", colour="white", ground="#203040"), []),
    ],
    ids=[
        "once",
        "two sizes of one colour",
        "the red one",
        "half as large again",
        "absent",
        "on another ground",
    ],
)
def test_an_icon_is_found_at_each_size_in_its_own_colours(
    icon: bytes, centers: list[tuple[int, int]]
) -> None:
    found = find_icon(ROW, icon)
    assert [
        abs(each.box.center.x - x) < 4 > abs(each.box.center.y - y)
        for each, (x, y) in zip(found, centers, strict=False)
    ] == [True] * len(centers)
    assert len(found) == len(centers)
    assert all(0.96 <= each.confidence <= 1 for each in found)


@needs_ocr
@pytest.mark.ci
def test_a_silhouette_is_found_in_any_colour_on_light_and_dark() -> None:
    assert len(find_icon(ROW, silhouette("heart"))) == 3
    dark = drawn(("star", 130, 40, 48, "white"), ("bell", 30, 40, 48, "#8888ff"), ground="#202428")
    (star,) = find_icon(dark, silhouette("star"))
    assert star.box.contains(Rect(130, 40, 178, 88).center)


@needs_ocr
@pytest.mark.ci
def test_transparent_pixels_are_not_compared() -> None:
    icon = Image.new("RGBA", (60, 60), (0, 0, 0, 0))
    icon.paste((200, 40, 40, 255), (6, 6, 54, 30))
    icon.paste((40, 40, 200, 255), (6, 30, 40, 54))
    for ground in ("white", "black"):
        screen = Image.new("RGB", (300, 200), ground)
        screen.paste(icon, (100, 90), icon)
        (found,) = find_icon(png(screen), png(icon))
        assert abs(found.box.left - 106) < 4
        assert abs(found.box.top - 96) < 4


@needs_ocr
@pytest.mark.ci
def test_a_paler_icon_is_found_and_noise_is_not() -> None:
    pale = drawn(("star", 130, 40, 48, "#9a9a9a"))
    assert len(find_icon(pale, one("star"))) == 1
    assert find_icon(png(Image.effect_noise((400, 300), 90).convert("RGB")), one("star")) == []
    assert find_icon(drawn(), one("star")) == []


NOT_ONE = Image.new("RGB", (40, 40), "red")


@needs_ocr
@pytest.mark.parametrize(
    ("icon", "message"),
    [
        (png(NOT_ONE), "one colour"),
        (png(Image.new("RGBA", (40, 40), (0, 0, 0, 0))), "no shape"),
        (png(NOT_ONE.resize((7, 40))), "no shape"),
        (one("star", 1200), "larger than the screen"),
        (b"\x89PNG\r\n\x1a\nnothing more", "no picture"),
        (b"", "no picture"),
    ],
)
def test_an_icon_that_cannot_be_searched_for_is_refused(icon: bytes, message: str) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        find_icon(ROW, icon)
    assert "Next:" in str(refused.value)


@needs_ocr
def test_a_screen_that_is_no_picture_is_a_failed_read() -> None:
    with pytest.raises(SnapshotError):
        find_icon(b"<hierarchy/>", one("star"))
