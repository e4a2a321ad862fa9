"""Signals that end a run: they end it as Ctrl-C does, so that traces are written and phones are put back."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress
from types import FrameType
from typing import NoReturn

import pytest

from .pytest_private import worker_pids

ENDING = ("SIGTERM", "SIGHUP", "SIGBREAK")
"""What a cancelled CI job, ``docker stop`` and a closed terminal send; the last one on Windows alone."""


def end_in_order(config: pytest.Config) -> None:
    """From now on these signals interrupt the run, in its controller and its workers, unless somebody else handles
    them. A second one changes nothing: the end takes seconds."""
    if threading.current_thread() is not threading.main_thread():
        return

    def interrupt(number: int, _: FrameType | None) -> NoReturn:
        for one in ours:
            signal.signal(one, signal.SIG_IGN)
        for pid in worker_pids(config):
            with suppress(OSError):
                os.kill(pid, number)
        raise KeyboardInterrupt(signal.Signals(number).name)

    known = (getattr(signal, name) for name in ENDING if hasattr(signal, name))
    ours = [one for one in known if signal.getsignal(one) is signal.SIG_DFL]

    def give_back() -> None:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)

    for one in ours:
        signal.signal(one, interrupt)
    config.add_cleanup(give_back)
