"""Being told to end, while there is something that would be left behind."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any


class Interrupts:
    """Makes of Ctrl-C, and of what ends a process without ado, as a CI system may, a ``KeyboardInterrupt``.

    What comes before ``release`` is raised by it: until then nobody could clean up. Signals that somebody else
    listens to, or that are ignored, stay as they are; so do all outside of the main thread.
    """

    def __init__(self) -> None:
        self._held = True
        self._came = False
        self._before: dict[int, Callable[[int, FrameType | None], Any] | int | None] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for name in ("SIGINT", "SIGTERM", "SIGHUP"):
                number = getattr(signal, name, None)
                before = signal.getsignal(number) if number is not None else None
                if number is not None and before in (signal.SIG_DFL, signal.default_int_handler):
                    self._before[number] = before
                    signal.signal(number, self._take)
        return self

    def release(self) -> None:
        self._held = False
        if self._came:
            raise KeyboardInterrupt

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _take(self, *_: object) -> None:
        self._came = True
        if not self._held:
            raise KeyboardInterrupt
