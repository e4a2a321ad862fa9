"""What an app raises to die as an Android app dies, and how any death reads in the log."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import PurePath


class AppCrash(Exception):
    """An uncaught Java exception: ``AppCrash("java.lang.NullPointerException", "…",
    at=("Cart.total:42",))``."""

    def __init__(self, java_class: str, message: str, *, at: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.java_class = java_class
        self.frames = tuple(at)


def fatal_exception(error: BaseException, package: str, pid: int) -> str:
    """The block that Android's runtime logs when a process dies of an exception."""
    if isinstance(error, AppCrash):
        head, frames = (
            f"{error.java_class}: {error}",
            [_frame(package, each) for each in error.frames],
        )
    else:
        head = f"java.lang.RuntimeException: {type(error).__name__}: {error}"
        frames = [
            _python_frame(package, entry)
            for entry in reversed(traceback.extract_tb(error.__traceback__))
        ]
    return "\n".join(["FATAL EXCEPTION: main", f"Process: {package}, PID: {pid}", head, *frames])


def _frame(package: str, place: str) -> str:
    """``Cart.total:42`` as a line of a stack trace."""
    name, _, line = place.rpartition(":")
    return f"\tat {package}.{name}({name.split('.')[0]}.kt:{line})"


def _python_frame(package: str, entry: traceback.FrameSummary) -> str:
    file = PurePath(entry.filename)
    return f"\tat {package}.{file.stem}.{entry.name}({file.name}:{entry.lineno})"
