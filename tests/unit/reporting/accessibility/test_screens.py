"""Which looks of a screen are judged, and what of a picture may be kept."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from pytest_replicant.model import Rect, ShownElement, SnapshotRecord
from pytest_replicant.reporting.accessibility import covered, frame_of
from pytest_replicant.snapshots import Snapshot
from tests.unit.snapshots.screens import parse, screen, text

PHONE: dict[str, Any] = {"platform": "android", "density": 2.0}
ADD = ShownElement("k427", "Button", "Add", Rect(0, 0, 96, 96))
RECORD = SnapshotRecord(
    "s1", "Cart", "f1", "", b"", 0, (1080, 2400), "c1", "dev.example", (ADD,), structure="x1"
)


def test_a_screen_that_only_counts_on_is_the_same_frame() -> None:
    assert frame_of(RECORD, PHONE) == frame_of(
        replace(RECORD, id="s9", fingerprint="f2", captured_at_ms=9), PHONE
    )


@pytest.mark.parametrize(
    ("changed", "phone"),
    [
        ({"elements": (replace(ADD, bounds=Rect(0, 0, 40, 40)),)}, PHONE),
        ({"elements": (replace(ADD, ref="b114"),)}, PHONE),
        ({"structure": "x2"}, PHONE),
        ({"dialog": "Sure?"}, PHONE),
        ({"app": "dev.other"}, PHONE),
        ({}, {**PHONE, "density": 3.0}),
    ],
    ids=[
        "a smaller control",
        "another one",
        "another label",
        "a dialog",
        "another app",
        "another phone",
    ],
)
def test_what_a_rule_may_judge_otherwise_is_another_frame(
    changed: dict[str, Any], phone: dict[str, Any]
) -> None:
    assert frame_of(replace(RECORD, **changed), phone) != frame_of(RECORD, PHONE)


def png(size: tuple[int, int], colour: str = "#ffffff") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return out.getvalue()


def colour_at(picture: bytes, place: tuple[int, int]) -> Any:
    with Image.open(io.BytesIO(picture)) as image:
        return image.convert("RGB").getpixel(place)


def test_a_secret_that_the_hierarchy_hides_is_painted_over() -> None:
    hidden: Snapshot = parse(
        screen(text("•••", at=(100, 200, 300, 400)), text("Plain", at=(100, 600, 300, 800)))
    )
    picture = covered(png((1080, 2400)), hidden)
    assert colour_at(picture, (200, 300)) != (255, 255, 255)
    assert colour_at(picture, (200, 700)) == (255, 255, 255)
    plain = png((1080, 2400))
    assert covered(plain, parse(screen(text("Plain", at=(100, 600, 300, 800))))) == plain
