"""A dump of iOS counts in points, and what is asked of a screen in pixels."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.model import Rect
from pytest_replicant.snapshots import Snapshot

from ..ios_screens import app, as_json, button, cell, el, screen, static, table

IPHONE = (0, 0, 393, 852)
THIRD = 131 + 1 / 3


def in_pixels(source: str, scale: float = 3.0) -> Snapshot:
    return Snapshot.parse(source, "ios", scale=scale)


def test_bounds_and_size_are_in_pixels() -> None:
    source = app(el("Window", button("Pay", at=(16, 100.5, 100, 44)), at=IPHONE), at=IPHONE)
    for form in (source, as_json(source)):
        snapshot = in_pixels(form)
        assert snapshot.size == (1179, 2556)
        assert snapshot.find(text="Pay").bounds == Rect(48, 302, 348, 434)
    assert Snapshot.parse(source).find(text="Pay").bounds == Rect(16, 101, 116, 145)


@pytest.mark.parametrize("digits", [2, 4, 12])
def test_what_touches_in_points_touches_in_pixels(digits: int) -> None:
    written = [(round(n * THIRD, digits), 0.0, round(THIRD, digits), 30.0) for n in range(3)]
    buttons = [button(f"Tab {n}", at=at) for n, at in enumerate(written)]
    boxes = [e.bounds for e in in_pixels(app(el("Window", *buttons, at=IPHONE), at=IPHONE)).elements]
    assert [(box.left, box.right) for box in boxes] == [(0, 394), (394, 788), (788, 1182)]


def test_halves_of_pixels_that_are_sums_of_fractions_are_rounded_alike() -> None:
    upper = static("Upper", at=(0, 1 / 6, 90, 20 + 1 / 3))
    lower = static("Lower", at=(0, 20.5, 90, 20))
    snapshot = in_pixels(app(el("Window", upper, lower, at=IPHONE), at=IPHONE))
    assert snapshot.find(text="Upper").bounds.bottom == snapshot.find(text="Lower").bounds.top == 62


def test_a_part_that_is_written_in_pixels_is_not_scaled_twice() -> None:
    whole = (0, 0, 1125, 2001)
    source = app(el("Window", el("Other", button("Go", at=(300, 600, 150, 90)), at=whole), at=whole))
    assert Snapshot.parse(source).find(text="Go").bounds == Rect(100, 200, 150, 230)
    assert in_pixels(source).find(text="Go").bounds == Rect(300, 600, 450, 690)
    assert in_pixels(source, 2.0).find(text="Go").bounds == Rect(200, 400, 300, 460)


@pytest.mark.parametrize("scale", [1.0, 2.0, 3.0])
def test_what_is_on_the_screen_does_not_depend_on_the_scale(scale: float) -> None:
    """A line, a scroll indicator and a status bar are told by their size in points."""
    status = [static("9:41", at=(20, 3, 50, 15)), static("100%", at=(320, 3, 40, 15))]
    line = el("Other", at=(0, 60, 375, 4), label="line")
    thin = el("ProgressIndicator", at=(0, 90, 375, 4), label="Loading", value="40%")
    indicator = el("Other", at=(335, 64, 40, 600), label="Vertical scroll bar", value="0%")
    rows = table(cell(static("Milk"), top=100), cell(static("Bread", at=(16, 920, 90, 20)), top=900), indicator)
    snapshot = in_pixels(screen(*status, line, thin, rows), scale)
    assert [e.label for e in snapshot.elements if e.label] == ["Loading", "Milk"]
    assert snapshot.outline().count("(1 offscreen)") == 1
    assert snapshot.outline() == Snapshot.parse(screen(*status, line, thin, rows)).outline()


@pytest.mark.parametrize("scale", [0, -3.0, float("nan"), float("inf"), "3"])
def test_a_scale_that_is_none_is_refused(scale: object) -> None:
    with pytest.raises(UsageError, match=r"scale=.*pixels a point"):
        Snapshot.parse(screen(button("OK")), scale=scale)  # type: ignore[arg-type]


def test_a_screen_of_android_has_no_points() -> None:
    source = '<hierarchy><node class="android.widget.Button" text="OK" bounds="[0,0][9,9]"/></hierarchy>'
    assert Snapshot.parse(source, scale=1.0).size == (9, 9)
    with pytest.raises(UsageError, match="in pixels already"):
        Snapshot.parse(source, scale=2.75)
