"""A file that is written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

_UMASK = os.umask(0o077)
os.umask(_UMASK)


def write_whole(target: Path, data: bytes, mode: int = 0o666 & ~_UMASK) -> None:
    """Write a file that is either whole or absent, its folder included. ``mode`` are its
    permissions: mkstemp's 0600 would keep out whom the user lets in. Raises OSError."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".writing-", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):  # the folder may be gone, which is then the error to report
            os.unlink(temporary)
        raise
