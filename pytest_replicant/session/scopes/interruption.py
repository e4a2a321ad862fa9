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
from ..step import StageFailed
from ..told_screen import told_screen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...snapshots import Snapshot
    from ..step import Parts, Target


class Interruption:
    """One ``on_interrupt``. ``count`` is how often it was met."""

    def __init__(self, parts: Parts, target: Target, do: Callable[[], object], times: int) -> None:
        self._parts = parts
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
        with _aside(self._parts, self.title, snapshot):
            self._do()
            self._await_gone()

    def _is_on(self, snapshot: Snapshot) -> bool:
        if isinstance(self._target, Selector):
            return bool(snapshot.match_labels(self._target))
        try:
            resolve(self._parts.observer, snapshot, self._target)
        except StageFailed:
            return False
        return True

    def _await_gone(self) -> None:
        """A read that fails proves nothing: where the screen cannot be read, whoever waits finds out."""
        parts = self._parts
        deadline = parts.clock.now() + parts.settings.action_timeout
        last: Snapshot | None = None
        while True:
            try:
                last = parts.observer.read().snapshot
                if not self._is_on(last):
                    return
            except (DeviceError, SnapshotError):
                last = None
            if parts.clock.now() >= deadline:
                break
            parts.clock.sleep(parts.settings.interval)
        if last is not None:
            raise UsageError(
                f"on_interrupt({describe(self._target)}) on {parts.driver.uri}: it is still on the screen "
                f"{parts.settings.action_timeout:g} s after what was to be done about it. Does that close it?\n"
                f"{told_screen(last)}"
            )


@contextmanager
def _aside(parts: Parts, title: str, snapshot: Snapshot) -> Iterator[None]:
    """Apart from what was going on: nothing interrupts it in turn, and what it sees and does is not of the action
    or check that it interrupts."""
    observer, recorder, log = parts.observer, parts.recorder, parts.log
    waiting = list(parts.interrupts)
    with suppress(DeviceError):
        observer.hear_toast()  # the next action clears it
    seen, toasts = [one for one in observer.seen if one is not snapshot], list(observer.toasts)
    sent = log.latest
    newest = next(reversed(recorder.actions), None) if not recorder.acting else None
    parts.interrupts.clear()
    recorder.groups.append(title)
    try:
        yield
    finally:
        recorder.groups.pop()
        parts.interrupts[:] = waiting
        observer.note_gesture()
        with suppress(DeviceError):
            observer.forget_toast()
        observer.seen, observer.toasts = seen, toasts
        log.latest = sent
        if newest is not None:
            recorder.actions[newest] = recorder.actions.pop(newest)  # a check goes on about the action before
