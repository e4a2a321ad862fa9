"""What a file holds, and what the files in it hold: an archive hides what a search for bytes should
find."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def contents(path: Path) -> Iterator[bytes]:
    yield path.read_bytes()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield name.encode()
                yield archive.read(name)
