"""What a Java stack trace says: what was thrown and why, and where in the app's own code it came up. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from .frames import LONGEST_MESSAGE, LONGEST_TOLD, Cause, StackFrame, Told, source_frame

# Whose code is never the app's own. What an app brings along (its libraries) is told only by its package.
_PLATFORM = (
    *("android.", "androidx.", "com.android.", "com.google.android.", "dalvik.", "libcore."),
    *("java.", "javax.", "jdk.", "sun.", "kotlin.", "kotlinx.", "_COROUTINE."),
)
_CAUSED = "Caused by: "
_SUPPRESSED = "Suppressed: "
_THROWN = re.compile(r"(?P<kind>[\w$-]+(?:\.[\w$-]+)*)(?::(?: (?P<message>.*))?)?")
_FRAME = re.compile(r"\s*at (?P<where>[^\s(][^(]*)\((?P<place>.*)\)")
_MORE = re.compile(r"\s*\.\.\. \d+ (?:more|common frames omitted)")


@dataclass
class _Thrown:
    kind: str
    message: list[str]
    frames: list[StackFrame] = field(default_factory=list)  # the innermost first
    told: bool = False  # its message has ended

    def frame_of(self, app: str) -> StackFrame | None:
        """The innermost of the app's own package; else the innermost that is not the platform's."""
        home = ".".join(app.split(".")[:2]) + "."
        own = (frame for frame in self.frames if frame.where.startswith(home)) if "." in app else iter(())
        foreign = (frame for frame in self.frames if not frame.where.startswith(_PLATFORM))
        return next(own, None) or next(foreign, None)

    def cause(self) -> Cause:
        return Cause(self.kind, "\n".join(self.message).strip()[:LONGEST_TOLD], tuple(self.frames))


def read_stack_trace(lines: Sequence[str], app: str) -> Told:
    """``lines`` are those of an uncaught exception from its class on."""
    thrown = _read(lines)
    if not thrown:
        first = next((line.strip() for line in lines if line.strip()), "an uncaught exception")[:LONGEST_MESSAGE]
        return Told(first, first, message="\n".join(lines).strip()[:LONGEST_TOLD])
    root = thrown[-1]
    own = next((found for one in reversed(thrown) if (found := one.frame_of(app))), None)
    shown = own or next(iter(root.frames), None)
    name, first = root.kind.rpartition(".")[2], root.message[0].strip()
    summary = f"{name}: {first[:LONGEST_MESSAGE]}" if first else name
    outermost, *causes = (one.cause() for one in thrown)
    return Told(
        f"{summary} ({shown.place})" if shown else summary,
        f"{root.kind} at {shown.where}" if shown else root.kind,
        outermost.exception,
        outermost.message,
        tuple(causes),
        own,
        outermost.frames,
    )


def _read(lines: Sequence[str]) -> list[_Thrown]:
    """Outermost first. What was suppressed, with all that is below it, tells nothing of why."""
    found: list[_Thrown] = []
    beside = False
    for line in lines:
        text = line.rstrip()
        latest = found[-1] if found else None
        if latest is None or text.startswith(_CAUSED):
            thrown = _THROWN.fullmatch(text.removeprefix(_CAUSED))
            if thrown:
                found.append(_Thrown(thrown["kind"], [thrown["message"] or ""]))
                beside = False
            elif latest is not None and not latest.told:
                latest.message.append(text)
        elif not beside:
            beside = latest.told and text.lstrip().startswith(_SUPPRESSED)
            _add(latest, text)
    return found


def _add(latest: _Thrown, text: str) -> None:
    """A line below what was thrown: of its stack, or else of its message as long as that has not ended."""
    frame = _FRAME.fullmatch(text)
    if frame:
        latest.frames.append(source_frame(frame["where"], frame["place"]))
    if frame or _MORE.fullmatch(text) or text.lstrip().startswith(_SUPPRESSED):
        latest.told = True
    elif not latest.told:
        latest.message.append(text)
