"""The log, crashes, commands and files."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path

from ...errors import ProtocolError, UsageError
from ..base import CrashLog, LogMark, ShellOutput
from .apps import checked_name
from .screen import Role

LOG_SECONDS = 30.0  # a full buffer is some megabytes
BUFFERS = ("main", "system", "crash", "events", "radio", "kernel", "default", "all")
_NOW = "date '+%s.%N %m-%d %H:%M:%S'"
# Seconds since 1970, of which a pid has fewer digits, and what stands in the log at that moment.
_MOMENT = re.compile(r"(\d{9,})(?:\.(\d+))?(?:\S*\s+(\d\d-\d\d \d\d:\d\d:\d\d))?")
# Who tells of deaths: the runtime, the native crash handler, the system, and who kills for want of memory.
_DEATHS = "-b crash,main,system AndroidRuntime:E DEBUG:I libc:F ActivityManager:I lowmemorykiller:I Zygote:I '*:S'"
# The first entry that each of these still holds: an app that logs much soon has a buffer written over. Phones that
# do not know the options say nothing.
_OLDEST = "; ".join(
    f"logcat -d -v epoch -b {name} -m 1 2>/dev/null | grep -m 1 -oE '^ *[0-9]+[.][0-9]+'"
    for name in ("main", "system")
)


def _since(mark: LogMark | None) -> list[str]:
    return [] if mark is None else ["-T", mark.moment]


_LONGEST = 1024 - len(",33188")  # bytes; adbd takes no longer name, and its kind and rights are behind it


class AndroidSystem(Role):
    def log_mark(self) -> LogMark:
        return self._mark_of(self._link.run(_NOW).text)

    def logs(self, since: LogMark | None = None, buffers: Sequence[str] = ()) -> list[str]:
        """Log as ``logcat -v threadtime`` prints it, oldest first, without the lines that only name a buffer.
        Raises ``UsageError`` for a buffer that Android does not have."""
        for name in buffers:
            if name not in BUFFERS:
                raise UsageError(f"logs: {name!r} is no buffer of Android's log. There are: {', '.join(BUFFERS)}.")
        wanted = ["-b", ",".join(buffers)] if buffers else []
        return self._read_log(["logcat", "-d", "-v", "threadtime", *wanted, *_since(since)])[1]

    def crashes(self, since: LogMark | None, app: str = "") -> CrashLog:
        """Crashes in the words of the runtime, the native crash handler and the activity manager."""
        asked = f"echo $(pidof {checked_name(app)})" if app else "echo"
        log = " ".join(["logcat -d -v threadtime", *_since(since), _DEATHS])
        answers, lines = self._read_log(f"{_NOW}; {asked}; echo $({_OLDEST}); {log}", answers=3)
        pids = tuple(map(int, re.findall(r"\d+", answers[1])))
        oldest = max(re.findall(r"\d{9,}\.\d+", answers[2]), key=float, default="")
        return CrashLog(tuple(lines), self._mark_of(answers[0]), pids, LogMark(oldest) if oldest else None)

    def _read_log(self, command: str | Sequence[str], answers: int = 0) -> tuple[list[str], list[str]]:
        """Lines of the log, after so many lines that other commands before it printed."""
        ended = self._link.run(command, LOG_SECONDS)
        if ended.exit_code != 0:
            raise ProtocolError(
                f"logcat on {self._link.serial} ended with {ended.exit_code}: {ended.words[-300:]}",
                exchange=ended.words[-2000:],
                device=self._link.serial,
            )
        lines = ended.text.split("\n")  # not splitlines: a message may hold other line separators
        log = [line.rstrip("\r") for line in lines[answers:] if line.strip() and not line.startswith("--------- ")]
        return [*lines[:answers], *[""] * answers][:answers], log

    def _mark_of(self, said: str) -> LogMark:
        found = _MOMENT.match(said.strip())
        if not found:
            raise ProtocolError(
                f"log_mark on {self._link.serial}: the phone does not tell its time: {said[:100]!r}",
                exchange=said[:500],
                device=self._link.serial,
            )
        # Where `date` knows no fractions, the second's beginning: rather a line too many than one too few.
        fraction = found[2] or "000"
        return LogMark(f"{found[1]}.{fraction}", f"{found[3]}.{fraction[:3]}" if found[3] else "")

    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        ended = self._link.run(command, timeout)
        return ShellOutput(ended.text, ended.error_text, ended.exit_code)

    def push_file(self, local: str | Path | bytes, remote: str) -> None:
        """Writes a file, readable and writable for its owner, readable for others."""
        _checked_path(remote)
        if remote.endswith("/"):
            raise UsageError(f"push_file to {remote!r}: that is a folder; give the file's whole path.")
        if isinstance(local, bytes):
            content = local
        else:
            try:
                content = Path(local).read_bytes()
            except OSError as error:
                message = f"push_file {local}: it cannot be read: {error.strerror}. Nothing was sent."
                raise UsageError(message) from None
        self._link.push(io.BytesIO(content), remote)

    def pull_file(self, remote: str) -> bytes:
        return self._link.pull(_checked_path(remote))


def _checked_path(remote: str) -> str:
    if not remote.startswith("/") or "\0" in remote:
        raise UsageError(f'{remote!r} is no whole path on a phone; give one such as "/sdcard/Download/a.txt".')
    try:
        size = len(remote.encode())
    except UnicodeEncodeError:
        raise UsageError(f"{remote!r}: a path cannot hold half a character.") from None
    if size > _LONGEST:
        raise UsageError(f"a path of {size} bytes; a phone takes at most {_LONGEST}: {remote[:80]!r}…")
    return remote
