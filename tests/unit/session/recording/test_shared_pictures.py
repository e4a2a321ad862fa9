"""One picture serves the next read of a screen that stays as it is; a gesture, a change or time
asks for more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_replicant.model import ManualClock
from pytest_replicant.session import DeviceSession, build_session

from ..scripted_phone import ScriptedPhone, button, screen

START = screen(button("One", 200), button("Two", 400), title="Start")
AGAIN = START.replace(b"<hierarchy", b"<hierarchy other='1'", 1)
OTHER = screen(button("One", 200), button("Three", 400), title="Start")


class Camera(ScriptedPhone):
    pictures = 0

    def screenshot(self) -> bytes:
        self.pictures += 1
        return b"\x89PNG\r\n\x1a\n" + bytes(20)


Seen = tuple[Camera, DeviceSession]


@pytest.fixture
def seen() -> Iterator[Seen]:
    """A phone of which one picture was taken, and its session."""
    phone = Camera(ManualClock(), [START])
    session, recorder = build_session(phone, clock=phone.clock, trace=True, screenshots=True)
    session.snapshot()
    assert phone.pictures == 1
    yield phone, session
    recorder.close()


def _taken(seen: Seen, source: bytes) -> int:
    """How many pictures a read of that screen takes."""
    phone, session = seen
    before, known = phone.pictures, session.snapshot()
    phone.frames = [source]
    phone.clock.sleep(0.6)  # until the last read counts no more
    assert session.snapshot().id != known.id
    return phone.pictures - before


def test_a_screen_that_stays_as_it_is_shares_its_picture(seen: Seen) -> None:
    assert AGAIN != START
    assert _taken(seen, AGAIN) == 0
    assert _taken(seen, OTHER) == 1


def test_time_asks_for_another_picture(seen: Seen) -> None:
    seen[0].clock.sleep(2)
    assert _taken(seen, AGAIN) == 1


def test_a_gesture_asks_for_another_picture(seen: Seen) -> None:
    seen[1].tap(text="One")
    assert _taken(seen, AGAIN) == 1
