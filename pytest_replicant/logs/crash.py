"""A crash as a value, and the stacks in it: Java stack traces and native tombstones. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal

LONGEST_MESSAGE = 200  # in a line for people
LONGEST_KEPT = 4000  # characters of a message that are kept


@dataclass(frozen=True)
class StackFrame:
    """One line of a stack. ``where`` is class and method, or a native function; ``file`` the source
    file, or the native library; ``line`` is None if it is not reported."""

    where: str
    file: str = ""
    line: int | None = None

    @property
    def place(self) -> str:
        """``CartStore.kt:42``"""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return f"{self.where} ({self.place})" if self.file else self.where


@dataclass(frozen=True)
class Cause:
    """Exception that caused another one; ``frames`` are its own, the innermost first."""

    exception: str
    message: str
    frames: tuple[StackFrame, ...] = ()

    def __str__(self) -> str:
        return f"{self.exception}: {self.message}" if self.message else self.exception


CrashKind = Literal["java", "native", "anr", "died", "exception"]


@dataclass(frozen=True)
class Crash:
    """Death of an app. ``kind`` is "java", "native", "anr" or "died" (gone without a reported
    reason); on an iPhone, if its driver reports crashes, "exception", "native" or "died". ``time``
    as the phone printed it; ``pid`` is 0 if the log does not say. ``summary`` is for people, the
    ``signature`` the same whenever the same thing happens again. ``lines`` are raw. A field that is
    not reported is empty.

    ``exception`` is the class of the uncaught exception, with its ``message`` and its ``frames``,
    the innermost first; ``causes`` are its causes, outermost first, each with ``exception``,
    ``message`` and ``frames``. A native crash has a ``signal`` and its ``code``; its ``message`` is
    the reason of the abort, and that of an app that did not answer the reason of that. ``frame`` is
    the frame in the app's own code, at the root: ``where`` (class and method), ``file`` and
    ``line``; None if the stack shows nothing but the platform.
    """

    kind: CrashKind
    app: str
    pid: int = 0
    time: str = ""
    summary: str = ""
    signature: str = ""
    lines: tuple[str, ...] = ()
    exception: str = ""
    message: str = ""
    causes: tuple[Cause, ...] = ()
    frame: StackFrame | None = None
    frames: tuple[StackFrame, ...] = ()
    signal: str = ""
    code: str = ""
    thread: str = ""

    def is_of(self, *apps: str) -> bool:
        """Whether it is that of one of the apps, or of a further process of one."""
        return any(self.app == app or self.app.startswith(f"{app}:") for app in apps)


def summed_up(what: str, message: str, place: str) -> str:
    """A death in a line for people: ``NullPointerException: no cart (CartStore.kt:42)``."""
    said = f"{what}: {message[:LONGEST_MESSAGE]}" if message else what
    return f"{said} ({place})" if place else said


# Whose code is never the app's own. What an app brings along (its libraries) is is_complete only by
# its package.
_PLATFORM_PACKAGES = (
    *("android.", "androidx.", "com.android.", "com.google.android.", "dalvik.", "libcore."),
    *("java.", "javax.", "jdk.", "sun.", "kotlin.", "kotlinx.", "_COROUTINE."),
)
_CAUSED = "Caused by: "
_SUPPRESSED = "Suppressed: "
_THROWN = r"(?P<kind>[\w$-]+(?:\.[\w$-]+)*)(?::(?: (?P<message>.*))?)?"
_MORE = r"\s*\.\.\. \d+ (?:more|common frames omitted)"


@dataclass
class _Thrown:
    kind: str
    message: list[str]
    frames: list[StackFrame] = field(default_factory=list)  # the innermost first
    is_complete: bool = False  # its message has ended

    def frame_of(self, app: str) -> StackFrame | None:
        """Innermost frame of the app's own package; else the innermost that is not the
        platform's."""
        home = ".".join(app.split(".")[:2]) + "."
        if "." in app:
            for frame in self.frames:
                if frame.where.startswith(home):
                    return frame
        foreign = (frame for frame in self.frames if not frame.where.startswith(_PLATFORM_PACKAGES))
        return next(foreign, None)

    def cause(self) -> Cause:
        return Cause(self.kind, "\n".join(self.message).strip()[:LONGEST_KEPT], tuple(self.frames))


