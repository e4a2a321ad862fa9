"""Where processes of this computer tell each other which phones they hold and wait for."""

from __future__ import annotations

import json
import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ...errors import DeviceBusy, UsageError

ALONE_SECONDS = 10.0  # to get the folder for oneself; whoever has it needs it for milliseconds
KEPT_SECONDS = 24 * 3600.0  # what a killed process left behind is swept up after that
_OURS = re.compile(r"[0-9a-f]{32}\.(lock|holder)|\d+-\d+-[0-9a-f]+\.ticket-lock|.*\.new")
MUTEX = "folder.mutex"


def lease_folder() -> Path:
    """The user's own folder for leases, made where it is missing. Raises ``UsageError``."""
    folder = lease_folder_path()
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if hasattr(os, "getuid") and folder.lstat().st_uid != os.getuid():
            raise PermissionError("it belongs to another user")
    except OSError as error:
        raise _cannot_keep(folder, error) from None
    return folder


def _cannot_keep(folder: Path, error: OSError) -> UsageError:
    return UsageError(
        f"cannot keep leases of phones in {folder}: {error.strerror or error}. Next: remove what is there, or set "
        "TMPDIR to a folder of your own, the same for all runs that share phones"
    )


def lease_folder_path() -> Path:
    """Where that is, or would be."""
    owner = str(os.getuid()) if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"pytest-replicant-leases-{owner}"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Nobody else takes or sweeps up a lock of this folder meanwhile. Not to be nested."""
    mutex = FileLock(folder / MUTEX, thread_local=False)
    try:
        mutex.acquire(timeout=ALONE_SECONDS, poll_interval=0.005)
    except Timeout:
        raise DeviceBusy(
            f"the folder of leases, {folder}, was in use for {ALONE_SECONDS:g} s. Next: look for a process that "
            "is stopped while it uses a phone, and let it go on or end it."
        ) from None
    except OSError as error:
        raise _cannot_keep(folder, error) from None
    try:
        yield
    finally:
        mutex.release()


def is_locked(path: Path) -> bool:
    """Whether a living process holds the lock. To be asked ``alone``."""
    if not path.exists():
        return False
    lock = FileLock(path, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


def write_record(path: Path, record: dict[str, Any]) -> None:
    """At once, or not at all: whoever reads it meanwhile finds the old one. On a full disk there is none; the lock
    beside it holds all the same."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    with suppress(OSError):
        fresh.write_text(json.dumps(record), encoding="utf-8")
        fresh.replace(path)


def read_record(path: Path) -> dict[str, Any]:
    """Empty where there is none, or what is there is no record."""
    with suppress(OSError, ValueError):
        record = json.loads(path.read_text(encoding="utf-8"))
        return record if isinstance(record, dict) else {}
    return {}


def sweep(folder: Path) -> None:
    """Removes what processes that were killed have left, once it is old. To be called ``alone``."""
    old = [path for path in folder.iterdir() if _OURS.fullmatch(path.name) and _is_old(path)]
    for path in old:  # known before the first look: looking at a lock may make it young
        with suppress(OSError):
            if not is_locked(path.with_suffix(".lock")):
                path.unlink()


def _is_old(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > KEPT_SECONDS
    except OSError:  # it is gone
        return False
