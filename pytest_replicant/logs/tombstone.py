"""What a native crash says in one line: the signal, and where in the app's own libraries it came up. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .stack_trace import LONGEST_MESSAGE, Told

_SIGNAL = re.compile(r"[Ff]atal signal \d+ \((\w+)\)|signal \d+ \((\w+)\)")
_REASON = re.compile(r"(?:Abort message: |Cause: )'?(.*?)'?\s*")
_FRAME = re.compile(r"\s*#\d+ pc [0-9a-fA-F]+\s+(?P<file>\S+)(?: \(offset [^)]*\))?(?: \((?P<name>.*?)\))?\s*")
_BUILD = re.compile(r" ?\(BuildId: .*")
_OFFSET = re.compile(r"\+\d+$")
_PLATFORM = ("/system/", "/apex/", "/vendor/", "/product/", "/system_ext/", "[")


def read_tombstone(lines: Sequence[str]) -> Told:
    """``lines`` are what the crash handler or the C library wrote, in any order."""
    signal = _first(_SIGNAL, lines) or "a fatal signal"
    reason = next((found[1] for line in lines if (found := _REASON.fullmatch(line))), "")
    place = _place(lines)
    summary = f"{signal}: {reason[:LONGEST_MESSAGE]}" if reason else signal
    return Told(f"{summary} ({place})", f"{signal} at {place}") if place else Told(summary, signal)


def _first(pattern: re.Pattern[str], lines: Sequence[str]) -> str:
    found = next((found for line in lines if (found := pattern.search(line))), None)
    return next((group for group in found.groups() if group), "") if found else ""


def _place(lines: Sequence[str]) -> str:
    """Library and function of the innermost frame that is not the platform's, else of the innermost."""
    frames = [found for line in lines if (found := _FRAME.fullmatch(_BUILD.sub("", line)))]
    own = [frame for frame in frames if not frame["file"].startswith(_PLATFORM)]
    if not frames:
        return ""
    chosen = (own or frames)[0]
    library = re.split(r"[/!]", chosen["file"])[-1]
    name = _OFFSET.sub("", chosen["name"] or "")
    return f"{library} {name}".rstrip()
