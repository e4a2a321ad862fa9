"""What a small picture of an element without words proves, and what it does not."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from PIL import Image, ImageDraw, ImageOps

from pytest_replicant.model import Element, Picture, Rect
from pytest_replicant.snapshots import Snapshot, pictures_of, wordless
from pytest_replicant.snapshots.identity.picture import by_picture, have_moved

SIZE = (400, 600)
SIDE = 80
Cell = tuple[str, str]
CELLS: list[Cell] = [
    ("disc", "#c62828"),
    ("box", "#202020"),
    ("cross", "#202020"),
    ("bar", "#1565c0"),
    ("tee", "#202020"),
]


def grid(
    cells: Sequence[Cell], *, left: int = 0, ground: str = "#fafafa"
) -> tuple[Image.Image, list[Element]]:
    """A screen of cells, four in a row, and its elements, in order."""
    image = Image.new("RGB", SIZE, ground)
    pen = ImageDraw.Draw(image)
    nodes = ""
    for at, (shape, colour) in enumerate(cells):
        x, y = left + at % 4 * SIDE, 100 + at // 4 * SIDE
        paint(pen, shape, colour, x + 24, y + 24)
        bounds = f"[{x},{y}][{x + SIDE},{y + SIDE}]"
        nodes += f'<node class="android.widget.ImageButton" clickable="true" bounds="{bounds}"/>'
    page = (
        '<node class="android.widget.FrameLayout" '
        f'bounds="[0,0][{SIZE[0]},{SIZE[1]}]">{nodes}</node>'
    )
    return image, list(Snapshot.parse(f"<hierarchy>{page}</hierarchy>", "android").elements)


def paint(pen: ImageDraw.ImageDraw, shape: str, colour: str, x: int, y: int) -> None:
    match shape:
        case "disc":
            pen.ellipse((x, y, x + 31, y + 31), fill=colour)
        case "box":
            pen.rectangle((x, y, x + 31, y + 31), outline=colour, width=4)
        case "cross":
            pen.line((x, y, x + 31, y + 31), fill=colour, width=5)
            pen.line((x, y + 31, x + 31, y), fill=colour, width=5)
        case "bar":
            pen.rectangle((x, y + 12, x + 31, y + 19), fill=colour)
        case "tee":
            pen.rectangle((x, y, x + 31, y + 6), fill=colour)
            pen.rectangle((x + 13, y, x + 18, y + 31), fill=colour)


def png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def pictures(
    image: Image.Image, elements: list[Element], hidden: Sequence[Rect] = ()
) -> dict[int, Picture]:
    return pictures_of(png(image), SIZE, [elements], hidden)


def found(
    cells: Sequence[Cell],
    at: int,
    *,
    before: Sequence[Cell] = CELLS,
    change: Callable[[Image.Image], Image.Image] = lambda image: image,
    scrolls: bool = False,
    left: int = 0,
) -> Cell | None:
    """What the cell that was at that place is found to be on a screen with other cells."""
    image, elements = grid(before)
    was = replace(elements[at], picture=pictures(image, elements)[elements[at].node.index])
    image, now = grid(cells, left=left)
    one = by_picture(was, now, pictures(change(image), now), scrolls=scrolls)
    return cells[now.index(one)] if one is not None else None


def test_only_elements_with_neither_words_nor_state_that_look_alike_are_pictured() -> None:
    icon = 'class="android.widget.ImageButton" clickable="true"'
    nodes = (
        f'<node {icon} bounds="[0,0][80,80]"/><node {icon} bounds="[80,0][160,80]"/><node {icon} '
        f'content-desc="Share" bounds="[160,0][240,80]"/><node {icon} checkable="true" '
        f'bounds="[240,0][320,80]"/><node {icon} bounds="[320,0][326,6]"/><node {icon} '
        'resource-id="app:id/one" bounds="[0,80][80,160]"/><node class="android.widget.EditText" '
        'clickable="true" bounds="[0,200][400,240]"/><node class="android.widget.EditText" '
        'clickable="true" bounds="[0,240][400,280]"/>'
    )
    page = f'<hierarchy><node class="a.Page" bounds="[0,0][400,600]">{nodes}</node></hierarchy>'
    [group] = wordless(Snapshot.parse(page, "android").elements, SIZE)
    assert [one.bounds.left for one in group] == [0, 80]


def test_a_picture_is_small_and_shares_what_it_was_among() -> None:
    image, elements = grid(CELLS)
    taken = list(pictures(image, elements).values())
    assert {len(one.look) for one in taken} == {196}
    assert all(one.among is taken[0].among and len(one.among) == len(CELLS) for one in taken)


@pytest.mark.parametrize("at", range(len(CELLS)))
def test_an_element_is_found_where_another_one_came_before_it(at: int) -> None:
    assert found([("box", "#c62828"), *CELLS], at) == CELLS[at]


@pytest.mark.parametrize("quality", [90, 75])
def test_another_encoding_and_a_pixel_are_no_difference(quality: int) -> None:
    def coded(image: Image.Image) -> Image.Image:
        out = io.BytesIO()
        image.transform(SIZE, Image.Transform.AFFINE, (1, 0, 1, 0, 1, 1)).save(
            out, "JPEG", quality=quality
        )
        return Image.open(out).convert("RGB")

    assert found(CELLS[::-1], 1, change=coded) == CELLS[1]


def test_one_that_went_is_none_of_the_others() -> None:
    assert [found(CELLS[:at] + CELLS[at + 1 :], at) for at in range(len(CELLS))] == [None] * len(
        CELLS
    )


def test_two_that_are_alike_now_are_no_choice() -> None:
    assert found([*CELLS, CELLS[2]], 2) is None


def test_one_of_two_that_were_alike_is_not_known_to_be_the_one_that_is_left() -> None:
    before = [*CELLS, CELLS[2]]
    assert found(CELLS, 2, before=before) is None
    assert found(CELLS, 1, before=before) == CELLS[1]


def test_what_differs_only_in_its_light_is_not_plainly_another() -> None:
    assert found([*CELLS, ("cross", "#909090")], 2) is None
    assert found([*CELLS, ("cross", "#c62828")], 2) == CELLS[2], "another colour is plain"


@pytest.mark.parametrize(
    "change",
    [
        ImageOps.invert,
        lambda image: image.point([level // 2 for level in range(256)] * 3),
        ImageOps.grayscale,
    ],
    ids=["dark", "dimmed", "grey"],
)
def test_another_theme_names_no_other_element(change: Callable[[Image.Image], Image.Image]) -> None:
    cells = [*CELLS, ("bar", "#e0e0e0")]
    for at, cell in enumerate(CELLS):
        assert found(cells, at, change=lambda image: change(image).convert("RGB")) in (None, cell)


def test_a_theme_that_turns_two_into_each_other_names_neither() -> None:
    before: list[Cell] = [
        ("disc", "#fafafa"),
        ("bar", "#050505"),
        ("tee", "#050505"),
        ("box", "#fafafa"),
    ]

    def themed(cells: list[Cell], ground: str) -> tuple[dict[int, Picture], list[Element]]:
        image, elements = grid(cells, ground=ground)
        return pictures(image, elements), elements

    then, elements = themed(before, "#808080")
    now, there = themed([*before, ("cross", "#050505")], "#101010")
    was = [replace(one, picture=then[one.node.index]) for one in elements]
    assert [by_picture(one, there, now, scrolls=False) for one in was] == [None] * len(before)


def test_a_picture_alone_proves_nothing() -> None:
    """The same icon among others that are all new may be that of another list."""
    others: list[Cell] = [
        ("box", "#c62828"),
        ("disc", "#202020"),
        ("bar", "#2e7d32"),
        ("tee", "#c62828"),
    ]
    assert found([*others, CELLS[2]], 2) is None
    assert found([*others[:2], *CELLS[1:4]], 2) == CELLS[2]


def test_in_a_list_that_scrolls_the_order_must_be_kept() -> None:
    """The only one like it may be another, where the one that was meant is out of sight."""
    now = [*CELLS[1:], CELLS[0]]
    assert found(now, 0, scrolls=True) is None
    assert found(now, 0, scrolls=False) == CELLS[0]


@pytest.mark.parametrize("elsewhere", [False, True])
def test_one_that_is_cut_off_may_be_the_one_that_is_meant(elsewhere: bool) -> None:
    cells = (
        [*CELLS[:2], ("tee", "#2e7d32"), *CELLS[3:], CELLS[2]]
        if elsewhere
        else [*CELLS, ("tee", "#2e7d32")]
    )
    image, elements = grid(CELLS)
    was = replace(elements[2], picture=pictures(image, elements)[elements[2].node.index])
    image, now = grid(cells)
    cut = now[2 if elsewhere else 5]
    bounds = cut.bounds._replace(bottom=cut.bounds.bottom - 40)
    now[now.index(cut)] = replace(cut, node=replace(cut.node, bounds=bounds))
    one = by_picture(was, now, pictures(image, now), scrolls=False)
    assert one is (None if elsewhere else now[2]), (
        "it is known only where those around it moved as far"
    )


def test_places_that_show_other_shapes_have_moved_and_other_colours_have_not() -> None:
    image, elements = grid(CELLS)
    then = pictures(image, elements)[elements[0].node.index]
    image, now = grid(CELLS[::-1])
    assert have_moved(then, pictures(image, now)[now[0].node.index])
    image, now = grid([(shape, "#7b1fa2") for shape, _ in CELLS])
    assert not have_moved(then, pictures(image, now)[now[0].node.index])


def test_hidden_areas_never_enter() -> None:
    image, elements = grid(CELLS)
    secret = elements[1].bounds
    plain = pictures(image, elements, [secret])
    image.paste((0, 255, 0), secret)
    assert elements[1].node.index not in plain
    assert pictures(image, elements, [secret]) == plain


def test_a_screenshot_of_another_size_gives_no_pictures() -> None:
    image, elements = grid(CELLS)
    assert pictures(image.resize((200, 300)), elements) == {}
    with pytest.raises(OSError, match="cannot identify"):
        pictures_of(b"no picture", SIZE, [elements], [])
