"""A recording keeps each new screen, and knows how it was reached: by fingers that are heard, or by
commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from pytest_replicant.errors import ProtocolError
from pytest_replicant.exploring import Answer, answered
from pytest_replicant.pool import OpenDevice, open_device
from pytest_replicant.real_phones import (
    CapturedScreen,
    Collector,
    Recording,
    learn,
    read_capture,
    write_profile,
)
from pytest_replicant.snapshots import Snapshot

from .captured import facts_by_window, write_capture

ANDROID, IPHONE = (
    "virtual?latency=0&app=dev.replicant.shop",
    "virtual:ios?latency=0&app=dev.replicant.shop",
)


@dataclass
class Stage:
    device: OpenDevice
    recording: Recording

    @property
    def screens(self) -> list[CapturedScreen]:
        return self.recording.collector.screens

    @property
    def front(self) -> Snapshot:
        assert self.recording.screen is not None
        return self.recording.screen

    def finger(self, *path: tuple[int, int], ms: int = 60) -> None:
        phone = self.device.phone
        assert phone is not None
        phone.finger(*path, ms=ms)

    def touch(self, text: str) -> str:
        center = self.front.find(text=text).center
        self.finger((center.x, center.y))
        return self.until_new()

    def do(self, line: str) -> Answer:
        return answered(self.recording.commands, line)

    def until_new(self) -> str:
        deadline = monotonic() + 10
        while monotonic() < deadline:
            if name := self.recording.look():
                return name
        raise AssertionError(f"no new screen:\n{self.front.outline()}")


@contextmanager
def stage(uri: str = ANDROID) -> Iterator[Stage]:
    with open_device(uri) as device:
        recording = Recording(device, Collector())
        try:
            assert recording.look() == ""  # the home screen is not kept
            assert answered(recording.commands, "launch dev.replicant.shop").code == 0
            assert recording.look() == "screen-01"
            yield Stage(device, recording)
        finally:
            recording.close()


def test_a_finger_that_is_heard() -> None:
    with stage() as here:
        assert here.recording.hears
        tapped = here.front.find(text="Forgot password?").bounds
        name = here.touch("Forgot password?")

        assert (name, here.screens[-1].reached.means) == ("screen-02", "tap")
        assert here.screens[-1].reached.source == "screen-01"
        assert here.screens[-1].reached.bounds == tapped


def test_several_touches_are_done_by_hand() -> None:
    with stage() as here:
        place = here.front.find(text="Remember me").center
        link = here.front.find(text="Forgot password?").center
        for each in (place, link):
            here.finger((each.x, each.y))
        here.until_new()

        assert here.screens[-1].reached.means == "hand"


def test_screens_that_are_known_are_not_kept_again() -> None:
    with stage() as here:
        ref = here.front.ref(text="Forgot password?")
        for line in (f"tap {ref}", "back", f"tap {ref}", "back"):
            here.do(line)
            here.recording.look()

        assert [each.name for each in here.screens] == ["screen-01", "screen-02"]


def test_commands_and_a_phone_that_plays_them(tmp_path: Path) -> None:
    with stage(IPHONE) as here:
        here.do(f"tap {here.front.ref(text='Forgot password?')}")
        assert here.recording.look() == "screen-02"
        here.do(f"type {here.front.ref(text='Email')} anna@example.org")
        here.recording.look()
        capture = here.recording.collector.capture({"command": "a test"})

    assert [each.reached.means for each in capture.screens[:2]] == ["launch", "tap"]
    write_capture(tmp_path / "a.zip", capture)
    write_profile(tmp_path / "a.json", learn(read_capture(tmp_path / "a.zip")))
    with open_device(f"virtual:ios?latency=0&profile={tmp_path / 'a.json'}") as device:
        played = Recording(device, Collector())
        answered(played.commands, "open dev.replicant.shop")
        played.look()
        assert played.screen is not None
        answered(played.commands, f"tap {played.screen.ref(text='Forgot password?')}")
        played.look()
        played.close()
    for seen, again in zip(capture.screens[:2], played.collector.screens, strict=False):
        assert facts_by_window(again.hierarchy) == facts_by_window(seen.hierarchy), seen.name


def test_a_screen_that_could_not_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And the file with the screen that was reached from there can be read."""
    with stage() as here:
        driver: Any = here.device.driver
        kept = driver.orientation

        def unreadable() -> str:
            raise ProtocolError("the phone gave no answer", device="virtual-1")

        monkeypatch.setattr(driver, "orientation", unreadable)
        here.touch("Forgot password?")
        monkeypatch.setattr(driver, "orientation", kept)
        here.do(f"tap {here.front.ref(text='Email')}")
        assert here.until_new() == "screen-03"
        capture = here.recording.collector.capture({"command": "a test"})

    write_capture(tmp_path / "a.zip", capture)
    read = read_capture(tmp_path / "a.zip")
    assert [each.name for each in read.screens] == ["screen-01", "screen-03"]
    assert read.screens[1].reached.source == "screen-02"
    assert learn(read).screens[1].source == ""
    assert read.unknown["screen screen-02"] == "the phone gave no answer"


def test_what_is_still_to_see() -> None:
    with stage() as here:
        assert "a switch or a checkbox" not in here.recording.to_see
        assert "a field, with the keyboard open" in here.recording.to_see
        here.do(f"tap {here.front.ref(text='Email')}")
        here.recording.look()
        assert "a field, with the keyboard open" not in here.recording.to_see
