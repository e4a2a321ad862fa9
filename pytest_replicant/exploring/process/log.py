"""What the process of a session writes on its standard output and error, with a bound."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

LARGEST = 256 * 1024  # bytes
KEPT = 64 * 1024


class Log:
    """A file for its owner only, in the place of both standard streams from now on."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC, 0o600)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os.dup2(self._file, 1)
        os.dup2(self._file, 2)

    def trim(self) -> None:
        """Keeps its end, if it has grown too long. It may be called on any thread."""
        size = os.fstat(self._file).st_size
        if size <= LARGEST:
            return
        os.lseek(self._file, size - KEPT, os.SEEK_SET)
        end = os.read(self._file, KEPT)
        os.ftruncate(self._file, 0)
        with suppress(OSError):  # a full disk: what was kept is lost, the session is not
            os.write(self._file, end)  # opened for appending: so are later lines
