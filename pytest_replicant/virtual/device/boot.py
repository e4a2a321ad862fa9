"""Since when the phone has been on, and whether Android itself is up."""

from __future__ import annotations

import uuid
from collections.abc import Callable

BOOT_ID = "/proc/sys/kernel/random/boot_id"


class Boot:
    """``id`` is another one after each restart, as Linux makes it. A phone that restarts answers
    adb first: its system services run only ``boot_ms`` later."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.id = str(uuid.uuid4())
        self._ready_at = clock()

    @property
    def completed(self) -> bool:
        """As ``sys.boot_completed`` says it."""
        return self._clock() >= self._ready_at

    def again(self, boot_ms: int) -> None:
        self.id = str(uuid.uuid4())
        self._ready_at = self._clock() + boot_ms / 1000
