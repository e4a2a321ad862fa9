"""A virtual phone held directly, without a socket, on a manual clock: what a driver would do, at
once. It keeps every touch, so that a test can say where none was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pytest_replicant.drivers import Capability, DeviceInfo, Key
from pytest_replicant.model import ManualClock, Point, Rect
from pytest_replicant.virtual import (
    App,
    Column,
    Latency,
    RunningApp,
    Screen,
    VirtualPhone,
    Widget,
    render_hierarchy,
)

from .scripted_phone import ScriptedPhone

PACKAGE = "dev.replicant.kit"
Build = Callable[["RunningApp[Held]"], "list[Widget]"]


@dataclass
class Held:
    """What the app keeps: values by name, and what happened."""

    stored: dict[str, Any]
    values: dict[str, Any] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)


def kit_app(build: Build, **values: Any) -> App[Held]:
    """An app of one screen, with these values to begin with."""

    class Only(Screen[Held]):
        activity = ".OnlyActivity"
        title = "Only"

        def build(self, app: RunningApp[Held]) -> Widget:
            return Column(build(app), height="fill")

    return App(
        package=PACKAGE,
        label="Kit",
        state=lambda stored: Held(stored, dict(values)),
        start=Only,
        screens={},
    )


class KitPhone(ScriptedPhone):
    """``touches`` are all points of the glass that a finger began or ended at."""

    capabilities = Capability.NONE

    def __init__(self, clock: ManualClock, build: Build, **values: Any) -> None:
        self.hold(clock, kit_app(build, **values), PACKAGE)

    def hold(self, clock: ManualClock, app: App[Any], package: str, url: str | None = None) -> None:
        ScriptedPhone.__init__(self, clock, [b""])
        latency = Latency.from_knobs({"latency": "0"})
        self.package = package
        self.phone = VirtualPhone([app], latency=latency, clock=clock.now)
        self.phone.settings.put("global", "stay_on_while_plugged_in", "7")  # as a driver sees to it
        self.phone.start_app(package, url=url)
        profile = self.phone.profile
        self.info: Any = DeviceInfo(
            "kit", "android", "Kit", "14", profile.width, profile.height, profile.scale
        )
        self.touches: list[Point] = []

    @property
    def state(self) -> Held:
        held = self.phone.app_state(PACKAGE)
        assert isinstance(held, Held)
        return held

    def put(self, name: str, value: object) -> None:
        """The app itself sets it, some time after what was done last."""
        self.state.values[name] = value
        self.phone.set_rotation(0)
        self.clock.advance(10)

    def dump_hierarchy(self) -> bytes:
        self.dumps += 1
        self.clock.advance(self.dump_seconds)
        return render_hierarchy(self.phone.windows(), 0, server=True)

    def tap(self, point: Point) -> None:
        self.touches.append(point)
        self.phone.tap(point.x, point.y)

    def swipe(self, start: Point, end: Point, seconds: float) -> None:
        self.touches += [start, end]
        self.phone.swipe(*start, *end, round(seconds * 1000))

    def press_key(self, key: Key) -> None:
        self.phone.press_key(key.upper())

    def bounds(self, resource_id: str) -> Rect:
        return next(
            node.bounds
            for window in self.phone.windows()
            for node in window.root.walk()
            if node.resource_id == f"{self.package}:id/{resource_id}"
        )
