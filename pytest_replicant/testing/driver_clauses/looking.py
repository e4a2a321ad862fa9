"""Clauses about what a driver says of itself and shows of the screen."""

from __future__ import annotations

import json
import struct

from ...snapshots.snapshot import Snapshot
from .clause import Clause, Scene, must

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
    snapshot = Snapshot.parse(source)
    must(len(snapshot.nodes) > 0, "the hierarchy has no node")


def _screenshot_is_a_png(scene: Scene) -> None:
    png = scene.driver.screenshot()
    must(len(png) > _PNG_HEADER.size, f"the screenshot has {len(png)} bytes")
    signature, chunk, width, height = _PNG_HEADER.unpack_from(png)
    must(signature == b"\x89PNG\r\n\x1a\n" and chunk == b"IHDR", f"no PNG, but {png[:16]!r}")
    info = scene.driver.info
    must({width, height} == {info.width, info.height}, f"{width}x{height}, the screen {info.width}x{info.height}")


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
)
