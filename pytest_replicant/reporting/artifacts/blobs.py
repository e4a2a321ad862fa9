"""``blobs/``: snapshots and screenshots, stored once by content and shared by every test."""

from __future__ import annotations

import hashlib
import os
import tempfile
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
        target = self.path / f"{hashlib.sha256(data).hexdigest()[:32]}{extension}"
        if not (target.exists() and target.stat().st_size == len(data)):
            write_whole(target, data)
        return target


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
        os.unlink(temporary)
        raise
