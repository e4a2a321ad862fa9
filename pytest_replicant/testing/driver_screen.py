"""Clauses about the screen: reads, touches, text and orientation."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from functools import partial
from typing import Any, get_args

from ..drivers import Capability, FocusedField, Key, Orientation
from ..errors import WRONG_CALLS, DeviceError, UsageError
from ..model import AuditIssue, Point, Rect
from .contract import DriverClauses, DriverScene, NotOffered, must, refuses

SCREEN = DriverClauses()
_ROUNDED = 1  # pixel, where a point is not a whole number of them
_MOST = 0.8  # of the screen, which is more than points are of pixels
_PNG_HEADER = struct.Struct(">8s4x4sII")


@SCREEN.clause("uri and info say which phone it is, and info fits into JSON")
def _names_itself(scene: DriverScene) -> None:
    info = scene.driver.info
    must(bool(scene.driver.uri), "uri is empty")
    must(bool(info.serial), "info.serial is empty")
    must(info.platform in ("android", "ios"), f"info.platform is {info.platform!r}")
    must(info.width > 0 < info.height, f"the screen is {info.width}x{info.height} pixels")
    must(info.density > 0, f"info.density is {info.density}")
    json.dumps(info.to_dict())


@SCREEN.clause("info does not change while a phone is used")
def _info_is_fixed(scene: DriverScene) -> None:
    must(scene.driver.info == scene.driver.info, "two reads of info differ")


@SCREEN.in_front("dump_hierarchy gives a screen that a Snapshot can be read from")
def _hierarchy(scene: DriverScene) -> None:
    source = scene.driver.dump_hierarchy()
    must(isinstance(source, bytes), f"dump_hierarchy gives {type(source).__name__}, not bytes")
    must(bool(scene.look().nodes), "the hierarchy has no node")


@SCREEN.clause("screenshot gives a PNG as large as the screen")
def _screenshot(scene: DriverScene) -> None:
    width, height = screenshot_size(scene)
    info = scene.driver.info
    must(
        {width, height} == {info.width, info.height},
        f"{width}x{height}, the screen {info.width}x{info.height}",
    )


def screenshot_size(scene: DriverScene) -> tuple[int, int]:
    """Width and height of a new screenshot, which must be a PNG."""
    png = scene.driver.screenshot()
    must(len(png) > _PNG_HEADER.size, f"the screenshot has {len(png)} bytes")
    signature, chunk, width, height = _PNG_HEADER.unpack_from(png)
    must(signature == b"\x89PNG\r\n\x1a\n" and chunk == b"IHDR", f"no PNG, but {png[:16]!r}")
    return width, height


@SCREEN.in_front("bounds are pixels of the screenshot")
def _pixels(scene: DriverScene) -> None:
    must_fill_the_screenshot(scene)


def must_fill_the_screenshot(scene: DriverScene) -> None:
    """The windows of the hierarchy reach as far as the picture of them, but for a bar of the
    system's."""
    roots = [node.bounds for node in scene.look().nodes if node.parent < 0]
    right, bottom = max(each.right for each in roots), max(each.bottom for each in roots)
    width, height = screenshot_size(scene)
    inside = right <= width + _ROUNDED and bottom <= height + _ROUNDED
    must(
        inside and right > width * _MOST and bottom > height * _MOST,
        f"the hierarchy reaches to {right},{bottom}, and the screenshot is {width}x{height}",
    )


@SCREEN.in_front("orientation is that of the screenshot")
def _orientation(scene: DriverScene) -> None:
    turned = scene.driver.orientation()
    must(turned in get_args(Orientation), f"orientation gives {turned!r}")
    width, height = screenshot_size(scene)
    must(
        ("portrait" in turned) == (height > width),
        f"the screen is {turned}, the screenshot {width}x{height}",
    )


