"""The open sessions of this user: a record, a lock and a log each, in a folder that only its owner
can use.

A session lives as long as its process holds the lock: the system frees it, however the process
ends.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from contextlib import suppress
from functools import partial

# as type checkers read it; the client imports this module, and typing would double its cost
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

RECORD_VERSION = 3
LONGEST_NAME = 40
_NAME_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
_RECORD, _LOCK, _LOG = ".json", ".lock", ".log"
_TAIL = 2000  # bytes of a log that a message quotes at most
_MOST_ENDED = 64 * 1024  # bytes of the file of sessions that ended: some hundred
_FIELDS = {
    "name": str, "pid": int, "port": int, "token": str, "phone": str, "app": str,
    "started": int, "project": str,
}  # fmt: skip
_DIED = "died: its process went without closing it"
_ROOTS = (
    (
        ("pytest.toml", b""), (".pytest.toml", b""), ("pytest.ini", b""), (".pytest.ini", b""),
        ("pyproject.toml", b"\n[tool.pytest]"), ("pyproject.toml", b"\n[tool.pytest."),
        ("tox.ini", b"\n[pytest]"), ("setup.cfg", b"\n[tool:pytest]"),
    ),
    (("pyproject.toml", b""),),
    (("setup.py", b""),),
)  # fmt: skip
"""Files by which pytest knows the root of a project, and what they have to hold. Those of a later
row count where no folder has any of the rows before."""


class Record:
    """What a client needs to reach a session. ``port`` is on the loopback, ``started`` ms since
    1970, ``phone`` and ``app`` as the session names them, ``project`` the root of its project.
    While the session opens there are its name, ``pid`` and project alone."""

    def __init__(
        self, name: str, pid: int, port: int, token: str, phone: str = "", app: str = "",
        started: int = 0, project: str = "",
    ) -> None:  # fmt: skip
        self.name, self.pid, self.port, self.token = name, pid, port, token
        self.phone, self.app, self.started, self.project = phone, app, started, project

    def to_dict(self) -> dict[str, Any]:
        return {"version": RECORD_VERSION, **vars(self)}


def check_fields(found: dict[str, Any], kinds: dict[str, type]) -> None:
    """As ``codec`` would, whose import costs more than all else that a client does. Raises
    ``ValueError`` for a field that is unknown or wrong."""
    for field, value in found.items():
        if field not in kinds:
            raise ValueError(f"there is no field {field!r}")
        if type(value) is not kinds[field]:
            raise ValueError(
                f"{field}: Expected `{kinds[field].__name__}`, got `{type(value).__name__}`"
            )


def sessions_folder() -> str:
    """Its path: a folder in that of the leases, whether it is there or not."""
    owner = str(os.getuid()) if sys.platform != "win32" else "user"
    return os.path.join(_temporary_folder(), f"pytest-replicant-leases-{owner}", "sessions")


def _temporary_folder() -> str:
    """That of ``tempfile``, whose import costs more than all else that a client does."""
    if sys.platform != "win32":
        asked = (os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP"))
        for folder in (*asked, "/tmp", "/var/tmp", "/usr/tmp"):
            if folder and os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK):
                return os.path.abspath(folder)
    import tempfile

    return tempfile.gettempdir()


def make_folder(folder: str) -> None:
    """Makes it, and its parent, if it is missing. Raises ``OSError`` if another user can use it."""
    for each in (os.path.dirname(folder), folder):
        with suppress(FileExistsError):
            os.mkdir(each, 0o700)
        check_own(each)
    check_folder(folder)


def check_folder(folder: str) -> None:
    """Raises ``OSError`` if it is there and another user can use it: a record of theirs would be
    sent what this user's environment holds."""
    with suppress(FileNotFoundError):
        check_own(os.path.dirname(folder))
        check_own(folder)
        open_to = stat.S_IMODE(os.lstat(folder).st_mode) & 0o077
        if open_to and sys.platform != "win32":
            raise PermissionError("other users can use it: its mode is not 0700")


def check_own(folder: str) -> None:
    """Raises ``OSError`` for anything but a folder of this user's own."""
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        raise PermissionError("it is a link, or no folder")
    if sys.platform != "win32" and found.st_uid != os.getuid():
        raise PermissionError("it belongs to another user")


def unusable(folder: str, error: OSError) -> str:
    return (
        f"cannot keep sessions in {folder}: {error.strerror or error}. Next: remove it, or set "
        "TMPDIR to a folder of your own, the same for all commands of a session"
    )


def is_name(name: str) -> bool:
    return 0 < len(name) <= LONGEST_NAME and _NAME_LETTERS.issuperset(name) and name[0] != "."


def path_of(folder: str, name: str, suffix: str) -> str:
    return os.path.join(folder, name + suffix)


log_path = partial(path_of, suffix=_LOG)
lock_path = partial(path_of, suffix=_LOCK)


def names(folder: str) -> list[str]:
    """Of all sessions that left a file here, living or not, sorted as people count: s2 before
    s10."""
    found = set()
    for entry in os.listdir(folder) if os.path.isdir(folder) else ():
        name, suffix = os.path.splitext(entry)
        if suffix in (_RECORD, _LOCK, _LOG) and is_name(name):
            found.add(name)
    return sorted(found, key=lambda name: (name.rstrip("0123456789"), len(name), name))


def living(folder: str) -> list[str]:
    """The names of those that are open, or opening."""
    return [name for name in names(folder) if is_held(lock_path(folder, name))]


