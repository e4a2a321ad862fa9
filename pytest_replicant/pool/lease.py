"""One phone, one user: an exclusive lease on a real phone, across the processes of this computer."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ..errors import DeviceBusy, UsageError, is_told

__tracebackhide__ = is_told


class Lease:
    """Held from ``acquire`` until ``release``. The system takes it back from a process that dies, however it
    dies: it is a lock on an open file, not the file itself."""

    def __init__(self, phone: str, folder: Path | None = None) -> None:
        """``phone`` names it on this computer: adb server and serial, or the URL of its WebDriverAgent.
        ``folder`` is where leases are kept."""
        self.phone = phone
        folder = folder or lease_folder()
        name = hashlib.sha256(phone.encode()).hexdigest()[:32]  # a serial may hold what a file name may not
        self._holder = folder / f"{name}.holder"
        # Not bound to a thread: whoever closes the phone gives it back, a finaliser included.
        self._lock = FileLock(folder / f"{name}.lock", thread_local=False)

    @property
    def held(self) -> bool:
        return bool(self._lock.is_locked)

    def acquire(self, timeout: float = 0) -> Lease:
        """Waits up to ``timeout`` seconds. Raises ``DeviceBusy`` naming the process that holds the phone."""
        try:
            self._lock.acquire(timeout=timeout)
        except Timeout:
            raise DeviceBusy(
                f"{self.phone} is in use by {self._who()}. Wait for it, use another phone, or give each run "
                f"its own: --replicant-device={'ios:URL' if self.phone.startswith('ios:') else 'android:SERIAL'}.",
                device=self.phone,
            ) from None
        self._holder.write_text(str(os.getpid()), encoding="ascii")
        return self

    def release(self) -> None:
        """May be called again."""
        if self.held:
            with suppress(OSError):  # it only names the holder
                self._holder.unlink()
            self._lock.release()

    def _who(self) -> str:
        with suppress(OSError):
            pid = self._holder.read_text(encoding="ascii").strip()
            if pid == str(os.getpid()):
                return f"this very process ({pid}): another session of the same run"
            if pid:
                return f"process {pid}"
        return "another process"


def lease_folder() -> Path:
    """The user's own folder for leases, made where it is missing. Raises ``UsageError``."""
    owner = str(os.getuid()) if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"pytest-replicant-leases-{owner}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot keep leases of phones in {folder}: {error}") from None
    return folder
