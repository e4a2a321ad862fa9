"""A driver writes only the abilities that it has: the others are refused by name, and "not
offered"."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from pytest_replicant.cassettes import RecordedPhone, described
from pytest_replicant.drivers import AndroidDriver, BaseDriver, Capability, DeviceInfo, Traits
from pytest_replicant.testing import (
    DRIVER_CLAUSES,
    METHODS_NEEDING,
    DriverClause,
    DriverScene,
    judge,
    why_unsupported,
)

REQUIRED = {
    *(
        "uri",
        "info",
        "dump_hierarchy",
        "tap",
        "double_tap",
        "long_press",
        "swipe",
        "check_typeable",
    ),
    *(
        "type_text",
        "clear_text",
        "focused_field",
        "keyboard_shown",
        "press_key",
        "hide_keyboard",
        "screenshot",
    ),
    *("launch", "stop", "app_in_front", "app_status", "orientation", "wake", "reconnect", "close"),
}


def nothing(self: BaseDriver, *_: Any, **__: Any) -> Any:
    return None


class WallScreen(BaseDriver):
    """A screen on a wall: it has no ability of those that not every phone has."""

    instead: ClassVar = {Capability.SHELL: "it has a terminal behind a flap"}

    def launch(self, app: str, activity: str | None, args: Any) -> None:
        if activity is not None:
            raise self.unsupported("launch(activity)", Capability.CURRENT_ACTIVITY)


def wall_screen(base: type = WallScreen) -> BaseDriver:
    """With all that every driver has to have, which does nothing."""
    methods: dict[str, Any] = dict.fromkeys(REQUIRED - {"uri", "info", "launch"}, nothing)
    info = DeviceInfo("K1", "android", "Wall", "14", 1080, 1920, 1.0)
    driver: BaseDriver = type(base.__name__, (base,), {**methods, "uri": "wall:1", "info": info})()
    return driver


@pytest.mark.parametrize("capability", METHODS_NEEDING, ids=lambda each: each.name)
def test_an_ability_that_is_not_written_is_refused_by_name(capability: Capability) -> None:
    words = why_unsupported(wall_screen(), capability)
    assert f"on K1: this phone does not offer '{str(capability.name).lower()}'" in words
    assert words.endswith("Nothing was sent.")


def test_clauses_of_missing_abilities_are_not_offered() -> None:
    driver = wall_screen()
    scene = DriverScene(driver, lambda: driver, "dev.example", None, 0.1)
    wanted = [clause for clause in DRIVER_CLAUSES if clause.needs]
    verdicts = list(judge(wanted, scene))
    assert [str(verdict) for verdict in verdicts if "not offered: " not in str(verdict)] == []
    assert not any(verdict.asked or verdict.kept for verdict in verdicts)


def test_a_verdict_says_how_it_went() -> None:
    def breaks(_: DriverScene) -> None:
        raise AssertionError("it rang")

    driver = wall_screen()
    scene = DriverScene(driver, lambda: driver, "dev.example", None, 0.1)
    clauses = [
        DriverClause("still", "it is still", lambda _: None),
        DriverClause("mute", "it is mute", breaks),
    ]
    assert [str(verdict) for verdict in judge(clauses, scene)] == [
        "still: kept",
        "mute: broken: it rang",
    ]


def test_traits_are_those_of_the_platform_unless_stated() -> None:
    class Own(WallScreen):
        @property
        def traits(self) -> Traits:
            return Traits(android_commands=True)

    assert wall_screen().traits.android_commands
    assert wall_screen(Own).traits == Traits(android_commands=True)
    assert Traits(hierarchy_in_points=True).scale(DeviceInfo("", "ios", "", "", 1, 1, 3.0)) == 3.0


def test_a_driver_that_overrides_a_part_means_its_own() -> None:
    class Own(AndroidDriver):
        def stop(self, app: str) -> None: ...

    class Whole(Own):
        def cold_start(self, *args: Any, **named: Any) -> None: ...

    class Further(Whole):
        def type_text(self, text: str) -> None: ...

    lost = [kind.by_parts for kind in (AndroidDriver, Own, Whole, Further)]
    assert lost == [
        Capability.NONE,
        Capability.COLD_START,
        Capability.NONE,
        Capability.REPLACE_TEXT,
    ]


def test_an_earlier_recording_names_abilities_by_their_methods() -> None:
    verbs = ("appearance", "cold_start", "replace_text", "true_texts")
    phone = RecordedPhone(
        "wall:1", wall_screen().info, Capability.LOGS, verbs=verbs, shortcuts=("cold_start",)
    )
    assert described(phone)[1] == Capability.LOGS | Capability.COLD_START | Capability.STYLE
