"""The Android emulator: its program and virtual devices, a free pair of ports, its process, its
console, and its boot: conditions in order, each seen to hold, asked through its adb server.

The console is what `adb emu` uses as well: a command line out, lines in, ``OK`` or ``KO``. It
listens on this computer alone and asks for the token in a file of the user's. A read that fails is
no evidence: the condition stays open, and the failure is its last observation.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TextIO

from filelock import FileLock, Timeout

from ...drivers import KnownPhone, ask, known_phones
from ...errors import (
    DeviceError,
    DeviceOffline,
    DeviceTimeout,
    ProtocolError,
    UsageError,
    did_you_mean,
)
from ...model import Clock, come_true
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
        "this AVD runs already, and the adb server does not show it: close that emulator, or let "
        "it finish",
    ),
    (
        r"Missing emulator engine|CPU Architecture .* is not supported",
        "its system image is for another kind of processor: create an AVD of this computer's "
        "architecture",
    ),
    (
        r"KVM|hardware acceleration|HAXM|hypervisor|/dev/kvm",
        "it needs hardware acceleration: `emulator -accel-check` names the missing part (on Linux "
        "that /dev/kvm may be used by this user, on CI a runner that has it)",
    ),
    (
        r"not enough (disk )?space|No space left",
        "the disk is full: an AVD needs several gigabytes besides its images",
    ),
    (
        r"(Broken|Cannot find) AVD system path",
        "its system image is not where ANDROID_HOME says: install it with sdkmanager, or set "
        "ANDROID_HOME",
    ),
    (
        r"could not connect to display|libxcb|libX11|Qt platform plugin|libGL",
        "it cannot open a window: unset DISPLAY to run it without one, or install the libraries "
        "that it names",
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
    """Arguments of the emulator. It saves nothing when it ends: the next run begins as this one
    did."""
    start = ["-snapshot", wish.snapshot] if wish.snapshot else ["-no-snapshot-load"]
    quiet = ["-no-boot-anim", "-no-audio", *([] if wish.window else ["-no-window"])]
    return ["-avd", wish.avd, "-port", str(port), *quiet, *start, "-no-snapshot-save"]


def has_display() -> bool:
    """Whether a window makes sense here: a person could look at it."""
    if os.environ.get("CI"):
        return False
    return sys.platform in ("darwin", "win32") or any(
        map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))
    )


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
            f"Its log: {self.log}, which ends:\n"
            + "\n".join(f"  {line}" for line in lines or ["(empty)"]),
            device=self.serial,
        )

    def stop(self) -> None:
        """Asks first, then insists; a process that is gone already is fine. May be called again.
        Interrupted, it insists at once."""
        tree, patience = self.tree, 0.0
        try:
            with suppress(DeviceError):  # it may not listen yet, or not any more
                if tree.exit_code() is None:
                    self.console.ask("kill")
                    come_true(self.clock, lambda: tree.exit_code() is not None, KILL_SECONDS, _POLL)
                    come_true(self.clock, lambda: not tree.lives(), REST_SECONDS, _POLL)
            patience = TERM_SECONDS
        finally:
            try:
                if tree.lives():
                    tree.end(patience)
            finally:
                self.port.release()


def start_emulator(
    binary: Path, wish: Wish, port: ConsolePort, log: Path, clock: Clock
) -> Emulator:
    """In a session of its own, so that Ctrl-C in the terminal is ours to answer. Raises
    ``DeviceError``."""
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
    """The last lines that are not blank; none if it cannot be read."""
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
    """``number`` is the console's; adbd has the next one. It is this process's until ``release``,
    so that two runs that begin together do not choose the same: the emulator opens its ports only
    after a while."""

    number: int
    lock: FileLock

    @property
    def serial(self) -> str:
        return f"emulator-{self.number}"

    def release(self) -> None:
        """May be called again."""
        self.lock.release()


def choose_port(folder: Path, known: Collection[str]) -> ConsolePort:
    """The first pair that is neither in use nor chosen. ``folder`` is where the locks are,
    ``known`` the serials that the adb server has: an emulator that it takes for offline still holds
    its name.

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
        f"no two ports are free for an emulator between {FIRST} and {LAST + 1}: too many run "
        "already"
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


