"""Paths, here and on the phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_replicant.drivers.android.system import AndroidSystem
from pytest_replicant.errors import UsageError

from .odd_phone import Phone


@pytest.mark.parametrize("remote", ["", "a", "../a", "/a\0", "/\ud83d", "/" + "x" * 1100])
def test_what_is_no_path_reaches_no_phone(remote: str) -> None:
    phone = Phone()
    with pytest.raises(UsageError):
        AndroidSystem(phone.link).push_file(b"x", remote)
    with pytest.raises(UsageError):
        AndroidSystem(phone.link).pull_file(remote)
    assert phone.pushed == []


def test_a_local_file_that_cannot_be_read(tmp_path: Path) -> None:
    for local in (tmp_path, tmp_path / "missing", str(tmp_path / "missing")):
        with pytest.raises(UsageError, match="cannot be read"):
            AndroidSystem(Phone().link).push_file(local, "/sdcard/a")
