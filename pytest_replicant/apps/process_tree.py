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
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import IO, Any

from ..clock import Clock

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
            until = self._clock.now() + (PATIENCE if patience is None else patience)
            while self._is_there(known) and self._clock.now() < until:
                self._clock.sleep(_INTERVAL)
            for _ in range(_ROUNDS):
                if not self._signal(signal.SIGKILL, known):
                    break
        except BaseException:  # impatience with us is impatience with the build
            self._signal(signal.SIGKILL, {})
            raise
        finally:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=10)

    def _is_there(self, known: dict[int, str]) -> bool:
        running = self._process.poll() is None
        return running or any(_began(pid) == began for pid, began in known.items())

    def _signal(self, number: int, known: dict[int, str]) -> dict[int, str]:
        """``known`` are those of before and when each began: a number may be another process by now."""
        found = self._found()
        found.update({pid: began for pid, began in known.items() if _began(pid) == began})
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if os.getpgid(pid) != self._process.pid:  # who is in the group has it already
                    os.kill(pid, number)
        return found

    def _found(self) -> dict[int, str]:
        """All but the command itself, and when each began."""
        return {pid: began for pid in self._members() if (began := _began(pid))}

    def _members(self) -> set[int]:
        processes = list(_processes())
        family = {self._process.pid, *(pid for pid, _, group in processes if group == self._process.pid)}
        if self._mark:
            family |= {pid for pid, *_ in processes if self._is_marked(pid)}
        while grown := {pid for pid, parent, _ in processes if parent in family} - family:
            family |= grown
        return family - {self._process.pid, os.getpid(), os.getppid(), 0, 1}

    def _is_marked(self, pid: int) -> bool:
        try:
            environment = (_PROC / str(pid) / "environ").read_bytes()
        except OSError:
            return False
        return f"{MARK}={self._mark}".encode() in environment.split(b"\0")


def _processes() -> Iterator[tuple[int, int, int]]:
    """Every process, its parent and its group."""
    if not (_PROC / "self" / "stat").exists():
        yield from _processes_by_ps()
        return
    for entry in _PROC.iterdir():
        fields = _stat(int(entry.name)) if entry.name.isdigit() else []
        if len(fields) > 2:
            yield int(entry.name), int(fields[1]), int(fields[2])


def _processes_by_ps() -> Iterator[tuple[int, int, int]]:
    command = ["ps", "-A", "-o", "pid=,ppid=,pgid="]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        listed = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
        for line in listed.stdout.splitlines():
            numbers = line.split()
            if len(numbers) == 3 and all(map(str.isdigit, numbers)):
                yield int(numbers[0]), int(numbers[1]), int(numbers[2])


def _began(pid: int) -> str:
    """When it began, on Linux; "" where it is gone, or only waits to be buried."""
    if not _PROC.is_dir():
        return "" if not _answers(pid) else "there"
    fields = _stat(pid)
    return fields[19] if len(fields) > 19 and fields[0] not in "ZX" else ""


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _stat(pid: int) -> list[str]:
    """From the state on: the name before it may hold anything."""
    try:
        return (_PROC / str(pid) / "stat").read_text("utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


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
