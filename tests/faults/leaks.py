"""What a run leaves behind: threads, sockets, processes, leases, files, programs and ports on the
phone."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_replicant.errors import DeviceBusy
from pytest_replicant.pool import KEPT, Lease

if TYPE_CHECKING:
    from pytest_replicant.virtual import VirtualPhone

PATIENCE = 3.0  # seconds: what the other end closes, it closes a moment later
KEPT_ON_PHONE = ("/data/local/tmp/u2.jar",)  # 4 MB that the next run need not push again


@dataclass(frozen=True)
class Held:
    """What a process holds."""

    threads: frozenset[threading.Thread]
    sockets: frozenset[str]
    children: frozenset[str]

    @classmethod
    def now(cls) -> Held:
        return cls(frozenset(threading.enumerate()), frozenset(_sockets()), frozenset(_children()))


def left_since(before: Held) -> list[str]:
    """Each thing that was not there before, once there was time to let go of it."""
    deadline = time.monotonic() + PATIENCE
    while (left := list(_more(before))) and time.monotonic() < deadline:
        gc.collect()  # an object that no one holds may hold one
        time.sleep(0.02)
    return left


def grown_since(
    before: tuple[int, int], *, threads: int = 2, files: int = 4, patience: float = PATIENCE
) -> str | None:
    """How much more there is than `counted` said, and than the few that others may have begun
    meanwhile, once there was time to let go of it; None if it is not more."""
    deadline = time.monotonic() + patience
    while True:
        now = counted()
        if now[0] <= before[0] + threads and now[1] <= before[1] + files:
            return None
        if time.monotonic() > deadline:
            return f"{now[0]} threads and {now[1]} open files after {before[0]} and {before[1]}"
        time.sleep(0.02)


def counted() -> tuple[int, int]:
    """Threads, and open files with sockets among them (0 where the system does not list them)."""
    gc.collect()  # an object that no one holds may hold one
    folder = Path("/proc/self/fd")
    return threading.active_count(), sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0


def left_in(folder: Path) -> list[str]:
    """Files that a run left among the temporary ones. Those that leases lock are there for the next
    run."""
    return [
        f"temporary file {path.relative_to(folder)}"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix not in (".lock", ".mutex")
    ]


def left_on(phone: VirtualPhone, *, lost: bool = False) -> list[str]:
    """What still runs or listens on the phone, and what lies about on it. One that was lost could
    not be left as it was, and keeps what that was."""
    kept = (*KEPT_ON_PHONE, KEPT) if lost else KEPT_ON_PHONE
    files = [f"/data/local/tmp/{name}" for name, _ in phone.files.list("/data/local/tmp")]
    return [
        *(f"program {name}" for name in phone.running_programs),
        *(f"port {address} of the phone" for address in phone.ports.addresses()),
        *(f"file {path} on the phone" for path in files if path not in kept),
    ]


def leased(uri: str) -> list[str]:
    """Whether somebody still holds the phone."""
    lease = Lease(uri)
    try:
        lease.acquire()
    except DeviceBusy as busy:
        return [f"lease: {busy}"]
    lease.release()
    return []


def _more(before: Held) -> Iterator[str]:
    now = Held.now()
    yield from (f"thread {thread.name}" for thread in now.threads - before.threads)
    yield from (f"socket {name}" for name in now.sockets - before.sockets)
    yield from (f"process {pid}" for pid in now.children - before.children)


def _sockets() -> Iterator[str]:
    for handle in Path("/proc/self/fd").iterdir() if Path("/proc/self/fd").is_dir() else ():
        with suppress(OSError):
            target = os.readlink(handle)
            if target.startswith("socket:"):
                yield target


def _children() -> Iterator[str]:
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            yield from path.read_text().split()
