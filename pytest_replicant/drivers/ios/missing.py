"""What WebDriverAgent has no way to do: each raises ``Unsupported``, with what there is instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ...errors import Unsupported
from ..base import Capability, CrashLog, LogMark, ShellOutput
from .role import Role

_INSTEAD: Mapping[Capability, str] = {
    Capability.TOASTS: "iOS has none; what an app shows in their place is in the hierarchy",
    Capability.SHELL: "an iPhone has no shell that WebDriverAgent reaches",
    Capability.LOGS: "WebDriverAgent gives none; `idevicesyslog` or `xcrun simctl spawn booted log stream` does",
    Capability.CRASHES: "WebDriverAgent has none; app_status tells whether an app runs, idevicecrashreport why",
    Capability.CLEAR_DATA: "WebDriverAgent does not reach an app's data; install the app anew, or give it an "
    "argument that makes it forget",
    Capability.PERMISSIONS: "iOS lets nobody but its user grant them; answer the question when it comes, or "
    "`xcrun simctl privacy` on a simulator",
    Capability.INSTALL: "WebDriverAgent installs nothing; `ideviceinstaller install` does, or on a simulator "
    "`xcrun simctl install`",
    Capability.FILES: "WebDriverAgent moves none; `afcclient` reaches an app's, on a simulator "
    "`xcrun simctl get_app_container`",
}


class IosMissing(Role):
    def clear_data(self, app: str) -> None:
        raise self._missing("clear_data", Capability.CLEAR_DATA)

    def last_toast(self) -> str | None:
        raise self._missing("last_toast", Capability.TOASTS)

    def clear_toasts(self) -> None:
        raise self._missing("clear_toasts", Capability.TOASTS)

    def log_mark(self) -> LogMark:
        raise self._missing("log_mark", Capability.LOGS)

    def logs(self, since: LogMark | None = None, buffers: Sequence[str] = ()) -> list[str]:
        raise self._missing("logs", Capability.LOGS)

    def crashes(self, since: LogMark | None, app: str = "") -> CrashLog:
        raise self._missing("crashes", Capability.CRASHES)

    def pids(self, app: str) -> tuple[int, ...]:
        raise self._missing("pids", Capability.CRASHES)

    def installed(self, app: str) -> bool:
        raise self._missing("installed", Capability.INSTALL)

    def install(self, path: str | Path) -> None:
        raise self._missing("install", Capability.INSTALL)

    def uninstall(self, app: str) -> None:
        raise self._missing("uninstall", Capability.INSTALL)

    def permissions(self, app: str) -> Mapping[str, bool]:
        raise self._missing("permissions", Capability.PERMISSIONS)

    def set_permission(self, app: str, permission: str, granted: bool) -> None:
        raise self._missing("set_permission", Capability.PERMISSIONS)

    def push_file(self, local: str | Path | bytes, remote: str) -> None:
        raise self._missing("push_file", Capability.FILES)

    def pull_file(self, remote: str) -> bytes:
        raise self._missing("pull_file", Capability.FILES)

    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        raise self._missing("shell", Capability.SHELL)

    def _missing(self, verb: str, capability: Capability) -> Unsupported:
        name = str(capability.name)
        return Unsupported(
            f"{verb} on {self._link.name}: this phone does not offer {name.lower()!r}: {_INSTEAD[capability]}. "
            "Nothing was sent.",
            capability=name,
            device=self._link.name,
        )
