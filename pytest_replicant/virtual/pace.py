"""How long the phone takes over a call, and the count of calls that it has served."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .profile import Latency

Call = Literal["dump", "gesture", "text", "screenshot", "shell", "rpc", "launch"]


class Pace:
    """Waits as long as the phone would, and keeps the books: calls by kind, milliseconds waited in all."""

    def __init__(self, latency: Latency) -> None:
        self._latency = latency
        self.calls: Counter[str] = Counter()
        self.waited_ms = 0

    async def take(self, call: Call, extra_ms: int = 0) -> None:
        """Counts one call and waits its latency, and ``extra_ms`` more (the length of a gesture)."""
        wait_ms = int(getattr(self._latency, f"{call}_ms")) + extra_ms
        self.calls[call] += 1
        self.waited_ms += wait_ms
        if wait_ms:
            await asyncio.sleep(wait_ms / 1000)
