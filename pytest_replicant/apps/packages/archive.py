"""Reading out of a zip that may be anything: bounded, and with one error."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...errors import UsageError

_MOST_ENTRIES = 500_000
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, LookupError, NotImplementedError, RuntimeError)


@contextmanager
def opened(path: Path, kind: str) -> Iterator[zipfile.ZipFile]:
    """``kind`` is what it should be, for messages. Raises ``UsageError`` for what is no such zip, and for
    what turns out to be wrong inside."""
    try:
        with zipfile.ZipFile(path) as archive:
            if len(archive.namelist()) > _MOST_ENTRIES:
                raise UsageError(f"{path}: it claims more than {_MOST_ENTRIES} files: it is {kind} of nobody's")
            yield archive
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    except _DAMAGE as error:
        raise UsageError(f"{path}: it is {kind} by name, but no such zip file: {error}") from None


def member(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """Whatever size it claims. Raises ``UsageError`` beyond ``limit`` bytes."""
    with archive.open(name) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise UsageError(f"{archive.filename}: its {name} is larger than {limit >> 20} MB: no real one is")
    return content
