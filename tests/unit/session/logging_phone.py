"""A scripted phone with a log, on a clock of its own that may be wrong."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pytest_replicant.drivers import AppStatus, Capability, CrashLog, LogMark
from pytest_replicant.session import Death, DeviceSession, unexplained_crash

from .scripted_phone import APP, ScriptedPhone

PID = 4058


class LoggingPhone(ScriptedPhone):
    """``trouble`` is what reading the log raises. ``commands`` are what was asked of it.
    ``says_last`` is False for a driver that does not tell which line is the newest."""

    info = replace(ScriptedPhone.info, extra={"sdk": "34"})
    says_last = True
    capabilities = (
        Capability.TOASTS | Capability.CURRENT_ACTIVITY | Capability.LOGS | Capability.CRASHES
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.wrong_by = 86_400.0
        self.east = 7200.0
        self.entries: list[tuple[float, str]] = []
        self.trouble: Exception | None = None
        self.status: AppStatus = "foreground"
        self.running: tuple[int, ...] = (PID,)
        self.commands: list[str] = []
        self.oldest: float | None = None  # how far back it keeps its log

    @property
    def now(self) -> float:
        return self.clock.now() + self.wrong_by

    @property
    def stamp(self) -> str:
        """As its log shows this moment, in a time zone of its own."""
        local = self.now + self.east
        return f"{time.strftime('%m-%d %H:%M:%S', time.gmtime(local))}.{int(local % 1 * 1000):03d}"

    def log(
        self, message: str, *, level: str = "I", tag: str = "Shop", pid: int = PID, tid: int = PID
    ) -> None:
        self.entries.append((self.now, f"{self.stamp}  {pid}  {tid} {level} {tag}: {message}"))

    def die(
        self,
        why: str = "java.lang.IllegalStateException: no cart",
        *,
        app: str = APP,
        pid: int = PID,
    ) -> None:
        for message in (
            "FATAL EXCEPTION: main",
            f"Process: {app}, PID: {pid}",
            why,
            f"\tat {app}.Cart.pay(Cart.kt:42)",
        ):
            self.log(message, level="E", tag="AndroidRuntime", pid=pid)
        self.log(f"Process {app} (pid {pid}) has died: fg  TOP", tag="ActivityManager", pid=1402)
        self.status, self.running = "stopped", ()

    def log_mark(self) -> LogMark:
        self.commands.append("log_mark")
        if self.trouble is not None:
            raise self.trouble
        last = self.entries[-1][1] if self.entries else ""
        return LogMark(f"{self.now:.6f}", self.stamp, last if self.says_last else None)

    def since(self, since: LogMark | None) -> list[str]:
        if self.trouble is not None:
            raise self.trouble
        moment = float(since.moment) if since is not None else 0.0
        first = next(
            (index for index, entry in enumerate(self.entries) if entry[0] >= moment - 1e-6), None
        )
        return [text for _, text in self.entries[first:]] if first is not None else []

    def logs(self, since: LogMark | None = None, buffers: Sequence[str] = ()) -> list[str]:
        self.commands.append("logs")
        return self.since(since)

    def crashes(self, since: LogMark | None, app: str = "") -> CrashLog:
        self.commands.append("crashes")
        oldest = LogMark(f"{self.oldest:.6f}") if self.oldest is not None else None
        until = LogMark(f"{self.now:.6f}", self.stamp)
        return CrashLog(tuple(self.since(since)), until, self.pids(app), oldest)

    def pids(self, app: str) -> tuple[int, ...]:
        return self.running if app == APP else ()

    def app_status(self, app: str) -> AppStatus:
        if self.trouble is not None:
            raise self.trouble
        return self.status if app == APP else "stopped"


def death_in(session: DeviceSession) -> Death:
    death = unexplained_crash(session)
    assert death is not None
    return death
