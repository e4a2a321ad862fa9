"""The files next to a test file that its checks compare with, and ``--replicant-update``, which writes them where
a test has ended green."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..errors import UsageError
from ..stash import OPTIONS, REPLAY, RUN_ID
from .printable import as_seen_from, printable

if TYPE_CHECKING:
    from ..session import BaselineKind

_PICTURES: pytest.StashKey[dict[Path, str]] = pytest.StashKey()
"""Which test of this process wrote a picture in this run."""


@dataclass
class FilesOfTest:
    """The files of one attempt of a test, as its sessions are given them (``session.BaselineFiles``). ``proposed``
    are to be written when it has ended green."""

    item: pytest.Item
    proposed: dict[Path, Callable[[bytes | None], bytes]] = field(default_factory=dict)

    def folder(self, kind: BaselineKind) -> Path:
        return self.item.path.parent / kind / self.item.path.stem

    def shown(self, path: Path) -> str:
        return printable(as_seen_from(path, self.item.config.rootpath).as_posix())

    def updates(self, kind: BaselineKind) -> bool:
        return kind in self.item.config.stash[OPTIONS].update and REPLAY not in self.item.stash

    def propose(self, path: Path, make: Callable[[bytes | None], bytes]) -> None:
        if not path.is_relative_to(self.item.path.parent):
            raise UsageError(f"{self.shown(path)} is not below the folder of the test file, and is not written")
        earlier = self.proposed.get(path)
        self.proposed[path] = make if earlier is None else lambda present: make(earlier(present))

    def write(self, *, green: bool) -> list[str]:
        """Writes what was proposed, where the test is ``green``. Returns a line for each file."""
        if green:
            return [self._written(path, make) for path, make in self.proposed.items()]
        why = f"as {printable(self.item.nodeid)} did not pass"
        return [f"not written: {self.shown(path)}, {why}" for path in self.proposed]

    def _written(self, path: Path, make: Callable[[bytes | None], bytes]) -> str:
        from ..whole_file import write_whole

        shown = self.shown(path)
        try:
            with _alone(f"{self.item.config.stash[RUN_ID]} {path}"):
                present = path.read_bytes() if path.is_file() else None
                data = make(present)
                if data == present:
                    return f"unchanged: {shown}"
                write_whole(path, data)
        except (OSError, UsageError) as error:  # the latter: another has made no baseline of it meanwhile
            return f"not written: {shown}: {error}"
        line = f"{'written' if present is None else 'written again'}: {shown}"
        earlier = self.item.config.stash.setdefault(_PICTURES, {})
        if path.suffix == ".png" and (other := earlier.setdefault(path, self.item.nodeid)) != self.item.nodeid:
            line += f", over another picture, of {printable(other)}. Next: give each a name of its own"
        return line


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """No other worker adds to the same file meanwhile."""
    from filelock import FileLock

    digest = hashlib.sha256(name.encode(errors="replace")).hexdigest()[:16]
    path = os.path.join(tempfile.gettempdir(), f"replicant-{digest}.lock")
    with FileLock(path):
        yield
    with suppress(OSError):  # another worker has it open, and the last one removes it
        os.unlink(path)
