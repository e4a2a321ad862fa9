"""``BaseDriver``: a driver without optional abilities, to derive drivers from that have some."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from ..errors import Unsupported
from ..model import AuditIssue, Point, Rect
from .base import (
    TRAITS,
    Capability,
    CrashLog,
    DeviceInfo,
    Driver,
    LogMark,
    Orientation,
    ShellOutput,
    SystemDialogs,
    Traits,
)
from .changes import Changes
from .exchanges import Exchanges


class BaseDriver(Driver):
    """A driver in which every ability of ``Capability`` raises ``Unsupported`` and names the capability.

    A subclass writes the methods that every phone has, and of the others those that it states in
    ``capabilities``. It cannot be created while one of the former is missing. ``instead`` says, for abilities that
    are missing, what there is in their place; it becomes a part of the error.
    """

    instead: ClassVar[Mapping[Capability, str]] = {}

    @property
    def capabilities(self) -> Capability:
        return Capability.NONE

    @property
    def system_dialogs(self) -> SystemDialogs:
        return SystemDialogs()

    @property
    def traits(self) -> Traits:
        """Traits of the platform in ``info``."""
        return TRAITS[self.info.platform]

    def check_field_takes(self, text: str) -> None:
        """Takes any text for typeable in any field."""

    def restore_settings(self) -> None:
        """Does nothing: without abilities nothing was changed."""

    def drag(self, start: Point, end: Point, seconds: float) -> None:
        raise self.unsupported("drag", Capability.DRAG)

    def pinch(self, area: Rect, scale: float, seconds: float) -> None:
        raise self.unsupported("pinch", Capability.PINCH)

    def rotate(self, orientation: Orientation) -> None:
        raise self.unsupported("rotate", Capability.ROTATE)

    def clear_data(self, app: str) -> None:
        raise self.unsupported("clear_data", Capability.CLEAR_DATA)

    def open_url(self, url: str, app: str | None) -> None:
        raise self.unsupported("open_url", Capability.OPEN_URL)

    def last_toast(self) -> str | None:
        raise self.unsupported("last_toast", Capability.TOASTS)

    def clear_toasts(self) -> None:
        raise self.unsupported("clear_toasts", Capability.TOASTS)

    def log_mark(self) -> LogMark:
        raise self.unsupported("log_mark", Capability.LOGS)

    def logs(self, since: LogMark | None = None, buffers: Sequence[str] = ()) -> list[str]:
        raise self.unsupported("logs", Capability.LOGS)

    def crashes(self, since: LogMark | None, app: str = "") -> CrashLog:
        raise self.unsupported("crashes", Capability.CRASHES)

    def pids(self, app: str) -> tuple[int, ...]:
        raise self.unsupported("pids", Capability.CRASHES)

    def accessibility_audit(self) -> Sequence[AuditIssue]:
        raise self.unsupported("accessibility_audit", Capability.AUDIT)

    def installed(self, app: str) -> bool:
        raise self.unsupported("installed", Capability.INSTALL)

    def install(self, path: str | Path) -> None:
        raise self.unsupported("install", Capability.INSTALL)

    def uninstall(self, app: str) -> None:
        raise self.unsupported("uninstall", Capability.INSTALL)

    def permissions(self, app: str) -> Mapping[str, bool]:
        raise self.unsupported("permissions", Capability.PERMISSIONS)

    def set_permission(self, app: str, permission: str, granted: bool) -> None:
        raise self.unsupported("set_permission", Capability.PERMISSIONS)

    def push_file(self, local: str | Path | bytes, remote: str) -> None:
        raise self.unsupported("push_file", Capability.FILES)

    def pull_file(self, remote: str) -> bytes:
        raise self.unsupported("pull_file", Capability.FILES)

    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        raise self.unsupported("shell", Capability.SHELL)

    def unsupported(self, verb: str, capability: Capability) -> Unsupported:
        """The error of a missing ability, to be raised before anything is sent; for ``launch`` with an activity,
        too, where an app has none."""
        name, device = str(capability.name), self.info.serial
        instead = self.instead.get(capability, "")
        return Unsupported(
            f"{verb} on {device}: this phone does not offer {name.lower()!r}{': ' if instead else ''}{instead}. "
            "Nothing was sent.",
            capability=name,
            device=device,
        )


class OurDriver(BaseDriver):
    """The common part of this package's drivers. Their roles set ``_changes``.

    ``hierarchy_forms`` are the forms in which the phone gives a hierarchy, that of ``dump_hierarchy`` first;
    ``exchanges`` are all that is sent.
    """

    hierarchy_forms: ClassVar[tuple[str, ...]]
    exchanges: Exchanges
    _changes: Changes
    _uri: str
    _info: DeviceInfo

    @property
    def uri(self) -> str:
        return self._uri

    @property
    def info(self) -> DeviceInfo:
        return self._info

    @abstractmethod
    def hierarchy(self, form: str) -> bytes:
        """The screen in one of ``hierarchy_forms``, as the phone gives it. Raises ``DeviceError``."""

    def restore_settings(self) -> None:
        self._changes.undo()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._uri}>"


def has_shortcut(driver: Driver, verb: str, *parts: str) -> bool:
    """Whether the driver has this verb, which does what these others do, and none of them was overridden since: a
    driver that is derived from another one means its own."""
    known: frozenset[str] | None = getattr(driver, "shortcuts", None)
    if known is not None:  # of a driver that is recorded, or was
        return verb in known
    kinds = [getattr(driver, "__dict__", {}), *map(vars, type(driver).__mro__)]
    first = [next((at for at, kind in enumerate(kinds) if name in kind), len(kinds)) for name in (verb, *parts)]
    return first[0] < len(kinds) and min(first) == first[0]
