"""An Android phone as a ``Driver``, put together of its roles; its log, crashes, commands and
files."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ...errors import DeviceError, UsageError
from ...model import Clock, SystemClock
from ..base import Capability, CrashLog, DeviceInfo, LogMark, ShellOutput, SystemDialogs, Traits
from ..base_driver import OurDriver
from .adb import CALL_LIMIT
from .apps import ANDROID_DIALOGS, AndroidApps, checked_name
from .input import KEYBOARD_QUESTION, AndroidKeyboard, AndroidPointer, keyboard_of
from .link import BOOT_QUESTION, Link, boot_of
from .screen import FACTS_QUESTION, Role, read_facts

LOG_SECONDS = 30.0  # a full buffer is some megabytes
BUFFERS = ("main", "system", "crash", "events", "radio", "kernel", "default", "all")
_NOW = "date '+%s.%N %m-%d %H:%M:%S'"
# Seconds since 1970, of which a pid has fewer digits, and what stands in the log at that moment.
_MOMENT = r"(\d{9,})(?:\.(\d+))?(?:\S*\s+(\d\d-\d\d \d\d:\d\d:\d\d))?"
# Who reports deaths: the runtime, the native crash handler, the system, and who kills for want of
# memory.
_DEATHS = (
    "-b crash,main,system AndroidRuntime:E DEBUG:I libc:F ActivityManager:I lowmemorykiller:I "
    "Zygote:I '*:S'"
)
# The first entry that each of these still holds: an app that logs much soon has a buffer written
# over. Phones that do not know the options say nothing.
_OLDEST = "; ".join(
    f"logcat -d -v epoch -b {name} -m 1 2>/dev/null | grep -m 1 -oE '^ *[0-9]+[.][0-9]+'"
    for name in ("main", "system")
)


def _since(mark: LogMark | None) -> list[str]:
    return [] if mark is None else ["-T", mark.moment]


def _entries(lines: Sequence[str]) -> list[str]:
    """What ``logcat`` printed, without the lines that only name a buffer."""
    return [
        line.rstrip("\r") for line in lines if line.strip() and not line.startswith("--------- ")
    ]


_LONGEST = 1024 - len(
    ",33188"
)  # bytes; adbd takes no longer name, and its kind and rights are behind it


class AndroidSystem(Role):
    def log_mark(self) -> LogMark:
        """Now, with the newest line of the log, in one command. The phone may have a clock and no
        log."""
        ended = self._link.run(f"{_NOW}; logcat -d -v threadtime -t 1")
        said, *lines = ended.text.split("\n")
        mark = self._mark_of(said)
        if ended.exit_code != 0:
            return mark
        return replace(mark, last=next(reversed(_entries(lines)), ""))

    def logs(self, since: LogMark | None = None, buffers: Sequence[str] = ()) -> list[str]:
        """Log as ``logcat -v threadtime`` prints it, oldest first, without the lines that only name
        a buffer. Raises ``UsageError`` for a buffer that Android does not have."""
        for name in buffers:
            if name not in BUFFERS:
                raise UsageError(
                    f"logs: {name!r} is no buffer of Android's log. There are: "
                    f"{', '.join(BUFFERS)}."
                )
        command = ["logcat", "-d", "-v", "threadtime"]
        if buffers:
            command += ["-b", ",".join(buffers)]
        return self._read_log([*command, *_since(since)])[1]

    def crashes(self, since: LogMark | None, app: str = "") -> CrashLog:
        """Crashes in the words of the runtime, the native crash handler and the activity
        manager."""
        asked = f"echo $(pidof {checked_name(app)})" if app else "echo"
        log = " ".join(["logcat -d -v threadtime", *_since(since), _DEATHS])
        answers, lines = self._read_log(f"{_NOW}; {asked}; echo $({_OLDEST}); {log}", answers=3)
        pids = tuple(map(int, re.findall(r"\d+", answers[1])))
        oldest = max(re.findall(r"\d{9,}\.\d+", answers[2]), key=float, default="")
        return CrashLog(
            tuple(lines), self._mark_of(answers[0]), pids, LogMark(oldest) if oldest else None
        )

    def _read_log(
        self, command: str | Sequence[str], answers: int = 0
    ) -> tuple[list[str], list[str]]:
        """Lines of the log, after so many lines that other commands before it printed."""
        ended = self._link.run(command, LOG_SECONDS)
        if ended.exit_code != 0:
            why = f"it ended with {ended.exit_code}: {ended.words[-300:]}"
            raise self._failed("logcat", why, ended.words[-2000:])
        lines = ended.text.split("\n")  # not splitlines: a message may hold other line separators
        return [*lines[:answers], *[""] * answers][:answers], _entries(lines[answers:])

    def _mark_of(self, said: str) -> LogMark:
        found = re.match(_MOMENT, said.strip())
        if not found:
            raise self._failed(
                "log_mark", f"the phone does not tell its time: {said[:100]!r}", said
            )
        # Where `date` knows no fractions, the second's beginning: rather a line too many than one
        # too few.
        fraction = found[2] or "000"
        return LogMark(f"{found[1]}.{fraction}", f"{found[3]}.{fraction[:3]}" if found[3] else "")

    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        ended = self._link.run(command, timeout)
        return ShellOutput(ended.text, ended.error_text, ended.exit_code)

    def push_file(self, local: str | Path | bytes, remote: str) -> None:
        """Writes a file, readable and writable for its owner, readable for others."""
        _checked_path(remote)
        if remote.endswith("/"):
            raise UsageError(
                f"push_file to {remote!r}: that is a folder; give the file's whole path."
            )
        if not isinstance(local, bytes):
            try:
                local = Path(local).read_bytes()
            except OSError as error:
                raise UsageError(
                    f"push_file {local!s}: it cannot be read: {error.strerror}. Nothing was sent."
                ) from None
        self._link.push(io.BytesIO(local), remote)

    def pull_file(self, remote: str) -> bytes:
        return self._link.pull(_checked_path(remote))


def _checked_path(remote: str) -> str:
    if not remote.startswith("/") or "\0" in remote:
        raise UsageError(
            f'{remote!r} is no whole path on a phone; give one such as "/sdcard/Download/a.txt".'
        )
    try:
        size = len(remote.encode())
    except UnicodeEncodeError:
        raise UsageError(f"{remote!r}: a path cannot hold half a character.") from None
    if size > _LONGEST:
        raise UsageError(
            f"a path of {size} bytes; a phone takes at most {_LONGEST}: {remote[:80]!r}…"
        )
    return remote


CAPABILITIES = ~Capability.AUDIT  # all others that there are
INSTEAD = {
    Capability.AUDIT: "Android has none outside of an app; accessibility_findings has rules of "
    "its own"
}
_NO_KEY = 0  # KEYCODE_UNKNOWN, which does nothing


class AndroidDriver(AndroidPointer, AndroidKeyboard, AndroidApps, AndroidSystem, OurDriver):
    """An Android phone behind an adb server. Use ``connect``. For one thread at a time."""

    instead = INSTEAD

    def __init__(self, link: Link, uri: str, info: DeviceInfo, keyboard: str = "") -> None:
        super().__init__(link, keyboard)
        self.exchanges = link.exchanges
        self._uri = uri
        self._info = info

    @classmethod
    def connect(
        cls,
        host: str,
        port: int,
        serial: str,
        *,
        uri: str = "",
        timeout: float = 60,
        clock: Clock | None = None,
    ) -> AndroidDriver:
        """Connects to a phone behind a running adb server, within ``timeout`` seconds in all. The
        driver waits on ``clock``, that of the system unless given.

        Pushes and starts the uiautomator2 server where the phone does not have it running. Never
        starts an adb server. Raises ``DeviceNotFound``, ``DeviceOffline``, ``DeviceTimeout`` or
        ``ProtocolError``, that one also for a phone whose maker lets adb touch nothing.
        """
        clock = clock or SystemClock()
        deadline = clock.now() + timeout
        link = Link.connect(host, port, serial, timeout, clock)
        try:
            left = max(deadline - clock.now(), 0.1)
            said = link.run(
                f"{FACTS_QUESTION}; {BOOT_QUESTION}; {KEYBOARD_QUESTION}", min(left, CALL_LIMIT)
            ).text
            info = read_facts(serial, said)
            link.note_phone(boot_of(said), max(info.width, info.height))
            try:
                link.send("pressKeyCode", _NO_KEY)
            except DeviceError as error:
                if not error.recoverable:  # the phone's maker lets adb touch nothing
                    raise
        except BaseException:
            link.close()
            raise
        return cls(link, uri or f"adb://{host}:{port}/{serial}", info, keyboard_of(said))

    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        output = super().shell(command, timeout)
        line = command if isinstance(command, str) else " ".join(command)
        if re.search(r"\bime\b|input_method", line):  # it may have chosen another keyboard
            self.keyboard = keyboard_of(self._link.run(KEYBOARD_QUESTION).text) or self.keyboard
        return output

    @property
    def capabilities(self) -> Capability:
        return CAPABILITIES & ~self.by_parts

    @property
    def traits(self) -> Traits:
        return replace(super().traits, dots_for_emoji=True, keyboard=self.keyboard)

    @property
    def system_dialogs(self) -> SystemDialogs:
        return ANDROID_DIALOGS

    def reconnect(self, timeout: float) -> None:
        """Connects again. Starts no adb server, nor has one connect to anything: a phone in a
        network has to be known to it again."""
        self._link.reconnect(timeout)

    def close(self) -> None:
        """Stops the uiautomator2 server where this driver started it. May be called again; raises
        nothing."""
        with suppress(DeviceError):  # the phone is gone, and with it what ran on it
            self._link.close()
