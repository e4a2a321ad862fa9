"""Pictures are packed once each, in the background, and never at the price of a test."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pytest_replicant.reporting.artifacts import pictures
from pytest_replicant.reporting.artifacts.pictures import PicturePacking

if TYPE_CHECKING:
    import pytest


def counted(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    seen: list[bytes] = []

    def pack(png: bytes) -> tuple[bytes, str]:
        seen.append(png)
        return png.upper(), ".webp"

    monkeypatch.setattr(pictures, "pack", pack)
    return seen


def test_a_picture_is_packed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = counted(monkeypatch)
    packing = PicturePacking()
    packing.begin(b"one")
    assert [packing.packed(name) for name in (b"one", b"two", b"one")] == [
        (b"ONE", ".webp"),
        (b"TWO", ".webp"),
        (b"ONE", ".webp"),
    ]
    assert seen == [b"one", b"two"]
    packing.close()


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "KEPT", 2)
    seen = counted(monkeypatch)
    packing = PicturePacking()
    for name in (b"one", b"two", b"one", b"three", b"one", b"two"):
        packing.packed(name)
    assert seen == [b"one", b"two", b"three", b"two"]
    packing.close()


def test_a_forked_process_packs_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    packing = PicturePacking()
    packing.packed(b"a")
    own = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: own + 1)
    packing.begin(b"b")
    assert packing.packed(b"no picture") == (b"no picture", ".png")
    monkeypatch.undo()
    packing.close()
