"""Which phone this is, as WebDriverAgent tells it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base import DeviceInfo
from ..picture import png_size
from .answers import Refused
from .link import Link
from .screen import Screen
from .screen_image import read_screenshot


def read_screen(link: Link) -> Screen:
    """Raises ``ProtocolError`` where the phone does not say how large its screen is."""
    said = link.get("wda/screen")
    scale = _number(said, "scale")
    if not scale:
        raise link.odd("wda/screen", said)
    for size in (link.get("window/size"), said.get("screenSize")):
        width, height = _number(size, "width"), _number(size, "height")
        if width and height:
            return Screen(scale, width, height)
    # An alert that is up may make the window's size 0; a picture of the screen is as large as the screen.
    width, height = png_size(read_screenshot(link))
    return Screen(scale, width / scale, height / scale)


def read_facts(link: Link, screen: Screen) -> DeviceInfo:
    """``serial`` is the name that WebDriverAgent gives the phone: its UDID where that is told, else an identifier
    that lasts as long as WebDriverAgent stays installed."""
    device = read_device(link)
    width, height = screen.portrait
    system = link.status.get("os") or {}
    return DeviceInfo(
        serial=serial_of(device) or link.url,
        platform="ios",
        model=str(device.get("model") or link.status.get("device") or "iPhone"),
        os_version=str(system.get("version") or ""),
        width=width,
        height=height,
        density=screen.scale,
        extra={
            "name": device.get("name"),
            "simulator": device.get("isSimulator"),
            "locale": device.get("currentLocale"),
            "webdriveragent": link.status.get("build"),
        },
    )


def read_device(link: Link) -> Mapping[str, Any]:
    """Empty where this WebDriverAgent is too old to say."""
    try:
        said = link.get("wda/device/info")
    except Refused as refused:
        if refused.is_unknown_call:
            return {}
        raise
    if not isinstance(said, Mapping):
        raise link.odd("wda/device/info", said)
    return said


def serial_of(device: Mapping[str, Any]) -> str:
    return str(device.get("udid") or device.get("uuid") or "")


def _number(said: object, name: str) -> float:
    """0 where there is none."""
    value = said.get(name) if isinstance(said, Mapping) else None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 100_000
    return float(value) if is_number else 0.0  # type: ignore[arg-type]
