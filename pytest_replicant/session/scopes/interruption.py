"""What a test announced may come up at any time, and what is done about it then.

Whatever waits for the screen looks out for it. The read that showed it counts for nothing, what it takes is not
taken from the wait, and what is done about it is in the trace as a group of its own. It is not recovery: nothing
failed.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ...errors import DeviceError, SnapshotError, UsageError
from ...model import Selector
from ..aiming.resolve import resolve
from ..aiming.targets import describe
from ..screen_text import format_screen
from ..step import StageFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...snapshots import Snapshot
    from ..step import SessionContext, Target


class Interruption:
    """One ``on_interrupt``. ``count`` is how often it was met."""

    def __init__(self, context: SessionContext, target: Target, do: Callable[[], object], times: int) -> None:
        self._context = context
        self._target = target
        self._do = do
        self._times = times
        self.title = f"interrupt: {describe(target)}"
        self.count = 0

    def shows(self, snapshot: Snapshot) -> bool:
        """Whether it has come up, as long as there is anything to be done about it."""
        return self.count < self._times and self._is_on(snapshot)

    def meet(self, snapshot: Snapshot) -> None:
        """Does what the test wants done. Raises ``UsageError`` where that did not make it go away."""
        self.count += 1
        with _aside(self._context, self.title, snapshot):
            self._do()
            self._await_gone()

    def _is_on(self, snapshot: Snapshot) -> bool:
        if isinstance(self._target, Selector):
            return bool(snapshot.match_labels(self._target))
        try:
            resolve(self._context.observer, snapshot, self._target)
        except StageFailed:
            return False
        return True

    def _await_gone(self) -> None:
        """A read that fails proves nothing: where the screen cannot be read, whoever waits finds out."""
        context = self._context
        deadline = context.clock.now() + context.settings.action_timeout
        last: Snapshot | None = None
        while True:
            try:
                last = context.observer.read().snapshot
                if not self._is_on(last):
                    return
            except (DeviceError, SnapshotError):
                last = None
            if context.clock.now() >= deadline:
                break
            context.clock.sleep(context.settings.interval)
        if last is not None:
            raise UsageError(
                f"on_interrupt({describe(self._target)}) on {context.driver.uri}: it is still on the screen "
                f"{context.settings.action_timeout:g} s after what was to be done about it. Does that close it?\n"
                f"{format_screen(last)}"
            )


@contextmanager
def _aside(context: SessionContext, title: str, snapshot: Snapshot) -> Iterator[None]:
    """Apart from what was going on: nothing interrupts it in turn, and what it sees and does is not of the action
    or check that it interrupts."""
    observer, recorder, log = context.observer, context.recorder, context.log
    waiting = list(context.interrupts)
    with suppress(DeviceError):
        observer.poll_toast()  # the next action clears it
    seen, toasts = [one for one in observer.seen if one is not snapshot], list(observer.toasts)
    sent = log.latest
    newest, acting = recorder.latest, recorder.acting
    context.interrupts.clear()
    recorder.groups.append(title)
    try:
        yield
    finally:
        recorder.groups.pop()
        context.interrupts[:] = waiting
        observer.invalidate()
        with suppress(DeviceError):
            observer.clear_toast()
        observer.seen, observer.toasts = seen, toasts
        log.latest = sent
        if not acting:
            recorder.latest = newest  # a check goes on about the action before
