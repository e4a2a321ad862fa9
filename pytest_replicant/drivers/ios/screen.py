"""The screen: its size in pixels and points, hierarchy, screenshots and orientation."""

from __future__ import annotations

import base64
import binascii
import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from xml.sax.saxutils import quoteattr

from ...errors import DeviceError, UsageError
from ...model import AnyMapping, Point, Rect, come_true
from ..base import Orientation
from ..base_driver import Changes, Depths
from ..checks import READ_AGAIN, is_whole_png, png_size
from .answers import DEPTH_REFUSED, Refused
from .link import DEPTH, FOREGROUND, LEVELS, SPRINGBOARD, Link

_ATTRIBUTES = rb"""(?:[^>"]|"[^"]*")*?"""
_SIZE = (
    rb"<XCUIElementTypeApplication"
    + _ATTRIBUTES
    + rb'\swidth="(\d+)"'
    + _ATTRIBUTES
    + rb'\sheight="(\d+)"'
)


_APP = rb"<XCUIElementTypeApplication" + _ATTRIBUTES + rb'\sbundleId="([^"&]+)"'
_ALERT = rb"<XCUIElementType(Alert|Sheet)\s"
BANNER = "NotificationShortLookView"  # a notification, as SpringBoard calls it
_BANNER = (
    rb"<XCUIElementType\w+"
    + _ATTRIBUTES
    + rb'\sname="NotificationShortLookView"'
    + _ATTRIBUTES
    + rb'\sx="(-?\d+)" y="(-?\d+)" width="(\d+)" height="(\d+)"'
)
_FIELD = (
    rb"<XCUIElementType(TextField|SecureTextField|SearchField|TextView)\s"
    + _ATTRIBUTES
    + rb"(?=/?>)"
)
_DESCRIBED = re.compile(
    r"^\W*((?:Secure)?TextField|SearchField|TextView), (?:.*?placeholderValue: '(.*?)'(?:, |$))?",
    re.MULTILINE,
)
# a sheet of the system's own, which stays until it is answered
_OVERLAY = b'name="SBTransientOverlayWindow"'
BANNER_SECONDS = (
    10.0  # iOS takes one away after about five; one that stays longer has to be answered
)
DO_NOT_DISTURB = (
    "Turn on Do Not Disturb on the phone, so that no notification comes while it is tested."
)


_SIDES = ("x", "y", "width", "height")
_TRIES = 4  # an app that starts or ends is another one at the second look, not at the fourth
_ROOT = b"<XCUIElementTypeApplication"


def app_of(source: bytes) -> str:
    """Bundle id of the app whose hierarchy this is; "" if it does not say."""
    found = re.search(_APP, source[:4000])
    return found[1].decode() if found else ""


@dataclass
class Screen:
    """The phone's screen, the way it is up as far as is known: a read of its size says it.
    ``width`` and ``height`` are in points; ``scale`` is pixels to a point. ``banner`` is where a
    notification lay over the app when the screen was last read."""

    scale: float
    width: float
    height: float
    banner: Rect | None = None

    @property
    def portrait(self) -> tuple[int, int]:
        """Width and height in pixels of the screen held upright."""
        short, long = sorted(self._pixels)
        return short, long

    def learn(self, width: float, height: float) -> None:
        """Updates the size of the screen. Ignores a wrong one: WebDriverAgent may say 0 while an
        alert is up."""
        if {round(width), round(height)} == {round(self.width), round(self.height)}:
            self.width, self.height = width, height

    def learn_from(self, source: bytes) -> None:
        """From a hierarchy, whose application is as large as the screen."""
        found = re.search(_SIZE, source[:4000])
        if found:
            self.learn(float(found[1]), float(found[2]))

    def learn_banner(self, source: bytes) -> None:
        """From SpringBoard's hierarchy; b"" if no banner is up."""
        found = re.search(_BANNER, source)
        self.banner = None
        if found:
            self.banner = self.in_pixels(dict(zip(_SIDES, map(int, found.groups()), strict=True)))

    def shows(self, point: Point) -> bool:
        return Rect(0, 0, *self._pixels).contains(point)

    @property
    def size(self) -> str:
        """Width and height in pixels, for messages."""
        return "{} x {}".format(*self._pixels)

    @property
    def _pixels(self) -> tuple[int, int]:
        return round(self.width * self.scale), round(self.height * self.scale)

    def in_points(self, point: Point) -> dict[str, float]:
        return {"x": round(point.x / self.scale, 3), "y": round(point.y / self.scale, 3)}

    def in_pixels(self, rect: AnyMapping) -> Rect:
        """A rectangle as WebDriverAgent gives it. Raises ``ValueError`` or ``TypeError`` for
        anything else."""
        x, y, width, height = (float(rect.get(side) or 0) for side in _SIDES)
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

    def _await_no_banner(self, point: Point) -> None:
        """A touch of a banner leads into another app: it waits until none is over the place. Raises
        ``ProtocolError`` for one that stays."""
        banner = self._screen.banner
        if banner is None or not banner.contains(point):
            return

        def is_gone() -> bool:
            self._link.respect_alerts(True)
            found = self._link.get("elements", {"using": "name", "value": BANNER})
            self._link.respect_alerts(not found)
            return not found

        if come_true(self._link.clock, is_gone, BANNER_SECONDS, BANNER_LOOK):
            self._screen.learn_banner(b"")
            return
        why = (
            f"a notification lies over the place, and stayed for {BANNER_SECONDS:g} s. Nothing "
            "was touched."
        )
        raise self._link.invalid("a touch", f"{why} {DO_NOT_DISTURB}", BANNER)


