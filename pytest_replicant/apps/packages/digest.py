"""What a package is known by: the digest of its bytes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from ...errors import UsageError

_MOST_FILES = 100_000  # of a folder; what was meant by a larger one is no app
_CHUNK = 1 << 20


def sha256_of(path: Path) -> str:
    """Raises ``UsageError`` for what cannot be read."""
    digest = hashlib.sha256()
    try:
        if not path.is_dir():
            _add_file(digest, path)
            return digest.hexdigest()
        for inside in _files(path):
            digest.update(os.fsencode(f"{inside.relative_to(path).as_posix()}\0"))
            if inside.is_symlink():
                digest.update(os.fsencode(os.readlink(inside)))
            else:
                _add_file(digest, inside)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    return digest.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    """In order; links are not followed."""
    seen = 0
    for place, folders, names in os.walk(folder):
        folders.sort()
        links = [name for name in folders if Path(place, name).is_symlink()]
        for name in sorted([*names, *links]):
            seen += 1
            if seen > _MOST_FILES:
                raise UsageError(f"{folder} holds more than {_MOST_FILES} files: it is no app")
            yield Path(place, name)


def _add_file(digest: hashlib._Hash, path: Path) -> None:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
