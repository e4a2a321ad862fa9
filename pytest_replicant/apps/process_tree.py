"""Processes that are started, and ended with all that they started; signals that end us meanwhile.

A command leads a session of its own, so that a Ctrl-C in the terminal reaches us alone. On POSIX its process group
is ended, and the processes that left that group: children by their parents, and on Linux the orphans of a shell
command too, by a mark in their environment. A process that clears its environment and leaves its parents is not
found. A program's own orphans are not marked: an emulator may have started the user's adb server.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import IO, Any, NamedTuple

from ..clock import Clock, come_true

MARK = "REPLICANT_BUILD"
PATIENCE = 3.0
"""Seconds from asking a tree to end to ending it."""

_INTERVAL = 0.02
_ROUNDS = 3  # one that was just about to start another is found again
_PROC = Path("/proc")


class ProcessTree:
    """``command`` is a program with its arguments, or the user's own line, as a shell takes it. ``output`` is the
    descriptor that it writes to, or ``subprocess.PIPE``; ``errors`` is that of its standard error."""

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

    @property
    def output(self) -> IO[bytes]:
        """The end of the pipe to read from, where there is one."""
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def pid(self) -> int:
        return self._process.pid

    def exit_code(self) -> int | None:
        """None while the command itself runs. What it left behind on purpose, such as a daemon, does not count."""
        return self._process.poll()

    def lives(self) -> bool:
        """Whether any of it is left: the command itself, or what it left behind."""
        return self.exit_code() is None or bool(self._found())

    def end(self, patience: float | None = None) -> None:
        """Asks all of it to end, and ends what has not after ``patience`` seconds. Returns when the command is
        gone."""
        if sys.platform == "win32":
            _end_on_windows(self._process)
            return
        try:
            known = self._signal(signal.SIGTERM, {})
            seconds = PATIENCE if patience is None else patience
            come_true(self._clock, lambda: not self._is_there(known), seconds, _INTERVAL)
            for _ in range(_ROUNDS):
                if not self._signal(signal.SIGKILL, known):
                    break
        except BaseException:  # impatience with us is impatience with the build
            self._signal(signal.SIGKILL, {})
            raise
        finally:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=10)

    def _is_there(self, known: Mapping[int, _Running]) -> bool:
        return self._process.poll() is None or bool(_still(known))

    def _signal(self, number: int, known: Mapping[int, _Running]) -> dict[int, _Running]:
        """``known`` are those of before."""
        found = self._found() | _still(known)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if os.getpgid(pid) != self._process.pid:  # who is in the group has it already
                    os.kill(pid, number)
        return found

    def _found(self) -> dict[int, _Running]:
        """All but the command itself."""
        running = _running()
        family = {pid for pid, one in running.items() if one.group == self._process.pid or self._is_marked(pid)}
        family.add(self._process.pid)
        while grown := {pid for pid, one in running.items() if one.parent in family} - family:
            family |= grown
        others = family - {self._process.pid, os.getpid(), os.getppid(), 0, 1}
        return {pid: running[pid] for pid in others & running.keys()}

    def _is_marked(self, pid: int) -> bool:
        if not self._mark:
            return False
        try:
            environment = (_PROC / str(pid) / "environ").read_bytes()
        except OSError:
            return False
        return f"{MARK}={self._mark}".encode() in environment.split(b"\0")


class _Running(NamedTuple):
    """A process: its parent, its group, and when it began, as a number may be another process by then."""

    parent: int
    group: int
    began: str


def _running() -> dict[int, _Running]:
    """Every process by its number, but for those that only wait to be buried."""
    if not (_PROC / "self" / "stat").exists():
        return _running_by_ps()
    found: dict[int, _Running] = {}
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                # From the state on: the name before it may hold anything.
                said = (entry / "stat").read_text("utf-8", errors="replace").rpartition(")")[2].split()
                if said[0] not in "ZX":
                    found[int(entry.name)] = _Running(int(said[1]), int(said[2]), said[19])
    return found


def _running_by_ps() -> dict[int, _Running]:
    command = ["ps", "-A", "-o", "pid=,ppid=,pgid=,state=,lstart="]
    found: dict[int, _Running] = {}
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        listed = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
        for line in listed.stdout.splitlines():
            said = line.split(maxsplit=4)
            if len(said) == 5 and said[0].isdigit() and said[3][0] != "Z":
                found[int(said[0])] = _Running(int(said[1]), int(said[2]), said[4])
    return found


def _still(known: Mapping[int, _Running]) -> dict[int, _Running]:
    """Those of them that are still there; their parents may be gone."""
    running = _running() if known else {}
    there = known.keys() & running.keys()
    return {pid: known[pid] for pid in there if running[pid].began == known[pid].began}


def _end_on_windows(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            ["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, timeout=30, check=False
        )
    process.kill()
    process.wait(timeout=10)


class Interrupts:
    """Makes of Ctrl-C, and of what ends a process without ado, as a CI system may, a ``KeyboardInterrupt``.

    What comes before ``release`` is raised by it: until then the cleanup is not known. Signals with another
    handler, or that are ignored, stay as they are; so do all outside of the main thread.
    """

    def __init__(self) -> None:
        self._held = True
        self._came = False
        self._before: dict[int, Callable[[int, FrameType | None], Any] | int | None] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for name in ("SIGINT", "SIGTERM", "SIGHUP"):
                number = getattr(signal, name, None)
                before = signal.getsignal(number) if number is not None else None
                if number is not None and before in (signal.SIG_DFL, signal.default_int_handler):
                    self._before[number] = before
                    signal.signal(number, self._take)
        return self

    def release(self) -> None:
        self._held = False
        if self._came:
            raise KeyboardInterrupt

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _take(self, *_: object) -> None:
        self._came = True
        if not self._held:
            raise KeyboardInterrupt