@SCREEN.in_front("reads show the screen as it is now")
def _fresh(scene: DriverScene) -> None:
    driver = scene.driver
    source, picture = driver.dump_hierarchy(), driver.screenshot()
    driver.press_key("home")
    scene.wait_for(
        lambda: driver.app_in_front().app != scene.app, f"the end of {scene.app} in front"
    )
    scene.wait_for(
        lambda: driver.dump_hierarchy() != source, "another hierarchy, of another screen,"
    )
    scene.wait_for(lambda: driver.screenshot() != picture, "another screenshot, of another screen,")


@SCREEN.clause("the platform's questions come with their answers")
def _system_dialogs(scene: DriverScene) -> None:
    dialogs = scene.driver.system_dialogs
    must(
        dialogs.permission_packages <= dialogs.packages,
        "a permission dialog is no window of the system",
    )
    answers = {answer for answer, buttons in dialogs.permission_buttons.items() if buttons}
    wanted = {"allow", "allow_once", "deny"} if dialogs.permission_packages else set()
    must(wanted <= answers, f"a permission dialog is answered by {sorted(answers)} only")


_UNKNOWN_KEY: Any = "no such key"


def _edge(scene: DriverScene) -> Point:
    """On the screen, and on nothing of the app."""
    return Point(scene.driver.info.width // 2, 2)


def _path(scene: DriverScene) -> tuple[Point, Point]:
    info = scene.driver.info
    start = scene.idle_place() or Point(info.width // 2, info.height // 3)
    return start, Point(start.x, start.y + 100)


@SCREEN.in_front("a tap goes through")
def _tap(scene: DriverScene) -> None:
    scene.driver.tap(_edge(scene))


@SCREEN.in_front("a double tap goes through")
def _double_tap(scene: DriverScene) -> None:
    place = scene.idle_place() or _edge(scene)  # on a status bar some phones turn the screen off
    scene.driver.double_tap(place)


@SCREEN.in_front("a long press goes through")
def _long_press(scene: DriverScene) -> None:
    scene.driver.long_press(scene.idle_place() or _edge(scene), 0.1)


@SCREEN.in_front("a swipe goes through")
def _swipe(scene: DriverScene) -> None:
    scene.driver.swipe(*_path(scene), 0.05)


@SCREEN.clause("a tap lands on its pixel", needs_field=True)
def _tap_place(scene: DriverScene) -> None:
    place = scene.field()
    hidden = _hidden_keyboard(scene)
    if hidden and scene.driver.focused_field() is None:  # what hid it has left the screen
        place, hidden = scene.field(), False
    field = _tapped(scene, place)
    must(field.bounds.contains(place), f"a tap at {place} went to the field at {field.bounds}")
    if hidden:
        scene.wait_for(
            scene.driver.keyboard_shown, f"the keyboard, which a tap at {place} brings back,"
        )


def _hidden_keyboard(scene: DriverScene) -> bool:
    """Whether one was up before any tap, and is hidden now: a field that had the focus says nothing
    of a tap."""
    driver = scene.driver
    if driver.focused_field() is None or not driver.keyboard_shown():
        return False
    try:
        driver.hide_keyboard()
    except UsageError:  # this keyboard cannot be
        return False
    return not driver.keyboard_shown()


@SCREEN.in_front("an audit names places on the screen, and changes nothing", needs=Capability.AUDIT)
def _audit(scene: DriverScene) -> None:
    info, before = scene.driver.info, scene.look()
    for issue in scene.driver.accessibility_audit():
        must(
            isinstance(issue, AuditIssue), f"the audit gives {type(issue).__name__}, no AuditIssue"
        )
        must(bool(issue.kind and issue.summary), f"an issue has no kind, or no summary: {issue}")
        place, longest = issue.bounds, max(info.width, info.height)
        must(place is None or not place.is_empty, f"an issue is about an empty place: {issue}")
        must(
            place is None or min(place.width, place.height) <= longest,
            f"larger than the screen: {issue}",
        )
    after = scene.look()
    must(
        after.screen_key == before.screen_key,
        f"the screen is {after.screen} after an audit, it was {before.screen}",
    )


@SCREEN.in_front("drag goes through", needs=Capability.DRAG)
def _drag(scene: DriverScene) -> None:
    scene.driver.drag(*_path(scene), 0.1)


@SCREEN.in_front("two fingers go apart and together", needs=Capability.PINCH)
def _pinch(scene: DriverScene) -> None:
    info = scene.driver.info
    side = info.width // 2
    area = Rect(side // 2, info.height // 3, side // 2 + side, info.height // 3 + side)
    scene.driver.pinch(area, 2.0, 0.1)
    scene.driver.pinch(area, 0.5, 0.1)


@SCREEN.clause("a pinch that cannot be is a UsageError", needs=Capability.PINCH)
def _pinch_nothing(scene: DriverScene) -> None:
    area = Rect(100, 400, 500, 800)
    for scale in (0.0, -1.0, 1.0):
        refuses(partial(scene.driver.pinch, area, scale, 0.1), f"a pinch of scale {scale}")
    refuses(lambda: scene.driver.pinch(Rect(100, 400, 102, 402), 2.0, 0.1), "a pinch in two pixels")


@SCREEN.in_front("a touch outside the screen is an error, not a silent success")
def _touch_outside(scene: DriverScene) -> None:
    driver = scene.driver
    info = driver.info
    touches = {
        "tap": driver.tap,
        "double_tap": driver.double_tap,
        "long_press": lambda point: driver.long_press(point, 0.1),
        "swipe": lambda point: driver.swipe(point, _edge(scene), 0.05),
    }
    for point in (Point(-5, -5), Point(info.width * 3, info.height * 3)):
        for name, touch in touches.items():
            refuses(partial(touch, point), f"{name} at {point}", DeviceError, UsageError)


_ACTING: tuple[Key, ...] = ("enter", "search", "volume_down", "volume_up")
_POWER = "power"  # whether a screen that is off comes back is the phone's lock's business


@SCREEN.clause("each key is pressed, or refused by name")
def _keys(scene: DriverScene) -> None:
    """The home key last: what comes after it meets another screen."""
    keys = (key for key in get_args(Key) if key not in (*_ACTING, _POWER))
    _press(scene, sorted(keys, key=lambda each: each == "home"))


@SCREEN.clause(
    "so are the keys that do something wherever they are pressed",
    risk="it would change the volume, open the search, and enter what has the focus",
)
def _acting_keys(scene: DriverScene) -> None:
    _press(scene, _ACTING)


def _press(scene: DriverScene, keys: Sequence[Key]) -> None:
    for key in keys:
        scene.front()
        try:
            scene.driver.press_key(key)
        except WRONG_CALLS as error:
            must(
                key in str(error).casefold().replace(" ", "_"),
                f"{key} is refused without its name: {error}",
            )


@SCREEN.clause("an unknown key is a UsageError")
def _unknown_key(scene: DriverScene) -> None:
    refuses(lambda: scene.driver.press_key(_UNKNOWN_KEY), "an unknown key")


HOSTILE_TEXTS = (
    "plain",
    "it's",
    "a & b (c)",
    "$abc",
    "$(reboot)",
    "100%",
    "%s",
    '"quotes"',
    "back\\slash",
    "semi;colon | pipe > file",
    "<b>&amp;</b>",
    "  two  spaces  ",
    "-n",
    "日本語",
    "zażółć gęślą jaźń",
    "שלום",
    "e\u0301",
    "👩\u200d🚀🇵🇱",
)
UNTYPEABLE_TEXTS = ("nul\0", "bell\a", "escape\x1b[0m", "half \ud83d", "\udc00 half", "none\uffff")


@SCREEN.clause("check_typeable lets through what people write")
def _typeable(scene: DriverScene) -> None:
    for text in HOSTILE_TEXTS:
        scene.driver.check_typeable(text)


@SCREEN.clause("check_typeable refuses what cannot arrive")
def _untypeable(scene: DriverScene) -> None:
    for text in UNTYPEABLE_TEXTS:
        refuses(partial(scene.driver.check_typeable, text), f"check_typeable({text!r})")


@SCREEN.clause("text arrives exactly", needs_field=True)
def _type(scene: DriverScene) -> None:
    focus(scene)
    for text in HOSTILE_TEXTS:
        scene.driver.clear_text()
        scene.driver.type_text(text)
        expect_text(scene, text)


@SCREEN.clause("a text takes the place of another", needs=Capability.REPLACE_TEXT, needs_field=True)
def _replace(scene: DriverScene) -> None:
    write(scene, "one")
    for text in ("two & 三", "3"):
        scene.driver.replace_text(text)
        expect_text(scene, text)
    refuses(lambda: scene.driver.replace_text("half\0"), "typing a NUL character")


@SCREEN.clause("an appearance has a language tag and a density, or none", needs=Capability.STYLE)
def _appearance(scene: DriverScene) -> None:
    found = scene.driver.appearance()
    must(
        " " not in found.locale and "_" not in found.locale,
        f"{found.locale!r} is no tag of a language",
    )
    must(found.dots >= 0, f"{found.dots} dots per inch")


@SCREEN.clause("text is added at the end", needs_field=True)
def _type_more(scene: DriverScene) -> None:
    write(scene, "one")
    for text in (" & two", " 三"):
        scene.driver.type_text(text)
    expect_text(scene, "one & two 三")


@SCREEN.clause("a field that takes any text is said to, and nothing is typed", needs_field=True)
def _field_takes(scene: DriverScene) -> None:
    write(scene, "before")
    scene.driver.check_field_takes("plain")
    expect_text(scene, "before")


@SCREEN.clause("a refused text leaves the field alone", needs_field=True)
def _type_nothing(scene: DriverScene) -> None:
    write(scene, "before")
    refuses(lambda: scene.driver.type_text("half\0"), "typing a NUL character")
    expect_text(scene, "before")


@SCREEN.clause("a newline is kept or refused", needs_field=True)
def _newline(scene: DriverScene) -> None:
    write(scene, "before")
    try:
        scene.driver.type_text(" two\nlines")
    except UsageError:
        expect_text(scene, "before")
    else:
        expect_text(scene, "before two\nlines")


@SCREEN.clause("hide_keyboard hides it, or does nothing", needs_field=True)
def _hide_keyboard(scene: DriverScene) -> None:
    """An iPhone's keyboard often has no key for that; what it has instead does more than to hide
    it."""
    driver = scene.driver
    field = focus(scene)
    try:
        driver.hide_keyboard()
    except UsageError as error:
        must(driver.keyboard_shown(), f"a keyboard that is not up cannot be hidden: {error}")
        now = driver.focused_field()
        same = now is not None and now.is_same(field.resource_id, field.bounds)
        must(
            same, f"the keyboard cannot be hidden, and yet the focus left {field.bounds} for {now}"
        )
        driver.press_key("home")
    scene.wait_for(lambda: not driver.keyboard_shown(), "the keyboard's end")
    front = driver.app_in_front()
    driver.hide_keyboard()
    must(driver.app_in_front() == front, "hiding a keyboard that is not up left the screen")


def focus(scene: DriverScene) -> FocusedField:
    """The field, with the focus in it."""
    return _tapped(scene, scene.field())


def _tapped(scene: DriverScene, place: Point) -> FocusedField:
    driver = scene.driver
    try:
        driver.tap(place)
    except DeviceError as error:
        if not error.look_again:
            raise
        driver.tap(place)  # nothing was done: another connection to the phone had ended this one
    scene.wait_for(lambda: driver.focused_field() is not None, "the focus in the text field")
    field = driver.focused_field()
    if not field:
        raise AssertionError("the text field has lost the focus")
    return field


@SCREEN.in_front("without a focused field nothing is typed")
def _type_nowhere(scene: DriverScene) -> None:
    if scene.driver.focused_field() is None:
        refuses(lambda: scene.driver.type_text("nowhere"), "typing without a focused field")
        refuses(scene.driver.clear_text, "clearing without a focused field")


def write(scene: DriverScene, text: str) -> None:
    """Types into the emptied field."""
    focus(scene)
    scene.driver.clear_text()
    scene.driver.type_text(text)


def expect_text(scene: DriverScene, text: str) -> None:
    scene.wait_for(lambda: _typed(scene) == text, f"{text!r} (what came was {_typed(scene)!r})")


def _typed(scene: DriverScene) -> str | None:
    field = scene.driver.focused_field()
    return None if field is None else field.text


def _turn(scene: DriverScene, orientation: Orientation) -> None:
    """An app may keep its own orientation; then it is not offered."""
    before = scene.driver.orientation()
    try:
        scene.driver.rotate(orientation)
    except UsageError as error:
        _must_be(scene, before)
        raise NotOffered(f"the app in front keeps its own orientation: {error}") from None


def _across(orientation: Orientation) -> Orientation:
    return "landscape" if "portrait" in orientation else "portrait"


_UNKNOWN: Any = "sideways"


@SCREEN.in_front("rotate returns once the screen has turned", needs=Capability.ROTATE)
def _rotate(scene: DriverScene) -> None:
    before = scene.driver.orientation()
    try:
        for wanted in (_across(before), _across(before), before):
            _turn(scene, wanted)
            _must_be(scene, wanted)
    finally:
        scene.driver.restore_settings()


@SCREEN.in_front("each way up is reached, or refused and nothing turned", needs=Capability.ROTATE)
def _rotate_each(scene: DriverScene) -> None:
    try:
        for wanted in get_args(Orientation):
            before = scene.driver.orientation()
            try:
                scene.driver.rotate(wanted)
            except UsageError as error:
                must(wanted in str(error), f"{wanted} is refused without its name: {error}")
                _must_be(scene, before)
            else:
                _must_be(scene, wanted)
    finally:
        scene.driver.restore_settings()


@SCREEN.in_front("a turned screen is read and photographed turned", needs=Capability.ROTATE)
def _rotate_screen(scene: DriverScene) -> None:
    try:
        _turn(scene, "landscape")
        width, height = screenshot_size(scene)
        must(width > height, f"turned to landscape, the screenshot is {width}x{height}")
        must_fill_the_screenshot(scene)
    finally:
        scene.driver.restore_settings()


@SCREEN.in_front("restore_settings turns the screen back", needs=Capability.ROTATE)
def _restore(scene: DriverScene) -> None:
    before = scene.driver.orientation()
    _turn(scene, _across(before))
    scene.driver.restore_settings()
    scene.wait_for(lambda: scene.driver.orientation() == before, f"{before}, as before the test,")
    scene.driver.restore_settings()
    _must_be(scene, before)


@SCREEN.clause("an unknown orientation is a UsageError", needs=Capability.ROTATE)
def _rotate_unknown(scene: DriverScene) -> None:
    before = scene.driver.orientation()
    refuses(lambda: scene.driver.rotate(_UNKNOWN), "an unknown orientation")
    _must_be(scene, before)


@SCREEN.clause("restore_settings has nothing to do on a fresh driver")
def _restore_nothing(scene: DriverScene) -> None:
    with scene.another() as driver:
        driver.restore_settings()
        driver.restore_settings()


@SCREEN.clause("wake may be called on a screen that is on")
def _wake(scene: DriverScene) -> None:
    scene.driver.wake()
    scene.driver.wake()
    scene.driver.dump_hierarchy()


def _must_be(scene: DriverScene, orientation: Orientation) -> None:
    found = scene.driver.orientation()
    must(found == orientation, f"the screen is {found}, and should be {orientation}")
