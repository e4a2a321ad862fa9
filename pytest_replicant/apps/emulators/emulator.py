"""One emulator as a process of ours: started apart from our own group, told by its log why it died, ended."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...clock import Clock
from ...errors import DeviceError
from .emulator_console import Console
from .emulator_ports import ConsolePort

KILL_SECONDS = 20.0  # it saves nothing, but writes its disks back
REST_SECONDS = 2.0  # for what it started, once it is gone itself
TERM_SECONDS = 5.0
_POLL = 0.1
_TAIL = 8  # lines of the log in a message
_TAIL_BYTES = 16384
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has one way only


_HINTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"multiple emulators with the same AVD", re.I),
        "this AVD runs already, and the adb server does not show it: close that emulator, or let it finish",
    ),
    (
        re.compile(r"Missing emulator engine|CPU Architecture .* is not supported", re.I),
        "its system image is for another kind of processor: create an AVD of this computer's architecture",
    ),
    (
        re.compile(r"KVM|hardware acceleration|HAXM|hypervisor|/dev/kvm", re.I),
        "it needs hardware acceleration: `emulator -accel-check` says what is missing (on Linux that /dev/kvm may "
        "be used by this user, on CI a runner that has it)",
    ),
    (
        re.compile(r"not enough (disk )?space|No space left", re.I),
        "the disk is full: an AVD needs several gigabytes beside its images",
    ),
    (
        re.compile(r"(Broken|Cannot find) AVD system path", re.I),
        "its system image is not where ANDROID_HOME says: install it with sdkmanager, or set ANDROID_HOME",
    ),
    (
        re.compile(r"could not connect to display|libxcb|libX11|Qt platform plugin|libGL", re.I),
        "it cannot open a window: unset DISPLAY to run it without one, or install the libraries that it names",
    ),
    (re.compile(r"unknown option", re.I), "this emulator is too old for the options it was given: update it"),
)


@dataclass(frozen=True)
class Wish:
    """What to boot. ``snapshot`` "" is a cold boot; ``window`` whether it may open one."""

    avd: str
    snapshot: str = ""
    window: bool = False


def arguments(wish: Wish, port: int) -> list[str]:
    """What the emulator is told. It saves nothing when it ends: the next run begins as this one did."""
    start = ["-snapshot", wish.snapshot] if wish.snapshot else ["-no-snapshot-load"]
    quiet = ["-no-boot-anim", "-no-audio", *([] if wish.window else ["-no-window"])]
    return ["-avd", wish.avd, "-port", str(port), *quiet, *start, "-no-snapshot-save"]


def has_display(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> bool:
    """Whether a window makes sense here: somebody could look at it."""
    if environment.get("CI"):
        return False
    return system in ("darwin", "win32") or any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


class Emulator:
    """Started by ``start_emulator``; ``stop`` ends it and whatever it started."""

    def __init__(self, wish: Wish, port: ConsolePort, process: subprocess.Popen[bytes], log: Path) -> None:
        self.wish = wish
        self.log = log
        self._port = port
        self._process = process

    @property
    def serial(self) -> str:
        return self._port.serial

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def console(self) -> Console:
        return Console(self._port.number)

    def check_alive(self) -> None:
        """Raises ``DeviceError`` with the end of its log where it has ended by itself."""
        code = self._process.poll()
        if code is None:
            return
        how = f"ended with exit code {code}" if code >= 0 else f"was killed by signal {-code}"
        lines = log_tail(self.log)
        raise DeviceError(
            f"the emulator of {self.wish.avd} {how} before it was ready{_hint(lines)}. "
            f"Its log: {self.log}, which ends:\n" + "\n".join(f"  {line}" for line in lines or ["(empty)"]),
            device=self.serial,
        )

    def stop(self, clock: Clock) -> None:
        """Asks first, then insists; a process that is gone already is fine. May be called again. Interrupted, it
        insists at once."""
        try:
            self._stop(clock)
        except BaseException:
            self._signal(_KILL)
            raise
        finally:
            self._port.release()

    def _stop(self, clock: Clock) -> None:
        with suppress(DeviceError):  # it may not listen yet, or not any more
            if self._process.poll() is None:
                self.console.kill()
                _await(clock, KILL_SECONDS, lambda: self._process.poll() is not None)
                _await(clock, REST_SECONDS, self._ended)
        for number in (signal.SIGTERM, _KILL):
            if self._ended():
                break
            self._signal(number)
            _await(clock, TERM_SECONDS, self._ended)

    def _ended(self) -> bool:
        """The process and, where processes have groups, every one that it has left behind."""
        if self._process.poll() is None:
            return False
        if not hasattr(os, "killpg"):
            return True
        try:
            os.killpg(self._process.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:  # a group of zombies, as macOS says it
            return True
        return False

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, number)
            else:  # its engine is a process of its own, which would live on
                subprocess.run(
                    ["taskkill", "/T", "/F", "/PID", str(self._process.pid)],
                    capture_output=True,
                    timeout=TERM_SECONDS,
                    check=False,
                )


def start_emulator(binary: Path, wish: Wish, port: ConsolePort, log: Path) -> Emulator:
    """In a session of its own, so that Ctrl-C in the terminal is ours to answer. Raises ``DeviceError``."""
    line = [str(binary), *arguments(wish, port.number)]
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as output:
            output.write(f"$ {' '.join(line)}\n".encode())
            output.flush()
            process = _spawn(line, output.fileno())
    except OSError as error:
        port.release()
        raise DeviceError(f"the emulator of {wish.avd} cannot be started: {error}") from None
    return Emulator(wish, port, process, log)


def _spawn(line: Sequence[str], output: int) -> subprocess.Popen[bytes]:
    group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return subprocess.Popen(
        line,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        creationflags=group,
    )


def _await(clock: Clock, seconds: float, condition: Callable[[], bool]) -> None:
    deadline = clock.now() + seconds
    while not condition() and clock.now() < deadline:
        clock.sleep(_POLL)


def log_tail(log: Path, lines: int = _TAIL) -> list[str]:
    """The last lines that are not blank; none where it cannot be read."""
    with suppress(OSError), log.open("rb") as file:
        file.seek(max(log.stat().st_size - _TAIL_BYTES, 0))
        text = file.read().decode("utf-8", "replace")
        return [line.rstrip()[:300] for line in text.splitlines() if line.strip()][-lines:]
    return []


def _hint(lines: Sequence[str]) -> str:
    """The newest line counts first: a warning may stand before what ended it."""
    for line in reversed(lines):
        for pattern, hint in _HINTS:
            if not line.startswith("$ ") and pattern.search(line):
                return f": {hint}"
    return ""
