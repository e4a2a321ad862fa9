"""Who waits for a phone, over all processes of this computer: whoever has waited longest is next."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from .lease_folder import alone, is_locked, lease_folder, read_record, write_record

SUFFIX = ".ticket"
_NAME = re.compile(r"\d{12}-\d+-[0-9a-f]+\.ticket")


@dataclass(frozen=True)
class Ticket:
    """``phones`` are those that would do, as they are leased; tickets sort by when they were drawn."""

    name: str
    phones: tuple[str, ...]


@dataclass
class Tickets:
    """A ticket is a file, and a lock that its process holds: one whose process died is seen to be worth nothing,
    and removed."""

    folder: Path

    @classmethod
    def of_this_user(cls) -> Tickets:
        return cls(lease_folder())

    def waiting(self) -> list[Ticket]:
        """Of living processes, the one that was drawn first in front."""
        if not self._drawn():
            return []
        with alone(self.folder):
            return self._living()

    def _drawn(self) -> list[Path]:
        return sorted(path for path in self.folder.glob(f"*{SUFFIX}") if _NAME.fullmatch(path.name))

    def _living(self) -> list[Ticket]:
        found = []
        for path in self._drawn():
            if is_locked(_lock_of(path)):
                phones = read_record(path).get("phones")
                found.append(Ticket(path.stem, tuple(map(str, phones)) if isinstance(phones, list) else ()))
            else:
                _remove(path)
        return found

    @contextmanager
    def queue_up(self, phones: Sequence[str]) -> Iterator[Ticket]:
        """Draws a ticket, for as long as the block lasts."""
        with alone(self.folder):
            last = max((int(each.name.partition("-")[0]) for each in self._living()), default=0)
            path = self.folder / f"{last + 1:012d}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
            lock = FileLock(_lock_of(path), thread_local=False)
            lock.acquire(timeout=0)
            write_record(path, {"phones": list(phones), "pid": os.getpid()})
        try:
            yield Ticket(path.stem, tuple(phones))
        finally:
            _remove(path, lock)

    def narrow(self, ticket: Ticket, phones: Sequence[str]) -> Ticket:
        """The same place in the queue, for these phones alone."""
        write_record(self.folder / f"{ticket.name}{SUFFIX}", {"phones": list(phones), "pid": os.getpid()})
        return Ticket(ticket.name, tuple(phones))


def is_wanted(phone: str, tickets: Sequence[Ticket], before: Ticket | None) -> bool:
    """Whether somebody who drew a ticket earlier would have this phone; ``before`` is one's own, None: any."""
    return any(phone in each.phones for each in tickets if before is None or each.name < before.name)


def _lock_of(path: Path) -> Path:
    return path.with_suffix(".ticket-lock")


def _remove(path: Path, lock: FileLock | None = None) -> None:
    with suppress(OSError):
        path.unlink()
    if lock is not None:
        lock.release()
    with suppress(OSError):
        _lock_of(path).unlink()
