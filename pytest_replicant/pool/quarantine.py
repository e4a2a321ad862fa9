"""Lost devices: the losses of this process, and the quarantine that every process of the run
observes. And the folder that processes of this computer share: leases, and the quarantine of each
run.

What one process knows it writes next to the leases, a small file a phone, so that the next one does
not lose a test to the same phone. The files live as long as the run."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import DeviceError, DeviceNotFound, DeviceOffline, DeviceTimeout, UsageError
from .uri import DeviceUri

if TYPE_CHECKING:
    from ..drivers import Driver

SCREEN_SECONDS = 10.0
"""Seconds in which a phone that did not answer in time may still show its screen."""

_REST = 10
"""A try in vain is not repeated for as many times as long as it took."""
_LONGEST_REST = 60.0
_LONGEST_REASON = 2_000
_KEPT_SECONDS = 24 * 3600.0
_FOLDER = "quarantine-"


def lease_folder() -> Path:
    """The user's own folder for leases, made where it is missing. Raises ``UsageError``."""
    return _made(lease_folder_path())


def resource_folder() -> Path:
    """The one for leases of accounts and other resources, with a queue of its own. Raises
    ``UsageError``."""
    return _made(lease_folder() / "resources")


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        check_own(folder)
    except OSError as error:
        raise cannot_keep(folder, error) from None
    return folder


def check_own(folder: Path) -> None:
    """Raises ``OSError`` for anything but a folder of this user's own, and if there is none."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise PermissionError("it is a link, or no folder")
    if hasattr(os, "getuid") and found.st_uid != os.getuid():
        raise PermissionError("it belongs to another user")


def cannot_keep(folder: Path, error: OSError) -> UsageError:
    return UsageError(
        f"cannot keep leases of phones in {folder}: {error.strerror or error}. Next: remove "
        "whatever is there, or set TMPDIR to a folder of your own, the same for all runs that "
        "share phones"
    )


def lease_folder_path() -> Path:
    """Its path, whether it is there or not."""
    owner = str(os.getuid()) if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"pytest-replicant-leases-{owner}"


@dataclass(frozen=True)
class Loss:
    """A lost phone, by the run's URI, and the error that reported it. ``named`` is the driver's
    URI, "" if the phone was never open; ``until`` is when it may be tried again, in epoch
    seconds."""

    uri: str
    reason: str
    named: str = ""
    until: float = 0.0


def is_device_loss(error: DeviceError) -> bool:
    """Whether the phone may be gone: it is not there, does not answer, or not in time. One that
    cannot do what was asked, or answers nonsense, is there; a busy one is in use."""
    return isinstance(error, (DeviceNotFound, DeviceOffline, DeviceTimeout))


_BECAME: tuple[tuple[type[DeviceError], str], ...] = (
    (DeviceNotFound, "it is gone"),
    (DeviceTimeout, "it did not answer in time"),
    (DeviceOffline, "it went offline"),
)


def loss_reason(error: DeviceError) -> str:
    """What became of the phone, first of all, and what it or the tool said: without the call that
    met it, and without advice, which is in the failure's message."""
    for kind, became in _BECAME:
        if isinstance(error, kind) and error.detail:
            return f"{became}: {error.detail}"
    return str(error)


def is_lost(driver: Driver, error: DeviceError, *, certain: bool = True) -> bool:
    """Whether the phone that an attempt ended on by ``error`` is lost; not ``certain`` where the
    error may be about another one.

    Recovery has reconnected before such an error ends a test, unless it is off, so "gone" is
    believed. A phone that was only late may have had a slow screen: it is lost where it does not
    show its screen now either.
    """
    if not is_device_loss(error):
        return False
    if certain and not isinstance(error, DeviceTimeout):
        return True
    try:
        driver.reconnect(SCREEN_SECONDS)
        driver.dump_hierarchy()
    except DeviceError as trouble:
        return is_device_loss(trouble)
    return False


