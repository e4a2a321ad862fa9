"""How long the phone takes over a call, and the count of calls that it has served."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from .streams import in_thread

if TYPE_CHECKING:
    from .profile import Latency

Call = Literal["dump", "gesture", "text", "screenshot", "shell", "rpc", "launch"]


class Pace:
    """Waits as long as the phone would, and keeps the books: calls by kind, milliseconds waited in
    all.

    ``now`` is the time in seconds by which it waits: the machine's own, or that of the clock whose
    ``sleep`` was handed in.
    """

    def __init__(
        self,
        latency: Latency,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self._latency = latency
        self._sleep = sleep
        self.now = time.monotonic if sleep is None else now
        self.calls: Counter[str] = Counter()
        self.waited_ms = 0

    async def take(self, call: Call, extra_ms: int = 0) -> None:
        """Counts one call and waits its latency, and ``extra_ms`` more (the length of a
        gesture)."""
        wait_ms = int(getattr(self._latency, f"{call}_ms")) + extra_ms
        self.calls[call] += 1
        self.waited_ms += wait_ms
        if wait_ms:
            await self.sleep(wait_ms / 1000)

    async def sleep(self, seconds: float) -> None:
        if self._sleep is None:
            await asyncio.sleep(seconds)
        else:
            await in_thread(self._sleep, seconds)
