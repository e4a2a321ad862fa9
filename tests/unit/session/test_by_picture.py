"""Finding by picture: the hierarchy first, two finds are ambiguous, and absence is never proven."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as pillow

from pytest_replicant import (
    ActionFailed,
    DrawnElement,
    ExpectationFailed,
    Secret,
    TargetError,
    UsageError,
    by,
    by_image,
)
from pytest_replicant.drivers import Platform
from pytest_replicant.session import Guard
from pytest_replicant.testing import VirtualDevice
from pytest_replicant.virtual import Canvas, Column, EditText, Stack, Text, Widget, drawn_by_apps
from pytest_replicant.vision import drawn_texts, find_text, has_ocr

from .on_phone import PACKAGE, Page, done, lab_on, lab_phone, noting, page_on

needs_ocr = pytest.mark.skipif(not has_ocr(), reason="needs the extra ocr")


@pytest.fixture(scope="module", params=["android", pytest.param("ios", marks=pytest.mark.thorough)])
def device(request: pytest.FixtureRequest) -> Iterator[VirtualDevice]:
    platform: Platform = request.param
    with lab_phone(platform) as found:
        yield found


def crop(device: VirtualDevice, mobile: Any, what: str) -> bytes:
    """A picture of something drawn, as a person would cut it out."""
    node = next(
        one for one in drawn_by_apps(device.phone.windows()) if one.look.shape == f"icon:{what}"
    )
    out = io.BytesIO()
    with pillow.open(io.BytesIO(mobile.screenshot())) as shown:
        shown.crop(node.bounds).save(out, "PNG")
    return out.getvalue()


# --- without reading a picture --------------------------------------------------------------------


def test_the_hierarchy_comes_first(device: VirtualDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "pytest_replicant.vision.drawn_texts", None, raising=False
    )  # reading one would fail
    with lab_on(device, "drawn-button") as mobile:
        assert mobile.find(text="Taps: 0", source="picture").class_name in (
            "TextView",
            "StaticText",
        )
        mobile.tap(text="Taps: 0", source="picture").expect_visible(
            text="Taps: 0", source="picture"
        )


def test_without_the_extra_the_message_names_it(
    device: VirtualDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_replicant.vision.text.has_ocr", lambda: False)
    with (
        lab_on(device, "drawn-button") as mobile,
        pytest.raises(
            UsageError, match=r"in a checkout of pytest-replicant, pip install '\.\[ocr\]'"
        ),
    ):
        mobile.find(text="Play", source="picture")


# --- with it --------------------------------------------------------------------------------------


@needs_ocr
@pytest.mark.ci
def test_a_drawn_button_is_tapped_and_the_trace_says_how(device: VirtualDevice) -> None:
    with lab_on(device, "drawn-button") as mobile:
        outcome = mobile.tap(text="Play", source="picture").expect_visible(text="Taps: 1")
        assert outcome.result.details["source"] == "picture"
        assert outcome.result.details["degraded"] is True
        assert 0.5 < outcome.result.details["confidence"] <= 1
        assert outcome.result.target.selector == 'text="Play"'
        found = mobile.find(text="Play", source="picture")
        assert isinstance(found, DrawnElement)
        mobile.tap(found).expect_visible(text="Taps: 2")


@needs_ocr
@pytest.mark.ci
def test_two_finds_are_ambiguous_and_nothing_is_touched(device: VirtualDevice) -> None:
    with lab_on(device, "drawn-text") as mobile:
        with pytest.raises(ActionFailed, match="drawn 2 times") as caught:
            mobile.tap(text="Details", source="picture")
        assert caught.value.result.failure_code == "AMBIGUOUS_TARGET"
        with pytest.raises(TargetError, match="drawn 2 times"):
            mobile.find(text="Details", source="picture")
        (picture,) = {one.name for one in mobile._context.recorder.attachments}
        assert picture.startswith("shot of s")
        mobile.expect_visible(text="Nothing yet")


@needs_ocr
@pytest.mark.ci
def test_a_check_says_that_a_picture_showed_it(device: VirtualDevice) -> None:
    with lab_on(device, "drawn-text") as mobile:
        mobile.expect_visible(text="Daily report", source="picture")
        (record,) = [
            event.check
            for event in mobile._context.recorder._events.values()
            if event.check is not None
        ]
        assert record.expected.endswith("(picture)")
        assert record.observed.startswith("by picture: [~1]")
        mobile.locator(text_contains="Visitors").expect_visible(source="picture")
        with pytest.raises(ExpectationFailed, match="not seen in a picture") as caught:
            mobile.expect_visible(text="Nightly report", source="picture", timeout=0.1)
        assert '"Daily report"' in str(caught.value)


@needs_ocr
@pytest.mark.ci
def test_what_moves_between_two_pictures_is_not_touched(device: VirtualDevice) -> None:
    with lab_on(device, "drawn-game?every=0") as mobile:
        star = mobile.find(by_image(crop(device, mobile, "star")))
        mobile.tap(star, silent=True)  # which makes it go to its next place
        mobile.expect_visible(text="Hits: 1")
        with pytest.raises(ActionFailed, match="Nothing was touched"):
            mobile.tap(star)
        mobile.expect_visible(text="Hits: 1")


@needs_ocr
@pytest.mark.ci
def test_an_image_is_found_and_of_two_none_is_chosen(device: VirtualDevice, tmp_path: Path) -> None:
    with lab_on(device, "icon-row") as mobile:
        (tmp_path / "camera.png").write_bytes(crop(device, mobile, "camera"))
        heart = by_image(crop(device, mobile, "heart"), name="heart")
        outcome = mobile.tap(by_image(tmp_path / "camera.png"))
        outcome.expect_visible(text="Chose camera, number 1")
        assert outcome.result.target.selector == "image camera.png"
        with pytest.raises(ActionFailed, match=r"image heart on .*: drawn 2 times"):
            mobile.tap(heart)
        mobile.expect_visible(heart)  # at least one is there
        with pytest.raises(ExpectationFailed, match="not seen"):
            mobile.expect_visible(by_image(_star()), timeout=0.1)
        with pytest.raises(ActionFailed, match="has the grid of cells"):
            mobile.tap(by_image(_star()), timeout=0.1)
        (*_, shot) = mobile._context.recorder.attachments
        (tmp_path / "grid.png").write_bytes(shot.data)
        with pillow.open(tmp_path / "grid.png") as picture:
            assert max(picture.size) >= 1000


def _star() -> bytes:
    """A picture that no screen of these tests shows."""
    image = pillow.new("RGB", (60, 60), "white")
    for at in range(60):
        image.putpixel((at, (at * at) // 60), (200, 0, 0))
        image.putpixel((at, 59 - at), (0, 90, 200))
        image.putpixel((30, at), (0, 160, 40))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@needs_ocr
@pytest.mark.ci
def test_a_text_in_an_element_is_that_element(device: VirtualDevice) -> None:
    """The name of the row has another part: the hierarchy has no label of that text alone on either
    platform."""
    with lab_on(device) as mobile:
        row = next(one for one in mobile.snapshot().elements if "Long list" in one.label)
        found = mobile.find(text_matches="^Hundreds of rows", source="picture")
        assert found.identity == row.identity or found.bounds.intersect(row.bounds).area > 0
        assert not isinstance(found, DrawnElement)


@needs_ocr
@pytest.mark.ci
def test_a_suite_may_switch_it_on(device: VirtualDevice) -> None:
    with lab_on(device, "drawn-button", source="picture") as mobile:
        mobile.tap(text="Play").expect_visible(text="Taps: 1")
        mobile.expect_gone(text="Play")  # of which only the hierarchy speaks
        with pytest.raises(TargetError):
            mobile.find(text="Play", source="hierarchy")


@needs_ocr
@pytest.mark.ci
def test_a_place_to_look_in_that_is_not_there_fails_the_check(device: VirtualDevice) -> None:
    with lab_on(device, "drawn-text") as mobile:
        for within in (by(text="Nowhere"), by(text_matches=".")):
            with pytest.raises(ExpectationFailed, match="where to look"):
                mobile.expect_visible(
                    text="Daily report", within=within, source="picture", timeout=0.1
                )
            with pytest.raises(ActionFailed) as caught:
                mobile.tap(text="Daily report", within=within, source="picture", timeout=0.1)
            assert str(caught.value).count(str(caught.value.result.failure_code)) == 1


@needs_ocr
@pytest.mark.ci
def test_a_guard_goes_by_what_is_drawn_in_an_element_too() -> None:
    def board(app: Page) -> Widget:
        words = Stack([Text("Pay now", size=24)])
        return Canvas(
            id="board", height=100, width=300, on_click=noting(app, "paid"), drawing=words
        )

    with page_on("android", board) as (mobile, app, _):
        mobile._context.guard = Guard.of(["on"], [PACKAGE])
        with pytest.raises(UsageError, match='"Pay now" may pay'):
            mobile.tap(text="Pay now", source="picture")
        assert done(app) == []


@needs_ocr
@pytest.mark.ci
def test_a_secret_that_is_drawn_is_in_no_message_and_no_attachment() -> None:
    """Reading drops the blank, so that no report would know it again."""

    def shown(app: Page) -> Widget:
        words = Stack([Text("correcthorse", size=24, margin=(20, 20, 0, 0))])
        return Column(
            [
                EditText(id="note", hint="Note"),
                Canvas(id="board", height=100, width=300, drawing=words),
            ]
        )

    with page_on("android", shown) as (mobile, _, _):
        mobile.fill(text="Note", value=Secret("correct horse"))
        with pytest.raises(ActionFailed) as caught:
            mobile.tap(text="correct house", source="picture", timeout=0.1)
        assert "correcthorse" not in str(caught.value)
        (marked,) = mobile._context.recorder.attachments
        assert not find_text(drawn_texts(marked.data), text_contains="horse")