def find_emulator() -> Path:
    """The SDK that the environment names, then where SDKs usually are, then PATH. Raises
    ``UsageError`` naming every place that was looked at."""
    program = "emulator.exe" if sys.platform == "win32" else "emulator"
    places = [root / folder / program for root in _roots() for folder in ("emulator", "tools")]
    for place in places:
        if os.access(place, os.X_OK) and place.is_file():
            return place
    on_path = shutil.which(program)
    if on_path is not None:
        return Path(on_path)
    raise UsageError(
        "the Android emulator is not installed, or not where it was looked for. Next: `sdkmanager "
        "emulator` (or Android Studio's SDK Manager), and ANDROID_HOME set to the folder of the "
        "SDK. Looked at:\n" + "\n".join(f"  {place}" for place in places) + f"\n  {program} on PATH"
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
        roots += [
            home / "Android/Sdk",
            Path("/usr/local/lib/android/sdk"),
            Path("/usr/lib/android-sdk"),
        ]
    yield from dict.fromkeys(roots)


def avd_home() -> Path:
    """Where virtual devices are kept: two of one name are one only in one such place."""
    if own := os.environ.get("ANDROID_AVD_HOME"):
        return Path(own)
    for name in ("ANDROID_USER_HOME", "ANDROID_EMULATOR_HOME"):
        if home := os.environ.get(name):
            return Path(home) / "avd"
    return Path(os.environ.get("ANDROID_SDK_HOME") or Path.home()) / ".android" / "avd"


def known_avds() -> list[str]:
    """The names of the virtual devices on this computer."""
    return sorted(path.stem for path in avd_home().glob("*.ini"))


def check_avd(name: str, known: list[str]) -> None:
    """Raises ``UsageError`` for one that this computer does not have."""
    if name in known:
        return
    if not known:
        raise UsageError(
            f"avd:{name}: this computer has no Android virtual device. Next: create one in Android "
            "Studio's Device Manager, or with `avdmanager create avd`; ANDROID_AVD_HOME names "
            "another folder"
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

    Raises ``DeviceOffline`` if none listens, ``DeviceTimeout``, and ``DeviceError`` with the
    console's own words where it answers ``KO``.
    """

    port: int

    def load_snapshot(self, name: str, timeout: float = LOAD_SECONDS) -> None:
        self.ask(f"avd snapshot load {snapshot_name(name)}", timeout)

    def ask(self, command: str, timeout: float = CONSOLE_SECONDS) -> str:
        """``"avd name"``, ``"avd snapshot list"``, and ``"kill"``, after which its process shows
        that it has ended."""
        try:
            with socket.create_connection(
                ("127.0.0.1", self.port), min(timeout, CONSOLE_SECONDS)
            ) as plain:
                plain.settimeout(timeout)
                with plain.makefile(
                    "rw", encoding="utf-8", errors="replace", newline="\n"
                ) as lines:
                    if "Authentication required" in self._answer(lines, "its greeting"):
                        place = Path.home() / TOKEN_FILE
                        try:
                            token = place.read_text(encoding="ascii").strip()
                        except (OSError, UnicodeError):
                            raise DeviceError(
                                f"the console of {self._serial} asks for the token in {place}, "
                                "which cannot be read: the emulator belongs to another user, or "
                                "to another HOME",
                                device=self._serial,
                            ) from None
                        self._said(lines, f"auth {token}", "auth")
                    return self._said(lines, command, command)
        except TimeoutError:
            raise DeviceTimeout(
                f"the console of {self._serial} gave no answer in {timeout:g} s",
                device=self._serial,
            ) from None
        except OSError as error:
            raise DeviceOffline(
                f"the console of {self._serial} cannot be reached: {error.strerror or error}",
                device=self._serial,
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


def console_port(serial: str) -> int | None:
    """Of an emulator's serial, on whichever computer it is; None for any other phone."""
    found = re.fullmatch(r"emulator-(\d{4,5})", serial)
    return int(found[1]) if found else None


def snapshot_name(name: str) -> str:
    """Raises ``UsageError`` for what would be more than one word of a command."""
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,100}", name):
        raise UsageError(
            f"avd:NAME?snapshot={name}: a snapshot's name has letters, digits, . _ and - only"
        )
    return name


POLL_SECONDS = 0.5

_WINDOW = r"^\s*mCurrentFocus=\s*Window\{\S+ u\d+ (.+?)\}\s*$"
_WAIT = r'<node [^>]*resource-id="android:id/aerr_wait"[^>]*bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"'
_BEFORE_UNLOCK = "FallbackHome"  # Android's own stand-in, until the user's storage can be read
_HANGS = "Application Not Responding:"
_HOME = (
    "cmd package resolve-activity --brief -a android.intent.action.MAIN -c "
    "android.intent.category.HOME || echo code $?"
)
_DUMP = "/data/local/tmp/replicant-boot.xml"


class Booting(Protocol):
    """How an emulator is asked. Both raise ``DeviceError``."""

    def state(self) -> str:
        """adb's word, "" if adb does not know it."""
        ...

    def shell(self, command: str) -> str: ...


Condition = tuple[str, Callable[[Booting], str]]
"""Its name, and what says what was seen instead, "" if it holds."""


def _attached(phone: Booting) -> str:
    return "" if phone.state() else "the adb server does not know it yet"


def _online(phone: Booting) -> str:
    state = phone.state()
    return "" if state == "device" else f"adb says {state or 'that it is gone'}"


def _booted(phone: Booting) -> str:
    """``dev.bootcomplete`` is older and not on every image, and an animation that was never started
    has no state: only what contradicts counts against them."""
    said = phone.shell(
        "getprop sys.boot_completed; getprop dev.bootcomplete; getprop init.svc.bootanim; echo end"
    )
    lines = [line.strip() for line in said.splitlines()]
    if len(lines) != 4 or lines[3] != "end":
        return f"getprop answers {said.strip()[:100]!r}"
    completed, older, animation = lines[:3]
    if completed != "1" or older not in ("", "1"):
        return f"sys.boot_completed={completed or '(unset)'}, dev.bootcomplete={older or '(unset)'}"
    return "" if animation in ("", "stopped") else f"its boot animation is {animation}"


def _packages(phone: Booting) -> str:
    said = phone.shell("pm path android")
    return "" if said.startswith("package:/") else f"`pm path android` answers {_first(said)}"


def _home(phone: Booting) -> str:
    """Until the user is unlocked only Android's stand-in answers to HOME. Before Android 7 there is
    no such command, nor such a lock."""
    said = phone.shell(_HOME)
    if re.search(r"cmd: (inaccessible or )?not found", said):
        return ""
    last = (said.strip().splitlines() or [""])[-1].strip()
    if _BEFORE_UNLOCK in last:
        return "the user is not unlocked yet: Android's stand-in is the home screen"
    if re.fullmatch(r"[\w.]+/[\w.$]+", last):
        return ""
    return f"nothing answers to HOME: {_first(said)}"


def _settings(phone: Booting) -> str:
    said = phone.shell("settings get global window_animation_scale").strip()
    if re.fullmatch(r"null|\d+(\.\d+)?", said):
        return ""
    return f"`settings get` answers {_first(said)}"


@dataclass
class _InFront:
    """A window that can be used. An app that hangs, as the system's own does on a slow computer, is
    given the time that it asks for, once."""

    _waited: bool = False

    def __call__(self, phone: Booting) -> str:
        windows = re.findall(_WINDOW, phone.shell("dumpsys window"), re.MULTILINE)
        if not windows:
            return "no window has the focus"
        for name in windows:
            if name.startswith(_HANGS):
                return self._wait(phone, name)
        return "the user is not unlocked yet" if _BEFORE_UNLOCK in windows[0] else ""

    def _wait(self, phone: Booting, hanging: str) -> str:
        if self._waited:
            return f"{hanging} (its Wait was pressed once)"
        dump = phone.shell(f"uiautomator dump {_DUMP} >/dev/null && cat {_DUMP}; rm -f {_DUMP}")
        button = re.search(_WAIT, dump)
        if button is None:
            return f"{hanging} (its Wait button was not found)"
        left, top, right, bottom = map(int, button.groups())
        self._waited = True
        phone.shell(f"input tap {(left + right) // 2} {(top + bottom) // 2}")
        return f"{hanging} (its Wait was pressed)"


def conditions() -> list[Condition]:
    """In the order in which an emulator meets them. Animations are turned off as a phone is
    prepared for a test; here only what does it must answer."""
    return [
        ("attached to adb", _attached),
        ("online", _online),
        ("boot completed", _booted),
        ("package manager", _packages),
        ("home screen, user unlocked", _home),
        ("settings", _settings),
        ("a window in front, no app that hangs", _InFront()),
    ]


@dataclass
class BootGate:
    """One emulator's way through. ``check_alive`` raises where its process has ended, which is not
    always ours to know."""

    name: str
    phone: Booting
    check_alive: Callable[[], object] = bool
    last_seen: str = "nothing yet"
    _conditions: list[Condition] = field(default_factory=conditions)
    _met: int = 0

    @property
    def open(self) -> bool:
        return self._met == len(self._conditions)

    @property
    def standing(self) -> str:
        """What it waits for, for the terminal."""
        if self.open:
            return "ready"
        return f"{self._conditions[self._met][0]} ({self._met + 1}/{len(self._conditions)})"

    def look(self) -> bool:
        """Goes as far as it gets now; True if it is through."""
        self.check_alive()
        while not self.open:
            try:
                self.last_seen = self._conditions[self._met][1](self.phone)
            except DeviceError as error:
                self.last_seen = f"the question failed: {_first(str(error))}"
            if self.last_seen:
                return False
            self._met += 1
        return True


def pass_gates(
    gates: Sequence[BootGate],
    timeout: float,
    clock: Clock,
    report: Callable[[Sequence[BootGate], float], object] = lambda gates, elapsed: None,
    setting: str = "avd:NAME?timeout",
) -> None:
    """Waits until all are open, side by side. ``report`` is called at every look, with the seconds
    so far; ``setting`` is where the time comes from. Raises ``DeviceTimeout`` that says at what
    each stands, and what ``check_alive`` raises."""
    began = clock.now()
    while True:
        closed = [gate for gate in gates if not gate.look()]
        elapsed = clock.now() - began
        report(gates, elapsed)
        if not closed:
            return
        if elapsed >= timeout:
            stuck = f"not ready within {setting} = {timeout:g} s:"
            for gate in closed:
                stuck += f"\n  {gate.name} stands at: {gate.standing}; last seen: {gate.last_seen}"
            raise DeviceTimeout(stuck, device=closed[0].name)
        clock.sleep(min(POLL_SECONDS, timeout - elapsed))


def _first(text: str) -> str:
    line = (text.strip().splitlines() or ["nothing"])[0]
    return line[:200]


ASK_SECONDS = 10.0  # a shell may hang while the system starts; the next look asks again
_NAMES = "getprop ro.boot.qemu.avd_name; getprop ro.kernel.qemu.avd_name"


@dataclass(frozen=True)
class AdbBooting:
    """Asked again each time: an earlier answer of a system that starts is none."""

    host: str
    port: int
    serial: str

    def state(self) -> str:
        phones = known_phones(self.host, self.port, ASK_SECONDS)
        return next((phone.state for phone in phones if phone.serial == self.serial), "")

    def shell(self, command: str) -> str:
        return ask(self.host, self.port, self.serial, command, ASK_SECONDS)


def running_avds(host: str, port: int, phones: Iterable[KnownPhone]) -> dict[str, str]:
    """AVD to serial, of the emulators that an adb server of this computer knows. One that does not
    say whose it is, by its console or by adb, is left out."""
    found: dict[str, str] = {}
    for phone in phones:
        number = console_port(phone.serial)
        if number is None:
            continue
        name = ""
        with suppress(DeviceError):
            name = Console(number).ask("avd name").strip()
        if not name and phone.usable:
            with suppress(DeviceError):
                said = AdbBooting(host, port, phone.serial).shell(_NAMES)
                name = (said.split() or [""])[0]
        if name:
            found[name] = phone.serial
    return found
