"""cat, rm, mkdir, cp, mv, chmod, df."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence

from ...system.files import FileSystem, check_shell_writes
from ..call import BadUsage, Call, CommandFailed, short_options
from ..registry import table

_CAPACITY_KIB = 4 * 1024 * 1024  # what `df` says a phone of this kind holds


async def _cat(call: Call) -> int:
    _, names = short_options(call.words, "uentv")
    status = 0
    for name in names or ["-"]:
        if name == "-":
            while chunk := await call.channels.read():
                await call.channels.write(chunk)
            continue
        try:
            await call.channels.write(await call.load(name))
        except OSError as error:
            await call.error(f"cat: {name}: {error.strerror}")
            status = 1
    return status


async def _each(call: Call, names: Sequence[str], action: Callable[[str], None]) -> int:
    """Does it for each, goes on after failures, and ends with 1 if there was one."""
    if not names:
        raise BadUsage("Needs 1 argument")
    status = 0
    for name in names:
        try:
            action(call.path(name))
        except OSError as error:
            await call.error(f"{call.name}: {name}: {error.strerror}")
            status = 1
    return status


async def _rm(call: Call) -> int:
    options, names = short_options(call.words, "fRriv")
    forced, recursive = "f" in options, "r" in options or "R" in options

    def remove(path: str) -> None:
        files = call.phone.files
        if forced and not files.exists(path):
            return
        if files.stat(path).is_dir and not recursive:
            raise IsADirectoryError(21, "is directory", path)
        check_shell_writes(path)
        files.remove(path, recursive=recursive)

    return 0 if forced and not names else await _each(call, names, remove)


async def _mkdir(call: Call) -> int:
    options, names = short_options(call.words, "pv", "m")

    def make(path: str) -> None:
        files = call.phone.files
        if "p" not in options:
            files.stat(posixpath.dirname(files.normalise(path)))
            if files.exists(path):
                raise FileExistsError(17, "File exists", path)
        if not files.exists(path):
            check_shell_writes(path)
        files.mkdir(path)

    return await _each(call, names, make)


async def _chmod(call: Call) -> int:
    """An octal mode, or ``+x``."""
    words = call.words
    if len(words) < 2:
        raise BadUsage("Need 2 arguments")
    octal = re.fullmatch("[0-7]{1,4}", words[0])
    if not octal and words[0] != "+x":
        raise CommandFailed(f"chmod: bad mode '{words[0]}'")

    def change(path: str) -> None:
        old = call.phone.files.stat(path).mode
        check_shell_writes(path)
        call.phone.files.chmod(path, int(words[0], 8) if octal else old | 0o111)

    return await _each(call, words[1:], change)


async def _cp(call: Call) -> int:
    """``cp FILE GOAL``."""
    _, words = short_options(call.words, "f")
    if len(words) != 2:
        raise BadUsage("Needs 2 arguments")
    await call.save(words[1], await call.load(words[0]))
    return 0


async def _move(call: Call) -> int:
    _, words = short_options(call.words, "f")
    if len(words) < 2:
        raise BadUsage("Needs 2 arguments")
    files, target = call.phone.files, call.path(words[-1])
    into_folder = files.exists(target) and files.stat(target).is_dir
    if (len(words) > 2 or words[-1].endswith("/")) and not into_folder:
        raise CommandFailed(f"mv: '{words[-1]}' not directory")
    status = 0
    for word in words[:-1]:
        clean = files.normalise(call.path(word))
        goal = files.normalise(
            posixpath.join(target, posixpath.basename(clean)) if into_folder else target
        )
        try:
            _move_one(files, clean, goal)
        except OSError as error:
            await call.error(f"mv: bad '{word}': {error.strerror}")
            status = 1
    return status


def _move_one(files: FileSystem, source: str, goal: str) -> None:
    """If both are one file, it does nothing, and succeeds (rename(2))."""
    is_dir = files.stat(source).is_dir
    check_shell_writes(goal)
    check_shell_writes(source)
    if goal.startswith(source + "/"):
        raise OSError(22, "Invalid argument", source)
    if goal == source:
        return
    if files.exists(goal) and files.stat(goal).is_dir != is_dir:
        raise OSError(*((20, "Not a directory") if is_dir else (21, "Is a directory")), goal)
    if is_dir:
        files.mkdir(goal)
    for path in files.walk(source):
        stat = files.stat(path)
        files.write(goal + path[len(source) :], files.read(path), stat.mode & 0o7777, stat.mtime)
    files.remove(source, recursive=True)


async def _df(call: Call) -> int:
    """``df [FILES]``: everything a phone of this kind holds lies on its one partition for data."""
    files, names = call.phone.files, short_options(call.words, "k")[1]
    for name in names:
        if not files.exists(call.path(name)):
            raise CommandFailed(f"df: {name}: No such file or directory")
    used = files.used // 1024
    size = _CAPACITY_KIB if files.capacity is None else -(-files.capacity // 1024)
    share = used * 100 // max(size, 1)
    await call.out(
        f"{'Filesystem':<14}{'1K-blocks':>10}{'Used':>10}{'Available':>10} Use% Mounted on\n"
        f"{'/dev/block/dm-1':<14}{size:>10}{used:>10}{max(size - used, 0):>10} {share:>3}% /data\n"
    )
    return 0


COMMANDS = table(
    "free",
    cat=_cat,
    rm=_rm,
    mkdir=_mkdir,
    chmod=_chmod,
    cp=_cp,
    mv=_move,
    df=_df,
)
