"""``logcat -v threadtime`` as values. Lines that are no entry belong to the one above them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, cast

Level = Literal["V", "D", "I", "W", "E", "F", "S"]

_ENTRY = re.compile(
    r"(?P<time>\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6})\s+(?P<pid>\d+)\s+(?P<tid>\d+)\s+(?P<level>[VDIWEFS])\s+"
    r"(?P<tag>.*?)\s*: (?P<message>.*)\Z",
    re.DOTALL,
)


@dataclass(frozen=True)
class LogLine:
    """One entry; ``time`` as the phone printed it, ``MM-DD hh:mm:ss.mmm``."""

    time: str
    pid: int
    tid: int
    level: Level
    tag: str
    message: str


def parse_threadtime(lines: Iterable[str]) -> list[LogLine]:
    """Oldest first; buffer headers ("--------- beginning of main") are left out."""
    entries: list[LogLine] = []
    for line in lines:
        found = _ENTRY.match(line.rstrip("\r\n"))
        if found:
            entries.append(
                LogLine(
                    found["time"],
                    int(found["pid"]),
                    int(found["tid"]),
                    cast("Level", found["level"]),
                    found["tag"],
                    found["message"],
                )
            )
        elif entries and line.strip() and not line.startswith("---------"):
            entries[-1] = replace(entries[-1], message=f"{entries[-1].message}\n{line.rstrip()}")
    return entries
