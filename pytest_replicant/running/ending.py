"""Signals that end a run: they end it as Ctrl-C does, so that traces are written and phones are put
back."""

from __future__ import annotations

import inspect
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from traceback import walk_tb
from types import FrameType
from typing import TYPE_CHECKING, Any

import pytest

from ..pytest_private import HookWrapper, innermost, worker_pids

if TYPE_CHECKING:
    from pluggy import HookCaller, HookImpl

ENDING = ("SIGTERM", "SIGHUP", "SIGBREAK")
"""What a cancelled CI job, ``docker stop`` and a closed terminal send; the last one on Windows
alone."""
END_SECONDS = 7.0
"""What an end in order may take: a signal that comes meanwhile changes nothing."""
_MOST_INTERRUPTS = 2

Handler = Callable[[int, "FrameType | None"], None]


def end_in_order(config: pytest.Config) -> None:
    """From now on these signals interrupt the run, in its controller and its workers, unless
    someone else handles them."""
    config.pluginmanager.register(OrderlyFinish(), "replicant-orderly-finish")
    if threading.current_thread() is not threading.main_thread():
        return
    known = (getattr(signal, name) for name in ENDING if hasattr(signal, name))
    ours = [one for one in known if signal.getsignal(one) is signal.SIG_DFL]
    handler = _interrupting(config)
    for one in ours:
        signal.signal(one, handler)

    def give_back() -> None:
        for one in ours:
            if signal.getsignal(one) is handler:  # else someone has set another since
                signal.signal(one, signal.SIG_DFL)

    config.add_cleanup(give_back)


def _interrupting(config: pytest.Config) -> Handler:
    """A handler that interrupts the run, once more where that was swallowed and someone asks again
    later, and in the end lets the signal do what it does. It is a function of Python's and never
    SIG_IGN, which each program that is started meanwhile would inherit."""
    own, asked, count = os.getpid(), float("-inf"), 0

    def interrupt(number: int, _: FrameType | None) -> None:
        nonlocal asked, count
        if os.getpid() != own:  # a copy of this process, which is no run
            _let_it_end(number)
            return
        if time.monotonic() - asked < END_SECONDS:
            return
        asked, count = time.monotonic(), count + 1
        for pid in worker_pids(config):
            with suppress(OSError):
                os.kill(pid, number)
        if count > _MOST_INTERRUPTS:
            _let_it_end(number)
        name = signal.Signals(number).name
        session = config.pluginmanager.getplugin("session")
        if session and not session.shouldstop:
            session.shouldstop = name  # where a test swallows the interrupt, it is the last one
        raise KeyboardInterrupt(name)

    return interrupt


def _let_it_end(number: int) -> None:
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


class OrderlyFinish:
    """Sees to it that an interrupt in someone's ``pytest_sessionfinish`` cuts that one short, and
    not those after it, which put phones back and write the reports. The innermost wrapper: to the
    others nothing was raised."""

    @innermost
    def pytest_sessionfinish(self, session: pytest.Session) -> HookWrapper:
        try:
            return (yield)
        except KeyboardInterrupt as error:
            session.exitstatus = pytest.ExitCode.INTERRUPTED
            arguments: dict[str, Any] = {"session": session, "exitstatus": session.exitstatus}
            for one in _left_out(session.config.hook.pytest_sessionfinish, error):
                with suppress(Exception):
                    one.function(*(arguments[name] for name in one.argnames))
            return None


def _left_out(hook: HookCaller, error: BaseException) -> list[HookImpl]:
    """The implementations that an interrupt kept from their turn. One that was interrupted is done
    with, but for pytest's own, which goes on with the next fixture, and ours, which begin again."""
    turns = [one for one in reversed(hook.get_hookimpls()) if not (one.wrapper or one.hookwrapper)]
    running = {frame.f_code for frame, _ in walk_tb(error.__traceback__)}
    for at, one in enumerate(turns):
        if getattr(inspect.unwrap(one.function), "__code__", None) in running:
            again = one.plugin_name == "runner" or one.plugin_name.startswith("replicant-")
            return turns[at if again else at + 1 :]
    return []
