from __future__ import annotations

import io
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from pytest_replicant.model import Rect
from pytest_replicant.virtual import Look, UiNode, Window, draw_screen, render_png
from pytest_replicant.virtual.renderers.pixels.shapes import PAINTERS
from pytest_replicant.virtual.ui import WindowKind

SIZE = (270, 600)
SCREEN = Rect(0, 0, *SIZE)
PAGE = "#fafafa"

HOSTILE = [
    "",
    "x" * 100_000,
    "word " * 5_000,
    "日本語 😀 👩‍👩‍👧 ﷽",
    "\x00\x01\x1b[31m\x7f\u0085",
    "\u202eright to left\u202c \u2066\u200f",
    "e\u0301" + "\u0300" * 500,
    "\ud800 lone surrogate",
    "one\ntwo\r\nthree\u2028four\tfive",
    "Prix: 12,50 € – £3 • ¥9 × 2 ✓ → ← °",
    "<b>&amp;</b> %s {0} ${HOME} 'quotes' \"more\"",
]


def node(rect: Rect, class_name: str = "View", look: Look | None = None, text: str = "") -> UiNode:
    return UiNode(
        f"android.widget.{class_name}",
        "app",
        rect.intersect(SCREEN),
        rect,
        text=text,
        look=look or Look(),
    )


def window(
    *children: UiNode, background: str = PAGE, kind: WindowKind = "app", layer: int = 1
) -> Window:
    root = node(SCREEN, look=Look(background=background))
    root.children = list(children)
    return Window(kind, "app", "", layer, root)


def drawn(*children: UiNode, background: str = PAGE) -> Image.Image:
    return draw_screen([window(*children, background=background)], SIZE)


def shades(image: Image.Image, rect: Rect = SCREEN) -> set[object]:
    part = image.crop((rect.left, rect.top, rect.right, rect.bottom))
    return {shade for _, shade in part.getcolors(part.width * part.height) or []}


def test_a_png_decodes_to_exactly_what_was_drawn() -> None:
    windows = [window(node(Rect(10, 10, 200, 60), "Button", text="Sign in"))]
    png = render_png(windows, SIZE, compress_level=1)
    image = Image.open(io.BytesIO(png))
    image.load()
    assert (image.format, image.mode, image.size) == ("PNG", "RGB", SIZE)
    assert image.tobytes() == draw_screen(windows, SIZE).tobytes()


@pytest.mark.parametrize(
    "class_name", ["TextView", "Button", "EditText", "CheckBox", "Switch", "Spinner"]
)
@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_makes_drawing_fail_or_leaves_its_place(class_name: str, text: str) -> None:
    place = Rect(60, 200, 210, 260)
    widget = node(place, class_name, text=text)
    widget.hint, widget.description, widget.focused = text, text, True
    image = drawn(widget)
    above, below = Rect(0, 0, 270, 190), Rect(0, 270, 270, 600)
    assert shades(image, above) == shades(image, below) == {(250, 250, 250)}


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@example("", "toast", 0, 0, 46, 46)  # as wide as its shadow, which has no middle to draw out then
@given(
    st.text(max_size=60),
    st.sampled_from(sorted(PAINTERS)),
    *(st.integers(-400, 900) for _ in range(4)),
)
def test_no_text_shape_or_rectangle_makes_drawing_fail(
    text: str, shape: str, left: int, top: int, right: int, bottom: int
) -> None:
    image = drawn(
        node(Rect(left, top, right, bottom), look=Look(shape=shape, elevation=3), text=text)
    )
    assert image.size == SIZE


@pytest.mark.parametrize("shape", sorted(set(PAINTERS) - {"", "box", "navigation_bar"}))
def test_every_shape_shows(shape: str) -> None:
    widget = node(Rect(30, 100, 240, 160), look=Look(shape=shape, progress=0.5), text="Text")
    assert len(shades(drawn(widget))) > 1


def test_an_unknown_shape_is_drawn_by_its_class() -> None:
    place = Rect(20, 20, 200, 60)
    unknown = drawn(node(place, "Button", Look(shape="hologram"), "Buy"))
    assert unknown.tobytes() == drawn(node(place, "Button", text="Buy")).tobytes()


def test_a_button_half_out_of_sight_looks_as_it_does_whole() -> None:
    place = Rect(20, 100, 250, 160)
    half = node(place, "Button", text="Check out")
    half.bounds = Rect(20, 130, 250, 160)
    lower = (20, 130, 250, 160)
    whole = drawn(node(place, "Button", text="Check out"))
    assert drawn(half).crop(lower).tobytes() == whole.crop(lower).tobytes()


def test_what_is_a_part_of_another_drawing_is_not_drawn_again() -> None:
    def bar(shape: str) -> bytes:
        icon = node(Rect(240, 2, 256, 18), "ImageView", look=Look(shape=shape))
        root = node(Rect(0, 0, 270, 20), look=Look(background="#2040c0"))
        root.children.append(icon)
        return draw_screen([Window("app", "app", "", 1, root)], SIZE).tobytes()

    plain = draw_screen(
        [Window("app", "app", "", 1, node(Rect(0, 0, 270, 20), look=Look(background="#2040c0")))],
        SIZE,
    )
    assert bar("none") == plain.tobytes() != bar("")


def test_a_password_is_never_on_the_screen() -> None:
    def field(text: str) -> bytes:
        widget = node(Rect(20, 20, 250, 60), "EditText", text=text)
        widget.password = True
        return drawn(widget).tobytes()

    assert field("aaaa") == field("WWWW")
    assert field("aaaa") != field("aaaaaaaa")


def test_a_hint_reported_as_text_is_drawn_as_a_hint() -> None:
    empty = node(Rect(20, 20, 250, 60), "EditText")
    empty.hint = "Email"
    assert drawn(empty).tobytes() == drawn(replace(empty, text="Email")).tobytes()
