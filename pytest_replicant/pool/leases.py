"""Leases across the processes of this computer: one phone or other resource, one user, and a
queue."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from filelock import FileLock, Timeout

from ..drivers import Capability, DeviceInfo
from ..errors import DeviceBusy, UsageError
from ..model import Clock, Strings, SystemClock, decode, encode, one_line
from .quarantine import cannot_keep, lease_folder
from .requirements import Facts

ALONE_SECONDS = 10.0  # to get the folder's mutex; its holder needs it for milliseconds
KEPT_SECONDS = 24 * 3600.0  # files of a killed process are swept up after that
_ALONE_POLL, _LONGEST_POLL = 0.005, 0.05
_SYSTEM = SystemClock()
_OURS = r"[0-9a-f]{32}\.(lock|holder)|\d+-\d+-[0-9a-f]+\.ticket-lock|.*\.new"
MUTEX = "folder.mutex"


@contextmanager
def alone(folder: Path, clock: Clock = _SYSTEM) -> Iterator[None]:
    """Holds the folder's mutex: no other process takes or sweeps up a lock of it meanwhile. Not to
    be nested."""
    mutex = FileLock(folder / MUTEX, thread_local=False)
    deadline, pause = clock.now() + ALONE_SECONDS, _ALONE_POLL
    while not mutex.is_locked:
        try:
            mutex.acquire(timeout=0)
        except Timeout:
            if clock.now() >= deadline:
                raise DeviceBusy(
                    f"the folder of leases, {folder}, was in use for {ALONE_SECONDS:g} s. Next: "
                    "look for a process that is stopped while it uses a phone, and let it go on "
                    "or end it."
                ) from None
            clock.sleep(pause)
            pause = min(2 * pause, _LONGEST_POLL)  # else many that wait leave its holder no time
        except OSError as error:
            raise cannot_keep(folder, error) from None
    try:
        yield
    finally:
        mutex.release()


def is_locked(path: Path) -> bool:
    """Whether a living process holds the lock. Call it ``alone``."""
    if not path.exists():
        return False
    lock = FileLock(path, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


def write_record(path: Path, record: object) -> None:
    """Writes at once, or not at all: a reader meanwhile finds the old record. On a full disk there
    is none; the lock next to it holds all the same."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    with suppress(OSError):
        fresh.write_bytes(encode(record))
        fresh.replace(path)


def sweep(folder: Path) -> None:
    """Removes old files of processes that were killed. Call it ``alone``."""
    old = []
    for path in folder.iterdir():
        with suppress(OSError):  # it is gone
            is_ours = re.fullmatch(_OURS, path.name)
            if is_ours and time.time() - path.stat().st_mtime > KEPT_SECONDS:
                old.append(path)
    for path in old:  # known before the first look: looking at a lock may make it young
        with suppress(OSError):
            if not is_locked(path.with_suffix(".lock")):
                path.unlink()


@dataclass(frozen=True)
class Holder:
    """Holder of a lease, as far as its record says: ``pid`` 0 if it does not, ``since`` in epoch
    seconds. ``facts`` are of the phone, None until its holder has opened it. ``user`` is the worker
    and the test, "" if the record does not say. ``phone`` is its name, or that of another resource,
    which the command ``remove`` removes, in a folder."""

    pid: int = 0
    since: float = 0
    phone: str = ""
    facts: Facts | None = None
    user: str = ""
    remove: Strings = ()

    @property
    def described(self) -> str:
        """``process 4711, since 14:02:11``."""
        if not self.pid:
            return "another process"
        user, words = one_line(self.user), f"process {self.pid}"
        if self.pid == os.getpid():
            words = f"this very process ({self.pid}), {user or 'another session of the same run'}"
        elif user:
            words += f" ({user})"
        if self.since:
            words += f", since {time.strftime('%H:%M:%S', time.localtime(self.since))}"
        return words


