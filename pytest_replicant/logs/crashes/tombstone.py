"""What a native crash says: the signal, and where in the app's own libraries it came up. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .frames import LONGEST_MESSAGE, LONGEST_TOLD, StackFrame, Told

_SIGNAL = re.compile(r"[Ff]atal signal \d+ \((\w+)\)|signal \d+ \((\w+)\)")
_CODE = re.compile(r"signal \d+ \(\w+\), code -?\d+ \((\w+)")
_REASON = re.compile(r"(?:Abort message: |Cause: )'?(.*)")
_FRAME = re.compile(r"\s*#\d+ +pc [0-9a-fA-F]+ +(?P<file>\S+)(?: \(offset [^)]*\))?(?: \((?P<name>.*?)\))?\s*")
_BUILD = re.compile(r" ?\(BuildId: .*")
_OFFSET = re.compile(r"\+\d+$")
_PLATFORM = ("/system/", "/apex/", "/vendor/", "/product/", "/system_ext/", "[")
_OTHER_THREADS = "--- --- ---"


def read_tombstone(lines: Sequence[str]) -> Told:
    """``lines`` are what the crash handler or the C library wrote, in any order."""
    signal = _first(_SIGNAL, lines)
    reasons = (found[1].rstrip() for line in lines if (found := _REASON.fullmatch(line)))
    reason = next(reasons, "").removesuffix("'")
    paths = _paths(lines)
    frames = tuple(_frame(path, name) for path, name in paths)
    own = next((frame for frame, (path, _) in zip(frames, paths, strict=True) if _is_own(path)), None)
    shown = own or next(iter(frames), None)
    place = f"{shown.file} {shown.where}".rstrip() if shown else ""
    name = signal or "a fatal signal"
    summary = f"{name}: {reason[:LONGEST_MESSAGE]}" if reason else name
    return Told(
        f"{summary} ({place})" if place else summary,
        f"{name} at {place}" if place else name,
        message=reason[:LONGEST_TOLD],
        frame=own,
        frames=frames,
        signal=signal,
        code=_first(_CODE, lines),
    )


def _first(pattern: re.Pattern[str], lines: Sequence[str]) -> str:
    found = next((found for line in lines if (found := pattern.search(line))), None)
    return next((group for group in found.groups() if group), "") if found else ""


def _paths(lines: Sequence[str]) -> list[tuple[str, str]]:
    """Library and function of each frame of the thread that died."""
    found = []
    for line in lines:
        if line.startswith(_OTHER_THREADS):
            break
        frame = _FRAME.fullmatch(_BUILD.sub("", line))
        if frame:
            found.append((frame["file"], frame["name"] or ""))
    return found


def _frame(path: str, name: str) -> StackFrame:
    return StackFrame(_OFFSET.sub("", name), re.split(r"[/!]", path)[-1])


def _is_own(path: str) -> bool:
    return not path.startswith(_PLATFORM)
