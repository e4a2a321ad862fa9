"""A picture of an iPhone: what is drawn in a way of its own."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from pytest_replicant.virtual import VirtualPhone, render_png
from pytest_replicant.virtual.renderers.pixels.cupertino import GREEN, PAINTERS
from pytest_replicant.virtual.renderers.pixels.theme import CUPERTINO_DARK, CUPERTINO_LIGHT, theme_on

from .iphone import all_of, front, iphone, window

pytestmark = pytest.mark.slow


def picture(phone: VirtualPhone) -> Image.Image:
    return Image.open(io.BytesIO(render_png(phone.windows(), phone.size))).convert("RGB")


def has(image: Image.Image, place: tuple[int, int, int, int], shade: tuple[int, int, int]) -> bool:
    colours = image.crop(place).getcolors(1_000_000) or []
    return shade in [found for _, found in colours]


def box(phone: VirtualPhone, kind: str) -> tuple[int, int, int, int]:
    bounds = window(phone, kind).root.bounds
    return bounds.left, bounds.top, bounds.right, bounds.bottom


def test_a_switch_that_is_on_is_green() -> None:
    phone, hand = iphone()
    bounds = hand.find(id="loud").bounds
    place = bounds.left, bounds.top, bounds.right, bounds.bottom
    assert not has(picture(phone), place, GREEN)
    hand.tap(id="loud")
    assert has(picture(phone), place, GREEN)


def test_a_letter_is_on_every_key() -> None:
    phone, hand = iphone()
    hand.tap(id="email")
    image = picture(phone)
    for key in all_of(window(phone, "keyboard").root, "Key"):
        inner = key.bounds.inset(30)
        cap = image.crop((inner.left, inner.top, inner.right, inner.bottom))
        assert len(cap.getcolors(100_000) or []) > 1, f"nothing is written on {key.description}"


def test_an_alert_is_a_light_card_on_a_darkened_screen() -> None:
    phone, hand = iphone()
    before = picture(phone).getpixel((600, 2300))
    hand.tap(text="Ask")
    image = picture(phone)
    assert image.getpixel((600, 2300)) != before
    assert has(image, box(phone, "dialog"), CUPERTINO_LIGHT.surface)


def test_a_long_message_is_there_to_read() -> None:
    phone, hand = iphone("Perils")
    hand.tap(text="Terms")
    assert has(picture(phone), (250, 400, 900, 2200), (33, 33, 33))


def test_the_home_indicator_and_the_camera_are_drawn() -> None:
    phone, _ = iphone()
    image = picture(phone)
    assert has(image, box(phone, "navigation_bar"), (28, 27, 31))
    assert image.getpixel((phone.size[0] // 2, 30 * 3)) == (0, 0, 0)


def test_a_toast_takes_the_camera_s_place() -> None:
    phone, _ = iphone()
    front(phone).toast("Saved for later")
    assert has(picture(phone), box(phone, "status_bar"), (255, 255, 255))


def test_a_palette_goes_by_design_and_background() -> None:
    assert theme_on((0, 0, 0), "cupertino") is CUPERTINO_DARK
    assert theme_on((250, 250, 250), "cupertino") is CUPERTINO_LIGHT
    assert theme_on((250, 250, 250)).design == "material"


@pytest.mark.parametrize("screen", ["", "Rows", "Form", "Surfaces", "Perils"])
def test_every_screen_can_be_drawn_either_way_up(screen: str) -> None:
    phone, _ = iphone(screen)
    for turns in (1, 0):
        phone.set_rotation(turns)
        assert picture(phone).size == phone.size


def test_every_shape_of_its_own_is_of_a_node() -> None:
    """A painter that nothing asks for would never be seen."""
    phone, hand = iphone()
    shapes = set()
    steps: list[dict[str, str]] = [
        {"id": "email"},
        {"resource_id": "Return"},
        {"id": "country"},
        {"text": "Norway"},
        {"text": "Ask"},
        {"text": "No"},
        {"text": "Next"},
    ]
    for step in steps:
        hand.tap(**step)
        shapes |= {node.look.shape for each in phone.windows() for node in each.root.walk()}
    assert set(PAINTERS) - shapes == {"button_tonal", "card", "row"}, "those are in the demo apps"