class Lease:
    """An exclusive lease, from ``acquire`` until ``release``. The system takes it back from a
    process that dies, however it dies: it is a lock on an open file, not the file itself."""

    def __init__(self, phone: str, folder: Path | None = None, clock: Clock = _SYSTEM) -> None:
        """``phone`` names it on this computer: adb server and serial, or the URL of its
        WebDriverAgent. It may name another resource as well. ``folder`` is where leases are
        kept."""
        self.phone = phone
        self._clock = clock
        self._folder = folder or lease_folder()
        # A serial may hold what a file name may not.
        name = hashlib.sha256(phone.encode()).hexdigest()[:32]
        self._record = self._folder / f"{name}.holder"
        self._place = self._record.with_suffix(".lock")
        # Not bound to a thread: any may close the phone, a finaliser included.
        self._lock = FileLock(self._place, thread_local=False)
        self._published = Holder()

    @property
    def held(self) -> bool:
        return bool(self._lock.is_locked)

    def acquire(self) -> Lease:
        """Acquires it now or not at all. Raises ``DeviceBusy`` naming the process that holds the
        phone."""
        with alone(self._folder, self._clock):
            sweep(self._folder)
            if not self.take():
                raise busy_with(self.phone, read_record(self._record)) from None
        return self

    def take(self, user: str = "", remove: Strings = ()) -> bool:
        """Whether it was free, and is held from now on, by that record. Call it ``alone``."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        since = self._clock.epoch_ms() / 1000
        self._published = Holder(os.getpid(), since, self.phone, user=user, remove=remove)
        write_record(self._record, self._published)
        return True

    @property
    def is_released(self) -> bool:
        """Whether its files are gone: a quick look, which needs no mutex. A process that died
        leaves them."""
        return not self._place.exists()

    @property
    def holder(self) -> Holder | None:
        """The holder now, in any process. Call it ``alone``."""
        return read_record(self._record) if is_locked(self._place) else None

    def publish(self, info: DeviceInfo, capabilities: Capability) -> None:
        """Records the facts of the phone, for processes that would wait for it."""
        if self.held:
            write_record(self._record, replace(self._published, facts=Facts.of(info, capabilities)))

    def release(self) -> None:
        """May be called again."""
        if not self.held:
            return
        try:
            with suppress(OSError, DeviceBusy, UsageError), alone(self._folder, self._clock):
                self._record.unlink(missing_ok=True)
                self._place.unlink()  # no one opens it meanwhile; Windows keeps it
        finally:
            self._lock.release()


def busy_with(phone: str, holder: Holder) -> DeviceBusy:
    return DeviceBusy(
        f"{phone} is in use by {holder.described}",
        device=phone,
        advice="wait for it, use another phone, or give each run its own: --replicant-device="
        f"{'ios:URL' if phone.startswith('ios:') else 'android:SERIAL'}",
    )


def holder_of(phone: str, folder: Path | None = None) -> Holder | None:
    """The holder of the phone now, None if there is none: files of a process that died count
    nothing."""
    folder = folder or lease_folder()
    lease = Lease(phone, folder)
    if lease.is_released:
        return None
    with alone(folder):
        return lease.holder


def read_record(path: Path) -> Holder:
    """Of no one known if there is no file, or no record in it."""
    with suppress(OSError, ValueError):
        return decode(Holder, path.read_bytes())
    return Holder()


SUFFIX, _LOCK = ".ticket", ".ticket-lock"
_NAME = r"\d{12}-\d+-[0-9a-f]+\.ticket"


@dataclass(frozen=True)
class Ticket:
    """``wanted`` are the names of leases that would do; tickets sort by when they were drawn. Where
    several are wanted at once, each is a list of names, a line each."""

    name: str
    wanted: Strings


@dataclass
class Tickets:
    """The queue for leases, over all processes of this computer: the longest wait is served first.
    A ticket is a file, and a lock that its process holds: one whose process died is worth nothing,
    and removed."""

    folder: Path = field(default_factory=lease_folder)
    clock: Clock = _SYSTEM

    def waiting(self) -> list[Ticket]:
        """Tickets of living processes, the oldest first."""
        if not self._drawn():
            return []
        with alone(self.folder, self.clock):
            return [*self.living()]

    def ahead_of(self, ticket: Ticket, known: dict[str, bool]) -> int:
        """How many earlier tickets ask for one of the same, those of processes that died included.
        A quick look without the mutex; ``known`` keeps what was read."""
        own, count = _names(ticket.wanted), 0
        for path in self._drawn():
            if path.stem >= ticket.name:
                break
            if path.stem not in known:
                known[path.stem] = not own.isdisjoint(_names(_wanted(path)))
            count += known[path.stem]
        return count

    def _drawn(self) -> list[Path]:
        return sorted(
            path for path in self.folder.glob(f"*{SUFFIX}") if re.fullmatch(_NAME, path.name)
        )

    def living(self) -> Iterator[Ticket]:
        """The same, each as it is asked for. Call it ``alone``."""
        for path in self._drawn():
            if is_locked(path.with_suffix(_LOCK)):
                yield Ticket(path.stem, _wanted(path))
            else:
                _remove(path)

    @contextmanager
    def queue_up(self, wanted: Sequence[str]) -> Iterator[Ticket]:
        """Draws a ticket, for as long as the block lasts."""
        with alone(self.folder, self.clock):
            last = max((int(path.name.partition("-")[0]) for path in self._drawn()), default=0)
            path = self.folder / f"{last + 1:012d}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
            lock = FileLock(path.with_suffix(_LOCK), thread_local=False)
            lock.acquire(timeout=0)
            write_record(path, wanted)
        try:
            yield Ticket(path.stem, tuple(wanted))
        finally:
            _remove(path, lock)

    def narrow(self, ticket: Ticket, wanted: Sequence[str]) -> Ticket:
        """Keeps the place in the queue, for these alone."""
        write_record(self.folder / f"{ticket.name}{SUFFIX}", wanted)
        return Ticket(ticket.name, tuple(wanted))


def is_wanted(phone: str, tickets: Sequence[Ticket], before: Ticket | None) -> bool:
    """Whether an earlier ticket asks for this phone; ``before`` is one's own, None: any ticket."""
    return any(
        phone in each.wanted for each in tickets if before is None or each.name < before.name
    )


def _wanted(path: Path) -> Strings:
    with suppress(OSError, ValueError):
        return decode(tuple[str, ...], path.read_bytes())
    return ()


def _names(wanted: Sequence[str]) -> set[str]:
    return {name for each in wanted for name in each.split("\n")}


def _remove(path: Path, lock: FileLock | None = None) -> None:
    with suppress(OSError):
        path.unlink()
    if lock is not None:
        lock.release()
    with suppress(OSError):
        path.with_suffix(_LOCK).unlink()