BANNER_LOOK = 0.5  # seconds between two looks, each of which asks SpringBoard as well
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
# Without attributes that nothing reads: of each element iOS is asked whether it is accessible.
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
        self._depths = Depths(
            LEVELS, link.clock, self._dump, lambda error: DEPTH_REFUSED in str(error)
        )
        self._placeholders: dict[
            bytes, str
        ] = {}  # of the fields on the screen, where the source has none
        self._active = (
            ""  # the active app as WebDriverAgent named it last, where its hierarchy does not
        )

    def screenshot(self) -> bytes:
        """A whole PNG."""
        return read_screenshot(self._link)

    def dump_hierarchy(self) -> bytes:
        """XML in UTF-8, in points, with the number of levels that was asked for: WebDriverAgent
        leaves out deeper elements without a word. Raises ``ProtocolError`` for a hierarchy without
        an element."""
        self._link.respect_alerts(True)
        source, followed = self._read(), False
        with suppress(DeviceError):  # then the next read tries again: this one is good
            followed = self._link.follow(app_of(source))
        if followed:  # an alert over that app was not to be seen until now
            source = self._read()
        source = self._past_banner(source)
        self._screen.learn_from(source)
        return source

    def _past_banner(self, source: bytes) -> bytes:
        """The hierarchy of the session's app, where a notification makes SpringBoard the active one
        though that app is in front (FBSession.m activeApplication). A sheet of the system's own can
        be answered: its hierarchy comes marked as one that lies over the app. Raises
        ``ProtocolError`` if the app's cannot be had."""
        app, over = self._link.app, app_of(source) == SPRINGBOARD and not re.search(_ALERT, source)
        self._screen.learn_banner(source if over else b"")
        if not over or not app or self._link.state_of(app) != FOREGROUND:
            return source
        if _OVERLAY in source:
            return source.replace(b"<?replicant ", b'<?replicant over="%s" ' % app.encode(), 1)
        self._link.respect_alerts(False)
        past = self._read()
        if app_of(past) == SPRINGBOARD:
            why = (
                f"a window of the system lies over {app}, whose own screen cannot be read. "
                f"{DO_NOT_DISTURB}"
            )
            raise self._link.invalid("dump_hierarchy", why, SPRINGBOARD)
        return past

    def _read(self) -> bytes:
        """With the bundle id of its app: before release 10.1 WebDriverAgent prints a label alone,
        and is asked. The hierarchy is of that app if it was the active one before and after."""
        for _ in range(_TRIES):
            source = self._depths.read()
            if app_of(source):
                return self._with_placeholders(source)
            known, self._active = self._active, self._link.active_app()
            if known == self._active:
                named = source.replace(_ROOT, b'%s bundleId="%s"' % (_ROOT, known.encode()), 1)
                return self._with_placeholders(named)
        raise self._link.invalid(
            "dump_hierarchy", f"another app is in front at each look. {READ_AGAIN}", self._active
        )

    def _with_placeholders(self, source: bytes) -> bytes:
        """With those of its fields, where this release prints none: an empty field would look like
        one that holds that text. XCTest's own description of the screen has them, in the same
        order."""
        if self._link.release.prints_placeholders:
            return source
        fields = [*re.finditer(_FIELD, source)]
        keys = [re.sub(rb' (?:value|enabled|visible)="[^"]*"', b"", field[0]) for field in fields]
        if not self._placeholders.keys() >= set(keys):
            said = _DESCRIBED.findall(
                str(self._link.get("source?format=description", seconds=DUMP_SECONDS))
            )
            if [kind.encode() for kind, _ in said] != [field[1] for field in fields]:
                return source  # it has changed meanwhile; the next read asks again
            self._placeholders = {
                key: placeholder for key, (_, placeholder) in zip(keys, said, strict=True)
            }
        for field, key in reversed([*zip(fields, keys, strict=True)]):
            if self._placeholders[key]:
                hint = b" placeholderValue=" + quoteattr(self._placeholders[key]).encode()
                source = source[: field.end()] + hint + source[field.end() :]
        return source

    def _dump(self, levels: int) -> bytes:
        if self._link.settings[DEPTH] != levels:
            self._link.change_setting(DEPTH, levels)
            _log.info("%s reads %d levels of its screens from now on", self._link.name, levels)
        xml = self._link.get(_SOURCE, seconds=DUMP_SECONDS)
        if (
            isinstance(xml, str) and xml.count("<XCUIElementType") > 1
        ):  # an app without a window shows nothing
            return xml.encode("utf-8", "replace")
        why = f"the phone gave a hierarchy without an element. {READ_AGAIN}"
        raise self._link.invalid("dump_hierarchy", why, repr(xml)[:500])

    def rotate(self, orientation: Orientation) -> None:
        """As the phone is held; ``restore_settings`` turns it back."""
        if orientation not in _NAMES:
            known = ", ".join(_NAMES)
            raise UsageError(
                f"rotate({orientation!r}): no such orientation. There are: {known}. Nothing was "
                "done."
            )
        before = self.orientation()
        self._changes.setdefault("rotation", partial(self._turned, before))
        if not self._turned(orientation):
            self._turned(before)
            raise UsageError(
                f"rotate {orientation} on {self._link.name}: the screen stayed "
                f"{self.orientation()} for {ROTATE_SECONDS:g} s: the app in front keeps its own "
                "orientation. The phone was turned back."
            )

    def orientation(self) -> Orientation:
        said = self._link.get("rotation")
        found = _TURNED.get(said.get("z")) if isinstance(said, Mapping) else None
        if found is None:
            raise self._link.unexpected("rotation", said)
        return found

    def is_locked(self) -> bool:
        return self._link.get_sessionless("wda/locked") is True

    def wake(self) -> None:
        """Unlocks it where it is locked; WebDriverAgent cannot tell a passcode."""
        if self.is_locked():
            self._link.post_sessionless("wda/unlock")

    def _turned(self, orientation: Orientation) -> bool:
        """Whether the screen follows. WebDriverAgent's refusal proves nothing: with the setting
        ``animationCoolOffTimeout`` at 0 it looks before the screen can have turned
        (XCUIDevice+FBRotation.m)."""
        try:
            self._link.post("orientation", {"orientation": _NAMES[orientation]})
        except Refused as refused:
            if "otat" not in refused.said:
                raise
        turned = come_true(
            self._link.clock, lambda: self.orientation() == orientation, ROTATE_SECONDS, _LOOK_EVERY
        )
        if turned:
            self._look_how_large()
        return turned


def read_screen(link: Link) -> Screen:
    """Size of the phone's screen. Raises ``ProtocolError`` if the phone does not report it."""
    said = link.get("wda/screen")
    scale = _number(said, "scale")
    if not scale:
        raise link.unexpected("wda/screen", said)
    for size in (link.get("window/size"), said.get("screenSize")):
        width, height = _number(size, "width"), _number(size, "height")
        if width and height:
            return Screen(scale, width, height)
    # An alert that is up may make the window's size 0; a picture of the screen is as large as the
    # screen.
    width, height = png_size(read_screenshot(link))
    return Screen(scale, width / scale, height / scale)


def _number(said: object, name: str) -> float:
    """0 if there is none."""
    value = said.get(name) if isinstance(said, Mapping) else None
    is_number = (
        isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 100_000
    )
    return float(value) if is_number else 0.0  # type: ignore[arg-type]