def write(folder: str, record: Record) -> None:
    """At once or not at all, and for its owner only. Raises ``OSError``."""
    from ...model import encode  # which no client needs

    fresh = path_of(folder, record.name, ".new")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(encode(record.to_dict()))
    os.replace(fresh, path_of(folder, record.name, _RECORD))


def read(folder: str, name: str) -> Record | None:
    """None if the session has none (yet). Raises ``ValueError`` if it is damaged, or no record of
    this session."""
    try:
        with open(path_of(folder, name, _RECORD), "rb") as file:
            found = json.loads(file.read())
    except OSError:
        return None
    is_ours = isinstance(found, dict) and found.pop("version", None) == RECORD_VERSION
    if not is_ours or found.get("name") != name:
        raise ValueError("it is of another version")
    check_fields({**dict.fromkeys(_FIELDS), **found}, _FIELDS)
    return Record(**found)


def project_of(folder: str) -> str:
    """The root that pytest would find from this folder, which is the folder itself where no file
    says more. Links are followed."""
    places = [os.path.realpath(folder)]
    while (above := os.path.dirname(places[-1])) != places[-1]:
        places.append(above)
    for files in _ROOTS:
        for place in places:
            if any(_holds(os.path.join(place, name), text) for name, text in files):
                return place
    return places[0]


def _holds(path: str, text: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return text in b"\n" + file.read()
    except OSError:
        return False


def project_of_session(folder: str, name: str) -> str:
    """ "" if it has no record that can be used."""
    with suppress(ValueError):
        if record := read(folder, name):
            return record.project
    return ""


def note_end(folder: str, project: str, name: str, how: str) -> None:
    """Keeps that a session ended now, and how, for who looks for it later."""
    path, line = _ended_path(folder), json.dumps([project, name, how, time.time()]) + "\n"
    with (
        suppress(OSError),
        open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as file,
    ):
        if file.tell() > _MOST_ENDED:
            file.truncate(0)
        file.write(line.encode())


def last_end(folder: str, project: str = "", name: str = "") -> str:
    """A sentence on the session of this project, or of this name, that ended last; "" if none is
    known. It begins with a full stop."""
    try:
        with open(_ended_path(folder), "rb") as file:
            for line in reversed(file.readlines()):
                of, its, how, at = json.loads(line)
                if (its == name) if name else (of == project):
                    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
                    which = f"Session {name}" if name else f"The last one of this project, {its},"
                    return printable(f". {which} {how} ({when}).")
    except (OSError, ValueError, TypeError, OverflowError):
        pass
    return ""


def _ended_path(folder: str) -> str:
    return os.path.join(os.path.dirname(folder), "ended-sessions")


def log_tail(folder: str, name: str) -> str:
    """The last line of its log, "" if there is none. Printable."""
    try:
        with open(log_path(folder, name), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL))
            lines = file.read().decode("utf-8", "replace").strip().splitlines()
    except OSError:
        return ""
    return printable(lines[-1]) if lines else ""


def taken_out(words: Sequence[str], *flags: str) -> tuple[list[str], str | None]:
    """The words without an option, before or after the verb, and its value: "" if there is none
    behind it, None without it. ``flags`` are its spellings, the last one in full. What follows
    ``--`` stays."""
    own: list[str] = []
    value: str | None = None
    rest = iter(words)
    for word in rest:
        if word == "--":
            own += [word, *rest]
        elif word in flags:
            value = next(rest, "")
        elif word.startswith(f"{flags[-1]}="):
            value = word.partition("=")[2]
        else:
            own.append(word)
    return own, value


def printable(text: str, most: int = 200) -> str:
    """On one line, without what a terminal would obey."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """A line a row, each cell as wide as the widest of its column."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


class Lock:
    """An exclusive lock on a session's name, which the system takes back from a process that
    dies."""

    def __init__(self, folder: str, name: str) -> None:
        self.folder, self.name = folder, name
        self._path = lock_path(folder, name)
        self._file = -1

    def take(self) -> bool:
        """Whether it was free, and is held from now on. Raises ``OSError``."""
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            if not _try_to_lock(file):
                os.close(file)
                return False
            with suppress(OSError):
                if os.path.samestat(os.stat(self._path), os.fstat(file)):
                    self._file = file
                    return True
            os.close(file)  # its last holder has removed the file meanwhile

    def release(self) -> None:
        """Removes all files of the session as well. May be called again."""
        if self._file < 0:
            return
        for suffix in (_RECORD, ".new", _LOG):
            remove(path_of(self.folder, self.name, suffix))
        file, self._file = self._file, -1
        if sys.platform != "win32":
            remove(self._path)  # while it is held: the next lock is on another file
        os.close(file)
        if sys.platform == "win32":
            remove(self._path)


def is_held(path: str) -> bool:
    """Whether a living process holds the lock."""
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _try_to_lock(file, shared=True)
    finally:
        os.close(file)


def _try_to_lock(file: int, shared: bool = False) -> bool:
    """``shared``: two who only look are not in each other's way. Windows has no such lock."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def remove(path: str) -> None:
    """Removes a file, if it is there and can be."""
    with suppress(OSError):
        os.unlink(path)


def sweep(folder: str) -> list[str]:
    """Removes what sessions left whose process died. Returns their names. Raises ``OSError``."""
    swept = []
    check_folder(folder)
    for name in names(folder):
        lock = Lock(folder, name)
        if lock.take():
            if project := project_of_session(folder, name):
                note_end(folder, project, name, _DIED)
            lock.release()
            swept.append(name)
    return swept
