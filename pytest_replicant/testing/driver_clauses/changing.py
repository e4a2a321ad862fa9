"""Clauses about what is changed on the phone, and put back."""

from __future__ import annotations

from typing import Any, get_args

from ...drivers import Capability, Orientation
from ...errors import UsageError
from .clause import Clause, Scene, must, refuses
from .looking import must_fill_the_screenshot, screenshot_size

_OTHER: dict[Orientation, Orientation] = {
    "portrait": "landscape",
    "landscape": "portrait",
    "reverse_portrait": "landscape",
    "reverse_landscape": "portrait",
}
_UNKNOWN: Any = "sideways"


def _rotate_turns(scene: Scene) -> None:
    scene.front()
    before = scene.driver.orientation()
    other = _OTHER[before]
    try:
        scene.driver.rotate(other)
        _must_be(scene, other)
        scene.driver.rotate(other)
        _must_be(scene, other)
        scene.driver.rotate(before)
        _must_be(scene, before)
    finally:
        scene.driver.restore_settings()


def _each_way_up_or_as_it_was(scene: Scene) -> None:
    scene.front()
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


def _a_turned_screen_is_seen_turned(scene: Scene) -> None:
    scene.front()
    try:
        scene.driver.rotate("landscape")
        width, height = screenshot_size(scene)
        must(width > height, f"turned to landscape, the screenshot is {width}x{height}")
        must_fill_the_screenshot(scene)
    finally:
        scene.driver.restore_settings()


def _what_was_changed_comes_back(scene: Scene) -> None:
    scene.front()
    before = scene.driver.orientation()
    scene.driver.rotate(_OTHER[before])
    scene.driver.restore_settings()
    scene.wait_for(lambda: scene.driver.orientation() == before, f"{before}, as before the test,")
    scene.driver.restore_settings()
    _must_be(scene, before)


def _an_unknown_orientation(scene: Scene) -> None:
    before = scene.driver.orientation()
    refuses(lambda: scene.driver.rotate(_UNKNOWN), UsageError, "an unknown orientation")
    _must_be(scene, before)


def _nothing_to_put_back(scene: Scene) -> None:
    driver = scene.connect()
    try:
        driver.restore_settings()
        driver.restore_settings()
    finally:
        driver.close()


def _waking_twice(scene: Scene) -> None:
    scene.driver.wake()
    scene.driver.wake()
    scene.driver.dump_hierarchy()


def _must_be(scene: Scene, orientation: Orientation) -> None:
    found = scene.driver.orientation()
    must(found == orientation, f"the screen is {found}, and should be {orientation}")


CHANGING = (
    Clause("rotate", "rotate returns once the screen has turned", _rotate_turns, Capability.ROTATE),
    Clause(
        "rotate-each",
        "each way up is reached, or refused and nothing turned",
        _each_way_up_or_as_it_was,
        Capability.ROTATE,
    ),
    Clause(
        "rotate-screen",
        "a turned screen is read and photographed turned",
        _a_turned_screen_is_seen_turned,
        Capability.ROTATE,
    ),
    Clause("restore", "restore_settings turns the screen back", _what_was_changed_comes_back, Capability.ROTATE),
    Clause("rotate-unknown", "an unknown orientation is a UsageError", _an_unknown_orientation, Capability.ROTATE),
    Clause("restore-nothing", "restore_settings has nothing to do on a fresh driver", _nothing_to_put_back),
    Clause("wake", "wake may be called on a screen that is on", _waking_twice),
)
