"""Processes that are started, and ended with all that they started; Ctrl-C held back meanwhile.

A command leads a session of its own, so that a Ctrl-C in the terminal reaches us alone. What it
started is known by its parents, on POSIX by its process group, and for a shell command by a mark in
its environment too. A process that clears its environment and leaves its parents is not found. A
program's own orphans are not marked: an emulator may have started the user's adb server.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import psutil

from ...model import Clock, come_true

MARK = "REPLICANT_BUILD"
PATIENCE = 3.0
"""Seconds from asking a tree to end to ending it."""

_INTERVAL = 0.02
_ROUNDS = 3  # one that was just about to start another is found again


class ProcessTree:
    """``command`` is a program with its arguments, or the user's own line, as a shell takes it.
    ``output`` is the descriptor that it writes to, or ``subprocess.PIPE``; ``errors`` is that of
    its standard error."""

    def __init__(
        self,
        command: str | list[str],
        output: int,
        clock: Clock,
        folder: Path | None = None,
        errors: int = subprocess.STDOUT,
    ) -> None:
        in_shell = isinstance(command, str)
        self._clock = clock
        self._mark = secrets.token_hex(8) if in_shell else ""
        self._process = subprocess.Popen(
            command,
            shell=in_shell,
            cwd=folder,
            env={**os.environ, MARK: self._mark} if in_shell else None,
            stdin=subprocess.DEVNULL,
            stdout=output,
            bufsize=0,  # whoever reads a pipe gets what there is, and holds no lock meanwhile
            stderr=errors,
            start_new_session=sys.platform != "win32",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._command = psutil.Process(self.pid)

    def __enter__(self) -> ProcessTree:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Ends all of it where something was raised."""
        if kind is not None:
            self.end()

    @property
    def output(self) -> IO[bytes]:
        """The end of the pipe to read from, if there is one."""
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def pid(self) -> int:
        return self._process.pid

    def exit_code(self) -> int | None:
        """None while the command itself runs. What it left behind on purpose, such as a daemon,
        does not count."""
        return self._process.poll()

    def lives(self) -> bool:
        """Whether any of it is left: the command itself, or what it left behind."""
        return bool(self._found())

    def end(self, patience: float | None = None) -> None:
        """Asks all of it to end, and ends what has not after ``patience`` seconds. Returns when the
        command is gone."""
        try:
            known = self._send(psutil.Process.terminate, set())
            seconds = PATIENCE if patience is None else patience
            come_true(self._clock, lambda: not any(map(_runs, known)), seconds, _INTERVAL)
            for _ in range(_ROUNDS):
                if not self._send(psutil.Process.kill, known):
                    break
        except BaseException:  # impatience with us is impatience with the build
            self._send(psutil.Process.kill, set())
            raise
        finally:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=10)

    def _send(
        self, signal: Callable[[psutil.Process], None], known: set[psutil.Process]
    ) -> set[psutil.Process]:
        """To all that is left of it, and of the ``known`` ones, whose parents may be gone by
        now."""
        found = self._found() | set(filter(_runs, known))
        for one in found:
            with contextlib.suppress(psutil.Error):
                signal(one)
        return found

    def _found(self) -> set[psutil.Process]:
        """All of it that runs."""
        found: set[psutil.Process] = set()
        for one in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if self._is_own(one):
                    found |= {one, *one.children(recursive=True)}
        return set(filter(_runs, found))

    def _is_own(self, one: psutil.Process) -> bool:
        """Without its parents, which may be gone."""
        if one == self._command or (sys.platform != "win32" and os.getpgid(one.pid) == self.pid):
            return True
        return bool(self._mark) and one.environ().get(MARK) == self._mark


def _runs(one: psutil.Process) -> bool:
    """Whether it does more than wait to be buried."""
    with contextlib.suppress(psutil.Error):
        runs: bool = one.is_running() and one.status() != psutil.STATUS_ZOMBIE
        return runs
    return False


@contextlib.contextmanager
def interrupt_held() -> Iterator[None]:
    """Ctrl-C comes at the end of the block: until then the cleanup is not known. One that someone
    else handles, or that is ignored, stays as it is; so does one outside of the main thread."""
    came: list[int] = []
    usual = signal.default_int_handler
    in_main = threading.current_thread() is threading.main_thread()
    holds = in_main and signal.getsignal(signal.SIGINT) is usual
    if holds:
        signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        if holds:
            signal.signal(signal.SIGINT, usual)
    if came:
        raise KeyboardInterrupt
