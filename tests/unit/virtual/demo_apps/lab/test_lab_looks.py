"""What cannot be read as it is, and what depends on more than the screen."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import draw_screen

from .visitor import Visitor

IMPORTED = "/sdcard/Download/lab.txt"


def test_a_slow_screen_takes_as_long_as_it_is_reported() -> None:
    visitor = Visitor("slow-dump?delay=4000")
    assert visitor.phone.begin_dump()[0].extra_ms == 4000


def test_a_stale_screen_shows_what_was_there_at_the_look_before() -> None:
    visitor = Visitor("stale-dump")
    visitor.phone.begin_dump()
    visitor.tap("Tap")
    fault, (windows, _) = visitor.phone.begin_dump()
    assert fault.stale
    assert [node.text for window in windows for node in window.root.walk() if "Tapped" in node.text] == [
        "Tapped 0 times"
    ]
    assert visitor.result == "Tapped 1 times"


def test_a_truncated_screen_breaks_off() -> None:
    fault, _ = Visitor("truncated-dump").phone.begin_dump()
    assert 0 < len(fault.cut(b"<node>" * 1000)) < 6000


def test_a_screen_may_not_be_there_at_all() -> None:
    assert Visitor("no-dump").phone.begin_dump()[0].no_window


@pytest.mark.parametrize("slug", ["slow-dump", "stale-dump", "truncated-dump", "no-dump"])
def test_it_heals_and_its_button_works_all_the_time(slug: str) -> None:
    visitor = Visitor(f"{slug}?lasts=3000")
    visitor.phone.begin_dump()
    visitor.wait(2999)
    sick, _ = visitor.phone.begin_dump()
    visitor.wait(1)
    sound, _ = visitor.phone.begin_dump()
    visitor.tap("Tap")
    assert sick != sound
    assert (sound.extra_ms, sound.stale, sound.keep, sound.no_window) == (0, False, 1.0, False)
    assert visitor.events == ["tap 1"]


def test_other_exhibits_are_read_as_they_are() -> None:
    visitor = Visitor("no-dump?lasts=0")
    visitor.open("counter")
    assert not visitor.phone.begin_dump()[0].no_window


# --- surroundings -------------------------------------------------------------------------------------------
def test_a_phone_held_across_shows_list_and_letter() -> None:
    visitor = Visitor("rotation")
    visitor.tap("Letter from Ada")
    assert visitor.find(id="letter").text == "A letter from Ada"
    assert not visitor.sees(id="letters")
    visitor.phone.set_rotation(1)
    assert visitor.sees(id="letters")
    assert visitor.find(id="letter").text == "A letter from Ada"
    visitor.tap("Letter from Grace")
    visitor.tap("Reply")
    assert visitor.events == ["replied to Grace"]
    visitor.phone.set_rotation(2)
    assert not visitor.sees("Reply")
    visitor.tap("Close")
    assert visitor.sees("Letter from Linus")


def test_no_one_is_replied_to_before_a_letter_is_chosen() -> None:
    visitor = Visitor("rotation")
    visitor.phone.set_rotation(3)
    assert visitor.find(id="letter").text == "Choose a letter"
    assert not visitor.find("Reply").enabled


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"one\ntwo\nthree\n", "one\ntwo"),
        (b"", "The file is empty"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"x" * 20_000, "x" * 10_000),
    ],
)
def test_a_file_is_shown(data: bytes, said: str) -> None:
    visitor = Visitor("file-import?lines=2")
    visitor.phone.files.write(IMPORTED, data)
    visitor.tap("Import")
    assert visitor.result == said
    assert visitor.events == [f"file read, {len(data)} bytes"]


def test_a_missing_file_is_said_to_be_missing() -> None:
    visitor = Visitor("file-import")
    visitor.tap("Import")
    assert visitor.result == "There is no such file"
    visitor.phone.files.mkdir(IMPORTED)
    visitor.tap("Import")
    assert visitor.result == "There is no such file"


# --- pixels -------------------------------------------------------------------------------------------------
def test_an_upright_slider_is_drawn_with_its_thumb_where_the_value_is() -> None:
    visitor = Visitor("vertical-slider")
    bounds = visitor.find(id="slider").bounds

    def thumb() -> tuple[int, int]:
        """How much ink there is in the upper and the lower fifth."""
        image = draw_screen(visitor.phone.windows(), visitor.phone.size).convert("L")
        fifth = bounds.height // 5
        upper = image.crop((bounds.left, bounds.top, bounds.right, bounds.top + fifth))
        lower = image.crop((bounds.left, bounds.bottom - fifth, bounds.right, bounds.bottom))
        return sum(255 - level for level in upper.tobytes()), sum(255 - level for level in lower.tobytes())

    visitor.phone.tap(bounds.center.x, bounds.top + 1)
    up = thumb()
    visitor.phone.tap(bounds.center.x, bounds.bottom - 1)
    down = thumb()
    assert up[0] > down[0]
    assert down[1] > 0


def test_a_canvas_is_drawn_as_squared_paper() -> None:
    visitor = Visitor("bare-canvas")
    bounds = visitor.find(id="board").bounds
    image = draw_screen(visitor.phone.windows(), visitor.phone.size)
    line = image.crop((bounds.left, bounds.top + 10, bounds.right, bounds.top + 11))
    assert len(line.getcolors() or ()) == 2
