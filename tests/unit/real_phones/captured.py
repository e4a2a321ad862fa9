"""Captures of virtual phones, made by what a driver reads, and the facts of their screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pytest_replicant.cassettes import archive_of
from pytest_replicant.model import Rect
from pytest_replicant.real_phones import (
    Capture,
    CapturedScreen,
    Reached,
    facts_of,
    learn,
    read_capture,
    taped,
    write_profile,
)
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import Profile
from tests.properties import facts as shown

SETTLED = 2.0  # seconds in which a screen of a phone without latency is there, whatever it loads


class Tour:
    """Walks over a phone and keeps what it sees."""

    def __init__(self, device: VirtualDevice) -> None:
        self.device = device
        self.driver: Any = device.driver
        self.screens: list[CapturedScreen] = []

    @property
    def is_ios(self) -> bool:
        return self.device.phone.profile.platform == "ios"

    def look(self) -> Snapshot:
        scale = self.driver.info.density if self.is_ios else 1.0
        return Snapshot.parse(self.driver.dump_hierarchy(), scale=scale)

    def tap(self, **selector: Any) -> Rect:
        found = self.look().find(**selector)
        self.driver.tap(found.center)
        self.device.clock.sleep(SETTLED)
        return found.bounds

    def scroll(self) -> None:
        width, height = self.device.phone.size
        self.device.phone.swipe(width // 2, height * 3 // 4, width // 2, height // 4)
        self.device.clock.sleep(SETTLED)

    def shell(self, command: str) -> str:
        said: str = self.driver.shell(command, 10.0).stdout
        return said

    def start(self, action: str = "") -> None:
        if action:
            self.shell(f"am start -a {action}")
        else:
            self.driver.launch(self.device.app)
        self.device.clock.sleep(SETTLED)

    def keep(self, name: str, reached: Reached) -> CapturedScreen:
        front = self.driver.app_in_front()
        screen = CapturedScreen(
            name, front.app, front.activity, self.driver.orientation(),
            self.device.phone.keyboard_shown, reached, self.driver.dump_hierarchy(),
        )  # fmt: skip
        self.screens.append(screen)
        return screen

    def capture(self, **more: Any) -> Capture:
        return Capture({"command": "a test"}, self.driver.info, tuple(self.screens), **more)


def facts_said(tour: Tour) -> Any:
    """What the profile of this phone is learned from."""
    asker = "cmd package resolve-activity --brief -a android.content.pm.action.REQUEST_PERMISSIONS"
    commands = ("getprop", "settings get secure default_input_method",
                "settings get system screen_off_timeout",
                "dumpsys display", asker)  # fmt: skip
    answers = {} if tour.is_ios else {command: tour.shell(command) for command in commands}
    return facts_of(tour.driver.info, answers, (), {}).facts


def write_capture(path: Path, capture: Capture) -> None:
    path.write_bytes(archive_of([taped(capture)]))


def facts_by_window(source: bytes) -> list[shown.Fact]:
    """Of a whole screen: its windows in an order of their own, as that of a hash set is none."""
    windows: list[list[shown.Fact]] = []
    begin = 0
    for place, fact in enumerate(shown.facts_of(Snapshot.parse(source))):
        if fact.parent < 0:
            begin = place
            windows.append([])
        windows[-1].append(fact._replace(parent=fact.parent - begin if fact.parent >= 0 else -1))
    return [fact for window in sorted(windows, key=repr) for fact in window]


Walk = Callable[[Tour], None]


def shop_walk(tour: Tour) -> None:
    tour.keep("sign-in", Reached("launch"))
    tour.keep("reset", Reached("tap", "sign-in", tour.tap(text="Forgot password?")))
    tour.keep("typing", Reached("tap", "reset", tour.tap(text="Email")))


@contextmanager
def played(capture: Capture, folder: Path, *apps: Any, **settings: Any) -> Iterator[Tour]:
    """A phone made of a capture that went through its file, and through that of the profile."""
    write_capture(folder / "a.zip", capture)
    write_profile(folder / "a.json", learn(read_capture(folder / "a.zip")))
    with phone(
        *apps, platform=capture.device.platform, profile=str(folder / "a.json"), **settings
    ) as tour:
        yield tour


@contextmanager
def phone(
    *apps: Any, platform: Any = "android", profile: Profile | str | None = None, **more: Any
) -> Iterator[Tour]:
    with virtual_device(*apps, platform=platform, profile=profile, **more) as device:
        device.clock.sleep(SETTLED)
        yield Tour(device)


def different(before: Sequence[CapturedScreen], after: Sequence[CapturedScreen]) -> list[str]:
    """The screens, by name, that are not the same."""
    found = []
    for first, then in zip(before, after, strict=True):
        if (first.app, first.activity, first.keyboard) != (then.app, then.activity, then.keyboard):
            found.append(f"{first.name}: {then.app} {then.activity} {then.keyboard}")
        if facts_by_window(first.hierarchy) != facts_by_window(then.hierarchy):
            found.append(f"{first.name}: other facts")
    return found
