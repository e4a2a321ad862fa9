"""The phone's files: ``FileSystem()``, all in memory, empty but for the folders every Android has.

Paths are Android's own, always with ``/``; a relative one starts at the root, and ``..`` never
leaves it.
"""

from __future__ import annotations

import errno
import os
import posixpath
import stat
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

FOLDERS = (
    "/sdcard/Android/data",
    "/sdcard/DCIM",
    "/sdcard/Download",
    "/sdcard/Pictures",
    "/data/app",
    "/data/data",
    "/data/local/tmp",
    "/dev",
    "/proc",
    "/system/app",
    "/system/bin",
    "/vendor",
)
ALIASES = (
    "/storage/emulated/0",
    "/storage/self/primary",
    "/mnt/sdcard",
)  # all are links to /sdcard

NULL = "/dev/null"
_SHELLS = ("/sdcard", "/data/local/tmp")  # where adb's user may write
_WRITABLE_BY_OTHERS = (
    "/data",
    "/dev",
    "/proc",
    "/sys",
    "/mnt",
    "/storage",
)  # the rest is mounted read-only


def check_shell_writes(path: str) -> None:
    """Raises ``OSError`` for a place where adb's user, ``shell``, may write nothing: "Read-only
    file system" for the partitions of the system (the root is one of them from Android 10),
    "Permission denied" elsewhere."""
    clean = FileSystem.normalise(path)
    if not _is_below(clean, _SHELLS):
        code = errno.EACCES if _is_below(clean, _WRITABLE_BY_OTHERS) else errno.EROFS
        raise OSError(code, os.strerror(code), path)


def _is_below(path: str, folders: Sequence[str]) -> bool:
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


@dataclass(frozen=True)
class FileStat:
    """``mode`` has the file type bits too, as ``st_mode`` has; ``mtime`` is in seconds since
    1970."""

    mode: int
    size: int
    mtime: int
    is_dir: bool


