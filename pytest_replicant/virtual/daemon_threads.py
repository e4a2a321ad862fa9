"""A pool of threads that never holds up the end of the process."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


class DaemonThreads(ThreadPoolExecutor):
    """An app that loops for ever keeps a thread for ever. The standard pool joins its threads at
    exit, where such an app would hang the test run; these are daemons. It derives from the standard
    pool only because an event loop takes no other; of it, nothing but the type is used."""

    def __init__(self, limit: int = 16) -> None:
        super().__init__(max_workers=1)
        self._limit = limit
        self._guard = threading.Lock()
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._crew = 0
        self._idle = 0
        self._closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()

        def job() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:  # whoever waits for the future gets it
                future.set_exception(error)

        with self._guard:
            if self._closed:
                raise RuntimeError("the phone is being switched off")
            if self._idle:
                self._idle -= 1
            elif self._crew < self._limit:
                self._crew += 1
                threading.Thread(
                    target=self._work, name="replicant-phone-call", daemon=True
                ).start()
            self._jobs.put(job)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Idle threads end at once, a busy one after its call, without a wait."""
        with self._guard:
            self._closed = True
            for _ in range(self._crew):
                self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            del job  # it would keep what the call returned alive until the next one
            with self._guard:
                self._idle += 1
