"""One phone, one user: an exclusive lease on a real phone, across the processes of this computer."""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from ...errors import DeviceBusy, UsageError
from ..wanted import Facts
from .lease_folder import alone, is_locked, lease_folder, read_record, sweep, write_record

if TYPE_CHECKING:
    from ...drivers import Capability, DeviceInfo

__all__ = ["Holder", "Lease", "holder_of", "lease_folder"]


@dataclass(frozen=True)
class Holder:
    """Who holds a phone, as far as that is told: ``pid`` 0 where it is not, ``since`` in epoch seconds.
    ``facts`` are of the phone, None until its holder has opened it."""

    pid: int = 0
    since: float = 0
    facts: Facts | None = None

    @property
    def told(self) -> str:
        """``process 4711, since 14:02:11``."""
        if not self.pid:
            return "another process"
        since = f", since {time.strftime('%H:%M:%S', time.localtime(self.since))}" if self.since else ""
        if self.pid == os.getpid():
            return f"this very process ({self.pid}), another session of the same run{since}"
        return f"process {self.pid}{since}"


class Lease:
    """Held from ``acquire`` until ``release``. The system takes it back from a process that dies, however it
    dies: it is a lock on an open file, not the file itself."""

    def __init__(self, phone: str, folder: Path | None = None) -> None:
        """``phone`` names it on this computer: adb server and serial, or the URL of its WebDriverAgent.
        ``folder`` is where leases are kept."""
        self.phone = phone
        self._folder = folder or lease_folder()
        self._record = _record_of(phone, self._folder)
        # Not bound to a thread: whoever closes the phone gives it back, a finaliser included.
        self._lock = FileLock(self._record.with_suffix(".lock"), thread_local=False)
        self._told: dict[str, Any] = {}

    @property
    def held(self) -> bool:
        return bool(self._lock.is_locked)

    def acquire(self) -> Lease:
        """Now or not at all. Raises ``DeviceBusy`` naming the process that holds the phone."""
        with alone(self._folder):
            sweep(self._folder)
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                raise busy_with(self.phone, read_holder(self._record)) from None
            self._told = {"pid": os.getpid(), "since": time.time(), "phone": self.phone}
            write_record(self._record, self._told)
        return self

    def tell(self, info: DeviceInfo, capabilities: Capability) -> None:
        """What the phone is, for processes that would wait for it."""
        if self.held:
            facts = Facts.of(info, capabilities)
            write_record(self._record, {**self._told, "facts": facts.to_dict()})

    def release(self) -> None:
        """May be called again."""
        if not self.held:
            return
        try:
            with suppress(OSError, DeviceBusy, UsageError), alone(self._folder):
                self._record.unlink(missing_ok=True)
                self._record.with_suffix(".lock").unlink()  # nobody opens it meanwhile; Windows keeps it
        finally:
            self._lock.release()


def busy_with(phone: str, holder: Holder) -> DeviceBusy:
    return DeviceBusy(
        f"{phone} is in use by {holder.told}. Wait for it, use another phone, or give each run its own: "
        f"--replicant-device={'ios:URL' if phone.startswith('ios:') else 'android:SERIAL'}.",
        device=phone,
    )


def holder_of(phone: str, folder: Path | None = None) -> Holder | None:
    """Who holds the phone now, None where nobody does: what a process that died has left there counts nothing."""
    folder = folder or lease_folder()
    record = _record_of(phone, folder)
    if not record.with_suffix(".lock").exists():
        return None
    with alone(folder):
        return read_holder(record) if is_locked(record.with_suffix(".lock")) else None


def read_holder(record: Path) -> Holder:
    said = read_record(record)
    pid, since = said.get("pid"), said.get("since")
    return Holder(
        pid if isinstance(pid, int) else 0,
        since if isinstance(since, (int, float)) else 0,
        Facts.from_dict(said.get("facts")),
    )


def _record_of(phone: str, folder: Path) -> Path:
    name = hashlib.sha256(phone.encode()).hexdigest()[:32]  # a serial may hold what a file name may not
    return folder / f"{name}.holder"
