"""What a Java stack trace says in one line: the root cause, and where in the app's own code it came up. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

LONGEST_MESSAGE = 200
# Whose code is never the app's own. What an app brings along (its libraries) is told only by its package.
_PLATFORM = (
    *("android.", "androidx.", "com.android.", "com.google.android.", "dalvik.", "libcore."),
    *("java.", "javax.", "jdk.", "sun.", "kotlin.", "kotlinx."),
)
_THROWN = re.compile(r"(?:Caused by: )?(?P<kind>(?:[\w$]+\.)+[\w$]+)(?:: (?P<message>.*))?")
_FRAME = re.compile(r"\s*at (?P<where>[\w.$<>/-]+)\((?P<place>[^()]*)\)")


@dataclass(frozen=True)
class Told:
    """A death in a line (``summary``), and what is the same each time that it happens again (``signature``)."""

    summary: str
    signature: str


@dataclass
class _Cause:
    kind: str
    message: str
    frames: list[tuple[str, str]] = field(default_factory=list)  # method and place, the innermost first

    def frame_of(self, app: str) -> tuple[str, str] | None:
        """The innermost of the app's own package; else the innermost that is not the platform's."""
        home = ".".join(app.split(".")[:2]) + "."
        own = [frame for frame in self.frames if frame[0].startswith(home)] if "." in app else []
        foreign = (frame for frame in self.frames if not frame[0].startswith(_PLATFORM))
        return own[0] if own else next(foreign, None)


def read_stack_trace(lines: Sequence[str], app: str) -> Told:
    """``lines`` are those of an uncaught exception from its class on."""
    causes = _causes(lines)
    if not causes:
        first = next((line.strip() for line in lines if line.strip()), "an uncaught exception")
        return Told(first[:LONGEST_MESSAGE], first[:LONGEST_MESSAGE])
    root = causes[-1]
    frame = next((found for cause in reversed(causes) if (found := cause.frame_of(app))), None)
    frame = frame or next(((where, place) for where, place in root.frames), None)
    name = root.kind.rpartition(".")[2]
    message = f"{name}: {root.message[:LONGEST_MESSAGE]}" if root.message else name
    if frame is None:
        return Told(message, root.kind)
    where, place = frame
    return Told(f"{message} ({place})", f"{root.kind} at {where}")


def _causes(lines: Sequence[str]) -> list[_Cause]:
    """Outermost first. The lines of a message that has several belong to none but the message."""
    causes: list[_Cause] = []
    for line in lines:
        frame = _FRAME.fullmatch(line.rstrip())
        if frame and causes:
            causes[-1].frames.append((frame["where"], frame["place"]))
            continue
        thrown = _THROWN.fullmatch(line.rstrip()) if not causes or line.startswith("Caused by: ") else None
        if thrown:
            causes.append(_Cause(thrown["kind"], (thrown["message"] or "").strip()))
    return causes
