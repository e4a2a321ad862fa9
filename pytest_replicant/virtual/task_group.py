"""Tasks that somebody answers for: kept while they run, ended with their owner, never lost with an
error."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

log = logging.getLogger(__name__)

CANCEL_AGAIN = 1.0  # seconds
HANG_UPS = (
    ConnectionError,
    asyncio.IncompleteReadError,
)  # a client went: everyday business, not an error


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancels what still runs and waits for all of it, even where the one who waits is cancelled
    meanwhile. A task that lost its cancellation, as what ``wait_for`` waits for may before Python
    3.12, is cancelled again."""
    for task in tasks:
        task.cancel()
    left: set[asyncio.Task[Any]] = set(tasks)
    cancelled: asyncio.CancelledError | None = None
    while left:
        try:
            _, left = await asyncio.wait(left, timeout=CANCEL_AGAIN)
            for task in left:
                task.cancel()
        except asyncio.CancelledError as error:
            cancelled = error
            left = {task for task in left if not task.done()}
    for task in tasks:
        if not task.cancelled():
            task.exception()  # asked for, so that it is not reported as lost
    if cancelled is not None:
        raise cancelled


class TaskGroup:
    """Background work of one owner. An unexpected error ends its own task, and is logged."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, work: Callable[[], Awaitable[None]], name: str) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(_guarded(work, name), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def end(self) -> None:
        """Ends all but the task that asks."""
        asking = asyncio.current_task()
        await end(*(task for task in self._tasks if task is not asking))


async def _guarded(work: Callable[[], Awaitable[None]], name: str) -> None:
    try:
        await work()
    except HANG_UPS:
        pass
    except Exception:
        log.exception("virtual phone: %s failed", name)
