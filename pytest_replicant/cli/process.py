"""What commands share: text on standard output, and an orderly end."""

from __future__ import annotations

import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from ..errors import UsageError

WIDEST = 110
_NARROWEST = 40
_SAME_SECONDS = 0.2


def print_text(text: str, stream: TextIO | None = None) -> None:
    """On standard output, unless given. What the terminal's encoding does not have is escaped; a reader that has
    gone is noticed here."""
    stream = stream or sys.stdout
    if stream is None:
        raise UsageError("standard output is closed")
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")
    stream.write(f"{text}\n")
    stream.flush()


def width_of(stream: TextIO) -> int:
    """Of the terminal, as far as lines are good to read."""
    columns = shutil.get_terminal_size((WIDEST, 24)).columns if stream is not None else WIDEST
    return max(_NARROWEST, min(columns, WIDEST))


@contextmanager
def on_signals(stop: Callable[[], None], *names: signal.Signals) -> Iterator[None]:
    """While it is entered, these signals call ``stop`` instead of ending the process at once. One that is sent to
    us and to our group, as ``timeout`` does, counts once."""
    last = -_SAME_SECONDS

    def take(_number: int, _frame: object) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before >= _SAME_SECONDS:
            stop()

    before = {name: signal.signal(name, take) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
