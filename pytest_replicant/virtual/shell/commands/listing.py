"""ls."""

from __future__ import annotations

import posixpath
import stat as stat_bits
import time

from ...system.files import FileStat
from ..call import Call, short_options
from ..registry import table

Item = tuple[str, FileStat]


async def _ls(call: Call) -> int:
    options, names = short_options(call.words, "aAlLd1ptr")
    files, status = call.phone.files, 0
    plain: list[Item] = []
    folders: list[tuple[str, str]] = []
    for name in names or [call.state.folder if call.state.folder != "/" else "/"]:
        path = call.path(name)
        try:
            found = files.stat(path)
        except OSError as error:
            await call.error(f"ls: {name}: {error.strerror}")
            status = 1
            continue
        if found.is_dir and "d" not in options:
            folders.append((name, path))
        else:
            plain.append((name, found))
    await _print(call, plain, options)
    for index, (name, path) in enumerate(folders):
        if len(names) > 1:
            await call.line(("\n" if index or plain else "") + f"{name}:")
        await _print_folder(call, path, options)
    return status


async def _print_folder(call: Call, path: str, options: dict[str, str]) -> None:
    items = call.phone.files.list(path)
    if not set(options) & {"a", "A"}:
        items = [item for item in items if not item[0].startswith(".")]
    if "l" in options:
        await call.line(f"total {sum(-(-found.size // 4096) * 4 for _, found in items)}")
    if "a" in options:
        above = posixpath.dirname(call.phone.files.normalise(path))
        items = [(".", call.phone.files.stat(path)), ("..", call.phone.files.stat(above)), *items]
    await _print(call, items, options)


async def _print(call: Call, items: list[Item], options: dict[str, str]) -> None:
    if "t" in options:
        items = sorted(items, key=lambda item: -item[1].mtime)
    if "r" in options:
        items = items[::-1]
    width = max((len(str(found.size)) for _, found in items), default=1)
    for name, found in items:
        shown = name + ("/" if found.is_dir and "p" in options else "")
        await call.line(_long_line(shown, found, width) if "l" in options else shown)


def _long_line(name: str, found: FileStat, width: int) -> str:
    links = 2 if found.is_dir else 1
    moment = time.strftime("%Y-%m-%d %H:%M", time.gmtime(found.mtime))
    return (
        f"{stat_bits.filemode(found.mode)} {links} shell shell {found.size:>{width}} {moment} "
        f"{name}"
    )


COMMANDS = table("free", ls=_ls)
