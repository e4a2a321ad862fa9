"""Phones that were lost in this run: passed over while another is left, in every process of the run.

What one process knows it writes beside the leases, a small file a phone, so that the next one does not lose a test
to the same phone. Files of a run live as long as the run.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import DeviceError, DeviceNotFound, DeviceOffline, DeviceTimeout, UsageError
from .uri import is_virtual
from .wda_url import told_uri

if TYPE_CHECKING:
    from ..drivers import Driver

ASKED_FOR = 10.0
"""Seconds that a phone which did not answer in time is given to show its screen after all."""

_REST = 10
"""A try that was in vain is not repeated for as many times as long as it took."""
_LONGEST_REST = 60.0
_LONGEST_REASON = 2_000
_KEPT_SECONDS = 24 * 3600.0
_FOLDER = "quarantine-"
_ODD = re.compile(r"[^0-9A-Za-z_-]")


@dataclass(frozen=True)
class Loss:
    """A phone, by the URI that the run has for it, and what was said when it was lost. ``named`` is what its
    driver calls it, "" where it never was open."""

    uri: str
    reason: str
    named: str = ""


def tells_of_a_loss(error: DeviceError) -> bool:
    """Whether the phone may be gone: it is not there, does not answer, or not in time. One that cannot do what was
    asked, or answers what makes no sense, is there; one that is busy is somebody's."""
    return isinstance(error, (DeviceNotFound, DeviceOffline, DeviceTimeout))


def is_lost(driver: Driver, error: DeviceError, *, certain: bool = True) -> bool:
    """Whether the phone that an attempt ended on by ``error`` is lost; not ``certain`` where the error may be
    about another one.

    Recovery has connected anew before such an error ends a test, unless it is off, so "gone" is believed. A phone
    that was only late may have had a slow screen: it is lost where it does not show its screen now either.
    """
    if not tells_of_a_loss(error):
        return False
    if certain and not isinstance(error, DeviceTimeout):
        return True
    try:
        driver.reconnect(ASKED_FOR)
        driver.dump_hierarchy()
    except DeviceError as trouble:
        return tells_of_a_loss(trouble)
    return False


class Quarantine:
    """``run_id`` is what processes that share the phones have in common; "" where there is only this one."""

    def __init__(self, run_id: str = "", leases: Path | None = None, now: Callable[[], float] = time.time) -> None:
        self._run_id = run_id
        self._leases = leases
        self._now = now
        self._known: dict[str, tuple[str, float]] = {}

    def add(self, uri: str, reason: str, took: float = 0.0) -> None:
        """``took`` are the seconds of a try that was in vain: the longer, the later the next one."""
        until = self._now() + min(took * _REST, _LONGEST_REST)
        self._known[uri] = reason, until
        path = self._path(uri)
        if path is not None:
            with suppress(OSError):  # the others then find out for themselves
                self._make_folder()
                path.write_text(json.dumps([reason[:_LONGEST_REASON], until]), encoding="ascii")

    def lift(self, uri: str) -> None:
        """It answered again."""
        self._known.pop(uri, None)
        path = self._path(uri)
        if path is not None:
            with suppress(OSError):
                path.unlink()

    def reason(self, uri: str) -> str:
        """Why it is passed over, "" where it is not. Of virtual phones there is always a new one."""
        return "" if is_virtual(uri) else self._entry(uri)[0]

    def passed_over(self, uris: Iterable[str], *, lost_too: bool) -> set[str]:
        """Those that were lost; of these, where there is nothing else, the ones that it is too early to try again,
        but not all."""
        lost = {uri for uri in uris if self.reason(uri)}
        if not lost_too:
            return lost
        early = {uri for uri in lost if self._entry(uri)[1] > self._now()}
        return early if early != lost else set()

    def check(self, uri: str) -> None:
        """Raises ``DeviceOffline`` where it is too early to try it again."""
        reason, until = self._entry(uri)
        rest = until - self._now()
        if rest > 0:
            raise DeviceOffline(
                f"{told_uri(uri)} is in quarantine, no other phone is left, and it is tried again in {rest:.0f} s."
                f" It was lost: {reason}",
                device=told_uri(uri),
            )

    def forget(self) -> None:
        """The end of the run."""
        shutil.rmtree(self._folder(), ignore_errors=True)

    def _entry(self, uri: str) -> tuple[str, float]:
        path = self._path(uri)
        if path is None:
            return self._known.get(uri, ("", 0.0))
        try:
            reason, until = json.loads(path.read_text(encoding="ascii"))
            return str(reason), float(until)
        except FileNotFoundError:
            return "", 0.0
        except OSError:
            return self._known.get(uri, ("", 0.0))
        except (ValueError, TypeError):  # another process is writing it
            return "lost in another process", 0.0

    def _path(self, uri: str) -> Path | None:
        if not self._run_id:
            return None
        name = hashlib.sha256(uri.encode("utf-8", "backslashreplace")).hexdigest()[:32]
        return self._folder() / f"{name}.json"

    def _folder(self) -> Path:
        from .leases.lease_folder import lease_folder_path  # it loads what takes locks

        return (self._leases or lease_folder_path()) / f"{_FOLDER}{_ODD.sub('-', self._run_id)}"

    def _make_folder(self) -> None:
        """Beside it lie those of runs that were killed. Raises ``OSError``."""
        if self._leases is None:
            from .leases.lease_folder import lease_folder

            with suppress(UsageError):
                lease_folder()
        folder = self._folder()
        folder.mkdir(mode=0o700, exist_ok=True)
        for other in folder.parent.glob(f"{_FOLDER}*"):
            if time.time() - other.stat().st_mtime > _KEPT_SECONDS:
                shutil.rmtree(other, ignore_errors=True)
