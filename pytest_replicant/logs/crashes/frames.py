"""What is told of a death: the lines of its stack, what was thrown, and why. Pure values."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST_MESSAGE = 200  # in a line for people
LONGEST_TOLD = 4000  # characters of a message that are kept
_LINE = re.compile(r"(?P<file>.*):(?P<line>\d{1,9})", re.DOTALL)


@dataclass(frozen=True)
class StackFrame:
    """One line of a stack. ``where`` is class and method, or a native function; ``file`` the source file, or the
    native library; ``line`` is None where it is not told."""

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
    """What was thrown because of which something else was; ``frames`` are its own, the innermost first."""

    exception: str
    message: str
    frames: tuple[StackFrame, ...] = ()

    def __str__(self) -> str:
        return f"{self.exception}: {self.message}" if self.message else self.exception


@dataclass(frozen=True)
class Told:
    """A death in a line (``summary``), what is the same each time that it happens again (``signature``), and the
    parts of it: see ``Crash``."""

    summary: str
    signature: str
    exception: str = ""
    message: str = ""
    causes: tuple[Cause, ...] = ()
    frame: StackFrame | None = None
    frames: tuple[StackFrame, ...] = ()
    signal: str = ""
    code: str = ""


def source_frame(where: str, place: str) -> StackFrame:
    """``place`` is what stands in the brackets: ``CartStore.kt:42``, ``Native Method``."""
    found = _LINE.fullmatch(place)
    return StackFrame(where, found["file"], int(found["line"])) if found else StackFrame(where, place)
