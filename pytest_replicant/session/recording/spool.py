"""A temporary file for screens that only the report reads: memory stays bounded.

A disk that is full costs a test evidence, never its result: what does not fit is reported, and the rest goes on.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator, Mapping
from io import FileIO
from typing import Generic, TypeVar

T = TypeVar("T")


class Spool:
    """Bytes on disk by position. The file has no name, so that it is gone however the run ends.

    ``problem`` says why something could not be kept, "" as long as everything was; ``lost`` counts it.
    """

    def __init__(self) -> None:
        self.problem = ""
        self.lost = 0
        self._file: FileIO | None = None  # unbuffered: what was written is there, and an error comes at once
        self._end = 0

    def put(self, data: bytes) -> tuple[int, int] | None:
        """Where it went: offset and length; None where it could not be kept."""
        try:
            file = self._opened()
            file.seek(self._end)
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) :]
        except OSError as error:
            self.problem = self.problem or f"temporary files: {error.strerror or error}"
            self.lost += 1
            return None
        place = (self._end, len(data))
        self._end += len(data)
        return place

    def get(self, place: tuple[int, int]) -> bytes:
        """Raises OSError where it cannot be read back."""
        file = self._opened()
        file.seek(place[0])
        parts: list[bytes] = []
        missing = place[1]
        while missing:
            part = file.read(missing)
            if not part:
                raise OSError("the temporary file of the trace is shorter than what was written to it")
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _opened(self) -> FileIO:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="replicant-", buffering=0)  # noqa: SIM115  # as long as the spool
        return self._file


class Spooled(Mapping[str, T], Generic[T]):
    """Values in a spool by key, read back when looked at. Only this process ever wrote the file."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._places: dict[str, tuple[int, int] | T] = {}

    def put(self, key: str, value: T, instead: T | None = None) -> None:
        """Keeps a value. Where the disk refuses it, ``instead`` stays in memory in its place, if there is one."""
        place = self._spool.put(pickle.dumps(value))
        if place is not None:
            self._places[key] = place
        elif instead is not None:
            self._places[key] = instead

    def put_again(self, key: str, known: str) -> None:
        """Keeps the value of a key that is known under another one as well."""
        self._places[key] = self._places[known]

    def __getitem__(self, key: str) -> T:
        place = self._places[key]
        if not isinstance(place, tuple):
            return place
        value: T = pickle.loads(self._spool.get(place))
        return value

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
