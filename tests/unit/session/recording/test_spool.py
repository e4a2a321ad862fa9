"""A spool whose disk refuses: told, and never raised into a test."""

from __future__ import annotations

import errno
import tempfile
from typing import Any

import pytest

from pytest_replicant.session.recording.screens import Spool, Spooled


class FullDisk:
    """A file on a disk that takes so many bytes and no more, as a raw file does: what fits is
    written."""

    def __init__(self, file: Any, room: int) -> None:
        self._file = file
        self._room = room

    def write(self, data: memoryview) -> int:
        if not self._room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = self._file.write(data[: self._room])
        self._room -= taken
        return int(taken)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Any:
    real = tempfile.TemporaryFile

    def limit(size: int) -> None:
        monkeypatch.setattr(tempfile, "TemporaryFile", lambda **more: FullDisk(real(**more), size))

    return limit


def test_a_full_disk_is_told_and_what_fitted_stays(room: Any) -> None:
    room(10)
    spool = Spool()
    first, second = spool.put(b"12345678"), spool.put(b"too much")
    assert first is not None
    assert second is None
    assert spool.get(first) == b"12345678"
    assert (spool.lost, spool.problem) == (1, "temporary files: No space left on device")
    spool.close()


def test_what_has_a_substitute_is_never_missing(room: Any) -> None:
    room(0)
    spool = Spool()
    spooled: Spooled[str] = Spooled(spool)
    spooled.put("s1", "all of it", "its name")
    spooled.put("s2", "all of it")
    assert dict(spooled) == {"s1": "its name"}
    assert "s2" not in spooled
    spool.close()