def read_stack_trace(lines: Sequence[str], app: str) -> Crash:
    """Crash by an uncaught exception. ``lines`` are those of its stack trace, from the class on."""
    thrown = _read_thrown(lines)
    if not thrown:
        message = "\n".join(lines).strip()[:LONGEST_KEPT]
        first = (message.partition("\n")[0].strip() or "an uncaught exception")[:LONGEST_MESSAGE]
        return Crash("java", app, summary=first, signature=first, message=message)
    root = thrown[-1]
    own = next((found for one in reversed(thrown) if (found := one.frame_of(app))), None)
    shown = own or next(iter(root.frames), None)
    name, first = root.kind.rpartition(".")[2], root.message[0].strip()
    outermost, *causes = (one.cause() for one in thrown)
    return Crash(
        "java",
        app,
        summary=summed_up(name, first, shown.place if shown else ""),
        signature=f"{root.kind} at {shown.where}" if shown else root.kind,
        exception=outermost.exception,
        message=outermost.message,
        causes=tuple(causes),
        frame=own,
        frames=outermost.frames,
    )


def _read_thrown(lines: Sequence[str]) -> list[_Thrown]:
    """Outermost first. What was suppressed, with all that is below it, does not explain the
    death."""
    found: list[_Thrown] = []
    latest: _Thrown | None = None
    is_suppressed = False
    for line in lines:
        text = line.rstrip()
        if not latest or text.startswith(_CAUSED):
            if thrown := re.fullmatch(_THROWN, text.removeprefix(_CAUSED)):
                latest = _Thrown(thrown["kind"], [thrown["message"] or ""])
                found.append(latest)
                is_suppressed = False
            elif latest and not latest.is_complete:
                latest.message.append(text)
        elif not is_suppressed:
            is_suppressed = latest.is_complete and text.lstrip().startswith(_SUPPRESSED)
            _add(latest, text)
    return found


def _add(latest: _Thrown, text: str) -> None:
    """Adds a line below an exception: of its stack, or of its message as long as that has not
    ended."""
    if frame := re.fullmatch(r"\s*at (?P<where>[^\s(][^(]*)\((?P<place>.*)\)", text):
        # such as "CartStore.kt:42", "Native Method"
        file, line = frame["place"], None
        if numbered := re.fullmatch(r"(.*):(\d{1,9})", file, re.DOTALL):
            file, line = numbered[1], int(numbered[2])
        latest.frames.append(StackFrame(frame["where"], file, line))
    if frame or re.fullmatch(_MORE, text) or text.lstrip().startswith(_SUPPRESSED):
        latest.is_complete = True
    elif not latest.is_complete:
        latest.message.append(text)


_SIGNAL = r"[Ff]atal signal \d+ \((\w+)\)|signal \d+ \((\w+)\)"
_THREAD = r"^(?=.* <<<)pid: \d+, tid: \d+, name: (.*?)>>> \S| in tid \d+ \((.{0,200}?)\), pid "
_CODE = r"signal \d+ \(\w+\), code -?\d+ \((\w+)"
_ABORT_REASON = r"^(?:Abort message: |Cause: )'?(.*)"
_NATIVE_FRAME = (
    r"\s*#\d+ +pc [0-9a-fA-F]+ +(?P<file>\S+)(?: \(offset [^)]*\))?(?: \((?P<name>.*?)\))?\s*"
)
_PLATFORM_LIBRARIES = ("/system/", "/apex/", "/vendor/", "/product/", "/system_ext/", "[")


def read_tombstone(lines: Sequence[str], app: str = "") -> Crash:
    """Crash by a fatal signal. ``lines`` are those of the crash handler or the C library, in any
    order."""
    signal = first_of(_SIGNAL, lines)
    reason = first_of(_ABORT_REASON, lines).rstrip().removesuffix("'")
    stack: list[tuple[StackFrame, bool]] = []  # each with whether it is the app's own
    for line in takewhile(lambda line: not line.startswith("--- --- ---"), lines):
        if found := re.fullmatch(_NATIVE_FRAME, re.sub(r" ?\(BuildId: .*", "", line)):
            path, function = found.groups("")
            is_own = not path.startswith(_PLATFORM_LIBRARIES)
            stack.append(
                (StackFrame(re.sub(r"\+\d+$", "", function), re.split(r"[/!]", path)[-1]), is_own)
            )
    frames = tuple(frame for frame, _ in stack)
    own = next((frame for frame, is_own in stack if is_own), None)
    shown = own or next(iter(frames), None)
    place = f"{shown.file} {shown.where}".rstrip() if shown else ""
    name = signal or "a fatal signal"
    return Crash(
        "native",
        app,
        summary=summed_up(name, reason, place),
        signature=f"{name} at {place}" if place else name,
        message=reason[:LONGEST_KEPT],
        frame=own,
        frames=frames,
        signal=signal,
        code=first_of(_CODE, lines),
        thread=first_of(_THREAD, lines).strip(),
    )


def first_of(pattern: str, lines: Iterable[str]) -> str:
    """What the first match captures; "" if nothing matches."""
    found = next(filter(None, (re.search(pattern, line) for line in lines)), None)
    return next(filter(None, found.groups()), "") if found else ""
