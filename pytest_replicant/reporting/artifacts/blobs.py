"""``blobs/``: snapshots and screenshots, stored once by content and shared by every test."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class BlobFolder:
    """A folder of files named by the SHA-256 of what they hold (its first 32 hex digits)."""

    path: Path

    def put(self, data: bytes, extension: str) -> Path:
        """Where ``data`` is stored from now on. Safe while other processes write there. Raises OSError."""
        target = self.place(data, extension)
        if not self.holds(target, data):
            write_whole(target, data)
        return target

    def place(self, data: bytes, extension: str) -> Path:
        return self.path / f"{hashlib.sha256(data).hexdigest()[:32]}{extension}"

    def holds(self, target: Path, data: bytes) -> bool:
        """Whether it is there already, whole."""
        try:
            return target.stat().st_size == len(data)
        except OSError:
            return False


def write_whole(target: Path, data: bytes) -> None:
    """Write a file that is either whole or absent, its folder included. Raises OSError."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".writing-", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o644)  # mkstemp's 0600 would keep a web server or a colleague out
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):  # the folder may be gone, which is then what is told
            os.unlink(temporary)
        raise
