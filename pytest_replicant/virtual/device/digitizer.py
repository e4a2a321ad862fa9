"""``Digitizer``: the glass, as the kernel reports fingers on it. What adb injects passes it by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ...model import Point

PATH = "/dev/input/event1"
NAME = "virtual_touch"
BUTTON, SLOT, POSITION_X, POSITION_Y, TRACKING_ID = 0x14A, 0x2F, 0x35, 0x36, 0x39
MOST_FINGERS, LAST_ID, LIFTED = 10, 65535, 0xFFFFFFFF
_SYN, _KEY, _ABS = 0, 1, 3
_STEPS = 8  # positions between the first and the last of a finger that moves


class InputEvent(NamedTuple):
    """An event of Linux's input system, by its numbers; ``seconds`` are of the phone's clock."""

    seconds: float
    kind: int
    code: int
    value: int


class Digitizer:
    """``size`` are the pixels of the screen as it was built, ``most`` the largest numbers that it
    reports for them. It is ``readable`` unless the phone's maker keeps adb from it. ``hear`` are
    called with each event."""

    def __init__(self, size: tuple[int, int], now: Callable[[], float]) -> None:
        self.size = size
        self.most = size[0] - 1, size[1] - 1
        self.readable = True
        self.hear: list[Callable[[InputEvent], object]] = []
        self._now = now
        self._fingers = 0
        self._at: tuple[int, int] = (
            -1,
            -1,
        )  # of the last finger: the kernel reports no number twice in a row

    def finger(self, path: Sequence[Point], rotation: int, ms: int) -> None:
        """One finger along ``path``, pixels of a screen turned by ``rotation`` quarters, up again
        after ``ms``."""
        began, raw = self._now(), [self._raw(point, rotation) for point in path]
        for kind, code, value in self._down(raw):
            self._report(InputEvent(began, kind, code, value))
        for kind, code, value in ((_ABS, TRACKING_ID, LIFTED), (_KEY, BUTTON, 0), (_SYN, 0, 0)):
            self._report(InputEvent(began + ms / 1000, kind, code, value))

    def _report(self, event: InputEvent) -> None:
        for hear in list(self.hear):
            hear(event)

    def _down(self, path: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        """Protocol B of Linux's Documentation/input/multi-touch-protocol.rst."""
        self._fingers = self._fingers % LAST_ID + 1
        yield _ABS, TRACKING_ID, self._fingers
        yield _KEY, BUTTON, 1
        for start, end in zip(path, [*path[1:], path[-1]], strict=True):
            steps = _STEPS if start != end else 1
            for step in range(steps):
                x, y = (round(a + (b - a) * step / steps) for a, b in zip(start, end, strict=True))
                if x != self._at[0]:
                    yield _ABS, POSITION_X, x
                if y != self._at[1]:
                    yield _ABS, POSITION_Y, y
                yield _SYN, 0, 0
                self._at = (x, y)

    def _raw(self, point: Point, rotation: int) -> tuple[int, int]:
        """Where the glass has that pixel: it does not turn with the screen (AOSP
        TouchInputMapper)."""
        (width, height), (x, y) = self.size, point
        x, y = ((x, y), (width - 1 - y, x), (width - 1 - x, height - 1 - y), (y, height - 1 - x))[
            rotation
        ]
        across, down = max(width - 1, 1), max(height - 1, 1)
        return round(x * self.most[0] / across), round(y * self.most[1] / down)