@dataclass
class _Entry:
    mode: int
    mtime: int
    data: bytes = b""
    children: dict[str, _Entry] | None = None  # None for a file
    stat: FileStat = field(init=False)

    def __post_init__(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        is_dir = self.children is not None
        kind = stat.S_IFDIR if is_dir else stat.S_IFREG
        size = 4096 if is_dir else len(self.data)
        self.stat = FileStat(kind | (self.mode & 0o7777), size, self.mtime, is_dir)


class FileSystem:
    """``capacity`` is in bytes over all files, None for no end of them; beyond it, writing raises
    ``OSError`` (ENOSPC)."""

    def __init__(
        self, capacity: int | None = None, *, now: Callable[[], float] = time.time
    ) -> None:
        self._lock = threading.RLock()
        self._now = now
        self.capacity = capacity
        self._used = 0
        self._root = self._folder()
        for path in FOLDERS:
            self.mkdir(path)
        self.write(NULL, b"", 0o666)

    @staticmethod
    def normalise(path: str) -> str:
        """The absolute path without ``.``, ``..``, doubled slashes and links."""
        clean = "/" + posixpath.normpath("/" + path).lstrip("/")
        for alias in ALIASES:
            if clean == alias or clean.startswith(alias + "/"):
                return "/sdcard" + clean[len(alias) :]
        return clean

    def read(self, path: str) -> bytes:
        """Raises ``FileNotFoundError``, ``IsADirectoryError`` or ``NotADirectoryError``."""
        with self._lock:
            entry = self._find(path)
            if entry.children is not None:
                raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
            return entry.data

    def write(self, path: str, data: bytes, mode: int = 0o644, mtime: float | None = None) -> None:
        """Creates or replaces a file, with the folders above it. ``mode`` is permission bits.
        Raises ``IsADirectoryError``, ``NotADirectoryError`` or, beyond the capacity,
        ``OSError``."""
        with self._lock:
            folder, name = self._parent(path, create=True)
            old = folder.get(name)
            if name == "" or (old is not None and old.children is not None):
                raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
            data = b"" if self.normalise(path) == NULL else data
            growth = len(data) - (len(old.data) if old else 0)
            self.check_room(growth, path)
            self._used += growth
            folder[name] = _Entry(mode, int(self._now() if mtime is None else mtime), bytes(data))

    def check_room(self, growth: int, path: str = "") -> None:
        """Raises ``OSError`` (ENOSPC) where so many bytes more do not go in."""
        if self.capacity is not None and growth > 0 and self._used + growth > self.capacity:
            raise OSError(errno.ENOSPC, "No space left on device", path)

    def append(self, path: str, data: bytes) -> None:
        """At the end of a file, which need not exist. Raises as ``write`` does."""
        with self._lock:
            if self.exists(path):
                old = self._find(path)
                self.write(path, self.read(path) + data, old.mode)
            else:
                self.write(path, data)

    def stat(self, path: str) -> FileStat:
        """Raises ``FileNotFoundError`` or ``NotADirectoryError``."""
        with self._lock:
            return self._find(path).stat

    def exists(self, path: str) -> bool:
        with self._lock:
            try:
                self._find(path)
            except OSError:
                return False
            return True

    def list(self, path: str) -> list[tuple[str, FileStat]]:
        """Lists a folder's entries, by name. Raises ``FileNotFoundError`` or
        ``NotADirectoryError``."""
        with self._lock:
            entry = self._find(path)
            if entry.children is None:
                raise NotADirectoryError(errno.ENOTDIR, "Not a directory", path)
            return [(name, child.stat) for name, child in sorted(entry.children.items())]

    def mkdir(self, path: str, mode: int = 0o771) -> None:
        """With the folders above it; an existing folder is fine. Raises ``FileExistsError`` for a
        file."""
        with self._lock:
            folder, name = self._parent(path, create=True)
            if name == "":
                return
            there = folder.setdefault(name, self._folder(mode))
            if there.children is None:
                raise FileExistsError(errno.EEXIST, "File exists", path)

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """A file or an empty folder; any folder if ``recursive``. Raises ``FileNotFoundError``,
        ``NotADirectoryError``, or ``OSError`` (ENOTEMPTY, EBUSY for the root)."""
        with self._lock:
            entry = self._find(path)
            folder, name = self._parent(path, create=False)
            if name == "":
                raise OSError(errno.EBUSY, "Device or resource busy", path)
            if entry.children and not recursive:
                raise OSError(errno.ENOTEMPTY, "Directory not empty", path)
            self._used -= _weight(entry)
            del folder[name]

    def chmod(self, path: str, mode: int) -> None:
        """Raises ``FileNotFoundError`` or ``NotADirectoryError``."""
        with self._lock:
            entry = self._find(path)
            entry.mode = mode
            entry.refresh()

    def walk(self, path: str) -> Sequence[str]:
        """The paths of all files at and below ``path``. Raises as ``stat`` does."""
        clean = self.normalise(path)
        with self._lock:
            if not self.stat(clean).is_dir:
                return [clean]
            below = [posixpath.join(clean, name) for name, _ in self.list(clean)]
            return [each for child in below for each in self.walk(child)]

    @property
    def used(self) -> int:
        """Bytes in all files."""
        return self._used

    def _folder(self, mode: int = 0o771) -> _Entry:
        return _Entry(mode, int(self._now()), children={})

    def _find(self, path: str) -> _Entry:
        entry = self._root
        for name in self.normalise(path).split("/"):
            if name == "":
                continue
            if entry.children is None:
                raise NotADirectoryError(errno.ENOTDIR, "Not a directory", path)
            if name not in entry.children:
                raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
            entry = entry.children[name]
        return entry

    def _parent(self, path: str, *, create: bool) -> tuple[dict[str, _Entry], str]:
        above, name = posixpath.split(self.normalise(path))
        if create and above != "/" and not self.exists(above):
            self.mkdir(above)
        entry = self._find(above)
        if entry.children is None:
            raise NotADirectoryError(errno.ENOTDIR, "Not a directory", path)
        return entry.children, name


def _weight(entry: _Entry) -> int:
    if entry.children is None:
        return len(entry.data)
    return sum(_weight(child) for child in entry.children.values())
