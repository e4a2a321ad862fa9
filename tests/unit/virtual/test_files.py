from __future__ import annotations

import threading

import pytest

from pytest_replicant.virtual import FileSystem


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("", "/"),
        ("/", "/"),
        ("sdcard", "/sdcard"),
        ("//sdcard//x/", "/sdcard/x"),
        ("/sdcard/./x/../y", "/sdcard/y"),
        ("/../../etc/passwd", "/etc/passwd"),
        ("../..", "/"),
        ("/storage/emulated/0/DCIM", "/sdcard/DCIM"),
        ("/storage/emulated/01", "/storage/emulated/01"),
        ("/mnt/sdcard", "/sdcard"),
    ],
)
def test_paths_are_normalised_and_stay_inside(given: str, meant: str) -> None:
    assert FileSystem.normalise(given) == meant


def test_what_is_not_there_says_so() -> None:
    files = FileSystem()
    files.write("/sdcard/f", b"")
    with pytest.raises(FileNotFoundError, match="No such file"):
        files.read("/sdcard/nope")
    with pytest.raises(IsADirectoryError):
        files.read("/sdcard")
    with pytest.raises(IsADirectoryError):
        files.write("/sdcard", b"")
    with pytest.raises(IsADirectoryError):
        files.write("/", b"")
    with pytest.raises(NotADirectoryError):
        files.list("/sdcard/f")
    with pytest.raises(NotADirectoryError):
        files.stat("/sdcard/f/g")
    with pytest.raises((NotADirectoryError, FileExistsError)):
        files.write("/sdcard/f/g", b"")
    with pytest.raises(FileExistsError):
        files.mkdir("/sdcard/f")
    assert not files.exists("/sdcard/f/g")


def test_removing() -> None:
    files = FileSystem()
    files.write("/sdcard/d/f", b"x" * 10)
    with pytest.raises(OSError, match="not empty"):
        files.remove("/sdcard/d")
    files.remove("/sdcard/d", recursive=True)
    assert not files.exists("/sdcard/d")
    assert files.used == 0
    with pytest.raises(FileNotFoundError):
        files.remove("/sdcard/d")
    with pytest.raises(OSError, match="busy"):
        files.remove("/", recursive=True)


def test_a_full_phone_refuses_and_keeps_what_it_had() -> None:
    files = FileSystem(capacity=10)
    files.write("/sdcard/a", b"12345678")
    with pytest.raises(OSError, match="No space left"):
        files.write("/sdcard/b", b"123")
    assert not files.exists("/sdcard/b")
    files.write("/sdcard/a", b"1234567890")
    assert files.used == 10


def test_many_threads_lose_nothing() -> None:
    files = FileSystem()

    def fill(number: int) -> None:
        for index in range(50):
            files.append("/sdcard/shared", b"x")
            files.write(f"/sdcard/{number}/{index}", b"y")

    threads = [threading.Thread(target=fill, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert files.stat("/sdcard/shared").size == 400
    assert files.used == 800
