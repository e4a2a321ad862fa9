"""Deaths in what a driver gives of them: a phone of each platform has words of its own."""

from __future__ import annotations

from collections.abc import Iterable

from .crash import Crash, read_crashes
from .ios_crash import read_ios_crashes


def read_deaths(lines: Iterable[str], platform: str) -> list[Crash]:
    return read_ios_crashes(lines) if platform == "ios" else read_crashes(lines)
