"""What a shell started with ``&``: processes of the phone that may outlive their shell."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from .task_group import TaskGroup

_FIRST_PID = 32_101
_LONELY = ("nohup", "setsid")  # a terminal that hangs up does not end these


@dataclass(frozen=True)
class Job:
    """``holds`` says that it has an output of its shell's, so that no client sees the end of that
    before."""

    pid: int
    text: str
    holds: bool
    task: asyncio.Task[int]

    @property
    def name(self) -> str:
        words = [word for word in self.text.split() if "=" not in word and word not in _LONELY]
        return words[0].rpartition("/")[2].strip("({") if words else "sh"

    @property
    def ignores_hang_up(self) -> bool:
        return self.text.startswith(_LONELY)

    async def kill(self) -> None:
        self.task.cancel()
        await asyncio.wait({self.task})


class Jobs:
    """All of a phone's that run; they end with what serves the phone, and as it restarts."""

    def __init__(self) -> None:
        self._owned = TaskGroup()
        self._pids = itertools.count(_FIRST_PID)
        self.running: dict[int, Job] = {}

    def start(self, text: str, holds: bool, work: Callable[[], Awaitable[int]]) -> Job:
        task = asyncio.ensure_future(_status(work))
        job = Job(next(self._pids), text, holds, task)
        self.running[job.pid] = job
        task.add_done_callback(lambda _: self.running.pop(job.pid, None))

        async def kept() -> None:
            try:
                await asyncio.wait({task})
            finally:
                task.cancel()
                await asyncio.wait({task})

        self._owned.start(kept, f"background job {text[:80]!r}")
        return job

    def end_now(self) -> None:
        """From any thread."""
        for job in list(self.running.values()):
            job.task.get_loop().call_soon_threadsafe(job.task.cancel)

    async def close(self) -> None:
        await self._owned.end()


async def finished(tasks: Iterable[asyncio.Task[int]]) -> None:
    left = set(tasks)
    if left:
        await asyncio.wait(left)


async def _status(work: Callable[[], Awaitable[int]]) -> int:
    with contextlib.suppress(ConnectionError):  # it wrote to a client that has gone: SIGPIPE
        return await work()
    return 141
