"""The Android emulator: its program and virtual devices, a free pair of ports, its process, and its console.

The console is what `adb emu` uses as well: a command line out, lines in, ``OK`` or ``KO``. It listens on this
computer alone and asks for the token in a file of the user's.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from filelock import FileLock, Timeout

from ..clock import Clock, come_true
from ..errors import DeviceError, DeviceOffline, DeviceTimeout, ProtocolError, UsageError, did_you_mean
from .process_tree import ProcessTree

KILL_SECONDS = 20.0  # it saves nothing, but writes its disks back
REST_SECONDS = 2.0  # for what it started, once it is gone itself
TERM_SECONDS = 5.0
_POLL = 0.1
_TAIL = 8  # lines of the log in a message
_TAIL_BYTES = 16384


_HINTS = (
    (
        r"multiple emulators with the same AVD",
        "this AVD runs already, and the adb server does not show it: close that emulator, or let it finish",
    ),
    (
        r"Missing emulator engine|CPU Architecture .* is not supported",
        "its system image is for another kind of processor: create an AVD of this computer's architecture",
    ),
    (
        r"KVM|hardware acceleration|HAXM|hypervisor|/dev/kvm",
        "it needs hardware acceleration: `emulator -accel-check` names the missing part (on Linux that /dev/kvm "
        "may be used by this user, on CI a runner that has it)",
    ),
    (
        r"not enough (disk )?space|No space left",
        "the disk is full: an AVD needs several gigabytes besides its images",
    ),
    (
        r"(Broken|Cannot find) AVD system path",
        "its system image is not where ANDROID_HOME says: install it with sdkmanager, or set ANDROID_HOME",
    ),
    (
        r"could not connect to display|libxcb|libX11|Qt platform plugin|libGL",
        "it cannot open a window: unset DISPLAY to run it without one, or install the libraries that it names",
    ),
    (r"unknown option", "this emulator is too old for the options it was given: update it"),
)


@dataclass(frozen=True)
class Wish:
    """What to boot. ``snapshot`` "" is a cold boot; ``window`` whether it may open one."""

    avd: str
    snapshot: str = ""
    window: bool = False


def arguments(wish: Wish, port: int) -> list[str]:
    """Arguments of the emulator. It saves nothing when it ends: the next run begins as this one did."""
    start = ["-snapshot", wish.snapshot] if wish.snapshot else ["-no-snapshot-load"]
    quiet = ["-no-boot-anim", "-no-audio", *([] if wish.window else ["-no-window"])]
    return ["-avd", wish.avd, "-port", str(port), *quiet, *start, "-no-snapshot-save"]


def has_display() -> bool:
    """Whether a window makes sense here: a person could look at it."""
    if os.environ.get("CI"):
        return False
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


@dataclass(frozen=True)
class Emulator:
    """Started by ``start_emulator``; ``stop`` ends it and all that it started."""

    wish: Wish
    port: ConsolePort
    tree: ProcessTree
    log: Path
    clock: Clock

    @property
    def serial(self) -> str:
        return self.port.serial

    @property
    def console(self) -> Console:
        return Console(self.port.number)

    def check_alive(self) -> None:
        """Raises ``DeviceError`` with the end of its log where it has ended by itself."""
        code = self.tree.exit_code()
        if code is None:
            return
        how = f"ended with exit code {code}" if code >= 0 else f"was killed by signal {-code}"
        lines = log_tail(self.log)
        raise DeviceError(
            f"the emulator of {self.wish.avd} {how} before it was ready{_hint(lines)}. "
            f"Its log: {self.log}, which ends:\n" + "\n".join(f"  {line}" for line in lines or ["(empty)"]),
            device=self.serial,
        )

    def stop(self) -> None:
        """Asks first, then insists; a process that is gone already is fine. May be called again. Interrupted, it
        insists at once."""
        try:
            self._end()
        finally:
            self.port.release()

    def _end(self) -> None:
        patience = 0.0
        try:
            with suppress(DeviceError):  # it may not listen yet, or not any more
                if self.tree.exit_code() is None:
                    self.console.kill()
                    come_true(self.clock, lambda: self.tree.exit_code() is not None, KILL_SECONDS, _POLL)
                    come_true(self.clock, lambda: not self.tree.lives(), REST_SECONDS, _POLL)
            patience = TERM_SECONDS
        finally:
            if self.tree.lives():
                self.tree.end(patience)


def start_emulator(binary: Path, wish: Wish, port: ConsolePort, log: Path, clock: Clock) -> Emulator:
    """In a session of its own, so that Ctrl-C in the terminal is ours to answer. Raises ``DeviceError``."""
    line = [str(binary), *arguments(wish, port.number)]
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as output:
            output.write(f"$ {' '.join(line)}\n".encode())
            output.flush()
            tree = ProcessTree(line, output.fileno(), clock)
    except OSError as error:
        port.release()
        raise DeviceError(f"the emulator of {wish.avd} cannot be started: {error}") from None
    return Emulator(wish, port, tree, log, clock)


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
            if not line.startswith("$ ") and re.search(pattern, line, re.IGNORECASE):
                return f": {hint}"
    return ""


FIRST, LAST = 5554, 5682  # what the emulator takes for -port, even numbers only


@dataclass(frozen=True)
class ConsolePort:
    """``number`` is the console's; adbd has the next one. It is this process's until ``release``, so that two
    runs that begin together do not choose the same: the emulator opens its ports only after a while."""

    number: int
    lock: FileLock

    @property
    def serial(self) -> str:
        return f"emulator-{self.number}"

    def release(self) -> None:
        """May be called again."""
        self.lock.release()


def choose_port(folder: Path, known: Collection[str]) -> ConsolePort:
    """The first pair that is neither in use nor chosen. ``folder`` is where the locks are, ``known`` the
    serials that the adb server has: an emulator that it takes for offline still holds its name.

    Raises ``DeviceError`` if none is left.
    """
    for number in range(FIRST, LAST + 1, 2):
        if f"emulator-{number}" in known:
            continue
        lock = FileLock(folder / f"emulator-{number}.lock", thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            continue
        if _is_free(number) and _is_free(number + 1):
            return ConsolePort(number, lock)
        lock.release()
    raise DeviceError(
        f"no two ports are free for an emulator between {FIRST} and {LAST + 1}: too many run already"
    )


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        if os.name == "posix":  # elsewhere it would let two listen on one port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


LIST_SECONDS = 30.0  # it reads a folder; a first start on a cold disk is slow
_AVD = re.compile(r"[A-Za-z0-9._-]+")  # what avdmanager lets one be called


def find_emulator() -> Path:
    """The SDK that the environment names, then where SDKs usually are, then PATH. Raises ``UsageError`` naming
    every place that was looked at."""
    program = "emulator.exe" if sys.platform == "win32" else "emulator"
    places = [root / folder / program for root in _roots() for folder in ("emulator", "tools")]
    for place in places:
        if os.access(place, os.X_OK) and place.is_file():
            return place
    on_path = shutil.which(program)
    if on_path is not None:
        return Path(on_path)
    raise UsageError(
        "the Android emulator is not installed, or not where it was looked for. Next: `sdkmanager emulator` "
        "(or Android Studio's SDK Manager), and ANDROID_HOME set to the folder of the SDK. Looked at:\n"
        + "\n".join(f"  {place}" for place in places)
        + f"\n  {program} on PATH"
    )


def _roots() -> Iterator[Path]:
    named = map(os.environ.get, ("ANDROID_HOME", "ANDROID_SDK_ROOT"))
    roots = [Path(each).expanduser() for each in named if each]
    home = Path.home()
    if sys.platform == "darwin":
        roots += [
            home / "Library/Android/sdk",
            Path("/opt/homebrew/share/android-commandlinetools"),
            Path("/usr/local/share/android-commandlinetools"),
        ]
    elif sys.platform == "win32":
        roots += [Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local") / "Android/Sdk"]
    else:
        roots += [home / "Android/Sdk", Path("/usr/local/lib/android/sdk"), Path("/usr/lib/android-sdk")]
    yield from dict.fromkeys(roots)


def avd_home() -> Path:
    """Where virtual devices are kept: two of one name are one only in one such place."""
    if own := os.environ.get("ANDROID_AVD_HOME"):
        return Path(own)
    for name in ("ANDROID_USER_HOME", "ANDROID_EMULATOR_HOME"):
        if home := os.environ.get(name):
            return Path(home) / "avd"
    return Path(os.environ.get("ANDROID_SDK_HOME") or Path.home()) / ".android" / "avd"


def known_avds(binary: Path) -> list[str]:
    """The names of the virtual devices on this computer. Raises ``DeviceError``."""
    try:
        done = subprocess.run(
            [str(binary), "-list-avds"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DeviceError(f"`{binary} -list-avds` gave no answer in {LIST_SECONDS:g} s") from None
    except OSError as error:
        raise DeviceError(f"`{binary} -list-avds` cannot be run: {error.strerror or error}") from None
    if done.returncode != 0:
        said = (done.stderr or done.stdout).decode(errors="replace").strip()[-500:]
        raise DeviceError(f"`{binary} -list-avds` ended with {done.returncode}: {said or 'it said nothing'}")
    lines = done.stdout.decode(errors="replace").splitlines()
    return [line.strip() for line in lines if _AVD.fullmatch(line.strip())]  # newer ones log between the names


def check_avd(name: str, known: list[str]) -> None:
    """Raises ``UsageError`` for one that this computer does not have."""
    if name in known:
        return
    if not known:
        raise UsageError(
            f"avd:{name}: this computer has no Android virtual device. Next: create one in Android "
            "Studio's Device Manager, or with `avdmanager create avd`; ANDROID_AVD_HOME names another folder"
        )
    meant = did_you_mean(name, known, 0.5)
    raise UsageError(f"avd:{name}: no such virtual device.{meant} There are: {', '.join(known)}")


CONSOLE_SECONDS = 10.0
LOAD_SECONDS = 60.0  # a snapshot of several gigabytes, from a slow disk
TOKEN_FILE = ".emulator_console_auth_token"
_LONGEST = 1 << 20


@dataclass(frozen=True)
class Console:
    """Of the emulator whose console port this is. Every call is a conversation of its own.

    Raises ``DeviceOffline`` if none listens, ``DeviceTimeout``, and ``DeviceError`` with the console's own
    words where it answers ``KO``.
    """

    port: int

    def avd_name(self) -> str:
        return self._ask("avd name").strip()

    def load_snapshot(self, name: str, timeout: float = LOAD_SECONDS) -> None:
        self._ask(f"avd snapshot load {snapshot_name(name)}", timeout)

    def snapshots(self) -> list[str]:
        """The words of its list, names among them: its columns differ between versions."""
        return self._ask("avd snapshot list").split()

    def kill(self) -> None:
        """It says good-bye first; that it has ended is seen by its process."""
        self._ask("kill")

    def _ask(self, command: str, timeout: float = CONSOLE_SECONDS) -> str:
        try:
            with socket.create_connection(("127.0.0.1", self.port), min(timeout, CONSOLE_SECONDS)) as plain:
                plain.settimeout(timeout)
                with plain.makefile("rw", encoding="utf-8", errors="replace", newline="\n") as lines:
                    if "Authentication required" in self._answer(lines, "its greeting"):
                        self._said(lines, f"auth {self._token()}", "auth")
                    return self._said(lines, command, command)
        except TimeoutError:
            raise DeviceTimeout(
                f"the console of {self._serial} gave no answer in {timeout:g} s", device=self._serial
            ) from None
        except OSError as error:
            raise DeviceOffline(
                f"the console of {self._serial} cannot be reached: {error.strerror or error}", device=self._serial
            ) from None

    def _said(self, lines: TextIO, command: str, named: str) -> str:
        lines.write(f"{command}\n")
        lines.flush()
        return self._answer(lines, named)

    def _answer(self, lines: TextIO, named: str) -> str:
        """What stands before its ``OK``. Anything else is none, a connection that ends included."""
        asked = f"{self._serial}, console: {named}"
        said: list[str] = []
        while text := lines.readline(_LONGEST):
            line = text.rstrip("\r\n")
            if line == "OK" or line.startswith("OK:"):
                return "\n".join(said)
            if line.startswith("KO"):
                raise DeviceError(f"{asked}: {line.removeprefix('KO').lstrip(': ') or 'refused'}")
            said.append(line)
        raise ProtocolError(f"{asked}: it hung up without an answer", exchange="\n".join(said))

    @property
    def _serial(self) -> str:
        return f"emulator-{self.port}"

    def _token(self) -> str:
        place = Path.home() / TOKEN_FILE
        try:
            return place.read_text(encoding="ascii").strip()
        except (OSError, UnicodeError):
            raise DeviceError(
                f"the console of {self._serial} asks for the token in {place}, which cannot be read: the "
                "emulator belongs to another user, or to another HOME",
                device=self._serial,
            ) from None


def console_port(serial: str) -> int | None:
    """Of an emulator's serial, on whichever computer it is; None for any other phone."""
    found = re.fullmatch(r"emulator-(\d{4,5})", serial)
    return int(found[1]) if found else None


def snapshot_name(name: str) -> str:
    """Raises ``UsageError`` for what would be more than one word of a command."""
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,100}", name):
        raise UsageError(f"avd:NAME?snapshot={name}: a snapshot's name has letters, digits, . _ and - only")
    return name
