"""Clauses about what a driver says of itself and shows of the screen."""

from __future__ import annotations

import json
import struct
from typing import get_args

from ...drivers import Orientation
from .clause import Clause, Scene, must

_ROUNDED = 1  # pixel, where a point is not a whole number of them
_MOST = 0.8  # of the screen, which is more than points are of pixels
_PNG_HEADER = struct.Struct(">8s4x4sII")


def _names_itself(scene: Scene) -> None:
    info = scene.driver.info
    must(bool(scene.driver.uri), "uri is empty")
    must(bool(info.serial), "info.serial is empty")
    must(info.platform in ("android", "ios"), f"info.platform is {info.platform!r}")
    must(info.width > 0 < info.height, f"the screen is {info.width}x{info.height} pixels")
    must(info.density > 0, f"info.density is {info.density}")
    json.dumps(info.to_dict())


def _info_does_not_change(scene: Scene) -> None:
    must(scene.driver.info == scene.driver.info, "two reads of info differ")


def _hierarchy_is_a_screen(scene: Scene) -> None:
    scene.front()
    source = scene.driver.dump_hierarchy()
    must(isinstance(source, bytes), f"dump_hierarchy gives {type(source).__name__}, not bytes")
    must(len(scene.look().nodes) > 0, "the hierarchy has no node")


def _screenshot_is_a_png(scene: Scene) -> None:
    width, height = screenshot_size(scene)
    info = scene.driver.info
    must({width, height} == {info.width, info.height}, f"{width}x{height}, the screen {info.width}x{info.height}")


def screenshot_size(scene: Scene) -> tuple[int, int]:
    """Width and height of a new screenshot, which must be a PNG."""
    png = scene.driver.screenshot()
    must(len(png) > _PNG_HEADER.size, f"the screenshot has {len(png)} bytes")
    signature, chunk, width, height = _PNG_HEADER.unpack_from(png)
    must(signature == b"\x89PNG\r\n\x1a\n" and chunk == b"IHDR", f"no PNG, but {png[:16]!r}")
    return width, height


def _bounds_are_pixels(scene: Scene) -> None:
    scene.front()
    must_fill_the_screenshot(scene)


def must_fill_the_screenshot(scene: Scene) -> None:
    """The windows of the hierarchy reach as far as the picture of them, but for a bar of the system's."""
    roots = [node.bounds for node in scene.look().nodes if node.parent < 0]
    right, bottom = max(each.right for each in roots), max(each.bottom for each in roots)
    width, height = screenshot_size(scene)
    inside = right <= width + _ROUNDED and bottom <= height + _ROUNDED
    must(
        inside and right > width * _MOST and bottom > height * _MOST,
        f"the hierarchy reaches to {right},{bottom}, and the screenshot is {width}x{height}",
    )


def _orientation_is_the_screenshots(scene: Scene) -> None:
    scene.front()
    turned = scene.driver.orientation()
    must(turned in get_args(Orientation), f"orientation gives {turned!r}")
    width, height = screenshot_size(scene)
    must(("portrait" in turned) == (height > width), f"the screen is {turned}, the screenshot {width}x{height}")


def _what_is_read_is_of_now(scene: Scene) -> None:
    scene.front()
    source, picture = scene.driver.dump_hierarchy(), scene.driver.screenshot()
    scene.driver.press_key("home")
    scene.wait_for(lambda: scene.driver.app_in_front().app != scene.app, f"the end of {scene.app} in front")
    scene.wait_for(lambda: scene.driver.dump_hierarchy() != source, "another hierarchy, of another screen,")
    scene.wait_for(lambda: scene.driver.screenshot() != picture, "another screenshot, of another screen,")


def _dialogs_have_buttons(scene: Scene) -> None:
    dialogs = scene.driver.system_dialogs
    must(dialogs.permission_packages <= dialogs.packages, "a permission dialog is no window of the system")
    answers = {answer for answer, buttons in dialogs.permission_buttons.items() if buttons}
    wanted = {"allow", "allow_once", "deny"} if dialogs.permission_packages else set()
    must(wanted <= answers, f"a permission dialog is answered by {sorted(answers)} only")


LOOKING = (
    Clause("system-dialogs", "the platform's questions come with their answers", _dialogs_have_buttons),
    Clause("names-itself", "uri and info say which phone it is, and info fits into JSON", _names_itself),
    Clause("info-is-fixed", "info does not change while a phone is used", _info_does_not_change),
    Clause("hierarchy", "dump_hierarchy gives a screen that a Snapshot can be read from", _hierarchy_is_a_screen),
    Clause("screenshot", "screenshot gives a PNG as large as the screen", _screenshot_is_a_png),
    Clause("pixels", "bounds are pixels of the screenshot", _bounds_are_pixels),
    Clause("orientation", "orientation is that of the screenshot", _orientation_is_the_screenshots),
    Clause("fresh", "what is read is the screen as it is now", _what_is_read_is_of_now),
)
