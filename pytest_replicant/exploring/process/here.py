"""A session served by the process that has it already: a test that stands still."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from ...clock import Clock
from ...errors import UsageError
from . import records
from .handler import Handler
from .listening import Listening
from .serving import SIGNALS, Publisher, take_first
from .turns import Turns

_WAIT_SECONDS = 5.0
_MOST_NAMES = 100


def serve_here(
    handler: Handler,
    name: str,
    project: str,
    idle_seconds: float,
    clock: Clock,
    announce: Callable[[str], object],
) -> None:
    """Answers commands until one ends it, or none came for ``idle_seconds``. ``project`` is the root that pytest
    found. ``announce`` is given the name that it has: ``name``, or that with a number. Raises ``UsageError`` where
    its record cannot be kept, and ``KeyboardInterrupt`` after Ctrl-C."""
    folder = records.sessions_folder()
    try:
        records.make_folder(folder)
        records.sweep(folder)
        taken, lock = _taken(folder, name, clock)
    except OSError as error:
        raise UsageError(records.unusable(folder, error)) from None
    turns = Turns(handler, clock, idle_seconds)
    try:
        socket = records.socket_path(folder, taken)
        listening = Listening(socket, turns.ask, turns.state, lambda: None)
        publish = Publisher(folder, taken, handler, listening, clock.epoch_ms(), project)
        publish()
        listening.start()
        try:
            with _interrupting(turns):
                announce(taken)
                turns.run(publish)
        finally:
            records.note_end(folder, project, taken, turns.ended)
            listening.stop()
            records.remove_files(folder, taken)
            lock.release()  # before the answer to close: its name is free then
            turns.dismiss()
            listening.wait(_WAIT_SECONDS)
    except OSError as error:
        raise UsageError(records.unusable(folder, error)) from None
    finally:
        if lock.is_taken:
            records.remove_files(folder, taken)
            lock.release()


def _taken(folder: str, name: str, clock: Clock) -> tuple[str, records.Lock]:
    more = (f"{name[: records.LONGEST_NAME - 4]}-{number}" for number in range(2, _MOST_NAMES))
    if taken := take_first(folder, (name, *more), clock):
        return taken
    raise UsageError(f"{_MOST_NAMES} sessions are called {name}. Next: replicant sessions, and close them")


@contextmanager
def _interrupting(turns: Turns) -> Iterator[None]:
    """While it is entered, Ctrl-C and the like end the session first, and then do what they did before."""
    arrived: list[int] = []

    def on_signal(number: int, frame: FrameType | None) -> None:
        arrived.append(number)
        turns.on_signal(number, frame)

    is_main = threading.current_thread() is threading.main_thread()
    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)] if is_main else []
    before = {number: signal.signal(number, on_signal) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if arrived:
        signal.raise_signal(arrived[0])
