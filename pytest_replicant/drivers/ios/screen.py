"""The screen: its size in pixels and points, hierarchy, screenshots and orientation."""

from __future__ import annotations

import base64
import binascii
import json
import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from ...clock import come_true
from ...errors import DeviceError, UsageError
from ...model import Point, Rect
from ..base import Orientation
from ..changes import Changes
from ..checks import READ_AGAIN, is_whole_png, png_size
from ..depth import Depths
from .answers import DEPTH_REFUSED, Refused
from .link import DEPTH, LEVELS, Link

_ATTRIBUTES = rb"""(?:[^>"]|"[^"]*")*?"""
_SIZE = re.compile(
    rb"<XCUIElementTypeApplication" + _ATTRIBUTES + rb'\swidth="(\d+)"' + _ATTRIBUTES + rb'\sheight="(\d+)"'
)


_APP = re.compile(rb"<XCUIElementTypeApplication" + _ATTRIBUTES + rb'\sbundleId="([^"&]+)"')


class Screen:
    """The phone's screen, the way it is up as far as is known: whoever reads its size tells it."""

    def __init__(self, scale: float, width: float, height: float) -> None:
        """``width`` and ``height`` in points; ``scale`` is pixels to a point."""
        self.scale = scale
        self._now = (width, height)

    @property
    def portrait(self) -> tuple[int, int]:
        """Width and height in pixels of the screen held upright."""
        short, long = sorted(self._now)
        return round(short * self.scale), round(long * self.scale)

    def learn(self, width: float, height: float) -> None:
        """Updates the size of the screen. Ignores a wrong one: WebDriverAgent may say 0 while an alert is up."""
        if {round(width), round(height)} == {round(side) for side in self._now}:
            self._now = (width, height)

    def learn_from(self, source: bytes) -> None:
        """From a hierarchy, whose application is as large as the screen."""
        found = _SIZE.search(source[:4000])
        if found:
            self.learn(float(found[1]), float(found[2]))

    def shows(self, point: Point) -> bool:
        return Rect(0, 0, *self._pixels).contains(point)

    @property
    def size(self) -> str:
        """Width and height in pixels, for messages."""
        return "{} x {}".format(*self._pixels)

    @property
    def _pixels(self) -> tuple[int, int]:
        width, height = self._now
        return round(width * self.scale), round(height * self.scale)

    def in_points(self, point: Point) -> dict[str, float]:
        return {"x": self.points(point.x), "y": self.points(point.y)}

    def points(self, pixels: float) -> float:
        return round(pixels / self.scale, 3)

    def in_pixels(self, rect: Mapping[str, Any]) -> Rect:
        """A rectangle as WebDriverAgent gives it. Raises ``ValueError`` or ``TypeError`` for anything else."""
        x, y, width, height = (float(rect.get(side) or 0) for side in ("x", "y", "width", "height"))
        edges = (x, y, x + width, y + height)
        return Rect(*(round(edge * self.scale) for edge in edges))


class Role:
    def __init__(self, link: Link, screen: Screen) -> None:
        self._link = link
        self._screen = screen
        self._changes = Changes()

    def _look_how_large(self) -> None:
        """The screen's sides change places when it is turned."""
        size = self._link.get("window/size")
        if not isinstance(size, dict):
            raise self._link.unexpected("window/size", size)
        self._screen.learn(float(size.get("width") or 0), float(size.get("height") or 0))


SCREENSHOT_SECONDS = 20.0


def read_screenshot(link: Link) -> bytes:
    said = link.get("screenshot", seconds=SCREENSHOT_SECONDS)
    try:
        png = base64.b64decode(said if isinstance(said, str) else "", validate=False)
    except (binascii.Error, ValueError):
        png = b""
    if is_whole_png(png):
        return png
    why = f"{len(png)} bytes that are no whole PNG: {png[:80]!r}"
    raise link.invalid("screenshot", why, str(said)[:500])


DUMP_SECONDS = 20.0  # WebDriverAgent itself gives iOS 15 s for a snapshot
# Without attributes that nothing reads: of each element iOS is asked whether it is accessible. One of before 2019
# prints them all the same.
JSON_FORM = "wda-json"
_SOURCE = "source?format=xml&excluded_attributes=accessible,index"

_log = logging.getLogger(__name__)


ROTATE_SECONDS = 3.0  # an app rebuilds its screen while the phone turns
_LOOK_EVERY = 0.05
_NAMES: Mapping[Orientation, str] = {
    "portrait": "PORTRAIT",
    "landscape": "LANDSCAPE",
    "reverse_portrait": "UIA_DEVICE_ORIENTATION_PORTRAIT_UPSIDEDOWN",
    "reverse_landscape": "UIA_DEVICE_ORIENTATION_LANDSCAPERIGHT",
}
_TURNED: Mapping[object, Orientation] = {
    0: "portrait",
    270: "landscape",
    180: "reverse_portrait",
    90: "reverse_landscape",
}
"""By the degrees of ``GET /rotation``; ``GET /orientation`` calls both landscapes the same."""


