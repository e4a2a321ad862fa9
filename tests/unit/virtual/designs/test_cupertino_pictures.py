"""A picture of an iPhone: what is drawn in a way of its own."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from pytest_replicant.virtual import VirtualPhone, render_png
from pytest_replicant.virtual.renderers.pixels.cupertino import PAINTERS
from pytest_replicant.virtual.renderers.pixels.theme import (
    CUPERTINO_DARK,
    CUPERTINO_LIGHT,
    LIGHT,
    theme_on,
)

from .iphone import all_of, iphone, window

pytestmark = pytest.mark.slow


def picture(phone: VirtualPhone) -> Image.Image:
    return Image.open(io.BytesIO(render_png(phone.windows(), phone.size))).convert("RGB")


def has(image: Image.Image, place: tuple[int, int, int, int], shade: tuple[int, int, int]) -> bool:
    colours = image.crop(place).getcolors(1_000_000) or []
    return shade in [found for _, found in colours]


def box(phone: VirtualPhone, kind: str) -> tuple[int, int, int, int]:
    bounds = window(phone, kind).root.bounds
    return bounds.left, bounds.top, bounds.right, bounds.bottom


def test_a_letter_is_on_every_key() -> None:
    phone, hand = iphone()
    hand.tap(id="email")
    image = picture(phone)
    for key in all_of(window(phone, "keyboard").root, "Key"):
        inner = key.bounds.inset(30)
        cap = image.crop((inner.left, inner.top, inner.right, inner.bottom))
        assert len(cap.getcolors(100_000) or []) > 1, f"nothing is written on {key.description}"


def test_a_palette_goes_by_design_and_background() -> None:
    assert theme_on((0, 0, 0), "cupertino") is CUPERTINO_DARK
    assert theme_on((250, 250, 250), "cupertino") is CUPERTINO_LIGHT
    assert theme_on((250, 250, 250)) is LIGHT


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
    assert set(PAINTERS) <= shapes