@dataclass
class Quarantine:
    """The one record of lost phones. ``run_id`` is shared by the processes of a run, "" if there is
    only this one. A virtual phone is never in quarantine: there is always a new one."""

    run_id: str = ""
    leases: Path | None = None
    now: Callable[[], float] = time.time
    _active: dict[str, Loss] = field(default_factory=dict)

    def add(self, uri: DeviceUri, reason: str, *, named: str = "", took: float = 0.0) -> Loss:
        """Quarantines a phone that is lost, or answers and cannot be tested on. ``took`` are the
        seconds of a try in vain: the longer, the later the next one."""
        loss = Loss(uri.text, reason, named, self.now() + min(took * _REST, _LONGEST_REST))
        if uri.is_virtual:
            return loss
        self._active[uri.text] = loss
        path = self._path(uri)
        if path is not None:
            with suppress(OSError, UsageError):  # the others then find out for themselves
                if self.leases is None:
                    lease_folder()
                path.parent.mkdir(mode=0o700, exist_ok=True)
                for other in path.parent.parent.glob(f"{_FOLDER}*"):  # of runs that were killed
                    if time.time() - other.stat().st_mtime > _KEPT_SECONDS:
                        shutil.rmtree(other, ignore_errors=True)
                path.write_text(
                    json.dumps([reason[:_LONGEST_REASON], loss.until]), encoding="ascii"
                )
        return loss

    def lift(self, uri: DeviceUri) -> None:
        """Ends the quarantine of a phone that answers again."""
        self._active.pop(uri.text, None)
        path = self._path(uri)
        if path is not None:
            with suppress(OSError):
                path.unlink()

    def reason(self, uri: DeviceUri) -> str:
        """Why the phone is in quarantine, "" if it is not."""
        return self._entry(uri).reason

    def passed_over(self, uris: Iterable[DeviceUri], *, lost_too: bool) -> set[DeviceUri]:
        """The phones in quarantine; with ``lost_too``, if nothing else is left, those of them that
        it is too early to try again, but never all."""
        lost = {uri for uri in uris if self.reason(uri)}
        if not lost_too:
            return lost
        early = {uri for uri in lost if self._entry(uri).until > self.now()}
        return early if early != lost else set()

    def check(self, uri: DeviceUri) -> None:
        """Raises ``DeviceOffline`` if it is too early to try the phone again."""
        entry = self._entry(uri)
        rest = entry.until - self.now()
        if rest > 0:
            raise DeviceOffline(
                f"{uri.masked} is in quarantine, no other phone is left, and it is tried again in "
                f"{rest:.0f} s. It was lost: {entry.reason}",
                device=uri.masked,
            )

    def forget(self) -> None:
        """Removes the files, at the end of the run."""
        folder = self._folder()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def _entry(self, uri: DeviceUri) -> Loss:
        path, none = self._path(uri), Loss(uri.text, "")
        if path is None:
            return self._active.get(uri.text, none)
        try:
            reason, until = json.loads(path.read_text(encoding="ascii"))
            return Loss(uri.text, str(reason), until=float(until))
        except FileNotFoundError:
            return none
        except OSError:
            return self._active.get(uri.text, none)
        except (ValueError, TypeError):  # another process is writing it
            return Loss(uri.text, "lost in another process")

    def _path(self, uri: DeviceUri) -> Path | None:
        folder = self._folder()
        if folder is None:
            return None
        name = hashlib.sha256(uri.text.encode("utf-8", "backslashreplace")).hexdigest()[:32]
        return folder / f"{name}.json"

    def _folder(self) -> Path | None:
        """The run's, whether it is there or not; None if the folder of leases is not this user's
        own: nothing is read or written there, and each process finds out for itself."""
        if not self.run_id:
            return None
        leases = self.leases or lease_folder_path()
        try:
            check_own(leases)
        except FileNotFoundError:
            pass  # it is made where there is something to write
        except OSError:
            return None
        return leases / f"{_FOLDER}{re.sub(r'[^0-9A-Za-z_-]', '-', self.run_id)}"
