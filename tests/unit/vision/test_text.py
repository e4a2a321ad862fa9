"""Text in pictures: read by the models of the wheel alone, and found as labels are."""

from __future__ import annotations

import io
import socket
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest
from PIL import Image, ImageDraw, ImageFont

from pytest_replicant import vision
from pytest_replicant.errors import SnapshotError, UsageError
from pytest_replicant.model import Rect
from pytest_replicant.vision import (
    Found,
    drawn_texts,
    find_text,
    joined_lines,
    nearest_texts,
    refuse_unreadable,
)

needs_ocr = pytest.mark.skipif(not vision.has_ocr(), reason="needs the extra ocr")


def picture(
    *lines: tuple[int, int, str], size: tuple[int, int] = (320, 160), mode: str = "RGB"
) -> bytes:
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    for left, top, text in lines:
        draw.text((left, top), text, "black", ImageFont.load_default(28))
    out = io.BytesIO()
    image.convert(mode).save(out, "PNG")
    return out.getvalue()


def line(
    text: str, left: int, top: int, width: int = 100, height: int = 30, confidence: float = 0.9
) -> Found:
    return Found(text, Rect(left, top, left + width, top + height), confidence)


@needs_ocr
def test_lines_are_read_with_boxes_of_the_picture_that_was_given_and_no_socket_is_opened(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr("pytest_replicant.vision.text._engine", [])  # so that it is loaded here
    shown = picture((40, 20, "Score 12"), (40, 90, "Play again"))
    texts = drawn_texts(shown)
    assert [text.text for text in texts] == ["Score 12", "Play again"]
    assert all(0.9 < text.confidence <= 1 for text in texts)
    for text, (left, top) in zip(texts, [(40, 20), (40, 90)], strict=True):
        assert text.box.contains(Rect(left, top, left + 100, top + 34).center)
        assert text.box.height < 60
    assert drawn_texts(shown) is texts, "the same picture is read once"
    assert capfd.readouterr() == ("", ""), "the engine says nothing"


@needs_ocr
@pytest.mark.parametrize("size", [(1, 1), (9, 9), (1, 3000), (12, 900)])
def test_pictures_without_room_for_a_letter_hold_no_text(size: tuple[int, int]) -> None:
    assert drawn_texts(picture(size=size, mode="RGBA")) == ()


@needs_ocr
def test_bytes_that_are_no_picture_are_a_failed_read() -> None:
    with pytest.raises(SnapshotError, match="no picture"):
        drawn_texts(b"<html>")


@needs_ocr
@pytest.mark.ci
def test_threads_share_the_engine_and_each_gets_the_texts_of_its_own_picture() -> None:
    read: dict[str, list[str]] = {}

    def reading(word: str) -> None:
        read[word] = [text.text for text in drawn_texts(picture((30, 30, word)))]

    words = ["Alpha", "Bravo", "Charlie", "Delta"]
    threads = [threading.Thread(target=reading, args=(word,)) for word in words]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert read == {word: [word] for word in words}


@needs_ocr
@pytest.mark.ci
@pytest.mark.parametrize("mode", ["RGBA", "L", "LA", "P", "1"])
def test_every_mode_of_a_picture_is_read(mode: str) -> None:
    assert [text.text for text in drawn_texts(picture((40, 40, "Play again"), mode=mode))] == [
        "Play again"
    ]


@pytest.mark.ci
def test_nothing_heavy_is_imported_before_a_picture_is_read() -> None:
    ask = (
        "import sys; from pytest_replicant import vision; from pytest_replicant.vision import "
        "drawn_texts"
    )
    heavy = (
        "print(vision.has_ocr(), {'numpy', 'cv2', 'rapidocr', 'onnxruntime'} & set(sys.modules))"
    )
    said = subprocess.run(
        [sys.executable, "-c", f"{ask}; {heavy}"], capture_output=True, text=True, check=True
    )
    assert said.stdout.split()[1:] == ["set()"]


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_replicant.vision.text.find_spec", lambda _: None)
    assert not vision.has_ocr()
    with pytest.raises(
        UsageError, match=r"in a checkout of pytest-replicant, pip install '\.\[ocr\]'"
    ):
        drawn_texts(picture())


SCREEN = (
    line("Drawn text", 10, 10),
    line("Play", 10, 100, 50),
    line("Play", 300, 100, 50),
    line(".AndroFishHelpActiv", 10, 200, 280),
    line("ity", 10, 232, 40),
    line("Open in the", 10, 300, 160, confidence=0.6),
    line("browser", 40, 332, 100),
    line("1", 10, 500, 20),
    line("2", 10, 532, 20),
    line("Don’t go", 10, 700),
    line("Total12", 200, 700),
    line("I'lI pay 10℃", 400, 700),
)


@pytest.mark.parametrize(
    ("wanted", "boxes"),
    [
        ("Drawn text", [(10, 10, 110, 40)]),
        ("Drawn  text", [(10, 10, 110, 40)]),
        ("drawn text", []),
        ("Drawn", []),
        ("Play", [(10, 100, 60, 130), (300, 100, 350, 130)]),
        (".AndroFishHelpActivity", [(10, 200, 290, 262)]),
        ("ity", [(10, 232, 50, 262)]),
        ("Open in the browser", [(10, 300, 170, 362)]),
        ("12", []),
        ("1 2", [(10, 500, 30, 562)]),
        ("Don't go", [(10, 700, 110, 730)]),
        ("Total 12", [(200, 700, 300, 730)]),
        ("I'll pay 10 °C", [(400, 700, 500, 730)]),
        ("I'll pay 16 °C", []),
    ],
)
def test_a_text_is_a_whole_line_or_lines_that_make_one_label(
    wanted: str, boxes: list[tuple[int, int, int, int]]
) -> None:
    assert [found.box for found in find_text(SCREEN, text=wanted)] == boxes


def test_a_part_is_found_once_in_each_place_and_with_the_least_confidence_of_its_lines() -> None:
    assert [found.text for found in find_text(SCREEN, text_contains="rowse")] == ["browser"]
    (joined,) = find_text(SCREEN, text_contains="the browser")
    assert (joined.text, joined.confidence) == ("Open in the browser", 0.6)
    assert [found.text for found in find_text(SCREEN, text_matches=r"^Total\s*\d+$")] == ["Total12"]
    assert find_text(SCREEN, text_matches=r"^Total \d+$") == []


def test_two_reads_of_one_place_are_one_find() -> None:
    twice = (line("Play", 10, 10), line("Play", 12, 11))
    assert len(find_text(twice, text="Play")) == 1


@pytest.mark.parametrize("keyword", ["text", "text_contains"])
def test_an_empty_text_is_no_text(keyword: str) -> None:
    empty: Callable[..., object] = find_text
    with pytest.raises(UsageError, match="empty text"):
        empty(SCREEN, **{keyword: "  "})


def test_single_lines_stay_among_the_joined_ones() -> None:
    labels = [text.text for text in joined_lines(SCREEN)]
    assert labels.count("Play") == 2
    assert {".AndroFishHelpActiv", "ity", ".AndroFishHelpActiv ity"} <= set(labels)
    assert "Play Play" not in labels


def test_a_wall_of_text_joins_in_bounds() -> None:
    wall = [line(f"w{row}", column * 110, row * 32) for row in range(40) for column in range(10)]
    assert len(joined_lines(wall)) < 64 * len(wall)


def test_the_nearest_texts_are_those_of_a_message() -> None:
    assert [text.text for text in nearest_texts(SCREEN, "Drawn test", 1)] == ["Drawn text"]
    assert nearest_texts(SCREEN, "Xyzzy") == []


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Привет", "Cyrillic"),
        ("안녕", "Korean"),
        ("Save 💾", "emoji"),
        ("Tiếng", "the letter ế"),
        ("مرحبا", "Arabic"),
    ],
)
def test_a_text_that_ocr_cannot_read_is_refused_with_its_script(text: str, script: str) -> None:
    with pytest.raises(UsageError, match=script) as refused:
        refuse_unreadable("tap", text)
    assert "Next:" in str(refused.value)


def test_latin_chinese_and_japanese_are_read() -> None:
    for text in ("naïve €5 ™", "中文，", "カタカナー 々", "½ × 2 → 1", "Größe", "5 µm, 1ª"):
        refuse_unreadable("tap", text)
