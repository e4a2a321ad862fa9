"""What was changed is put back once, last first, and again where it could not be."""

from __future__ import annotations

import struct
import zlib

import pytest

from pytest_replicant.drivers import is_whole_png, png_size
from pytest_replicant.drivers.base_driver import Changes, Remembered
from pytest_replicant.errors import DeviceOffline, UsageError


def test_the_first_of_each_is_put_back_and_the_last_change_first() -> None:
    done: list[str] = []
    changes = Changes()
    changes.setdefault("rotation", lambda: done.append("portrait"))
    changes.setdefault("camera", lambda: done.append("no camera"))
    changes.setdefault("rotation", lambda: done.append("landscape"))
    changes.undo()
    assert done == ["no camera", "portrait"]


def test_after_it_was_put_back_the_next_change_counts_again() -> None:
    done: list[str] = []
    changes = Changes()
    for name in ("first", "second"):
        changes.setdefault("rotation", lambda name=name: done.append(name))  # type: ignore[misc]
        changes.undo()
    assert done == ["first", "second"]


def test_what_fails_does_not_keep_the_others_and_is_tried_again() -> None:
    done: list[str] = []
    offline = [True]

    def stubborn() -> None:
        if offline[0]:
            raise DeviceOffline("gone", device="R5CT")
        done.append("stubborn")

    changes = Changes()
    changes.setdefault("willing", lambda: done.append("willing"))
    changes.setdefault("stubborn", stubborn)
    with pytest.raises(DeviceOffline):
        changes.undo()
    assert done == ["willing"]
    offline[0] = False
    changes.undo()
    assert done == ["willing", "stubborn"]


def test_what_is_not_there_any_more_needs_nothing() -> None:
    def gone() -> None:
        raise UsageError("not installed")

    changes = Changes()
    changes.setdefault("camera", gone)
    changes.undo()


class Talk:
    calls = 0


def test_it_is_taken_once() -> None:
    remembered: Remembered[str] = Remembered(Talk())
    assert remembered.take() is None
    remembered.keep("field")
    assert remembered.take() == "field"
    assert remembered.take() is None


def test_whatever_is_said_meanwhile_ends_it() -> None:
    talk = Talk()
    remembered: Remembered[str] = Remembered(talk)
    remembered.keep("field")
    talk.calls += 1
    assert remembered.take() is None


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 1179, 2556, 8, 0, 0, 0, 0))
    + chunk(b"IEND", b"")
)


def test_a_whole_one_and_its_size() -> None:
    assert is_whole_png(PNG)
    assert png_size(PNG) == (1179, 2556)


@pytest.mark.parametrize("data", [b"", PNG[:-1], PNG[1:], b"GIF89a", PNG[:8]], ids=len)
def test_all_else_is_none(data: bytes) -> None:
    assert not is_whole_png(data)
