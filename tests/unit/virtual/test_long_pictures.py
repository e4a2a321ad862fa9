"""The camera of the virtual phone: of what is taller or wider than the screen it shows the part in
sight."""

from __future__ import annotations

import pytest
from PIL import Image

from pytest_replicant.model import Rect
from pytest_replicant.virtual import Look
from pytest_replicant.virtual.app_kit.metrics import wrap_text

from .test_png import SIZE, drawn, node, shades

WORDS = " ".join(f"w{number * 7919 % 10007}" for number in range(4000))
SIZE_PX = 12
LINES = len(wrap_text(WORDS, SIZE_PX, SIZE[0]))
TALL = {
    "text": (SIZE[0], LINES * 16, WORDS),
    "ImageView": (SIZE[0], 40 * SIZE[1], ""),
}


def at(kind: str, offset: int) -> Image.Image:
    width, height, text = TALL[kind]
    frame = Rect(0, -offset, width, height - offset)
    look = Look(shape="text" if kind == "text" else "image:mug", text_size=SIZE_PX)
    return drawn(node(frame, "TextView" if kind == "text" else kind, look, text))


@pytest.mark.parametrize("kind", TALL)
def test_each_part_of_something_tall_has_something_to_see(kind: str) -> None:
    last = TALL[kind][1] - SIZE[1]
    for offset in (0, 1, SIZE[1], 5 * SIZE[1], last // 2, last - 50, last):
        assert len(shades(at(kind, offset))) > 1, offset
        assert at(kind, offset).tobytes() != at(kind, offset + 40).tobytes(), offset


@pytest.mark.parametrize("kind", TALL)
def test_what_is_scrolled_is_drawn_further_up(kind: str) -> None:
    by = 32
    before, after = at(kind, 3 * SIZE[1]), at(kind, 3 * SIZE[1] + by)
    kept = SIZE[1] - by
    assert (
        before.crop((0, by, SIZE[0], SIZE[1])).tobytes()
        == after.crop((0, 0, SIZE[0], kept)).tobytes()
    )


@pytest.mark.parametrize(
    "look", [Look(shape="card"), Look(shape="box", background="#c03030", radius=20)]
)
def test_the_edges_of_a_long_box_are_those_of_a_short_one(look: Look) -> None:
    long = drawn(
        node(Rect(20, 300, 250, 60_000), look=look), node(Rect(20, -60_000, 250, 200), look=look)
    )
    short = drawn(
        node(Rect(20, 300, 250, 1_100), look=look), node(Rect(20, -600, 250, 200), look=look)
    )
    assert long.tobytes() == short.tobytes()