class IosScreen(Role):
    def __init__(self, link: Link, screen: Screen) -> None:
        super().__init__(link, screen)
        self._depths = Depths(LEVELS, link.clock)

    def screenshot(self) -> bytes:
        """A whole PNG."""
        return read_screenshot(self._link)

    def dump_hierarchy(self) -> bytes:
        """XML in UTF-8, in points, with the number of levels that was asked for: WebDriverAgent leaves out deeper
        elements without a word. Raises ``ProtocolError`` for a hierarchy without an element."""
        source = self._read()
        app, followed = _APP.search(source[:4000]), False
        with suppress(DeviceError):  # then the next read tries again: this one is good
            followed = app is not None and self._link.follow(app[1].decode())
        if followed:  # an alert over that app was not to be seen until now
            source = self._read()
        self._screen.learn_from(source)
        return source

    def hierarchy(self, form: str) -> bytes:
        """With all attributes, those too that ``dump_hierarchy`` leaves out."""
        said = self._link.get("source?format=json" if form == JSON_FORM else "source", seconds=DUMP_SECONDS)
        if isinstance(said, dict) != (form == JSON_FORM):
            raise self._link.unexpected("source", str(said)[:500])
        return (json.dumps(said, ensure_ascii=False) if form == JSON_FORM else str(said)).encode(
            "utf-8", "replace"
        )

    def _read(self) -> bytes:
        return self._depths.read(self._dump, lambda error: DEPTH_REFUSED in str(error))

    def _dump(self, levels: int) -> bytes:
        if self._link.settings[DEPTH] != levels:
            self._link.change_setting(DEPTH, levels)
            _log.info("%s reads %d levels of its screens from now on", self._link.name, levels)
        xml = self._link.get(_SOURCE, seconds=DUMP_SECONDS)
        if isinstance(xml, str) and xml.count("<XCUIElementType") > 1:  # an app without a window shows nothing
            return xml.encode("utf-8", "replace")
        why = f"the phone gave a hierarchy without an element. {READ_AGAIN}"
        raise self._link.invalid("dump_hierarchy", why, repr(xml)[:500])

    def rotate(self, orientation: Orientation) -> None:
        """As the phone is held; ``restore_settings`` turns it back."""
        if orientation not in _NAMES:
            known = ", ".join(_NAMES)
            raise UsageError(
                f"rotate({orientation!r}): no such orientation. There are: {known}. Nothing was done."
            )
        before = self.orientation()
        self._changes.remember("rotation", partial(self._turned, before))
        if not self._turned(orientation):
            self._turned(before)
            raise UsageError(
                f"rotate {orientation} on {self._link.name}: the screen stayed {self.orientation()} for "
                f"{ROTATE_SECONDS:g} s: the app in front keeps its own orientation. The phone was turned back."
            )

    def orientation(self) -> Orientation:
        said = self._link.get("rotation")
        found = _TURNED.get(said.get("z")) if isinstance(said, Mapping) else None
        if found is None:
            raise self._link.unexpected("rotation", said)
        return found

    def is_locked(self) -> bool:
        """Whether the screen is locked; not known to an old WebDriverAgent, it is not."""
        try:
            return self._link.get_sessionless("wda/locked") is True
        except Refused as refused:
            if refused.is_unknown_call:
                return False
            raise

    def wake(self) -> None:
        """Unlocks it where it is locked; WebDriverAgent cannot tell a passcode."""
        if self._link.get_sessionless("wda/locked") is True:
            self._link.post_sessionless("wda/unlock")

    def _turned(self, orientation: Orientation) -> bool:
        """Whether the screen follows. WebDriverAgent's refusal proves nothing: with the setting
        ``animationCoolOffTimeout`` at 0 it looks before the screen can have turned (XCUIDevice+FBRotation.m)."""
        try:
            self._link.post("orientation", {"orientation": _NAMES[orientation]})
        except Refused as refused:
            if refused.is_unknown_call or "otat" not in refused.said:
                raise
        turned = come_true(
            self._link.clock, lambda: self.orientation() == orientation, ROTATE_SECONDS, _LOOK_EVERY
        )
        if turned:
            self._look_how_large()
        return turned


def read_screen(link: Link) -> Screen:
    """Size of the phone's screen. Raises ``ProtocolError`` where the phone does not report it."""
    said = link.get("wda/screen")
    scale = _number(said, "scale")
    if not scale:
        raise link.unexpected("wda/screen", said)
    for size in (link.get("window/size"), said.get("screenSize")):
        width, height = _number(size, "width"), _number(size, "height")
        if width and height:
            return Screen(scale, width, height)
    # An alert that is up may make the window's size 0; a picture of the screen is as large as the screen.
    width, height = png_size(read_screenshot(link))
    return Screen(scale, width / scale, height / scale)


def _number(said: object, name: str) -> float:
    """0 where there is none."""
    value = said.get(name) if isinstance(said, Mapping) else None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 100_000
    return float(value) if is_number else 0.0  # type: ignore[arg-type]
