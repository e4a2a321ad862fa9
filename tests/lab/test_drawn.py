"""What is drawn and in no hierarchy: refused by name, used by place, and proven by the line that
has a node."""

from __future__ import annotations

import pytest

from pytest_replicant import by
from pytest_replicant.model import Rect
from pytest_replicant.session import DeviceSession
from pytest_replicant.virtual import drawn_by_apps
from pytest_replicant.vision import drawn_texts, find_icon, find_text, has_ocr

from .exhibits_shown import Visit, disproved, proves, refused, refutes, shows
from .lab_phone import LabPhone

pytestmark = pytest.mark.on_both

needs_ocr = pytest.mark.skipif(not has_ocr(), reason="needs the extra ocr")


def drawn(lab: LabPhone, what: str) -> list[Rect]:
    """Where the app really draws a text or an icon."""
    nodes = drawn_by_apps(lab.phone.windows())
    return [node.bounds for node in nodes if what in (node.text, node.look.shape.partition(":")[2])]


def tap_in(mobile: DeviceSession, box: Rect) -> DeviceSession:
    mobile.tap_at(*box.center)
    return mobile


@proves("drawn-text")
@needs_ocr
@pytest.mark.ci
def test_drawn_words_are_read_and_chosen(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("drawn-text")
    texts = drawn_texts(mobile.screenshot())
    for text in (
        "Daily report",
        "Orders 73",
        "Notificationpreferences",
        "Reset all the counters",
        "大小",
    ):
        (found,) = find_text(texts, text=text)
        assert not found.box.intersect(drawn(lab, text)[0]).is_empty
        tap_in(mobile, found.box).expect_visible(text=f"Chose {text}")


@refutes("drawn-text")
def test_no_look_finds_a_drawn_word(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("drawn-text")
    assert len(drawn(lab, "Details")) == 2
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(text="Details")
    with disproved():
        mobile.expect_visible(text="Daily report")
    assert mobile.snapshot().find_all(within=by(resource_id="board")) == []
    assert lab.events == []


@shows("drawn-button")
def test_a_drawn_button_is_no_element_and_is_tapped_by_place(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("drawn-button")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(text="Play")
    (button,) = drawn(lab, "Play")
    mobile.tap_at(button.right + 20, button.center.y)
    with disproved():
        mobile.expect_visible(text="Taps: 1")
    tap_in(mobile, button).expect_visible(text="Taps: 1")
    assert lab.events == ["tap 1"]


@shows("icon-row")
@needs_ocr
@pytest.mark.ci
def test_an_icon_is_found_by_its_picture_as_often_as_it_is_there(
    visit: Visit, lab: LabPhone
) -> None:
    mobile = visit("icon-row")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(description="heart")
    shown = mobile.screenshot()
    hearts = drawn(lab, "heart")
    assert len(find_icon(shown, crop(shown, hearts[0]))) == len(hearts) == 2
    (camera,) = drawn(lab, "camera")
    (found,) = find_icon(shown, crop(shown, camera))
    tap_in(mobile, found.box).expect_visible(text="Chose camera, number 1")
    assert lab.events == ["chose camera, number 1"]


@shows("drawn-game")
def test_a_star_is_hit_where_it_is(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("drawn-game?every=0")
    (star,) = drawn(lab, "star")
    mobile.tap_at(star.center.x, star.bottom + 40)
    with disproved():
        mobile.expect_visible(text="Hits: 1")
    tap_in(mobile, star).expect_visible(text="Hits: 1")
    assert drawn(lab, "Score 13")
    assert lab.events == ["hit 1"]


def crop(png: bytes, box: Rect) -> bytes:
    import io

    from PIL import Image

    out = io.BytesIO()
    Image.open(io.BytesIO(png)).crop(box).save(out, "PNG")
    return out.getvalue()
