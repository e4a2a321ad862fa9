"""How ``logcat`` prints an entry: its formats (-v) and its filters."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...system.logcat import LogEntry
from ..call import CommandFailed

FORMATS = ("brief", "process", "tag", "thread", "raw", "time", "threadtime", "long")
MODIFIERS = frozenset(
    ("color", "descriptive", "epoch", "monotonic", "nsec", "printable", "uid", "usec", "UTC", "year", "zone")
)
_PRIORITIES = "VDIWEFS"
_FILTER = re.compile(r"([^:]*)(?::([a-zA-Z*]))?")


@dataclass
class LogFormat:
    """A format's name and its modifiers."""

    name: str = "threadtime"
    modifiers: set[str] = field(default_factory=set)

    def add(self, words: str) -> None:
        """As ``-v`` gives them, with commas or blanks between. Raises ``CommandFailed``."""
        for word in re.split(r"[,\s]+", words.strip()):
            if word in FORMATS:
                self.name = word
            elif word in MODIFIERS:
                self.modifiers.add(word)
            else:
                raise CommandFailed(f"logcat: Invalid parameter '{word}' to -v", 1)

    def moment(self, epoch: float) -> str:
        """As the modifiers want it; the phone's time zone is UTC."""
        whole, fraction = divmod(round(epoch * 1_000_000), 1_000_000)
        digits = f"{fraction:06d}" if self.modifiers & {"usec", "nsec"} else f"{fraction // 1000:03d}"
        if self.modifiers & {"epoch", "monotonic"}:
            return f"{whole:>19}.{digits}"
        pattern = "%Y-%m-%d %H:%M:%S" if "year" in self.modifiers else "%m-%d %H:%M:%S"
        zone = " +0000" if "zone" in self.modifiers else ""
        return f"{time.strftime(pattern, time.gmtime(whole))}.{digits}{zone}"

    def render(self, entry: LogEntry) -> str:
        """One line for each of the message's lines; the long format has one head for all."""
        lines = entry.message.rstrip("\n").split("\n")
        head, tail = self._around(entry)
        if self.name == "long":
            return f"{head}\n" + "\n".join(lines) + "\n\n"
        return "".join(f"{head}{line}{tail}\n" for line in lines)

    def _around(self, entry: LogEntry) -> tuple[str, str]:
        level, tag, pid, tid = entry.level, entry.tag, entry.pid, entry.tid
        uid = f"{entry.uid:>5}:" if "uid" in self.modifiers else ""
        moment = self.moment(entry.epoch)
        heads = {
            "brief": f"{level}/{tag:<8}({uid}{pid:>5}): ",
            "process": f"{level}({uid}{pid:>5}) ",
            "tag": f"{level}/{tag:<8}: ",
            "thread": f"{level}({uid}{pid:>5}:{tid:>5}) ",
            "raw": "",
            "time": f"{moment} {level}/{tag:<8}({uid}{pid:>5}): ",
            "threadtime": f"{moment} {uid.replace(':', ' ')}{pid:>5} {tid:>5} {level} {tag:<8}: ",
            "long": f"[ {moment} {uid}{pid:>5}:{tid:>5} {level}/{tag:<8} ]",
        }
        return heads[self.name], f"  ({tag})" if self.name == "process" else ""


@dataclass(frozen=True)
class LogFilter:
    """Which entries are shown: the lowest priority by tag, and for all other tags."""

    by_tag: Mapping[str, int]
    otherwise: int = 0
    pid: int | None = None
    text: re.Pattern[str] | None = None
    buffers: frozenset[str] = frozenset(("main", "system", "crash"))

    def takes(self, entry: LogEntry) -> bool:
        if entry.buffer not in self.buffers or (self.pid is not None and entry.pid != self.pid):
            return False
        if _PRIORITIES.index(entry.level) < self.by_tag.get(entry.tag.strip(), self.otherwise):
            return False
        return self.text is None or self.text.search(entry.message) is not None


def read_filters(words: Iterable[str], *, silent: bool) -> tuple[dict[str, int], int]:
    """Priorities by tag, and the one for other tags, from ``TAG:W``, ``*:S``. Raises ``CommandFailed``."""
    by_tag: dict[str, int] = {}
    otherwise = _PRIORITIES.index("S") if silent else 0
    for word in words:
        found = _FILTER.fullmatch(word)
        letter = (found.group(2) or "V").upper() if found else "?"
        if not found or letter not in _PRIORITIES + "*":
            raise CommandFailed(f"logcat: Invalid filter expression '{word}'", 1)
        priority = 0 if letter == "*" else _PRIORITIES.index(letter)
        if found.group(1) == "*":
            otherwise = _PRIORITIES.index("D") if found.group(2) is None else priority
        else:
            by_tag[found.group(1)] = priority
    return by_tag, otherwise
