"""Taps on shots of screens that move: is anything ever touched that had changed in the last
read?"""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PIL import Image

from pytest_replicant import ActionFailed
from pytest_replicant.drivers import Driver, Relay
from pytest_replicant.model import SharedClock
from pytest_replicant.testing.virtual import Latency, virtual_device

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_replicant import Mobile, Point, Shot
    from pytest_replicant.testing.virtual import VirtualDevice

LAB = "dev.replicant.lab"
OLDEST = 0.15
"""Seconds: as old as the read may be that a touch relies on."""
REGION = 40
"""Pixels around the touched point that must be as on the shot: fewer than the session compares."""
CHANGED = 40
"""Levels of 255 by which a pixel counts as changed."""
SCREENS = (
    "moving-button?lasts=0",
    "moving-button?lasts=700",
    "carousel?every=60",
    "carousel?every=700",
    "clock?every=200",
    "endless-spinner",
    "inserting-list?every=300&most=200",
    "inserting-list?every=100&most=200",
    "drawn-game?every=300",
)
PAUSES = (0.0, 0.02, 0.1, 0.3, 1.0, 3.0)
SLOW = Latency.from_knobs(
    {"latency": "0", "dump_ms": "120", "screenshot_ms": "200", "gesture_ms": "40"}
)
"""A phone on which every question takes its time: more happens between the last read and the
touch."""


class Watched(Relay):
    """The driver of a phone, which notes the last picture and when it came, and each touch."""

    def __init__(self, driver: Driver, clock: SharedClock) -> None:
        super().__init__(driver)
        self._clock = clock
        self.picture = b""
        self.received = float("-inf")
        self.touches: list[tuple[Point, float, bytes]] = []
        """Of each: where, how old the last picture was, and that picture."""

    def screenshot(self) -> bytes:
        self.picture = self._driver.screenshot()
        self.received = self._clock.now()
        return self.picture

    def tap(self, point: Point) -> None:
        self.touches.append((point, self._clock.now() - self.received, self.picture))
        self._driver.tap(point)


@dataclass(frozen=True)
class Outcome:
    """``touched``, else refused; ``changed``: the region differs on the last picture; ``age``: its
    seconds."""

    touched: bool
    changed: bool
    age: float

    @property
    def wrong(self) -> bool:
        return self.touched and (self.changed or self.age > OLDEST)


def has_changed(before: bytes, after: bytes, point: Point) -> bool:
    """Whether any pixel near the point differs clearly. Written apart from what the session goes
    by."""
    with Image.open(io.BytesIO(before)) as one, Image.open(io.BytesIO(after)) as other:
        if one.size != other.size:
            return True
        box = (point.x - REGION, point.y - REGION, point.x + REGION, point.y + REGION)
        was, now = (picture.convert("RGB").crop(box).tobytes() for picture in (one, other))
    differing: int = sum(abs(a - b) > CHANGED for a, b in zip(was, now, strict=True))
    return differing > 3 * (2 * REGION) ** 2 * 0.004


def outcomes(
    platform: Any, seeds: range, alter: Callable[[Any], None] = lambda _: None
) -> Iterator[Outcome]:
    """One run for each seed: a shot of a screen that moves, a while, and a tap on it."""
    clock = SharedClock()
    with virtual_device(LAB, platform=platform, clock=clock, latency=SLOW, start=False) as device:
        for seed in seeds:
            yield _run(device, clock, random.Random(seed), alter)


def _run(
    device: VirtualDevice, clock: SharedClock, chance: random.Random, alter: Callable[[Any], None]
) -> Outcome:
    from pytest_replicant.session import build_session

    watched = Watched(device.driver, clock)
    settings: dict[str, Any] = {
        "window": 0.3,
        "interval": 0.05,
        "quiet": 0.05,
        "screenshots": False,
    }
    mobile, recorder = build_session(watched, clock=clock, app=LAB, **settings)
    try:
        mobile.open_url(f"lab://{chance.choice(SCREENS)}", LAB)
        clock.sleep(chance.random())
        shot = mobile.shot(max_side=chance.choice((600, 1000, None)))
        alter(shot)
        x, y = _a_place(mobile, shot, chance)
        point = shot.to_screen(x, y)
        clock.sleep(chance.choice(PAUSES))
        watched.touches.clear()
        try:
            shot.tap(x, y, silent=True)
        except ActionFailed as error:
            if error.result.failure_code != "STALE_REFERENCE":
                raise
        touched = bool(watched.touches)
        age, last = watched.touches[0][1:] if touched else (0.0, watched.picture)
        return Outcome(touched, has_changed(shot.full, last, point), age)
    finally:
        recorder.close()


def _a_place(mobile: Mobile, shot: Shot, chance: random.Random) -> tuple[float, float]:
    """The middle of an element, or any point."""
    width, height = shot.picture_size
    if chance.random() < 0.3:
        return chance.random() * width * 0.999, chance.random() * height * 0.999
    area = shot.to_picture(chance.choice(shot.snapshot.elements).bounds)
    return min(max(area.center.x, 0), width - 1), min(max(area.center.y, 0), height - 1)
