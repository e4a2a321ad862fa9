"""A temporary file for what a test reads and nobody looks at before the report: memory stays bounded."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class Spool:
    """Bytes on disk by position. The file has no name, so that it is gone however the run ends."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="replicant-")  # noqa: SIM115  # open as long as the spool
        self._end = 0

    def put(self, data: bytes) -> tuple[int, int]:
        """Where it went: offset and length."""
        self._file.seek(self._end)
        self._file.write(data)
        place = (self._end, len(data))
        self._end += len(data)
        return place

    def get(self, place: tuple[int, int]) -> bytes:
        self._file.seek(place[0])
        return self._file.read(place[1])

    def close(self) -> None:
        self._file.close()


class Spooled(Mapping[str, T], Generic[T]):
    """Values in a spool by key, read back when looked at. Only this process ever wrote the file."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._places: dict[str, tuple[int, int]] = {}

    def put(self, key: str, value: T) -> None:
        self._places[key] = self._spool.put(pickle.dumps(value))

    def __getitem__(self, key: str) -> T:
        value: T = pickle.loads(self._spool.get(self._places[key]))
        return value

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
