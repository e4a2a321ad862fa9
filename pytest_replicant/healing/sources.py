"""The files of tests that a report names: below one folder only, and as they stood when the report was made. And
what a change to one looks like."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ..model import MASK
from ..reporting.artifacts.source_lines import place
from ..reporting.written_locators import LARGEST_FILE
from .literals import Source
from .refusal import Refusal

_NO_NAME = re.compile(r'[\x00-\x1f\x7f"\\]')
"""What git would quote in the header of a patch."""


class Sources:
    """Files below ``root``, the folder in which the tests were run, each read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._read: dict[str, Source] = {}

    def at(self, where: str, text: str) -> tuple[Source, int]:
        """The file and the line of ``"tests/test_shop.py:18"``, which has to say what was recorded, ``text``.
        Raises ``Refusal``."""
        found = place(where)
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
        if path.is_absolute() or ".." in path.parts or path.suffix != ".py" or _NO_NAME.search(name):
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
    first, *others = recorded.strip().split(MASK)
    if not line.startswith(first) or not line.endswith(others[-1]):
        return False
    at = len(first)
    for part in others:
        at = line.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def unified(name: str, before: bytes, after: bytes) -> bytes:
    """A diff that ``git apply`` takes: the line ends are those of the file.
    ``name`` is the file's path in the folder where the patch is applied; empty where nothing differs."""
    header = name.encode("utf-8") + (b"\t" if " " in name else b"")
    lines = difflib.diff_bytes(
        difflib.unified_diff, _lines(before), _lines(after), b"a/" + header, b"b/" + header, lineterm=b"\n"
    )
    return b"".join(_ended(lines))


def _lines(data: bytes) -> list[bytes]:
    """By line feeds alone, as git counts them."""
    return [*(line + b"\n" for line in data.split(b"\n")[:-1]), *filter(None, [data.rpartition(b"\n")[2]])]


def _ended(lines: Iterator[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"
