from __future__ import annotations

import stat
import threading

import pytest

from pytest_replicant.virtual import FileSystem

HOSTILE_NAMES = ["it's", "a & b (c)", "$abc", "100%", "%s", '"quotes"', "日本語", "😀", "new\nline", " ", "-rf"]


def test_a_fresh_phone_has_the_folders_every_android_has() -> None:
    files = FileSystem()
    for path in ("/sdcard", "/data/local/tmp", "/system/bin", "/sdcard/Download"):
        assert files.stat(path).is_dir, path


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_any_name_and_any_bytes_come_back(name: str) -> None:
    files = FileSystem()
    data = bytes(range(256)) + name.encode()
    files.write(f"/sdcard/{name}", data)
    assert files.read(f"/sdcard/{name}") == data
    assert name in [each for each, _ in files.list("/sdcard")]


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


def test_a_link_and_its_target_are_one_file() -> None:
    files = FileSystem()
    files.write("/storage/emulated/0/a/b", b"1")
    assert files.read("/sdcard/a/b") == b"1"


def test_writing_makes_the_folders_above() -> None:
    files = FileSystem()
    files.write("/data/local/tmp/deep/er/f.bin", b"abc", mode=0o755, mtime=1_700_000_000.9)
    found = files.stat("/data/local/tmp/deep/er/f.bin")
    assert (found.size, found.mtime, found.is_dir) == (3, 1_700_000_000, False)
    assert found.mode == stat.S_IFREG | 0o755
    assert files.stat("/data/local/tmp/deep").mode & stat.S_IFDIR


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


def test_appending_touching_and_modes() -> None:
    files = FileSystem(now=lambda: 100.0)
    files.append("/sdcard/log", b"a")
    files.chmod("/sdcard/log", 0o600)
    files.append("/sdcard/log", b"b")
    assert files.read("/sdcard/log") == b"ab"
    assert files.stat("/sdcard/log").mode & 0o777 == 0o600
    files.touch("/sdcard/log", mtime=7)
    assert files.stat("/sdcard/log").mtime == 7
    files.touch("/sdcard/new")
    assert files.stat("/sdcard/new").mtime == 100


def test_walking_lists_files_alone() -> None:
    files = FileSystem()
    files.write("/sdcard/w/b/2", b"")
    files.write("/sdcard/w/a", b"")
    assert list(files.walk("/sdcard/w")) == ["/sdcard/w/a", "/sdcard/w/b/2"]
    assert list(files.walk("/sdcard/w/a")) == ["/sdcard/w/a"]


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
