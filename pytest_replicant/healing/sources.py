"""The files of tests that a report names: below one folder only, and as they stood when the report was made."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from ..cassettes import between
from ..model import MASK
from ..reporting.artifacts.document import file_and_line
from ..test_code import LARGEST_FILE
from .literals import Source
from .refusal import Refusal

_NO_NAME = r'[\x00-\x1f\x7f"\\]'
"""What git would quote in the header of a patch."""


class Sources:
    """Files below ``root``, the folder in which the tests were run, each read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._read: dict[str, Source] = {}

    def at(self, where: str, text: str) -> tuple[Source, int]:
        """The file and the line of ``"tests/test_shop.py:18"``, which has to say what was recorded, ``text``.
        Raises ``Refusal``."""
        found = file_and_line(where)
        if found is None:
            raise Refusal("no source", "the report does not say which line of the test this is")
        name, line = found
        source = self.read(name)
        if not text or not _says(source.line(line), text):
            raise Refusal("source changed", f"{name}:{line} no longer says what it said when the test ran")
        return source, line

    def read(self, name: str) -> Source:
        """Raises ``Refusal`` for a name that leads out of the folder, and for a file that cannot be read."""
        if name not in self._read:
            self._read[name] = Source(self._bytes(name), name)
        return self._read[name]

    def _bytes(self, name: str) -> bytes:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or path.suffix != ".py" or re.search(_NO_NAME, name):
            raise Refusal("no source", f"{name!r} is no file of tests in {self.root}")
        file = self.root / path
        try:
            if not (file.is_file() and file.resolve().is_relative_to(self.root.resolve())):
                raise Refusal("no source", f"{name} is not in {self.root}")
            with file.open("rb") as opened:
                data = opened.read(LARGEST_FILE + 1)
        except (OSError, ValueError) as error:
            raise Refusal("no source", f"{name}: {getattr(error, 'strerror', None) or error}") from None
        if len(data) > LARGEST_FILE:
            raise Refusal("no source", f"{name} is larger than {LARGEST_FILE // 1_000_000} MB")
        return data


def _says(line: str, recorded: str) -> bool:
    """Whether it is that line; secrets in it were masked when it was recorded."""
    if MASK not in recorded:
        return line == recorded.strip()
    return between(recorded.strip().split(MASK), line) is not None
